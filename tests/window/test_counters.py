#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""KOBALT_CSV: the counters of a program, a line for each frame or second; KOBALT_DEBUG=perf: its slow paths.

    test_counters.py --gl-tests PATH/kobalt-gl-tests --window-tests PATH/kobalt-window-tests [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import program_tests  # noqa: E402

PROGRAMS = None
OWN = ["process", "seconds", "frame"]  # the columns that are no counters


class CountersTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="kobalt-counters-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.file = self.folder / "counters.csv"

    def start(self, command, **variables):
        """Runs COMMAND, which has to succeed; its output."""
        env = dict(os.environ, KOBALT_CACHE_DIR=str(self.folder / "pipelines"),
                   MESA_SHADER_CACHE_DIR=str(self.folder / "shaders"), **variables)
        env.pop("KOBALT_DISABLE", None)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              env=env, timeout=150)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def gl_test(self, name, **variables):
        output = self.start([PROGRAMS.gl_tests, "--gtest_filter=" + name], EGL_PLATFORM="surfaceless", **variables)
        self.assertIn("[  PASSED  ] 1 test", output)
        return output

    def rows(self):
        """The file's lines; each has all columns, and whole numbers in those of counters."""
        with open(self.file, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertNotIn(None, row, "a line has more columns than the head")
            self.assertEqual(list(row)[:3], OWN)
            for name, value in row.items():
                self.assertTrue(value is not None and (name in OWN or value.isdigit()), "%s in %s" % (name, row))
        return rows

    def test_a_program_without_frames_is_counted_whole(self):
        stats = self.folder / "stats"
        stats.mkdir()
        self.gl_test("CostTest.NothingChanges", KOBALT_CSV=str(self.file), KOBALT_STATS=str(stats))
        rows = self.rows()
        self.assertEqual({row["frame"] for row in rows}, {""})
        [tsv] = stats.glob("*.tsv")
        totals = dict(line.split("\t") for line in tsv.read_text().splitlines())
        self.assertEqual(list(rows[0]), OWN + list(totals), "both name the same counters in the same order")
        self.assertGreaterEqual(int(totals["draws"]), 300)
        for name in ("draws", "passes", "barriers", "batches", "descriptor_writes"):
            self.assertEqual(sum(int(row[name]) for row in rows), int(totals[name]), name)

    def test_processes_share_a_file(self):
        for _ in range(2):
            self.gl_test("CostTest.NothingChanges", KOBALT_CSV=str(self.file))
        self.assertEqual(len({row["process"] for row in self.rows()}), 2)
        self.assertEqual(self.file.read_text().count("process,"), 1, "one head is enough")

    def test_a_file_that_cannot_be_written_is_said(self):
        output = self.gl_test("CostTest.NothingChanges", KOBALT_CSV=str(self.folder / "missing/counters.csv"))
        self.assertIn("no counters can be written to", output)

    def test_each_frame_has_a_line(self):
        if not shutil.which("xvfb-run"):
            self.skipTest("xvfb-run is missing: install xvfb and xauth")
        self.start(["xvfb-run", "-a", PROGRAMS.window_tests, "glx"], KOBALT_CSV=str(self.file))
        frames = [row for row in self.rows() if row["frame"]]
        self.assertGreater(len(frames), 5)
        self.assertEqual([int(row["frame"]) for row in frames], list(range(1, len(frames) + 1)))
        times = [float(row["seconds"]) for row in frames]
        self.assertEqual(times, sorted(times))
        self.assertGreater(sum(int(row["draws"]) for row in frames), 5)

    def test_slow_paths_are_printed_once_where_asked_for(self):
        name, text = "SlowPathMessageTest.ReadingBackIsSaidOnceToWhoListens", "slow path: contents are copied back"
        self.assertEqual(self.gl_test(name, KOBALT_DEBUG="perf").count(text), 1)
        self.assertEqual(self.gl_test(name, KOBALT_DEBUG="").count(text), 0)


if __name__ == "__main__":
    sys.exit(program_tests.main("--gl-tests", "--window-tests"))
