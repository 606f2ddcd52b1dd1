# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The page of the programs that were tried: one section at a time, and what Blender's section says."""
import re
import tempfile
import unittest
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support
from kobalt_cli.lib import paths
from kobalt_cli.workloads import apps, blender
from kobalt_cli.commands import main

OLD = "# A title\n\nOld words.\n\n## OpenArena\n\n| a | b |\n\n### not a section\n\n## Screensavers\n\ntwenty\n"


class Page(unittest.TestCase):
    def test_the_others_stay_as_they_are(self):
        page = apps.page(OLD, {"OpenArena": "## OpenArena\n\nnew\n"})
        self.assertTrue(page.endswith("\n\n## OpenArena\n\nnew\n\n## Screensavers\n\ntwenty\n"), page)
        self.assertNotIn("Old words", page)

    def test_a_new_section_comes_in_its_place(self):
        page = apps.page(OLD, {"Small programs": "## Small programs\n\ngears\n", "Blender": "## Blender\n\nEevee\n"})
        self.assertEqual(re.findall(r"^## (.*)", page, re.MULTILINE),
                         ["Small programs", "OpenArena", "Screensavers", "Blender"])
        self.assertIn("### not a section", page)
        self.assertEqual(apps.page(page, {}), page)

    def test_the_written_page_is_made_of_these_sections(self):
        text = (support.ROOT / "docs/apps.md").read_text()
        self.assertLessEqual(set(apps.sections_of(text)), {heading for heading, _ in apps.SECTIONS.values()})
        self.assertIn("Blender", apps.sections_of(text))
        self.assertEqual(apps.page(text, {}), text)

    def test_only_is_all_that_runs(self):
        ran = []

        def measure(name, good):
            return lambda display, drivers: (ran.append(name), ("## %s\n\nanew\n" % name, good))[1]

        sections = {"openarena": ("OpenArena", measure("OpenArena", True)),
                    "screensavers": ("Screensavers", measure("Screensavers", False))}
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(apps, "SECTIONS", sections), \
                mock.patch.object(apps, "DOCUMENT", Path(folder) / "apps.md"), \
                mock.patch.object(paths, "ROOT", Path(folder)), mock.patch.object(apps.ui, "note"), \
                mock.patch.object(apps.xserver, "VirtualDisplay", lambda: nullcontext(SimpleNamespace(name=":0"))):
            apps.DOCUMENT.write_text(OLD)
            self.assertEqual((apps.write(["openarena"]), ran), (0, ["OpenArena"]))
            self.assertIn("twenty", apps.DOCUMENT.read_text())
            self.assertEqual((apps.write(), ran[1:]), (1, ["OpenArena", "Screensavers"]))
            self.assertNotIn("twenty", apps.DOCUMENT.read_text())

    def test_the_command_line_knows_the_sections(self):
        words = [word for name in apps.SECTIONS for word in ("--only", name)]
        self.assertEqual(main.parser().parse_args(["apps", *words]).only, list(apps.SECTIONS))
        self.assertIsNone(main.parser().parse_args(["apps"]).only)


class Blender(unittest.TestCase):
    SAME, AT_LIMIT, OVER, WRONG = (0.0, 0.0, 1), (0.5, 0.005, 40), (0.51, 0.0, 1), (57.6, 0.768, 215)
    TIMES = {"kobalt": (20.04, 10.0)}

    def verdict(self, first, second, still):
        """([whether each row passes], whether the section does)."""
        text, good = blender.section("3.4.1", (first, second), still, self.TIMES)
        rows = re.findall(r"^\| (?:Kobalt|llvmpipe)'s .*\| (pass|\*\*fail\*\*) \|$", text, re.MULTILINE)
        return [row == "pass" for row in rows], good

    def test_the_limits(self):
        for kobalt, passes in ((self.SAME, True), (self.AT_LIMIT, True), (self.OVER, False), (self.WRONG, False),
                               ((0.1, 0.006, 9), False), (None, False)):
            self.assertEqual(self.verdict(kobalt, self.SAME, self.WRONG), ([passes, True, True], passes), kobalt)
            self.assertEqual(self.verdict(self.SAME, kobalt, self.WRONG), ([True, passes, True], passes), kobalt)

    def test_a_scene_whose_transforms_do_not_show_proves_nothing(self):
        for still in (self.SAME, (1.4, 0.5, 200), (9.0, 0.014, 200), None):
            self.assertEqual(self.verdict(self.SAME, self.SAME, still), ([True, True, False], False), still)

    def test_the_section_says_what_was_measured(self):
        text, _ = blender.section("3.4.1", (self.SAME, self.SAME), self.WRONG, self.TIMES)
        for words in ("Blender 3.4.1 renders", "| kobalt | 20.0 | 10.0 |", "57.6000 | 76.800% | 215", "at least 3 times"):
            self.assertIn(words, text)
        self.assertEqual(list(apps.sections_of(text)), ["Blender"])

    def test_what_counts_as_a_render(self):
        said = "Blender 3.4.1\nFra:1 Mem:13.50M\nrenderer: llvmpipe (LLVM 15.0.6, 256 bits, Kobalt)\n"
        self.assertIsNone(blender.trouble(said, "kobalt", 0, True))
        for text, driver, code, drawn in ((said, "llvmpipe", 0, True), (said, "kobalt", 1, True),
                                          (said, "kobalt", 0, False), ("", "kobalt", 0, True),
                                          (said + "MESA: warning: kobalt: device lost\n", "kobalt", 0, True),
                                          (said + "RuntimeError: no context\n", "kobalt", 0, True)):
            self.assertIsNotNone(blender.trouble(text, driver, code, drawn), text)

    def test_versions_with_another_renderer(self):
        self.assertEqual([blender.too_new(number) for number in ("2.93.18", "3.4.1", "4.1", "4.2.0", "10.1")],
                         [False, False, False, True, True])


if __name__ == "__main__":
    unittest.main()
