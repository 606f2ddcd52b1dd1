# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Installations beside running programs: what changed is replaced by renaming, the rest stays untouched."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (sets the import path)
from kobalt_cli.lib import environment, paths, stamps, ui
from kobalt_cli.setup import build, bundle, installation

LIBRARY = "lib/libgallium.so"
# Maps a file as a library is mapped, says so, and reads all of it when it is told to.
READER = """
import mmap, sys
with open(sys.argv[1], "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
print("mapped", flush=True)
sys.stdin.readline()
print(sum(mapped[i] for i in range(0, len(mapped), 4096)), flush=True)
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.staged, self.prefix = self.root / "staged", self.root / "prefix"
        self.enterContext(mock.patch.object(paths, "STAMPS", self.root / "stamps"))
        self.write("v1", pages=64)

    def write(self, version, pages):
        """A staged installation of VERSION: a library, a link to it, a program, a text."""
        for name, text in ((LIBRARY, "\1" * 4096 * pages + version), ("bin/kobalt-info", version), ("share/a.conf", "same")):
            path = self.staged / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.staged / "bin/kobalt-info").chmod(0o755)
        link = self.staged / "lib/libgallium.so.0"
        link.unlink(missing_ok=True)
        link.symlink_to("libgallium.so")

    def bring(self):
        return [str(name) for name in installation.bring(self.staged, self.prefix)]

    def marks(self):
        return {name: ((self.prefix / name).lstat().st_ino, (self.prefix / name).lstat().st_mtime_ns)
                for name in installation.files(self.prefix)}


class Bring(Tree):
    def test_a_first_installation(self):
        self.assertEqual(len(self.bring()), 4)
        self.assertEqual(installation.files(self.prefix), installation.files(self.staged))
        self.assertEqual(os.readlink(self.prefix / "lib/libgallium.so.0"), "libgallium.so")
        self.assertTrue(os.access(self.prefix / "bin/kobalt-info", os.X_OK))

    def test_what_is_the_same_is_not_touched(self):
        self.bring()
        before = self.marks()
        self.write("v1", pages=64)  # built anew, with other times
        self.assertEqual(self.bring(), [])
        self.assertEqual(self.marks(), before)

    def test_only_what_changed_is_replaced(self):
        self.bring()
        before = self.marks()
        (self.staged / "bin/kobalt-info").write_text("v2")
        (self.staged / "share/a.conf").chmod(0o600)
        self.assertEqual(self.bring(), ["bin/kobalt-info", "share/a.conf"])
        after = self.marks()
        self.assertEqual([n for n in before if before[n] == after[n]], [Path(LIBRARY), Path("lib/libgallium.so.0")])
        self.assertEqual(installation.files(self.prefix), sorted(before))  # nothing is left beside them

    def test_a_running_program_survives(self):
        """A shorter library, written in place, would crash its reader with SIGBUS."""
        self.bring()
        reader = subprocess.Popen([sys.executable, "-c", READER, str(self.prefix / LIBRARY)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self.assertEqual(reader.stdout.readline(), "mapped\n")
        self.write("v2", pages=1)
        self.assertIn(LIBRARY, self.bring())
        said = reader.communicate("go\n", timeout=60)[0]
        self.assertEqual((reader.returncode, said.strip()), (0, str(64 + ord("v"))))
        self.assertTrue((self.prefix / LIBRARY).read_text().endswith("v2"))

    def test_an_interrupted_installation_leaves_the_old_one(self):
        self.bring()
        before = self.marks()
        self.write("v2", pages=1)
        with mock.patch.object(installation.os, "replace", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            self.bring()
        self.assertEqual(self.marks(), before)

    def test_a_copy_that_was_left_over_is_no_obstacle(self):
        self.bring()
        (self.prefix / "bin/.kobalt-info.new").symlink_to("/nowhere")
        (self.staged / "bin/kobalt-info").write_text("v2")
        self.assertEqual(self.bring(), ["bin/kobalt-info"])
        self.assertEqual((self.prefix / "bin/kobalt-info").read_text(), "v2")

    def test_what_is_no_longer_installed_goes_and_what_others_put_there_stays(self):
        self.bring()
        installation.drop_left_over(self.staged, self.prefix)
        (self.prefix / "mine").touch()
        (self.staged / "share/a.conf").unlink()
        self.bring()
        installation.drop_left_over(self.staged, self.prefix)
        self.assertFalse((self.prefix / "share/a.conf").exists())
        self.assertTrue((self.prefix / "mine").exists())


class State(Tree):
    """Whether there is something to install."""

    def setUp(self):
        super().setUp()
        self.build = self.root / "build"
        (self.build / "meson-info").mkdir(parents=True)
        (self.build / "meson-private").mkdir()
        (self.build / "meson-private/install.dat").write_text("x")
        self.folder = self.build / "pictures"
        self.folder.mkdir()
        (self.folder / "one.png").write_text("1")
        self.library = self.build / "libgallium.so"
        self.library.write_text("library")
        (self.build / "git_sha1.h").write_text("no hash")
        plan = {str(self.library): "/p/lib/libgallium.so", "libgallium.so.0": "/p/lib/libgallium.so.0", str(self.folder): "/p/s"}
        (self.build / "meson-info/intro-installed.json").write_text(json.dumps(plan))
        self.enterContext(mock.patch.object(paths, "BUILD", self.build))
        self.enterContext(mock.patch.object(paths, "PREFIX", self.prefix))
        self.enterContext(mock.patch.object(build, "configured_prefix", return_value="/p"))
        (self.prefix / "lib").mkdir(parents=True)
        (self.prefix / "lib/libEGL_kobalt.so.0").touch()

    def test_a_step_that_changes_nothing_is_nothing(self):
        before = installation.state()
        (self.build / "git_sha1.h").write_text("no hash")  # Mesa's step that ninja runs every time
        self.assertEqual(installation.state(), before)

    def test_what_changes(self):
        seen = {installation.state()}
        self.library.write_text("another library")
        seen.add(installation.state())
        (self.folder / "two.png").write_text("2")
        seen.add(installation.state())
        self.library.unlink()
        seen.add(installation.state())
        (self.build / "meson-private/install.dat").write_text("xy")
        seen.add(installation.state())
        self.assertEqual(len(seen), 5)

    def test_meson_is_asked_only_when_something_changed(self):
        def meson(command, *_, **__):
            target = Path(command[command.index("--destdir") + 1]) / "p/lib"
            target.mkdir(parents=True)
            (target / "libEGL_kobalt.so.0").write_text("EGL")
            (target / "libgallium.so").write_text(self.library.read_text())
        with mock.patch.object(ui, "run", side_effect=meson) as run:
            build.install()
            self.assertEqual((self.prefix / "lib/libgallium.so").read_text(), "library")
            build.install()
            self.assertEqual(run.call_count, 1)
            self.library.write_text("another library")
            build.install()
            self.assertEqual(run.call_count, 2)
            self.assertEqual((self.prefix / "lib/libgallium.so").read_text(), "another library")
        self.assertFalse((self.build / "stage").exists())
        self.assertTrue(stamps.fresh("installed", installation.state()))


def built():
    """True when all that is installed has been built here."""
    files = list(installation.sources())
    return bool(files) and all(path.exists() for path in files)


@unittest.skipUnless(built(), "Kobalt is not built here")
class Real(unittest.TestCase):
    """Tests with what the build installs, in a prefix of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=str(paths.BUILD))
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.staged = build.install_into(self.root / "stage", log="bundle.log")

    def demo(self, prefix):
        """Starts the demo on the Kobalt in PREFIX."""
        env = environment.kobalt(vulkan="lavapipe", prefix=prefix, quiet=True,
                                 extra={"XDG_CACHE_HOME": str(self.root / "cache"), "KOBALT_EXPECT_RENDERER": "Kobalt"})
        process = subprocess.Popen([str(prefix / "bin/kobalt-demo"), "--frames", "100000", "--size", "32x32",
                                    "--out", str(self.root / "pictures")],
                                   env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until and "libvulkan_lvp" not in self.maps(process):
            time.sleep(0.05)
        time.sleep(1.0)  # the demo draws by now
        return process

    def maps(self, process):
        try:
            return Path("/proc/%d/maps" % process.pid).read_text()
        except OSError:
            return ""

    def test_a_program_that_draws_survives_an_update(self):
        """Half of the driver's library is gone after the update: written in place, it would crash its readers."""
        if not (paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json").exists():
            self.skipTest("there is no lavapipe in .kobalt")
        prefix = self.root / "prefix"
        installation.bring(self.staged, prefix)
        name = next(n for n in installation.files(self.staged) if n.name.startswith("libgallium-kobalt"))
        program = self.demo(prefix)
        self.assertIsNone(program.poll(), program.stderr.read() if program.poll() is not None else "")
        self.assertTrue(str(prefix / name) in self.maps(program), "the demo does not draw on the Kobalt in question")
        os.truncate(self.staged / name, (self.staged / name).stat().st_size // 2)
        self.assertEqual(installation.bring(self.staged, prefix), [name])
        self.assertTrue("%s (deleted)" % (prefix / name) in self.maps(program), "the library was written in place")
        time.sleep(1.0)
        self.assertIsNone(program.poll(), "it died of signal %s" % program.poll())

    def test_profiles_of_programs_in_prefix_and_bundle(self):
        """What Mesa's and Kobalt's own profiles say takes effect by a program's name, and the machine's files are linked."""
        probe = paths.BUILD / "tests/driconf/kobalt-driconf-probe"
        if not probe.exists() or not (paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json").exists():
            self.skipTest("there is no test program, or no lavapipe in .kobalt")
        bundle.copy_driver(self.staged, self.root / "bundle")
        for place in (self.staged, self.root / "bundle"):
            profiles = place / "share/kobalt/drirc.d"
            self.assertEqual(sorted(os.listdir(profiles)), ["00-mesa-defaults.conf", "00-radv-defaults.conf", "01-kobalt.conf",
                                                            "90-etc-drirc.conf"])
            self.assertEqual(os.readlink(profiles / "90-etc-drirc.conf"), "/etc/drirc")
            env = environment.kobalt(vulkan="lavapipe", prefix=place, quiet=True,
                                     extra={"EGL_PLATFORM": "surfaceless", "HOME": str(self.root),
                                            "XDG_CACHE_HOME": str(self.root / "cache"), "MESA_SHADER_CACHE_DISABLE": "true"})
            for name, vendor in (("EoCApp", "ATI Technologies, Inc."), ("csgo_linux64", "X.Org"), ("unknown", "Mesa")):
                shutil.copy(probe, self.root / name)
                said = subprocess.run([str(self.root / name)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True).stdout
                self.assertIn("vendor\t%s\n" % vendor, said)

    def test_no_file_has_a_name_of_a_package_of_mesas(self):
        """Each path has Kobalt's name in it, so that a prefix of /usr overwrites nothing."""
        names = [str(name) for name in installation.files(self.staged)]
        self.assertEqual([name for name in names if "kobalt" not in name], [])
        self.assertIn("share/kobalt/egl_vendor.d/50_kobalt.json", names)

    def test_the_vendor_libraries_find_what_they_load(self):
        """No search path is set: they have one of their own, and libgallium a name that no other Mesa has."""
        folder = paths.library_dir(self.staged)
        env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        for library in ("libEGL_kobalt.so.0", "libGLX_kobalt.so.0", "kobalt/gbm/dri_gbm.so"):
            said = subprocess.run(["ldd", str(folder / library)], env=env, stdout=subprocess.PIPE, text=True).stdout
            found = re.search(r"^\s*libgallium-kobalt\.so => (\S+)", said, re.MULTILINE)
            self.assertTrue(found and os.path.realpath(found[1]) == str(folder / "kobalt/libgallium-kobalt.so"), said)

    def test_the_installed_prefix_is_what_meson_installs(self):
        if not stamps.fresh("installed", installation.state()):
            self.skipTest("build/prefix is older than the build")
        differing = [n for n in installation.files(self.staged) if not installation.same(self.staged / n, paths.PREFIX / n)]
        self.assertEqual(differing, [])


if __name__ == "__main__":
    unittest.main()
