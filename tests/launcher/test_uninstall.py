# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt uninstall: what goes, what stays, and that a dry run touches nothing."""
import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (sets the import path)
from kobalt_cli.lib import paths, stamps
from kobalt_cli.setup import mesa_source, system_packages
from kobalt_cli.commands import enable, main, uninstall


class Uninstall(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.home, self.project = self.root / "home", self.root / "project"
        for name, value in (("ROOT", ""), ("BUILD", "build"), ("OUT", "out"), ("STATE", ".kobalt"),
                            ("STAMPS", ".kobalt/stamps"), ("MESA_TREE", "subprojects/mesa-25.0.7"),
                            ("MESA_TARBALL", "subprojects/packagecache/mesa-25.0.7.tar.xz")):
            self.enterContext(mock.patch.object(paths, name, self.project / value))
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "TMPDIR": str(self.root)}
        self.enterContext(mock.patch.dict(os.environ, env, clear=True))
        self.enterContext(mock.patch.object(uninstall.tempfile, "gettempdir", return_value=str(self.root)))
        self.enterContext(mock.patch.object(system_packages, "missing", side_effect=lambda names: [n for n in names if n == "gone"]))
        for name in (".cache/kobalt/v1/pipelines", ".cache/ccache/x", ".cache/mesa_shader_cache/x", "work/file"):
            self.make(self.home / name)
        for name in ("build/prefix/lib/x", "build-mine/x", "out/demo/1.png", ".kobalt/host/usr/x", "src/main.cpp", "kobalt",
                     "subprojects/mesa.wrap", "subprojects/mesa-25.0.7/VERSION",
                     "subprojects/packagecache/mesa-25.0.7.tar.xz"):
            self.make(self.project / name)
        stamps.write(mesa_source.FETCHED, paths.MESA_VERSION)
        system_packages.write_down(["ccache", "gone"])
        system_packages.write_down(["bison", "ccache"])

    def make(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x" * 5000)

    def tree(self):
        return {str(p.relative_to(self.root)) for p in self.root.rglob("*")}

    def uninstall(self, *words):
        """The output, and what is gone now: the topmost folders."""
        before = self.tree()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(main.main(["uninstall", *words]), 0)
        gone = before - self.tree()
        self.assertLessEqual(self.tree(), before | {"project/.kobalt/lock"})
        return said.getvalue(), sorted(name for name in gone if os.path.dirname(name) not in gone)

    def test_what_is_outside(self):
        said, gone = self.uninstall()
        self.assertEqual(gone, ["home/.cache/kobalt"])
        self.assertIn("removed %s" % (self.home / ".cache/kobalt"), said)
        self.assertIn("inside the project stay build, build-mine, out, subprojects/mesa-25.0.7, subprojects/packagecache, "
                      ".kobalt; "
                      "`./kobalt uninstall --all` takes them, too", said)

    def test_all(self):
        said, gone = self.uninstall("--all")
        self.assertEqual(gone, ["home/.cache/kobalt", "project/.kobalt", "project/build", "project/build-mine", "project/out",
                                "project/subprojects/mesa-25.0.7", "project/subprojects/packagecache"])
        self.assertNotIn("inside the project", said)
        said, gone = self.uninstall("--all")
        self.assertEqual((gone, said.splitlines()[-1]), ([], "there was nothing to remove"))
        self.assertFalse(paths.STATE.exists())

    def test_a_dry_run_touches_nothing(self):
        before = self.tree()
        for words in (["--dry-run"], ["--all", "--dry-run"]):
            said, gone = self.uninstall(*words)
            self.assertEqual(gone, [])
            self.assertEqual(self.tree(), before)
            self.assertIn("would remove %s" % (self.home / ".cache/kobalt"), said)
            self.assertEqual("would remove %s" % paths.BUILD in said, "--all" in words)

    def test_what_stays_is_said(self):
        said, _ = self.uninstall("--all")
        self.assertIn("2 packages stay", said)
        self.assertIn("apt-get remove bison ccache\n", said)
        self.assertNotIn("gone", said)
        self.assertIn("ccache's, which all your projects share", said)

    def test_a_release_that_the_user_fetched_stays(self):
        stamps.drop(mesa_source.FETCHED)
        said, gone = self.uninstall("--all")
        self.assertNotIn("project/subprojects/packagecache", gone)
        self.assertIn("subprojects/packagecache/mesa-25.0.7.tar.xz stays", said)

    def test_what_is_enabled_is_undone(self):
        """What this Kobalt has enabled; another one's stays."""
        bin_folder = self.home / ".local/bin"
        enable.script(["enable", "--command", "true"], stdout=subprocess.DEVNULL)
        with mock.patch.object(paths, "ROOT", self.root / "another"):
            enable.script(["enable", "--command", "false"], stdout=subprocess.DEVNULL)
        self.assertEqual(sorted(os.listdir(bin_folder)), ["false", "true"])
        said, gone = self.uninstall("--dry-run")
        self.assertEqual(gone, [])
        self.assertEqual(said.count("would disable true: the command, %s" % (bin_folder / "true")), 1)
        self.assertNotIn("would disable false", said)
        self.assertEqual(self.uninstall()[1], ["home/.cache/kobalt", "home/.local/bin/true"])

    def test_another_cache_folder(self):
        self.make(self.root / "xdg/kobalt/x")
        self.make(self.root / "mine/x")
        with mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.root / "xdg"), KOBALT_CACHE_DIR=str(self.root / "mine")):
            said, gone = self.uninstall()
        self.assertEqual(gone, ["home/.cache/kobalt", "xdg/kobalt"])
        self.assertIn("$KOBALT_CACHE_DIR stays", said)

    def test_a_link_in_its_place(self):
        uninstall.remove(self.home / ".cache/kobalt")
        (self.home / ".cache/kobalt").symlink_to(self.home / "work")
        self.assertEqual(self.uninstall()[1], ["home/.cache/kobalt"])
        self.assertTrue((self.home / "work/file").exists())

    def test_what_was_made_without_a_home(self):
        self.make(self.root / "kobalt-Ab12cD/nvidia_icd.json")
        self.make(self.root / "kobalt-Zz99zz/thesis.txt")  # a user's own file
        self.assertEqual(self.uninstall()[1], ["home/.cache/kobalt", "kobalt-Ab12cD"])

    def test_no_home(self):
        del os.environ["HOME"]
        self.assertEqual(self.uninstall()[1], [])


class Record(unittest.TestCase):
    def test_what_apt_installs_is_written_down_before_it_starts(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "STATE", Path(folder)), \
                mock.patch.object(system_packages, "missing", return_value=["b", "a"]), \
                mock.patch.object(system_packages, "mend_interrupted"), mock.patch.object(system_packages.ui, "note"), \
                mock.patch.object(system_packages, "have_lists", return_value=True), \
                mock.patch.object(system_packages.os, "geteuid", return_value=0), \
                mock.patch.object(system_packages, "fetch_and_install", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                system_packages.install(["a", "b", "c"])
            self.assertEqual(system_packages.recorded(), ["a", "b"])


if __name__ == "__main__":
    unittest.main()
