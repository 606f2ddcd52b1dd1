# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The overlay's edits: each is made once, whatever part of the other its two texts are."""
import importlib.util
import unittest
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


if __name__ == "__main__":
    unittest.main()
