# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The patches of Mesa: a git tree of them gives the same series back, and each says what it is for."""
import configparser
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import paths, ui
from kobalt_cli.setup import mesa_series, mesa_source
from kobalt_cli.reports import mesa_docs

TESTS = {"gl": "tests/gl", "window": "tests/window", "spirv": "tests/spirv", "unit": "tests/unit"}


def cases(folder):
    """The names Suite.Case of the GoogleTest cases in a folder."""
    text = "\n".join(file.read_text(encoding="utf-8") for kind in ("*.cpp", "*.h") for file in (support.ROOT / folder).rglob(kind))
    return {"%s.%s" % found for found in re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", text)}


class Series(unittest.TestCase):
    def setUp(self):
        self.patches = mesa_docs.patches()

    def test_the_wrap_file_applies_the_series(self):
        wrap = configparser.ConfigParser(interpolation=None)
        wrap.read(paths.MESA_WRAP)
        listed = [name.strip() for name in wrap["wrap-file"]["diff_files"].split(",")]
        self.assertEqual(listed, ["mesa-patches/" + name for name in mesa_series.names()])
        self.assertEqual(wrap["wrap-file"]["patch_directory"], "mesa")

    def test_no_patch_is_left_out(self):
        there = {path.relative_to(mesa_series.FOLDER).as_posix() for path in mesa_series.FOLDER.rglob("*.patch")}
        self.assertEqual(there, set(mesa_series.names()))

    def test_each_patch_says_what_it_is_for(self):
        for patch in self.patches:
            with self.subTest(patch.name):
                self.assertRegex(patch.title, r"^[\w/.,+-]+: \S")
                self.assertLessEqual(len(patch.title), 72)
                self.assertEqual(patch.name, mesa_series.file_name(patch.title, patch.topic))
                self.assertGreater(len(patch.message), 60)
                self.assertRegex(patch.forwarded, r"^(no|not-needed|prepared|https://\S+)$")

    def test_each_patch_names_a_test_that_is_there(self):
        known = {kind: cases(folder) for kind, folder in TESTS.items()}
        suites = {kind: {name.partition(".")[0] for name in names} for kind, names in known.items()}
        piglit = {line.partition("\t")[0].strip() for file in paths.PROFILES.glob("*.txt")
                  for line in file.read_text(encoding="utf-8").splitlines()}
        for patch in self.patches:
            with self.subTest(patch.name):
                self.assertTrue(patch.tests, "it names no test")
                for test in patch.tests:
                    kind, _, name = test.partition(" ")
                    if kind in known and name.endswith(".*"):
                        self.assertIn(name[:-2], suites[kind])
                    elif kind in known:
                        self.assertIn(name, known[kind])
                    elif kind == "piglit":
                        self.assertIn(name, piglit)
                    else:
                        self.assertTrue((support.ROOT / test).is_file(), test)

    def test_the_documents_are_those_of_the_series(self):
        for file, text in mesa_docs.documents().items():
            self.assertEqual(file.read_text(encoding="utf-8"), text, "run ./kobalt mesa document")


@unittest.skipUnless(mesa_source.present(), "Mesa's release is not in subprojects/packagecache")
class Tree(unittest.TestCase):
    """git am takes no patch that needs fuzz, and one whose lines have moved is exported with other numbers."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.tree = cls.folder / "tree"
        mesa_series.checkout(cls.tree, whole=False)

    def test_export_gives_the_series_back(self):
        target = self.folder / "series"
        self.assertEqual(mesa_series.export(self.tree, target), mesa_series.names())
        for name in mesa_series.names():
            with self.subTest(name):
                self.assertEqual((target / name).read_text(encoding="utf-8"),
                                 (mesa_series.FOLDER / name).read_text(encoding="utf-8"))

    def test_what_is_in_no_commit_is_not_lost(self):
        file = next(path for path in self.tree.glob("src/mesa/main/*.c"))
        before = file.read_text(encoding="utf-8")
        file.write_text(before + "\n", encoding="utf-8")
        try:
            with self.assertRaisesRegex(ui.Stop, "changes that are in no commit"):
                mesa_series.export(self.tree, self.folder / "other")
        finally:
            file.write_text(before, encoding="utf-8")

    def test_the_prepared_patches_stand_alone(self):
        tree = self.folder / "prepared"
        mesa_series.checkout(tree, whole=False, prepared=True)
        titles = mesa_series.git(tree, "log", "--format=%s").splitlines()
        self.assertEqual(titles[-2::-1], [patch.title for patch in mesa_docs.patches() if patch.prepared])
        self.assertNotIn("Topic:", mesa_series.git(tree, "log", "--format=%B"))

    def test_a_folder_with_something_in_it_is_left_alone(self):
        with self.assertRaisesRegex(ui.Stop, "not empty"):
            mesa_series.checkout(self.tree)


class Unpacking(unittest.TestCase):
    def test_unchanged_files_keep_their_time(self):
        with tempfile.TemporaryDirectory() as folder:
            old, new = Path(folder) / "old", Path(folder) / "new"
            for tree, text in ((old, "1"), (new, "2")):
                tree.mkdir()
                (tree / "same").write_text("same")
                (tree / "other").write_text(text)
            os.utime(old / "same", (5, 5))
            os.utime(old / "other", (5, 5))
            mesa_source.keep_times(old, new)
            self.assertEqual((new / "same").stat().st_mtime, 5)
            self.assertNotEqual((new / "other").stat().st_mtime, 5)

    def test_a_tree_of_another_series_is_unpacked_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            tree, asked = Path(folder) / "mesa", []

            def download(words, *_, **__):
                asked.append(words)
                tree.mkdir()
            with mock.patch.object(paths, "MESA_TREE", tree), mock.patch.object(paths, "STAMPS", Path(folder) / "stamps"), \
                    mock.patch.object(mesa_source.ui, "run", side_effect=download), \
                    mock.patch.object(mesa_series, "fingerprint", side_effect=["one", "one", "two"]):
                for _ in range(3):
                    mesa_source.unpack(["meson"])
            self.assertEqual(len(asked), 2)


if __name__ == "__main__":
    unittest.main()
