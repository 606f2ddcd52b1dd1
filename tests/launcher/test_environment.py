# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""tools/environment.sh, as the launcher and the bundle source it."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import support
from kobalt_cli.lib import environment

SCRIPT = support.ROOT / "tools/environment.sh"


class Environment(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.prefix = self.root / "prefix"
        (self.prefix / "lib/dri").mkdir(parents=True)
        (self.prefix / "lib/kobalt/gbm").mkdir(parents=True)
        (self.prefix / "lib/libEGL_kobalt.so.0").touch()
        self.host = self.root / "host"
        icds = self.host / "usr/share/vulkan/icd.d"
        icds.mkdir(parents=True)
        (self.host / "usr/share/vulkan/explicit_layer.d").mkdir()
        for name in ("lvp_icd.json", "swiftshader_icd.json"):
            (icds / name).write_text("{}")

    def tearDown(self):
        self.folder.cleanup()

    def source(self, patch="", **variables):
        """The environment after kobalt_environment; PATCH redefines functions before the call."""
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.root), "KOBALT_HOST": str(self.host), **variables}
        script = '. "$1"\n%s\nkobalt_environment "$2" && env -0' % patch
        done = subprocess.run(["/bin/sh", "-c", script, "sh", str(SCRIPT), str(self.prefix)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.remarks = done.stderr.decode()
        return environment.parse(done.stdout) if done.returncode == 0 else None

    NO_GPU = "kobalt_has_gpu() { return 1; }\nkobalt_system_manifests() { :; }\nkobalt_nvidia_manifest() { :; }"

    def test_driver_is_selected(self):
        env = self.source(self.NO_GPU, LD_LIBRARY_PATH="/before", LIBGL_ALWAYS_SOFTWARE="1")
        self.assertEqual(env["MESA_LOADER_DRIVER_OVERRIDE"], "kobalt")
        self.assertEqual(env["__GLX_VENDOR_LIBRARY_NAME"], "kobalt")
        self.assertEqual(env["__EGL_VENDOR_LIBRARY_FILENAMES"],
                         str(self.prefix / "share/kobalt/egl_vendor.d/50_kobalt.json"))
        self.assertEqual(env["LD_LIBRARY_PATH"], "%s:%s:/before" % (self.prefix / "lib/kobalt", self.prefix / "lib"))
        self.assertNotIn("LIBGL_DRIVERS_PATH", env)  # an X server that the program starts has drivers of its own
        self.assertEqual(env["GBM_BACKENDS_PATH"], str(self.prefix / "lib/kobalt/gbm"))
        self.assertNotIn("LIBGL_ALWAYS_SOFTWARE", env)

    def test_32_bit_programs_find_their_libraries(self):
        """Those of the tree come last: what the user has set is in front of them."""
        libraries = self.host / "usr/lib/i386-linux-gnu"
        self.assertNotIn(str(libraries), self.source(self.NO_GPU)["LD_LIBRARY_PATH"])
        libraries.mkdir(parents=True)
        (self.prefix / "lib/i386-linux-gnu").mkdir()
        (self.prefix / "lib/libEGL_kobalt.so.0").rename(self.prefix / "lib/i386-linux-gnu/libEGL_kobalt.so.0")
        env = self.source(self.NO_GPU, LD_LIBRARY_PATH="/before")
        own = self.prefix / "lib/i386-linux-gnu"
        self.assertEqual(env["LD_LIBRARY_PATH"], "%s:%s:/before:%s" % (own / "kobalt", own, libraries))

    def test_below_usr_the_systems_folder_is_not_on_the_search_path(self):
        """It would win over libraries that programs bring along. $LIB is for programs of either architecture."""
        done = subprocess.run(["/bin/sh", "-c", '. "$1"; kobalt_prefix=/usr; kobalt_library_folders /usr/lib64; env -0', "sh", str(SCRIPT)],
                              stdout=subprocess.PIPE, env={"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": "/before"}, check=True)
        env = environment.parse(done.stdout)
        self.assertEqual(env["LD_LIBRARY_PATH"], "/usr/$LIB/kobalt:/before")
        self.assertEqual(env["GBM_BACKENDS_PATH"], "/usr/$LIB/kobalt/gbm")

    def test_a_bundle_for_both_widths(self):
        """One variable serves programs of either width, so each names what both of them open."""
        narrow = self.prefix / "lib32"
        narrow.mkdir()
        (narrow / "libEGL_kobalt.so.0").touch()
        env = self.source(self.NO_GPU, LD_LIBRARY_PATH="/before")
        wide = self.prefix / "lib"
        self.assertEqual(env["LD_LIBRARY_PATH"], ":".join(map(str, (wide / "kobalt", narrow / "kobalt", wide, narrow, "/before"))))
        self.assertEqual(env["GBM_BACKENDS_PATH"], "%s/kobalt/gbm:%s/kobalt/gbm" % (wide, narrow))
        self.assertEqual(env["__EGL_VENDOR_LIBRARY_FILENAMES"], str(self.prefix / "share/kobalt/egl_vendor.d/50_kobalt.json"))

    def test_lavapipe_where_there_is_no_gpu_and_it_is_said(self):
        env = self.source(self.NO_GPU)
        self.assertTrue(env["VK_DRIVER_FILES"].endswith("lvp_icd.json"))
        self.assertIn("no GPU here", self.remarks)
        self.source(self.NO_GPU, KOBALT_QUIET="1")
        self.assertEqual(self.remarks, "")

    def test_the_users_choice_stands(self):
        self.assertEqual(self.source(self.NO_GPU, VK_DRIVER_FILES="/mine.json")["VK_DRIVER_FILES"], "/mine.json")

    def test_a_device_by_name(self):
        env = self.source(self.NO_GPU, KOBALT_VULKAN="swiftshader")
        self.assertTrue(env["VK_DRIVER_FILES"].endswith("swiftshader_icd.json"))

    def test_the_machines_own_lavapipe_where_none_was_fetched(self):
        system = "kobalt_system_manifests() { echo /usr/share/vulkan/icd.d/%s; }"
        nowhere = {"KOBALT_HOST": str(self.root / "none"), "KOBALT_VULKAN": "lavapipe"}
        env = self.source(system % "lvp_icd.x86_64.json", **nowhere)
        self.assertEqual(env["VK_DRIVER_FILES"], "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")
        # The loader picks those of a program's own architecture.
        both = "kobalt_system_manifests() { echo /a/lvp_icd.i386.json; echo /a/lvp_icd.x86_64.json; }"
        self.assertEqual(self.source(both, **nowhere)["VK_DRIVER_FILES"], "/a/lvp_icd.i386.json:/a/lvp_icd.x86_64.json")
        self.assertIsNone(self.source(system % "radeon_icd.json", **nowhere))
        self.assertIn("lavapipe was asked for", self.remarks)

    def test_a_gpu_is_left_to_the_loader(self):
        patch = "kobalt_has_gpu() { :; }\nkobalt_nvidia_manifest() { :; }\n" \
                "kobalt_system_manifests() { echo /usr/share/vulkan/icd.d/radeon_icd.json; }"
        self.assertNotIn("VK_DRIVER_FILES", self.source(patch))

    def nvidias_manifest(self, **variables):
        """The driver that the manifest in use names, and the whole manifest; the machine's names libGLX_nvidia."""
        manifest = self.root / "nvidia_icd.json"
        manifest.write_text('{"file_format_version": "1.0.1", "ICD": '
                            '{"library_path": "libGLX_nvidia.so.0", "api_version": "1.4.312"}}')
        patch = "kobalt_has_gpu() { :; }\nkobalt_system_manifests() { echo '%s'; }\n" \
                "kobalt_nvidia_library() { echo libEGL_nvidia.so.0; }" % manifest
        used = Path(self.source(patch, **variables)["VK_DRIVER_FILES"])
        self.assertEqual(json.loads(manifest.read_text())["ICD"]["library_path"], "libGLX_nvidia.so.0")
        return used == manifest, json.loads(used.read_text())["ICD"]

    def test_nvidias_library_by_name_or_by_path(self):
        """The bare name, where the loader knows it, is the same for 32-bit programs; containers may mount a path alone."""
        script = '. "$1"\nkobalt_known_libraries() { printf "%b" "$KNOWN"; }\nkobalt_nvidia_library || echo none'
        for known, said in (("\\tlibEGL_nvidia.so.0 (libc6,x86-64) => /x\\n", "libEGL_nvidia.so.0"), ("\\tlibEGL.so.1 (libc6) => /x\\n", "none")):
            done = subprocess.run(["/bin/sh", "-c", script, "sh", str(SCRIPT)], stdout=subprocess.PIPE, text=True,
                                  env={"PATH": "/usr/bin:/bin", "KNOWN": known})
            self.assertEqual(done.stdout.strip(), said)

    def stand_in_info(self, status):
        """A kobalt-info that ends with STATUS, and writes what it was given to self.root/asked."""
        tool = self.prefix / "bin/kobalt-info"
        tool.parent.mkdir(exist_ok=True)
        tool.write_text('#!/bin/sh\n{ echo "$@"; env; } >"%s"\n%s\n' % (self.root / "asked", status))
        tool.chmod(0o755)

    def test_nvidias_manifest_is_mended_without_a_display(self):
        self.stand_in_info("exit 0")
        same, data = self.nvidias_manifest()
        self.assertFalse(same)
        self.assertEqual(data, {"library_path": "libEGL_nvidia.so.0", "api_version": "1.4.312"})
        self.assertFalse((self.root / "asked").exists())

    def test_nvidias_manifest_stays_where_its_driver_works_on_the_display(self):
        self.stand_in_info("exit 0")
        same, data = self.nvidias_manifest(DISPLAY=":7", KOBALT_DEVICE="mine", VK_ICD_FILENAMES="", LD_LIBRARY_PATH="/before")
        self.assertTrue(same)
        self.assertEqual(data["library_path"], "libGLX_nvidia.so.0")
        asked = (self.root / "asked").read_text().splitlines()
        self.assertEqual(asked[0], "--x11-driver")
        for line in ("DISPLAY=:7", "KOBALT_DEVICE=", "VK_DRIVER_FILES=%s" % (self.root / "nvidia_icd.json"),
                     "LD_LIBRARY_PATH=%s:/before" % (self.prefix / "lib"),
                     "__EGL_VENDOR_LIBRARY_FILENAMES=%s" % (self.prefix / "share/kobalt/egl_vendor.d/50_kobalt.json")):
            self.assertIn(line, asked)

    def test_nvidias_manifest_is_mended_where_its_driver_fails_on_the_display(self):
        for end in ("exit 1", "kill -SEGV $$"):
            with self.subTest(end=end):
                self.stand_in_info(end)
                same, data = self.nvidias_manifest(DISPLAY=":7")
                self.assertEqual((same, data["library_path"]), (False, "libEGL_nvidia.so.0"))

    def test_nvidias_manifest_of_the_user_is_judged_as_well(self):
        self.stand_in_info("exit 0")
        mine = self.root / "mine.json"
        mine.write_text('{"ICD": {"library_path": "libGLX_nvidia.so.0"}}')
        self.assertEqual(self.source(VK_ICD_FILENAMES=str(mine), DISPLAY=":7")["VK_DRIVER_FILES"], str(mine))
        self.stand_in_info("exit 1")
        self.assertNotEqual(self.source(VK_ICD_FILENAMES=str(mine), DISPLAY=":7")["VK_DRIVER_FILES"], str(mine))

    def test_no_manifest_at_all_is_said(self):
        self.source(self.NO_GPU, KOBALT_HOST=str(self.root / "none"))
        self.assertIn("no Vulkan driver found", self.remarks)

    def test_profiles_of_the_prefix(self):
        self.assertNotIn("DRIRC_CONFIGDIR", self.source(self.NO_GPU))
        profiles = self.prefix / "share/kobalt/drirc.d"
        profiles.mkdir(parents=True)
        self.assertEqual(self.source(self.NO_GPU)["DRIRC_CONFIGDIR"], str(profiles))
        self.assertEqual(self.source(self.NO_GPU, DRIRC_CONFIGDIR="/mine")["DRIRC_CONFIGDIR"], "/mine")

    def test_not_built_is_said(self):
        os.unlink(self.prefix / "lib/libEGL_kobalt.so.0")
        self.assertIsNone(self.source(self.NO_GPU))
        self.assertIn("build it first", self.remarks)

    def on_build(self, **variables):
        """The environment that tools/on_build.sh gives to a test of the build folder self.root."""
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.root), "KOBALT_HOST": str(self.host), **variables}
        done = subprocess.run(["/bin/sh", str(support.ROOT / "tools/on_build.sh"), str(self.root), "env", "-0"],
                              stdout=subprocess.PIPE, env=env, check=True)
        return environment.parse(done.stdout)

    def test_meson_test_takes_the_build_folders_driver(self):
        env = self.on_build()
        mesa = str(self.root / "subprojects/mesa-25.0.7/src")
        self.assertEqual(env["LD_LIBRARY_PATH"].split(":"), [mesa + "/gallium/targets/dri", mesa + "/egl", mesa + "/glx"])
        self.assertEqual(env["__EGL_VENDOR_LIBRARY_FILENAMES"], mesa + "/egl/50_kobalt.json")
        self.assertEqual((env["MESA_LOADER_DRIVER_OVERRIDE"], env["KOBALT_EXPECT_RENDERER"]), ("kobalt", "Kobalt"))
        self.assertEqual(env["VK_DRIVER_FILES"], str(self.host / "usr/share/vulkan/icd.d/lvp_icd.json"))
        self.assertEqual(self.on_build(VK_DRIVER_FILES="/mine.json")["VK_DRIVER_FILES"], "/mine.json")

    def test_what_the_caller_selected_stands(self):
        env = self.on_build(MESA_LOADER_DRIVER_OVERRIDE="kobalt", LD_LIBRARY_PATH="/installed")
        self.assertEqual(env["LD_LIBRARY_PATH"], "/installed")
        self.assertNotIn("VK_DRIVER_FILES", env)


if __name__ == "__main__":
    unittest.main()
