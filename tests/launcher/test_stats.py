# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Compilations inside draws, summed over passes: what is recorded, and when it counts as a failure."""
import argparse
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401: puts the launcher's modules on the path
from kobalt_cli.lib import ui
from kobalt_cli.conformance import piglit, piglit_tests, stats
from kobalt_cli.workloads import apps


class Passes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = Path(folder.name) / "stats.tsv"
        for name, value in (("FOLDER", Path(folder.name) / "stats"), ("TABLE", self.table)):
            patch = mock.patch.object(stats, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def over(self, what, *counted):
        """Passes in which two processes each count (draws, compilations)."""
        todo = iter(counted)

        def one_pass(title, variables):
            for name, (draws, compiles) in zip("ab", next(todo)):
                own = Path(variables["KOBALT_STATS"]) / name
                own.mkdir()
                (own / "1.tsv").write_text("draws\t%d\ndraw_compiles\t%d\nlate_waits\t2\nclears\t9\n" % (draws, compiles))
            return ""
        return stats.over(what, one_pass)

    def test_sums_and_verdict(self):
        self.assertEqual(self.over("smoke", [(5, 1), (7, 2)], [(5, 0), (8, 0)]), 0)
        self.assertEqual(stats.read(self.table), [("smoke", "first", 12, 3, 4), ("smoke", "second", 13, 0, 4)])

    def test_a_second_pass_that_compiles_fails(self):
        self.assertEqual(self.over("smoke", [(5, 0), (5, 0)], [(5, 0), (5, 1)]), 1)

    def test_nothing_drawn_fails(self):
        self.assertEqual(self.over("smoke", [(5, 0), (5, 0)], [(0, 0), (0, 0)]), 1)

    def test_piglit_without_windows(self):
        """--stats draws where the options say, and refuses what it can't count by."""
        args = argparse.Namespace(vulkan="lavapipe", disable=[], validation=False, env=[], jobs=1, timeout=1,
                                  no_window=True, stats=True, together=False)
        with mock.patch.object(piglit, "run", return_value=[]) as run, mock.patch.object(piglit, "test_environment"):
            stats.measure("smoke", ["a"], args)
        self.assertEqual({call.kwargs["platform"] for call in run.call_args_list}, {piglit_tests.NO_WINDOW})
        args.profile, args.together = "smoke", True
        with self.assertRaisesRegex(ui.Stop, "--together"):
            piglit.command(args)

    def test_tables_without_waits(self):
        self.table.write_text("# of what, pass, draws, compilations\nsmoke\tfirst\t12\t3\n")
        self.assertEqual(stats.read(self.table), [("smoke", "first", 12, 3, stats.NOT_COUNTED)])

    def test_other_devices_have_rows_of_their_own(self):
        args = argparse.Namespace(vulkan="swiftshader", disable=[], validation=False, env=[], jobs=1, timeout=1,
                                  no_window=True, stats=True, together=False)
        with mock.patch.object(piglit, "run", return_value=[]), mock.patch.object(piglit, "test_environment"):
            stats.measure("smoke", ["a"], args)
        self.assertEqual({what for what, *_ in stats.read(self.table)}, {"smoke on swiftshader"})

    def test_others_stay(self):
        self.over("smoke", [(1, 0), (1, 0)], [(1, 0), (1, 0)])
        self.over("gl33", [(2, 0), (2, 0)], [(2, 0), (2, 0)])
        self.over("smoke", [(3, 0), (3, 0)], [(3, 0), (3, 0)])
        self.assertEqual({(what, draws) for what, _, draws, *_ in stats.read(self.table)}, {("gl33", 4), ("smoke", 6)})

    def test_programs_see_the_folder_and_the_environment_is_as_before(self):
        seen = []

        def write(only):
            seen.append((only, os.environ["KOBALT_STATS"], os.environ["KOBALT_CACHE_DIR"]))
            own = Path(os.environ["KOBALT_STATS"]) / "1.tsv"
            own.write_text("draws\t4\ndraw_compiles\t0\n")
            return 0
        before = dict(os.environ, KOBALT_CACHE_DIR="/mine")
        with mock.patch.dict(os.environ, before, clear=True), mock.patch.object(apps, "write", write):
            self.assertEqual(apps.count(["openarena"]), 0)
            self.assertEqual(dict(os.environ), before)
        self.assertEqual([only for only, *_ in seen], [["openarena"]] * 2)
        self.assertNotEqual(seen[0][1], seen[1][1])
        self.assertEqual(seen[0][2], seen[1][2])


if __name__ == "__main__":
    unittest.main()
