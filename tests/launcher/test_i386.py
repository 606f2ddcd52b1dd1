# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The build for i386: its tree of packages, its cross file and its folders; nothing is fetched or compiled."""
import configparser
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support  # noqa: F401 (puts tools/ into the path)
from kobalt_cli.commands import actions, main
from kobalt_cli.lib import environment, paths, target, ui
from kobalt_cli.setup import build, bundle, distribution, host_tree, i386_setup, package_lists, private_apt, setup
from kobalt_cli.suites import i386_tests

I386 = target.I386
DEBIANS = [one for one in distribution.KNOWN.values() if one.suites]


def make(tree, *names):
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(name)


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name) / "i386"

    def test_programs_find_all_libraries_but_libc_in_one_folder(self):
        libraries, libc = self.tree / "usr/lib/i386-linux-gnu", self.tree / "lib/i386-linux-gnu"
        make(self.tree, "lib/i386-linux-gnu/libz.so.1", "usr/lib/i386-linux-gnu/libX11.so.6")
        # Debian 12's libc lies in lib, Debian 13's in usr/lib.
        for place in ("lib", "usr/lib"):
            i386_setup.merge(self.tree)
            with mock.patch.object(host_tree, "unpack", side_effect=lambda debs, apart: make(
                    apart, place + "/i386-linux-gnu/libc.so.6", place + "/i386-linux-gnu/ld-linux.so.2")):
                i386_setup.add_libc(Path("libc6.deb"), self.tree)
            self.assertEqual(sorted(os.listdir(libraries)), ["libX11.so.6", "libz.so.1"])
            self.assertEqual(sorted(os.listdir(libc)), ["ld-linux.so.2", "libc.so.6"])
            self.assertTrue((self.tree / "lib/ld-linux.so.2").samefile(libc / "ld-linux.so.2"))
            for path in [*libc.iterdir(), self.tree / "lib/ld-linux.so.2"]:
                path.unlink()

    def test_no_link_leads_out_of_the_tree(self):
        libraries = self.tree / "usr/lib/i386-linux-gnu"
        make(self.tree, "lib/i386-linux-gnu/libm.so.6", "usr/lib/i386-linux-gnu/libz.so.1")
        for name, place in (("libm.so", "/lib/i386-linux-gnu/libm.so.6"), ("libz.so", "/lib/i386-linux-gnu/libz.so.1"),
                            ("libgone.so", "/lib/i386-linux-gnu/libgone.so.1"), ("beside.so", "libz.so.1")):
            (libraries / name).symlink_to(place)
        i386_setup.stay_inside(self.tree)
        self.assertEqual({path.name: os.readlink(path) for path in libraries.iterdir() if path.is_symlink()},
                         {"libm.so": "../../../lib/i386-linux-gnu/libm.so.6", "libz.so": "libz.so.1", "beside.so": "libz.so.1"})

    def test_the_cross_file(self):
        with self.assertRaisesRegex(ui.Stop, "no libgcc"):
            i386_setup.cross_text(self.tree)
        make(self.tree, "usr/lib/gcc/i686-linux-gnu/14/crtbegin.o")
        parsed = configparser.ConfigParser()
        parsed.read_string(i386_setup.cross_text(self.tree))
        for language, compiler in (("c", "gcc-14"), ("cpp", "g++-14")):
            command = parsed["binaries"][language]
            for word in (compiler, "-m32", "--sysroot=%s" % self.tree, "-B%s/usr/lib/i386-linux-gnu/" % self.tree):
                self.assertIn("'%s'" % word, command)
        self.assertEqual(parsed["host_machine"]["cpu_family"], "'x86'")
        # Packages of the machine's own architecture would be found through the environment otherwise.
        self.assertEqual(parsed["built-in options"]["pkg_config_path"], "[]")
        self.assertNotIn(paths.MULTIARCH, parsed["properties"]["pkg_config_libdir"])


class Packages(unittest.TestCase):
    def test_each_distribution_has_what_the_build_needs(self):
        self.assertEqual(len(DEBIANS), 2)
        for system in DEBIANS:
            suites = {suite for kind, suite in system.suites if kind == "deb"}
            for section, needed in (("i386", ("libc6", "libc6-dev", "linux-libc-dev", "libgtest-dev", "spirv-headers", "mesa-vulkan-drivers")),
                                    ("i386-test", ("piglit", "mesa-utils-bin"))):
                pairs = package_lists.private_pairs(section, system)
                self.assertLessEqual(set(needed), {name for name, _ in pairs}, system.name)
                self.assertLessEqual({suite for _, suite in pairs}, suites, system.name)

    def test_the_other_architectures_packages_come_without_the_machines_dpkg(self):
        words = private_apt.options(Path("/apt"), "i386")
        self.assertIn("APT::Architecture=i386", words)
        self.assertIn("APT::Architectures=i386", words)
        self.assertNotIn("APT::Architecture", " ".join(private_apt.options(Path("/apt"))))

    def test_the_security_archive_is_for_the_machines_own(self):
        entries = [("http://m.example/debian", ["bookworm"], ["main"]),
                   ("http://m.example/debian-security", ["bookworm-security"], ["main"])]
        for architecture, security in ((None, True), ("i386", False)):
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(private_apt, "sources", return_value=entries), \
                    mock.patch.object(private_apt, "KEYRING", __file__), mock.patch.object(ui, "run"):
                private_apt.prepare(distribution.KNOWN["debian", "12"], Path(folder), architecture)
                self.assertEqual("bookworm-security" in Path(folder, "sources.list").read_text(), security)


class Build(unittest.TestCase):
    def test_its_folders_are_its_own(self):
        self.assertEqual((I386.build, I386.prefix), (paths.ROOT / "build-i386", paths.ROOT / "build-i386/prefix"))
        self.assertEqual((target.AMD64.build, target.AMD64.prefix), (paths.BUILD, paths.PREFIX))
        for name in ("build", "prefix", "tree", "machine_file", "suffix"):
            self.assertNotEqual(getattr(I386, name), getattr(target.AMD64, name))

    def test_meson_gets_the_cross_file(self):
        for one, given in ((I386, True), (target.AMD64, False)):
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "BUILD", Path(folder, "build")), \
                    mock.patch.object(build, "meson_command", return_value=["meson"]), mock.patch.object(ui, "note"), \
                    mock.patch.object(build.mesa_source, "unpack"), mock.patch.object(build.host_tree, "place_protocols"), \
                    mock.patch.object(ui, "run") as run:
                build.configure(True, one)
                words = [str(word) for word in run.call_args.args[0]]
                self.assertIn(str(one.build), words)
                self.assertEqual("--cross-file=%s" % I386.machine_file in words, given)
                self.assertEqual("--libdir=lib/i386-linux-gnu" in words, given)

    def test_the_command(self):
        for words, wanted in ((["--arch", "i386"], [False, False]), (["--arch", "i386", "--tests", "--verbose"], [True, True])):
            with mock.patch.object(i386_setup, "ensure") as ensure, mock.patch.object(ui, "note"):
                self.assertEqual(actions.command_build(main.parser().parse_args(["build", *words])), 0)
                self.assertEqual(list(ensure.call_args.args), wanted)
        self.assertEqual(main.parser().parse_args(["build"]).arch, "amd64")

    def test_run_serves_both_widths_where_both_are_built(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "BUILD", Path(folder, "build")), \
                mock.patch.object(paths, "STATE", Path(folder, ".kobalt")), mock.patch.object(paths, "HOST", Path(folder, ".kobalt/host")), \
                mock.patch.object(paths, "PREFIX", Path(folder, "build/prefix")), \
                mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": "/before"}):
            wide, narrow = Path(folder, "build/prefix"), Path(folder, "build-i386/prefix")
            icd = "usr/share/vulkan/icd.d/lvp_icd.json"
            make(Path(folder), "build/prefix/lib/%s/libEGL_kobalt.so.0" % paths.MULTIARCH, ".kobalt/host/" + icd,
                 ".kobalt/i386/" + icd, ".kobalt/i386/usr/lib/i386-linux-gnu/libz.so.1")
            alone = environment.both_widths("lavapipe", quiet=True)
            own = "%s/lib/%s" % (wide, paths.MULTIARCH)
            self.assertEqual(alone["LD_LIBRARY_PATH"], "%s/kobalt:%s:/before" % (own, own))
            make(narrow, "lib/i386-linux-gnu/libEGL_kobalt.so.0")
            both = environment.both_widths("lavapipe", quiet=True)
            other = "%s/lib/i386-linux-gnu" % narrow
            self.assertEqual(both["LD_LIBRARY_PATH"], "%s:%s/kobalt:%s:%s/.kobalt/i386/usr/lib/i386-linux-gnu" % (
                alone["LD_LIBRARY_PATH"], other, other, folder))
            self.assertEqual(both["VK_DRIVER_FILES"], "%s/.kobalt/host/%s:%s/.kobalt/i386/%s" % (folder, icd, folder, icd))
            self.assertEqual(both["__EGL_VENDOR_LIBRARY_FILENAMES"], ":".join(
                "%s/share/kobalt/egl_vendor.d/50_kobalt.json" % prefix for prefix in (wide, narrow)))

    def test_the_command_for_a_bundle(self):
        for words, both in (([], False), (["--arch", "both"], True)):
            with mock.patch.object(i386_setup, "compile_current") as narrow, mock.patch.object(setup, "compile_current"), \
                    mock.patch.object(bundle, "make", return_value=0) as make_it:
                self.assertEqual(actions.command_bundle(main.parser().parse_args(["bundle", *words])), 0)
                self.assertEqual((make_it.call_args.args[1], narrow.called), (both, both))

    def test_elsewhere_it_is_refused_and_the_suite_skipped(self):
        with mock.patch.object(distribution, "automatic", return_value=distribution.KNOWN["ubuntu", "24.04"]):
            with self.assertRaisesRegex(ui.Stop, "on Debian 12 and 13 only"):
                i386_setup.prepare()
            self.assertEqual(i386_tests.suite(SimpleNamespace(quick=True, all=False, jobs=1)).skips, ["i386"])


if __name__ == "__main__":
    unittest.main()
