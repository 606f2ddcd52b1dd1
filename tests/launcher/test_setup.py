# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The set-up: private apt configuration, package lists, sums, stamps, advice."""
import configparser
import hashlib
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (sets the import path)
from kobalt_cli.lib import paths, stamps, ui
from kobalt_cli.setup import (build, disk, distribution, host_tree, mesa_source, package_lists, private_apt, setup,
                              system_packages)

BOOKWORM = distribution.KNOWN["debian", "12"]

DEB822 = """Types: deb
# a remark
URIs: http://mirror.example/debian/
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
"""


class PrivateApt(unittest.TestCase):
    def test_mirror_from_deb822(self):
        self.assertEqual(private_apt.mirror(list(private_apt.parse_deb822(DEB822)), BOOKWORM),
                         "http://mirror.example/debian")

    def test_disabled_stanza_does_not_count(self):
        text = DEB822.replace("Types: deb\n# a", "Types: deb\nEnabled: no\n# a")
        with self.assertRaises(ui.Stop):
            private_apt.mirror(list(private_apt.parse_deb822(text)), BOOKWORM)

    def test_mirror_from_one_line(self):
        text = ("deb http://mirror.example/debian-security bookworm-security main\n"
                "# deb http://old.example/debian bookworm main\n"
                "deb [arch=amd64 trusted=no] https://other.example/debian bookworm main contrib\n")
        self.assertEqual(private_apt.mirror(list(private_apt.parse_one_line(text)), BOOKWORM),
                         "https://other.example/debian")

    def test_no_mirror_is_advice(self):
        with self.assertRaisesRegex(ui.Stop, "sources.list"):
            private_apt.mirror([("http://x.example", ["jammy"], ["main"])], BOOKWORM)

    def test_every_source_is_signed(self):
        lines = private_apt.sources_text("http://mirror.example/debian", BOOKWORM).splitlines()
        self.assertEqual(len(lines), 4)
        for line in lines:
            self.assertIn("signed-by=/usr/share/keyrings/debian-archive-keyring.gpg", line)
        self.assertTrue(any(line.startswith("deb-src") and " trixie " in line for line in lines))

    def test_nothing_of_the_system_is_written(self):
        folder = Path("/nowhere/private")
        words = private_apt.options(folder)
        for key in ("Dir::Etc::sourcelist", "Dir::State::Lists", "Dir::Cache"):
            value = next(w for w in words if w.startswith(key + "="))
            self.assertTrue(value.partition("=")[2].startswith(str(folder)), value)
        self.assertIn("Dir::Etc::sourceparts=/dev/null", words)
        self.assertIn("APT::Get::AllowUnauthenticated=false", words)

    def test_files_of_a_machine_are_found(self):
        with tempfile.TemporaryDirectory() as etc:
            os.mkdir(etc + "/sources.list.d")
            Path(etc, "sources.list.d/a.sources").write_text(DEB822)
            Path(etc, "sources.list").write_text("deb http://first.example/debian bookworm main\n")
            self.assertEqual(private_apt.mirror(private_apt.sources(etc), BOOKWORM), "http://first.example/debian")


class Packages(unittest.TestCase):
    def test_lists(self):
        names = package_lists.installed_names("build", BOOKWORM) + package_lists.installed_names("test", BOOKWORM)
        self.assertEqual(len(names), len(set(names)))
        for name in ("ccache", "ninja-build", "piglit", "xvfb", "spirv-tools"):
            self.assertIn(name, names)
        suites = {suite for _, suite in BOOKWORM.suites}
        for section in ("host", "peers"):
            for package, suite in package_lists.private_pairs(section, BOOKWORM):
                self.assertIn(suite, suites, package)

    def test_only_missing_ones(self):
        output = "g++ installed\nccache not-installed\n"
        with mock.patch.object(system_packages.subprocess, "run", return_value=mock.Mock(stdout=output)):
            self.assertEqual(system_packages.missing(["g++", "ccache", "ninja-build"]), ["ccache", "ninja-build"])

    @unittest.skipUnless(shutil.which("apt-cache"), "no apt here")
    def test_lists_are_read_without_apts_cache_files(self):
        # Debian's container images keep no such files: Dir::Cache::pkgcache and srcpkgcache are empty there.
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder, "apt.conf")
            config.write_text('Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n')
            with mock.patch.dict(os.environ, APT_CONFIG=str(config)):
                self.assertTrue(system_packages.have_lists(["dpkg"]))
                self.assertFalse(system_packages.have_lists(["dpkg", "no-such-package-anywhere"]))

    def test_without_sudo_the_command_is_named(self):
        with mock.patch.object(system_packages.os, "geteuid", return_value=1000), \
                mock.patch.object(system_packages.shutil, "which", return_value=None):
            with self.assertRaisesRegex(ui.Stop, "as root, run `apt-get install x`"):
                system_packages.as_root(["apt-get", "install", "x"], "test")

    def test_other_distributions_get_names(self):
        self.assertIn("ninja-build", package_lists.other_distribution({"ID": "fedora"}))
        self.assertIn("base-devel", package_lists.other_distribution({"ID": "manjaro", "ID_LIKE": "arch"}))
        self.assertIn("libx11-xcb-dev", package_lists.other_distribution({"ID": "ubuntu"}))

    def test_other_system_is_told_what_to_do(self):
        with mock.patch.object(setup.shutil, "which", return_value=None), \
                mock.patch.object(setup.build, "meson_command", return_value=None), \
                mock.patch.object(setup.mesa_source, "present", return_value=False), \
                mock.patch.object(setup.paths, "os_release", return_value={"ID": "arch", "PRETTY_NAME": "Arch Linux"}):
            with self.assertRaisesRegex(ui.Stop, "Arch Linux.*base-devel.*missing now: .*meson 1.4 or newer"):
                setup.other_system()

    def test_debian_without_apt_is_told_what_to_do(self):
        with mock.patch.object(setup.shutil, "which", return_value=None), \
                mock.patch.object(setup.build, "meson_command", return_value=None), \
                mock.patch.object(setup.importlib.util, "find_spec", return_value=None), \
                mock.patch.object(setup.mesa_source, "present", return_value=False), \
                mock.patch.object(setup.paths, "os_release", return_value={"ID": "debian", "VERSION_ID": "12"}):
            with self.assertRaisesRegex(ui.Stop, "no apt-get here: install .*libxcb1?.*missing now: g.., .*Python's mako.*"
                                                 "meson 1.4 or newer"):
                setup.other_system()

    def test_a_prepared_system_is_let_through(self):
        with mock.patch.object(setup.shutil, "which", return_value="/usr/bin/x"), \
                mock.patch.object(setup.build, "meson_command", return_value=["meson"]), \
                mock.patch.object(setup.importlib.util, "find_spec", return_value=True), \
                mock.patch.object(setup.mesa_source, "present", return_value=True):
            self.assertIsNone(setup.other_system())


class Mesa(unittest.TestCase):
    def test_wrong_sum_stops(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"not Mesa")
            file.flush()
            with self.assertRaisesRegex(ui.Stop, "not the expected file"):
                mesa_source.check_sum(Path(file.name))
            mesa_source.check_sum(Path(file.name), hashlib.sha256(b"not Mesa").hexdigest())


class HostTree(unittest.TestCase):
    def test_relocation(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            pc = tree / "usr/share/pkgconfig/x.pc"
            pc.parent.mkdir(parents=True)
            pc.write_text("prefix=/usr\npkgdatadir=${pc_sysrootdir}${prefix}/share\n")
            host_tree.relocate_pkgconfig(tree)
            self.assertEqual(pc.read_text(), "prefix=%s/usr\npkgdatadir=${prefix}/share\n" % tree)

    def test_manifests_name_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            library = tree / "usr/lib" / paths.MULTIARCH / "libvulkan_lvp.so"
            library.parent.mkdir(parents=True)
            library.touch()
            (tree / "usr/share/vulkan/icd.d").mkdir(parents=True)
            (tree / "usr/share/vulkan/icd.d/intel_icd.json").touch()
            host_tree.write_manifests(tree)
            found = list((tree / "usr/share/vulkan/icd.d").iterdir())
            self.assertEqual([f.name for f in found], ["lvp_icd.json"])
            self.assertIn(str(library), found[0].read_text())


    def test_native_file_names_debians_python(self):
        # The first python3 in PATH may be another one, without Mesa's modules.
        with tempfile.TemporaryDirectory() as folder:
            native = Path(folder, "meson.ini")
            host_tree.write_native_file(native, Path("/nowhere"))
            parsed = configparser.ConfigParser()
            parsed.read(native)
            self.assertIn("/nowhere/usr/share/pkgconfig", parsed["built-in options"]["pkg_config_path"])
            self.assertEqual(parsed["binaries"]["python3"], "'/usr/bin/python3'")
            written = native.stat().st_mtime_ns
            host_tree.write_native_file(native, Path("/nowhere"))
            self.assertEqual(native.stat().st_mtime_ns, written)


class StampsAndAdvice(unittest.TestCase):
    def test_stamp(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(stamps.paths, "STAMPS", Path(folder)):
            self.assertFalse(stamps.fresh("a", "1"))
            stamps.write("a", "1")
            self.assertTrue(stamps.fresh("a", "1"))
            self.assertFalse(stamps.fresh("a", "2"))
        self.assertNotEqual(stamps.digest("ab", "c"), stamps.digest("a", "bc"))

    def test_advice(self):
        self.assertIn("no network", str(ui.advise("Temporary failure resolving 'x'", "fetching")))
        self.assertIn("disk is full", str(ui.advise("cc1: No space left on device", "building")))
        self.assertIsNone(ui.advise("error: expected ';'", "building"))

    def test_no_disk(self):
        with mock.patch.object(disk.shutil, "disk_usage", return_value=mock.Mock(free=10**9)):
            with self.assertRaisesRegex(ui.Stop, "has 1.0 GB free and 6.0 GB are needed: make room for 5.0 GB more"):
                disk.need([(paths.ROOT, 4.0), (paths.ROOT / "build/not-there-yet", 2.0)])
            disk.need([(paths.ROOT, 0.9)])

    def test_ninja_steps_are_read(self):
        self.assertEqual(build.STEP.match("[12/340] Compiling C++ object").groups(), ("12", "340"))


if __name__ == "__main__":
    unittest.main()
