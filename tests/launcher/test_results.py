# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How outcomes of tests are read, compared and summed up."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import expectations, paths, tally
from kobalt_cli.conformance import piglit, piglit_run, piglit_tests
from kobalt_cli.workloads import bench, overhead
from kobalt_cli.reports import status


class Interpretation(unittest.TestCase):
    def test_plain_results(self):
        for word in ("pass", "fail", "skip", "warn"):
            code = 0 if word != "fail" else 1
            self.assertEqual(piglit_tests.interpret(code, 'PIGLIT: {"result": "%s" }\n' % word), word)

    def test_signals_and_silence(self):
        self.assertEqual(piglit_tests.interpret(-11, ""), "crash")
        self.assertEqual(piglit_tests.interpret(0, "nothing"), "fail")
        self.assertEqual(piglit_tests.interpret(1, 'PIGLIT: {"result": "pass" }'), "warn")

    def test_the_worst_subtest_counts(self):
        text = ('PIGLIT: {"enumerate subtests": ["a", "b"]}\nPIGLIT: {"subtest": {"a" : "pass"}}\n'
                'PIGLIT: {"subtest": {"b" : "fail"}}\nPIGLIT: {"result": "pass" }\n')
        self.assertEqual(piglit_tests.interpret(0, text), "fail")
        self.assertEqual(piglit_tests.interpret(0, text.replace('"fail"', '"skip"')), "pass")

    def test_validation_messages_are_counted(self):
        text = "kobalt: validation: VUID-vkCmdDraw-None-1: text\nother\nkobalt: validation: VUID-2: text\n"
        self.assertEqual(piglit_run.VALIDATION.findall(text), ["VUID-vkCmdDraw-None-1", "VUID-2"])

    def test_a_hanging_test_is_ended(self):
        code, out, _ = piglit_run.execute([sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"],
                                          dict(os.environ), 0.5, "/")
        self.assertIsNone(code)
        self.assertEqual(out, "1\n")

    def test_rows_round_trip(self):
        outcome = piglit_run.Outcome("spec@a b@c", "fail", 1.25, ["V-1", "V-1"])
        again = piglit_run.parse_row(outcome.row())
        self.assertEqual((again.name, again.result, again.seconds, again.validation),
                         ("spec@a b@c", "fail", 1.25, ["V-1", "V-1"]))


class Expectations(unittest.TestCase):
    def test_both_directions_are_surprises(self):
        outcomes = [piglit_run.Outcome(n, r) for n, r in (("a", "pass"), ("b", "fail"), ("c", "pass"), ("d", "fail"))]
        good, known, surprises = expectations.compare(outcomes, {"c": ("fail", "why"), "d": ("fail", "why")})
        self.assertEqual([o.name for o in good], ["a"])
        self.assertEqual([o.name for o in known], ["d"])
        self.assertEqual([(o.name, w) for o, w in surprises], [("b", "pass"), ("c", "fail")])

    def test_recording_keeps_reasons(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x-expected.txt")
            outcomes = [piglit_run.Outcome("a", "fail"), piglit_run.Outcome("b", "pass"), piglit_run.Outcome("c", "crash")]
            expectations.write(path, "x", outcomes, {"a": ("fail", "no such feature")})
            self.assertEqual(expectations.read(path), {"a": ("fail", "no such feature"), "c": ("crash", "not looked at yet")})

    def test_profiles(self):
        names = {}
        for profile in ("smoke", "gl33"):
            names[profile] = expectations.read_names(expectations.profile_path(profile))
            self.assertEqual(len(names[profile]), len(set(names[profile])), profile)
        self.assertEqual(set(names["gl33"]), set(piglit.read_peers("gl33")))
        self.assertTrue(250 <= len(names["smoke"]) <= 400, len(names["smoke"]))


class Tallies(unittest.TestCase):
    def test_gtest_text(self):
        text = ("[==========] 5 tests from 2 test suites ran. (3 ms total)\n[  PASSED  ] 3 tests.\n"
                "[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] A.skipped\n[  FAILED  ] 1 test, listed below:\n"
                "[  FAILED  ] A.bad\n")
        one = tally.from_gtest_text(text, False)
        self.assertEqual(one.line(), "3 passed, 1 failed, 1 skipped")
        self.assertEqual(one.notes, ["A.bad"])
        self.assertIsNone(tally.from_gtest_text("hello", True))

    def test_a_dead_program_is_a_failure(self):
        self.assertEqual(tally.from_gtest_xml(Path("/nonexistent.xml"), -11, "gl").failed, 1)

    def test_meson_log(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            for name, result in (("kobalt:unit / a", "OK"), ("b", "FAIL"), ("c", "SKIP"), ("d", "TIMEOUT")):
                file.write(json.dumps({"name": name, "result": result, "stdout": "of " + name, "stderr": "why"}) + "\n")
            file.flush()
            one = tally.from_meson_log(file.name)
        self.assertEqual(one.line(), "1 passed, 2 failed, 1 skipped")
        # CI keeps no log: the failure shows what the test printed.
        self.assertEqual([note.split() for note in one.notes], [["b:", "fail", "of", "b", "why"], ["d:", "timeout", "of", "d", "why"]])

    def test_demo_times(self):
        text = "120 frames of 640x360: p50 4.20 ms, p95 5.00 ms, p99 6.10 ms, max 9.99 ms"
        self.assertEqual(bench.parse_times(text), {"p50": 4.2, "p95": 5.0, "p99": 6.1, "max": 9.99})
        self.assertIsNone(bench.parse_times("no numbers"))


class Status(unittest.TestCase):
    def test_nothing_is_invented(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = Path(folder)
            with mock.patch.object(piglit, "FOLDER", empty), mock.patch.object(bench, "FOLDER", empty), \
                    mock.patch.object(paths, "OUT", empty), mock.patch.object(status, "KEPT", empty / "kept"):
                text = status.document()
        self.assertIn("| Kobalt | not measured | not measured | not measured | not measured |", text)
        self.assertGreater(text.count("not measured"), 15)

    def test_what_was_measured_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            names = expectations.read_names(expectations.profile_path("gl33"))[:10]
            (out / "piglit").mkdir()
            (out / "piglit/gl33.tsv").write_text("# device\ta GPU, driver 5.1\n# version\tMesa 1.2.3\n" + "".join("%s\t%s\t0.1\t\n" % (n, "crash" if i == 0 else "pass")
                                                  for i, n in enumerate(names)))
            with mock.patch.object(piglit, "FOLDER", out), mock.patch.object(bench, "FOLDER", out), \
                    mock.patch.object(paths, "OUT", out), mock.patch.object(status, "KEPT", out / "kept"):
                text = status.document()
        self.assertIn("| Kobalt | Mesa 1.2.3 | 9 | 0.27% | 1 |", text)
        self.assertIn(" on a GPU, driver 5.1; 10 of 3379 tests were run", text)

    def test_peers_are_counted_from_their_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "gl33-peers.tsv"
            path.write_text("# zink\tMesa 7\n# llvmpipe\tMesa 8\na\tpass\tcrash\nb\tpass\tpass\nc\tpass\tcrash\n")
            with mock.patch.object(piglit, "peers_path", return_value=path):
                text = status.gl33_section()
        self.assertIn("| zink | Mesa 7 | 3 | 100.00% | 0 |", text)
        self.assertIn("| llvmpipe | Mesa 8 | 1 | 33.33% | 2 |", text)

    def test_messages_count_only_where_the_layer_was_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            (out / "piglit").mkdir()
            for layer, cell in (("started", "not measured"), ("validated", "0")):
                (out / "piglit/smoke.tsv").write_text("# layer\t%s\n# device\td\na\tpass\t0.1\t\n" % layer)
                with mock.patch.object(paths, "OUT", out), mock.patch.object(status, "KEPT", out / "kept"), \
                        mock.patch.object(piglit, "FOLDER", out):
                    self.assertIn("| everything on | d | 1 of 1 | 0 | — | %s |" % cell, status.smoke_section())

    def test_counts_are_numbers_where_a_suite_has_one_result(self):
        one = tally.Tally(passed=True, failed=False)
        self.assertEqual(json.dumps([one.passed, one.failed, one.skipped, one.known]), "[1, 0, 0, 0]")
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            (out / "test.json").write_text('{"commit": "0123456789abcdef", "changed": false, "suites": '
                                           '[{"text": "a", "passed": true, "failed": false, "skipped": 0, "seconds": 1}]}')
            with mock.patch.object(paths, "OUT", out):
                self.assertIn("| a | 1 | 0 | 0 | 0 | 1 |", status.suites_section())
                self.assertIn("Of commit 0123456789ab.", status.suites_section())

    def test_records_that_name_no_device_count_as_not_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            (out / "piglit").mkdir()
            (out / "kept/piglit").mkdir(parents=True)
            for place in ("piglit", "kept/piglit"):
                (out / place / "smoke-no-descriptor_buffer.tsv").write_text("a\tpass\t0.1\t\n")
            (out / "piglit/smoke.tsv").write_text("# device\td\na\tpass\t0.1\t\n")
            with mock.patch.object(paths, "OUT", out), mock.patch.object(status, "KEPT", out / "kept"), \
                    mock.patch.object(bench, "FOLDER", out / "bench"), mock.patch.object(overhead, "FOLDER", out / "overhead"):
                row = "| descriptor_buffer off |" + " not measured |" * 5
                self.assertIn(row, status.smoke_section())
                status.keep()
            self.assertEqual([p.name for p in (out / "kept/piglit").iterdir()], ["smoke.tsv"])


class ContinuousIntegration(unittest.TestCase):
    def test_a_stopped_set_up_still_sums_up(self):
        """.ci/run in a copy of the tree whose launcher stops at once."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / ".ci").mkdir()
            (root / ".ci/run").write_bytes((support.ROOT / ".ci/run").read_bytes())
            (root / "kobalt").write_text("#!/bin/sh\necho 'kobalt: no network' >&2\nexit 1\n")
            (root / "kobalt").chmod(0o755)
            done = subprocess.run(["bash", str(root / ".ci/run")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed, 0 skipped")

    def test_the_sum_is_the_last_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / ".ci").mkdir()
            (root / ".ci/run").write_bytes((support.ROOT / ".ci/run").read_bytes())
            (root / "kobalt").write_text("#!/bin/sh\n[ \"$1\" = status ] || echo '5 passed, 0 failed, 1 skipped'\n")
            (root / "kobalt").chmod(0o755)
            done = subprocess.run(["bash", str(root / ".ci/run")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines(), ["5 passed, 0 failed, 1 skipped"])


if __name__ == "__main__":
    unittest.main()
