# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The build for arm64: its compiler, its tree of packages and its cross file; nothing is fetched or compiled."""
import ast
import configparser
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401 (puts tools/ into the path)
from kobalt_cli.commands import actions, main
from kobalt_cli.lib import paths, target, ui
from kobalt_cli.setup import arm64_setup, distribution, host_tree, package_lists
from kobalt_cli.suites import arm64_tests

ARM64 = target.ARM64
DEBIAN = distribution.KNOWN["debian", "12"]


def make(tree, *names):
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("#!/bin/sh\necho %s $LD_LIBRARY_PATH \"$@\"\n" % name)
        (tree / name).chmod(0o755)


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools, self.tree = Path(folder.name) / "tools", Path(folder.name) / "arm64"
        make(self.tools, "usr/lib/gcc-cross/aarch64-linux-gnu/12/cc1plus", "usr/bin/aarch64-linux-gnu-g++-12")

    def test_the_compiler_finds_the_libraries_beside_it(self):
        arm64_setup.write_wrappers("12", self.tools)
        said = subprocess.run([self.tools / "bin/aarch64-linux-gnu-g++", "a b"], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(said, "usr/bin/aarch64-linux-gnu-g++-12 %s a b\n" % (self.tools / "usr/lib/x86_64-linux-gnu"))

    def test_the_cross_file(self):
        parsed = configparser.ConfigParser()
        parsed.read_string(arm64_setup.cross_text(self.tree, self.tools))
        command = ast.literal_eval(parsed["binaries"]["cpp"])
        for word in (str(self.tools / "bin/aarch64-linux-gnu-g++"), "--sysroot=%s" % self.tree, "-nostdinc++",
                     str(self.tree / "usr/include/c++/12")):
            self.assertIn(word, command)
        self.assertEqual(ast.literal_eval(parsed["binaries"]["exe_wrapper"]),
                         [str(self.tools / "usr/bin/qemu-aarch64-static"), "-L", str(self.tree)])
        self.assertEqual(parsed["host_machine"]["cpu_family"], "'aarch64'")
        self.assertNotIn(paths.MULTIARCH, parsed["properties"]["pkg_config_libdir"])

    def test_without_the_compiler(self):
        with self.assertRaisesRegex(ui.Stop, "no cross compiler"):
            arm64_setup.cross_text(self.tree, self.tree)

    def test_one_emulator_is_kept(self):
        emulator = self.tools / "usr/bin/qemu-aarch64-static"
        with mock.patch.object(arm64_setup, "TOOLS", self.tools), mock.patch.object(arm64_setup, "EMULATOR", emulator), \
                mock.patch.object(host_tree, "unpack"):
            make(self.tools, "usr/bin/qemu-aarch64-static", "usr/bin/qemu-sh4-static")
            arm64_setup.place_tools([])
        self.assertEqual([path.name for path in self.tools.glob("usr/bin/qemu-*")], [emulator.name])

    def test_the_tree(self):
        def unpack(debs, tree):
            if tree.name == "libc":
                make(tree, "lib/aarch64-linux-gnu/libc.so.6", "lib/aarch64-linux-gnu/" + arm64_setup.LOADER)
            else:
                make(tree, "lib/aarch64-linux-gnu/libz.so.1", "usr/lib/aarch64-linux-gnu/libX11.so.6")
        fields = {one.name: getattr(ARM64, one.name) for one in target.dataclasses.fields(ARM64)}
        with mock.patch.object(paths, "STATE", self.tree.parent), mock.patch.object(host_tree, "unpack", side_effect=unpack), \
                mock.patch.object(arm64_setup, "write_cross_file"), mock.patch.object(arm64_setup, "ARM64", target.Target(**fields)):
            arm64_setup.place([Path("libc6_1.deb"), Path("libz.deb")])
        self.assertEqual(sorted(os.listdir(self.tree / "usr/lib/aarch64-linux-gnu")), ["libX11.so.6", "libz.so.1"])
        self.assertTrue((self.tree / "lib" / arm64_setup.LOADER).samefile(
            self.tree / "lib/aarch64-linux-gnu" / arm64_setup.LOADER))


class Build(unittest.TestCase):
    def test_packages(self):
        names = {name for name, _ in package_lists.private_pairs("arm64-tools", DEBIAN)}
        self.assertLessEqual({"g++-12-aarch64-linux-gnu", "qemu-user-static"}, names)
        self.assertTrue(package_lists.private_pairs(arm64_setup.PACKAGES, DEBIAN))

    def test_its_folders_are_its_own(self):
        for name in ("build", "prefix", "tree", "machine_file", "suffix"):
            self.assertEqual(len({getattr(one, name) for one in target.ALL.values()}), len(target.ALL))

    def test_the_command(self):
        with mock.patch.object(arm64_setup, "ensure") as ensure, mock.patch.object(ui, "note"):
            self.assertEqual(actions.command_build(main.parser().parse_args(["build", "--arch", "arm64", "--tests"])), 0)
            self.assertEqual(list(ensure.call_args.args), [True, False])

    def test_programs_are_not_started_here(self):
        with self.assertRaisesRegex(ui.Stop, "starts no programs of arm64"):
            actions.built_for(main.parser().parse_args(["run", "--arch", "arm64", "--", "x"]))

    def test_elsewhere_it_is_refused(self):
        with mock.patch.object(distribution, "automatic", return_value=distribution.KNOWN["ubuntu", "24.04"]):
            with self.assertRaisesRegex(ui.Stop, "on Debian 12 only"):
                arm64_setup.prepare()


class Suite(unittest.TestCase):
    LISTED = "ATest.\n  One\n  Two\nBTest.\n  One\nMany/CTest.\n  One/0  # GetParam() = 1\nDTest.\n  One\n"
    SAID = "[       OK ] ATest.One (1 ms)\n[  SKIPPED ] ATest.Two (1 ms)\n[==========] 2 tests from 1 test suite ran. (2 ms total)\n" \
        "[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test, listed below:\n"

    def test_a_sample_has_suites_of_all_parts(self):
        self.assertEqual(arm64_tests.chosen(self.LISTED, 2), "ATest.*:Many/CTest.*")
        self.assertEqual(arm64_tests.chosen(self.LISTED, 9), "ATest.*:BTest.*:Many/CTest.*:DTest.*")

    def test_results_are_read(self):
        found = arm64_tests.judged("x", 0, self.SAID)
        self.assertEqual((found.passed, found.failed, found.skipped, found.notes), (1, 0, 1, []))
        crashed = arm64_tests.judged("x", 139, "qemu: uncaught target signal 11")
        self.assertEqual((crashed.failed, crashed.notes), (1, ["x ended with status 139: qemu: uncaught target signal 11"]))
        self.assertEqual(arm64_tests.judged("x", 1, self.SAID).failed, 1)

    def test_qemu_runs_programs_with_the_tree_as_theirs(self):
        with mock.patch.object(arm64_tests.subprocess, "run") as run:
            run.return_value.returncode, run.return_value.stdout = 0, "said"
            self.assertEqual(arm64_tests.run(Path("/x/tests"), "--quick"), (0, "said"))
        self.assertEqual(run.call_args.args[0], [str(arm64_setup.EMULATOR), "-L", str(ARM64.tree), "/x/tests", "--quick"])

    def test_elsewhere_it_is_skipped(self):
        with mock.patch.object(arm64_setup, "possible", return_value=False):
            self.assertEqual(arm64_tests.suite(None).skips, ["arm64"])


if __name__ == "__main__":
    unittest.main()
