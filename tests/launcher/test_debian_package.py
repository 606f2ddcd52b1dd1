# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Debian's packages, without building them: what their source and their root are made of, and the recipes for others."""
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import paths, ui
from kobalt_cli.reports import package_page
from kobalt_cli.setup import debian_package, package_lists, package_roots
from kobalt_cli.suites import package_tests

PACKAGING = support.ROOT / "packaging"
PROGRAM = re.compile(r"usr/bin/(kobalt[\w-]*)")


def programs(package):
    return set(PROGRAM.findall((PACKAGING / "debian" / (package + ".install")).read_text()))


class DebianPackage(unittest.TestCase):
    def test_the_root_has_what_debian_control_asks_for(self):
        names = debian_package.build_packages("bookworm")
        self.assertIn("debhelper", names)
        self.assertIn("meson/bookworm-backports", names)  # Debian 12's own is too old
        self.assertIn("meson", debian_package.build_packages("trixie"))

    def test_debian_control_asks_for_what_the_set_up_installs(self):
        """Both lists are kept by hand, so one that grows must not leave the other behind."""
        for suite, system in package_roots.RELEASES.items():
            wanted = set(debian_package.build_dependencies()) | set(debian_package.TOOLS)
            here = set(package_lists.installed_names("build", system)) | {name for name, _ in package_lists.private_pairs("host", system)}
            headers = {name for name in here if name.endswith("-dev") or name in ("bison", "flex", "glslang-tools")}
            covered = {"libxcb1-dev"}  # the other libraries of XCB bring it
            self.assertEqual(headers - covered - wanted, set(), suite)

    def test_an_upgrade_of_the_system_brings_the_newer_package(self):
        versions = [debian_package.version(suite) for suite in ("bookworm", "trixie")]
        self.assertEqual(subprocess.run(["dpkg", "--compare-versions", versions[0], "lt", versions[1]]).returncode, 0)
        text = debian_package.changelog((PACKAGING / "debian/changelog").read_text(), "trixie")
        self.assertTrue(text.startswith("kobalt (%s) trixie; " % versions[1]), text)

    def test_the_changelog_has_the_projects_version(self):
        head = (PACKAGING / "debian/changelog").read_text().splitlines()[0]
        self.assertIn("(%s-" % paths.version(), head)
        self.assertIn("\nVersion:        %s\n" % paths.version(), (PACKAGING / "rpm/kobalt.spec").read_text())
        self.assertIn("\npkgver=%s\n" % paths.version(), (PACKAGING / "arch/PKGBUILD").read_text())

    def test_the_source_is_what_git_knows_and_mesas_release(self):
        names = debian_package.source_files()
        self.assertIn("meson.build", names)
        self.assertIn("subprojects/packagecache/mesa-25.0.7.tar.xz", names)
        self.assertEqual([name for name in names if name.startswith(("build/", "out/", ".kobalt/", "subprojects/mesa-25"))], [])

    def test_recipes_for_other_distributions_pack_the_same_programs(self):
        tools, own = programs("kobalt-tools"), programs("kobalt")
        self.assertGreater(len(tools), 5)
        self.assertFalse(tools & own)
        spec = (PACKAGING / "rpm/kobalt.spec").read_text()
        main, rest = spec.split("%files tools")
        self.assertEqual(set(re.findall(r"^%\{_bindir\}/(\S+)", rest, re.MULTILINE)), tools)
        self.assertEqual(set(re.findall(r"^%\{_bindir\}/(\S+)", main, re.MULTILINE)), own)
        arch = re.search(r"usr/bin/kobalt-\{([^}]*)\}", (PACKAGING / "arch/PKGBUILD").read_text())[1]
        self.assertEqual({"kobalt-" + name for name in arch.split(",")}, tools)

    def test_each_installed_program_is_in_a_package(self):
        named = programs("kobalt") | programs("kobalt-tools")
        built = {name for path in [*(support.ROOT / "src").rglob("meson.build"), *(support.ROOT / "tests").rglob("meson.build"),
                                   *(support.ROOT / "bench").rglob("meson.build")]
                 for name, words in re.findall(r"executable\(\s*'([\w-]+)'(.*?)\n\)", path.read_text(), re.DOTALL)
                 if re.search(r"^\s*install : true", words, re.MULTILINE)}
        self.assertGreater(len(built), 5)
        self.assertEqual(named - {"kobalt"}, built)

    def test_others_than_root_are_told(self):
        with mock.patch.object(package_roots.os, "geteuid", return_value=1000):
            with self.assertRaisesRegex(ui.Stop, "rights of root"):
                package_roots.make("bookworm", "bare", [], "apt")
            args = mock.Mock(quick=True)
            self.assertEqual(package_tests.suite(args).skips, ["packages"])

    def test_the_table_of_what_was_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "numbers.tsv"
            package_page.record({"trixie": [("kobalt", 1.25, "MB")]}, file)
            package_page.record({"bookworm": [("kobalt", 2.0, "MB"), ("first picture", 30.0, "s")]}, file)
            package_page.record({"bookworm": [("kobalt", 3.0, "MB"), ("first picture", 31.04, "s")]}, file)
            made = package_page.table(file.read_text().splitlines())
        self.assertEqual(made, "| measured | bookworm | trixie |\n|---|---|---|\n| kobalt | 3 MB | 1.25 MB |\n| first picture | 31.04 s |  |\n")
        self.assertEqual(len(package_page.TABLE.findall(package_page.DOCUMENT.read_text())), 1)

    def test_the_page_is_typed_in_the_root(self):
        install, run, gears = package_tests.documented("bookworm")
        self.assertTrue(install.startswith("apt-get -q -y") and "/packages/libgl1-kobalt_*_amd64.deb" in install, install)
        self.assertEqual((run, gears), ("kobalt run", "kobalt run -- glxgears"))


if __name__ == "__main__":
    unittest.main()
