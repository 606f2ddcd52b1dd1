# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The distributions that the set-up knows, their package lists, and where Mesa's source comes from."""
import configparser
import contextlib
import io
import os
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import paths, stamps, ui
from kobalt_cli.setup import (build, distribution, host_tree, mesa_source, package_lists, private_apt, setup,
                              system_packages)

DEBIAN12, DEBIAN13 = distribution.KNOWN["debian", "12"], distribution.KNOWN["debian", "13"]
UBUNTU = distribution.KNOWN["ubuntu", "24.04"]


class Known(unittest.TestCase):
    def here(self, **release):
        with mock.patch.object(paths, "os_release", return_value=release):
            return distribution.here()

    def test_releases(self):
        self.assertIs(self.here(ID="debian", VERSION_ID="12"), DEBIAN12)
        self.assertIs(self.here(ID="debian", VERSION_ID="13"), DEBIAN13)
        self.assertIs(self.here(ID="ubuntu", VERSION_ID="24.04", ID_LIKE="debian"), UBUNTU)
        for other in ({"ID": "ubuntu", "VERSION_ID": "22.04"}, {"ID": "debian"}, {"ID": "fedora", "VERSION_ID": "40"}, {}):
            self.assertIsNone(self.here(**other))
        self.assertEqual(distribution.titles(), "Debian 12, Debian 13 and Ubuntu 24.04")

    def test_without_apt_nothing_is_automatic(self):
        with mock.patch.object(distribution, "here", return_value=DEBIAN13), \
                mock.patch.object(distribution.shutil, "which", return_value=None):
            self.assertIsNone(distribution.automatic())

    def test_lists(self):
        for system in distribution.KNOWN.values():
            with self.subTest(system=system.name):
                names = [name for group in setup.GROUPS for name in package_lists.installed_names(group, system)]
                self.assertEqual(len(names), len(set(names)))
                for name in ("ccache", "ninja-build", "piglit", "xvfb", "spirv-tools", "python3-mako", "libgtest-dev"):
                    self.assertIn(name, names)
                suites = {suite for _, suite in system.suites}
                private = [pair for section in ("host", "peers") for pair in package_lists.private_pairs(section, system)]
                for package, suite in private:
                    self.assertIn(suite, suites, package)
                # Whatever the build needs comes from one of these two.
                everything = names + [package for package, _ in private]
                for needed in ("meson", "wayland-protocols", "libdrm-dev", "libvulkan-memory-allocator-dev",
                               "mesa-vulkan-drivers"):
                    self.assertTrue(any(name.startswith(needed) for name in everything), needed)

    def test_no_list_lacks_what_another_has(self):
        """The differences between the lists are known by name."""
        build12 = set(package_lists.installed_names("build", DEBIAN12))
        for system, dropped, added in (
                (DEBIAN13, {"libllvm15", "pkg-config"}, {"libllvm19", "pkgconf", "meson", "wayland-protocols", "libdrm-dev",
                                                         "libvulkan-memory-allocator-dev"}),
                (UBUNTU, {"libllvm15", "pkg-config", "debian-archive-keyring"},
                 {"pkgconf", "meson-1.7", "wayland-protocols", "libdrm-dev", "libvulkan-memory-allocator-dev",
                  "mesa-vulkan-drivers", "ca-certificates"})):
            with self.subTest(system=system.name):
                names = set(package_lists.installed_names("build", system))
                self.assertEqual((build12 - names, names - build12), (dropped, added))


class Plans(unittest.TestCase):
    def steps(self, system):
        """The steps on a fresh SYSTEM, and what they ask for."""
        asked = []
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(stamps, "fresh", return_value=False), \
                mock.patch.object(paths, "HOST", Path(folder, "host")), \
                mock.patch.object(mesa_source, "present", return_value=False), \
                mock.patch.object(system_packages, "missing", side_effect=lambda names: names), \
                mock.patch.object(system_packages, "install", side_effect=asked.append), \
                mock.patch.object(private_apt, "prepare", side_effect=lambda s: asked.append(("lists", s.name))), \
                mock.patch.object(host_tree, "build_host", side_effect=lambda pairs, s: asked.append(dict(pairs))), \
                mock.patch.object(mesa_source, "fetch", side_effect=lambda s: asked.append(("Mesa", s.name))):
            steps = setup.plan(setup.BUILD, system)
            for _, _, function, _ in steps:
                function()
        return [step[0] for step in steps], asked

    def test_debian_13_fetches_lavapipe_and_mesa_from_trixie(self):
        titles, asked = self.steps(DEBIAN13)
        self.assertEqual(titles[0], "packages of Debian 13")
        self.assertIn("meson", asked[0])
        self.assertEqual(asked[1:], [("lists", "debian-13"), {"mesa-vulkan-drivers": "trixie"}, ("Mesa", "debian-13")])

    def test_ubuntu_fetches_nothing_from_other_suites(self):
        titles, asked = self.steps(UBUNTU)
        self.assertEqual(titles, ["packages of Ubuntu 24.04", "Mesa's source"])
        self.assertIn("meson-1.7", asked[0])

    def test_trixies_mirror(self):
        entries = [("http://m.example/debian-security", ["trixie-security"], ["main"]),
                   ("http://m.example/debian/", ["trixie", "trixie-updates"], ["main"])]
        self.assertEqual(private_apt.mirror(entries, DEBIAN13), "http://m.example/debian")
        text = private_apt.sources_text("http://m.example/debian", DEBIAN13,
                                        security=private_apt.security_mirror(entries, DEBIAN13))
        self.assertEqual([line.split()[-2] for line in text.splitlines()], ["trixie", "trixie", "trixie-security"])
        with self.assertRaisesRegex(ui.Stop, "suite bookworm"):
            private_apt.mirror(entries, DEBIAN12)

    def test_peers_are_debians(self):
        with mock.patch.object(distribution, "automatic", return_value=UBUNTU):
            with self.assertRaisesRegex(ui.Stop, "on Debian 12 and 13 only"):
                setup.ensure_peers()

    def test_elsewhere_mesa_is_fetched_too(self):
        """On a distribution that isn't known, what the user must install is named; Mesa's source is fetched."""
        with mock.patch.object(distribution, "automatic", return_value=None), mock.patch.object(setup, "other_system"), \
                mock.patch.object(setup, "need_disk"), mock.patch.object(private_apt, "forget"), \
                mock.patch.object(host_tree, "place_protocols"), mock.patch.object(ui, "note"), \
                mock.patch.object(mesa_source, "present", return_value=False), \
                mock.patch.object(mesa_source, "fetch") as fetch:
            setup.prepare_alone(setup.BUILD, False)
        fetch.assert_called_once_with()


class Meson(unittest.TestCase):
    def test_ubuntus_newer_meson_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "lib/meson-1.7/bin/meson")
            program.parent.mkdir(parents=True)
            program.write_text("#!/bin/sh\necho 1.7.0\n")
            program.chmod(0o755)
            old = Path(folder, "meson")
            old.write_text("#!/bin/sh\necho 1.3.2\n")
            old.chmod(0o755)
            Path(folder, "meson-1.7.list").write_text("%s\n%s\n/usr/share/doc/meson-1.7\n" % (program.parent, program))
            with mock.patch.object(build, "Path", return_value=Path(folder)), mock.patch.object(paths, "HOST", Path("/none")), \
                    mock.patch.object(build.shutil, "which", return_value=str(old)):
                self.assertEqual(build.meson_command(), [str(program)])
                program.write_text("#!/bin/sh\necho 1.3.9\n")
                self.assertIsNone(build.meson_command())


class Release(unittest.TestCase):
    """Mesa's release, as the wrap file names it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=str(paths.ROOT))
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, value in (("MESA_TARBALL", self.folder / "cache/mesa.tar.xz"), ("ROOT", self.folder), ("APT", self.folder / "apt"), ("LOGS", self.folder / "logs"),
                            ("STAMPS", self.folder / "stamps"), ("MESA_WRAP", self.folder / "mesa.wrap")):
            self.enterContext(mock.patch.object(paths, name, value))

    def archive(self):
        (self.folder / "mesa-25.0.7").mkdir()
        (self.folder / "mesa-25.0.7/VERSION").write_text("25.0.7\n")
        path = self.folder / "served/mesa-25.0.7.tar.xz"
        path.parent.mkdir()
        with tarfile.open(path, "w:xz") as file:
            file.add(self.folder / "mesa-25.0.7", "mesa-25.0.7")
        return path

    def wrap(self, url):
        paths.MESA_WRAP.write_text("[wrap-file]\nsource_url = %s\n" % url)

    def test_the_wrap_file_names_the_pinned_release(self):
        wrap = configparser.ConfigParser()
        wrap.read(support.ROOT / "subprojects/mesa.wrap")
        one = wrap["wrap-file"]
        self.assertEqual(one["source_hash"], paths.MESA_SHA256)
        self.assertEqual(one["directory"], "mesa-" + paths.MESA_VERSION)
        self.assertEqual(one["source_url"].rpartition("/")[2], one["source_filename"])
        self.assertEqual(one["source_filename"], "mesa-%s.tar.xz" % paths.MESA_VERSION)
        self.assertTrue(one["source_url"].startswith("https://"))

    def test_fetched_and_checked(self):
        archive = self.archive()
        self.wrap(archive.as_uri())
        with self.assertRaisesRegex(ui.Stop, "not the expected file"):
            mesa_source.fetch()
        self.assertFalse(mesa_source.present())
        with mock.patch.object(mesa_source, "check_sum"):
            mesa_source.fetch(UBUNTU)
        self.assertTrue(mesa_source.present())
        self.assertTrue(stamps.fresh(mesa_source.FETCHED, paths.MESA_VERSION))

    def test_a_mirror_that_has_another_mesa_by_now(self):
        self.wrap(self.archive().as_uri())
        with mock.patch.object(mesa_source, "check_sum"), \
                mock.patch.object(private_apt, "download_source", return_value=self.folder) as source:
            mesa_source.fetch(DEBIAN13)
        source.assert_called_once_with("mesa", "trixie")
        self.assertTrue(mesa_source.present())

    def test_no_network_is_one_line_of_advice(self):
        self.wrap("http://127.0.0.1:9/mesa-25.0.7.tar.xz")
        with mock.patch.dict(os.environ, no_proxy="127.0.0.1"), self.assertRaisesRegex(
                ui.Stop, r"can't be fetched from http://127.0.0.1:9/\S+ \(.*refused.*\): check the connection.*by hand"):
            mesa_source.fetch()


class Chromium(unittest.TestCase):
    """SwiftShader and the validation layer come out of a package that may drop them one day."""

    def package(self, folder, names):
        root = Path(folder, "package")
        (root / "DEBIAN").mkdir(parents=True)
        (root / "DEBIAN/control").write_text("Package: chromium-common\nVersion: 1\nArchitecture: all\nMaintainer: x\n"
                                             "Description: x\n")
        for name in names:
            (root / host_tree.CHROMIUM).mkdir(parents=True, exist_ok=True)
            (root / host_tree.CHROMIUM / name).write_text(name)
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", str(root), folder + "/x.deb"], check=True,
                       stdout=subprocess.DEVNULL)
        return Path(folder, "x.deb")

    def taken(self, names):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            deb, tree = self.package(folder, names), Path(folder, "tree")
            with mock.patch.object(private_apt, "download_newest", return_value=deb), \
                    mock.patch.object(host_tree, "Path", side_effect=lambda p: Path("/nonexistent") if p == "/" else Path(p)):
                host_tree.add_chromium_files(tree, DEBIAN12)
            return sorted(p.name for p in (tree / host_tree.CHROMIUM).iterdir()), said.getvalue()

    def test_all_there(self):
        self.assertEqual(self.taken(host_tree.CHROMIUM_FILES), (sorted(host_tree.CHROMIUM_FILES), ""))

    def test_one_dropped(self):
        rest = [name for name in host_tree.CHROMIUM_FILES if name != host_tree.SWIFTSHADER]
        found, said = self.taken([*rest, "chromium"])
        self.assertEqual(found, sorted(rest))
        self.assertEqual(said, "kobalt: the package chromium-common has no /usr/lib/chromium/libvk_swiftshader.so any more: "
                               "there is no KOBALT_VULKAN=swiftshader; all else works\n")

    def test_a_damaged_package(self):
        with tempfile.TemporaryDirectory() as folder:
            deb = Path(folder, "x.deb")
            deb.write_text("not a package")
            with self.assertRaisesRegex(ui.Stop, "x.deb can't be unpacked"):
                host_tree.take_out(deb, [], Path(folder))


if __name__ == "__main__":
    unittest.main()
