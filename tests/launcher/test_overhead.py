# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The comparison of drawoverhead: what is read from piglit, and what the tables say."""
import tempfile
import unittest
from pathlib import Path

import support  # puts tools/ into the path
from kobalt_cli.workloads import bench, overhead

OUTPUT = """Duration forced to 1 seconds
   #, Test name                                              ,    Thousands draws/s, Difference vs the 1st
   1, DrawArrays   ( 1 VBO| 0 UBO|  0    ) w/ no state change,                  16236, 100.0%
  10, DrawElements ( 1 VBO| 1 UBO|  1 Tex) w/ buffer replacement change,          267, 1.5%
"""


class Overhead(unittest.TestCase):
    def test_rates_by_case(self):
        self.assertEqual(overhead.parse(OUTPUT), {
            "DrawArrays (1 VBO| 0 UBO| 0) w/ no state change": 16236,
            "DrawElements (1 VBO| 1 UBO| 1 Tex) w/ buffer replacement change": 267})
        self.assertEqual(overhead.parse("Test requires OpenGL"), {})
        self.assertEqual(overhead.numbers(OUTPUT), {
            "DrawArrays (1 VBO| 0 UBO| 0) w/ no state change": 1,
            "DrawElements (1 VBO| 1 UBO| 1 Tex) w/ buffer replacement change": 10})

    def test_means(self):
        self.assertAlmostEqual(overhead.geometric_mean([0.5, 2.0]), 1.0)
        self.assertEqual(bench.median([3, 1, 2]), 2)
        self.assertEqual(bench.median([4, 1, 2, 3]), 2.5)

    def test_the_middle_pair_has_the_median_ratio(self):
        self.assertEqual(overhead.middle_pair([(30.0, 10.0), (10.0, 10.0), (40.0, 20.0)]), (40.0, 20.0))

    def test_cases_that_one_driver_lacks_have_no_ratio(self):
        self.assertEqual(overhead.ratios({"a": (10.0, 5.0), "b": (0.0, 4.0)}), {"a": 2.0})

    def test_a_table_reads_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sub/one-thread.tsv"
            overhead.write_table(path, "a machine", {"DrawArrays w/ x": (100.0, 50.0)})
            self.assertEqual(overhead.read_table(path), ("a machine", {"DrawArrays w/ x": (100.0, 50.0)}))


if __name__ == "__main__":
    unittest.main()
