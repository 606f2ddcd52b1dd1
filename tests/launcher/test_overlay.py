# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The overlay's edits: each is made once, whatever part of the other its two texts are."""
import importlib.util
import unittest
import unittest.mock
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "src/mesa/overlay.py"
SPEC = importlib.util.spec_from_file_location("overlay", PATH)
overlay = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(overlay)


class Edits(unittest.TestCase):
    def check(self, before, old, new, after):
        once = overlay.edited(before, old, new)
        self.assertEqual(once, after)
        self.assertEqual(overlay.edited(once, old, new), after)

    def test_a_replacement(self):
        self.check("a b c", "b", "x", "a x c")

    def test_something_added(self):
        self.check("a b c", "b", "b x", "a b x c")

    def test_something_taken_away(self):
        self.check("a x b c", "x b", "b", "a b c")

    def test_text_that_is_missing(self):
        self.assertIsNone(overlay.edited("a c", "b", "x"))

    def test_edits_that_are_made_change_nothing(self):
        """An edit whose text another one parts is not seen to be there, and would be made again."""
        mesa = next((PATH.parents[2] / "subprojects").glob("mesa-*/src/mesa"), None)
        if mesa is None:
            self.skipTest("Mesa's source is not there")
        made = overlay.planned_texts(mesa.parents[1])
        load = Path.read_text
        with unittest.mock.patch.object(Path, "read_text", lambda path, **how: made.get(path) or load(path, **how)):
            again = overlay.planned_texts(mesa.parents[1])
        for path, text in made.items():
            self.assertEqual(again[path], text, path.name)

    def test_each_file_of_edits_has_the_build_configured_again(self):
        build = (PATH.parents[2] / "meson.build").read_text(encoding="utf-8")
        for file in (PATH.parent / "edits").glob("*.py"):
            self.assertIn(f"'{file.stem}'", build)


if __name__ == "__main__":
    unittest.main()
