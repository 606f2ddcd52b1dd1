# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt deqp, with a stand-in for the program: it writes dEQP's log, crashes, hangs and skips as it is told."""
import contextlib
import io
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import expectations, ui, witness
from kobalt_cli.conformance import deqp, deqp_log, deqp_run, features, piglit, piglit_tests
from kobalt_cli.commands import main

STAND_IN = support.ROOT / "tests/launcher/stand_in_deqp.py"


class Log(unittest.TestCase):
    TEXT = ("#sessionInfo releaseName x\n#beginSession\n\n#beginTestCaseResult a.b\n<TestCaseResult>\n <Text>x &amp; y</Text>\n"
            ' <Number Name="TestDuration" Tag="Time" Unit="us">1500000</Number>\n <Result StatusCode="Fail">bad</Result>\n'
            "</TestCaseResult>\n#endTestCaseResult\n#beginTestCaseResult a.c\n<Text>half\n")

    def test_cases_in_pieces(self):
        reader, cases = deqp_log.Reader(), []
        for i in range(0, len(self.TEXT), 7):
            cases += reader.feed(self.TEXT[i:i + 7])
        self.assertEqual([(c.name, c.result, c.seconds) for c in cases], [("a.b", "fail", 1.5)])
        self.assertIn("Fail: bad\n", cases[0].output)
        self.assertIn("x & y", cases[0].output)
        self.assertEqual(reader.open, "a.c")
        self.assertEqual([(c.name, c.result) for c in reader.cut_off("it died")], [("a.c", "crash")])
        self.assertIsNone(reader.open)

    def test_every_word_for_an_end(self):
        for code, result in deqp_log.RESULTS.items():
            text = '#beginTestCaseResult a\n<Result StatusCode="%s"></Result>\n#endTestCaseResult\n' % code
            self.assertEqual(deqp_log.parse(text)[0].result, result)
        self.assertEqual(deqp_log.parse('#beginTestCaseResult a\n<Result StatusCode="New">\n#endTestCaseResult')[0].result, "fail")
        self.assertEqual([deqp_log.parse("#beginTestCaseResult a\n#terminateTestCaseResult %s\n" % c)[0].result
                          for c in ("Crash", "Timeout", "Watchdog")], ["crash", "timeout", "crash"])

    def test_a_case_without_an_end_before_the_next(self):
        text = '#beginTestCaseResult a\n#beginTestCaseResult b\r\n<Result StatusCode="Pass"/>\r\n#endTestCaseResult\r\n'
        self.assertEqual([(c.name, c.result) for c in deqp_log.parse(text)], [("a", "crash"), ("b", "pass")])


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for patch in (mock.patch.object(deqp, "FOLDER", self.folder), mock.patch.object(ui, "Progress")):
            patch.start()
            self.addCleanup(patch.stop)

    def run_cases(self, words, size=100, jobs=1, timeout_s=60, resume=False, **env):
        names = ["dEQP-X.group.%s" % word for word in words.split()]
        program = deqp_run.Program([sys.executable, "-S", "-E", str(STAND_IN), *deqp.OPTIONS], witness.announcing(dict(os.environ, **env)), timeout_s)
        self.outcomes = deqp.run(program, names, "x", {"driver": "kobalt"}, jobs, size, resume)
        return {o.name.split(".")[-1]: o.result for o in self.outcomes}

    def test_a_crash_and_a_hang_are_results_of_their_own_and_the_rest_runs_on(self):
        words = "pass1 fail skip crash pass2 warn hang pass3 cut mute broken pass4 crash2"
        expected = dict(pass1="pass", fail="fail", skip="skip", crash="crash", pass2="pass", warn="warn", hang="timeout", pass3="pass",
                        cut="timeout", mute="fail", broken="fail", pass4="pass", crash2="crash")
        for size, jobs in ((100, 1), (4, 2)):
            with self.subTest(size=size):
                self.assertEqual(self.run_cases(words, size, jobs, timeout_s=5), expected)
                self.assertEqual([o.name.split(".")[-1] for o in self.outcomes], words.split(), "in the list's order")
        log = (self.folder / "x.log").read_text()
        self.assertIn("=== dEQP-X.group.crash: crash\ndied of signal 6\n", log)
        self.assertIn("assertion of dEQP-X.group.crash\n", log)
        self.assertIn("Image comparison failed: 12 < 13", log)
        self.assertNotIn("=== dEQP-X.group.pass1", log)

    def test_a_slow_case_that_lives_is_no_hang(self):
        self.assertEqual(self.run_cases("slow pass", timeout_s=4), {"slow": "pass", "pass": "pass"})

    def test_results_are_kept_as_piglit_s(self):
        self.run_cases("pass fail")
        found = piglit.read_results(self.folder / "x.tsv")
        self.assertEqual([(o.name, o.result, o.seconds) for o in found], [("dEQP-X.group.pass", "pass", 2.5), ("dEQP-X.group.fail", "fail", 2.5)])
        self.assertTrue((self.folder / "x.tsv").read_text().startswith("# driver\tkobalt\n"))

    def test_an_interrupted_run_goes_on(self):
        (self.folder / "x.tsv").write_text("dEQP-X.group.pass1\tfail\t0.1\t\n")
        self.assertEqual(self.run_cases("pass1 pass2", resume=True), {"pass1": "fail", "pass2": "pass"})

    def test_what_another_driver_drew_does_not_count(self):
        self.assertEqual(self.run_cases("pass fail", STAND_IN="other"), {"pass": "unseen", "fail": "fail"})

    def test_a_case_that_the_program_has_not(self):
        self.assertEqual(self.run_cases("pass unknown"), {"pass": "pass", "unknown": "notrun"})

    def test_a_case_that_ends_the_program_before_the_first(self):
        self.assertEqual(self.run_cases("pass1 pass2 pass3 poison pass4"),
                         dict.fromkeys(["pass1", "pass2", "pass3", "pass4"], "pass") | {"poison": "crash"})

    def test_a_program_that_never_works_is_told_at_once(self):
        with self.assertRaisesRegex(ui.Stop, r"runs no case here: ended with status 1 \(FATAL ERROR: no GL here\)"):
            self.run_cases(" ".join("pass%d" % i for i in range(40)), STAND_IN="dead")
        start = time.monotonic()
        with self.assertRaisesRegex(ui.Stop, "no sign of life for 0.3 s"):
            self.run_cases(" ".join("pass%d" % i for i in range(40)), STAND_IN="silent", timeout_s=0.3)
        self.assertLess(time.monotonic() - start, 40)  # the case itself sleeps for 60 s


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.list = self.folder / "gles.txt"
        self.list.write_text("# a remark\nGROUP: dEQP-X\nTEST: dEQP-X.a.pass\ndEQP-X.a.fail\ndEQP-X.b.skip\ndEQP-X.b.skip\n")
        said = features.Said("compat\tversion\t4.5 Mesa 25.0.7\ncore\trenderer\tx (Kobalt)\n")
        for patch in (mock.patch.object(deqp, "FOLDER", self.folder), mock.patch.object(ui, "Progress"),
                      mock.patch.object(features, "ask", return_value=(said, "")),
                      mock.patch.object(deqp.environment, "for_driver", return_value=dict(os.environ)),
                      mock.patch.object(deqp.labels, "device", return_value="a device"),
                      mock.patch.object(expectations.paths, "PROFILES", self.folder)):
            patch.start()
            self.addCleanup(patch.stop)
        root = mock.patch.object(deqp.paths, "ROOT", self.folder)
        root.start()
        self.addCleanup(root.stop)

    def call(self, *words):
        args = main.parser().parse_args(["deqp", str(STAND_IN), str(self.list), "--jobs", "1", *words])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = deqp.command(args, None)
        return code, out.getvalue()

    def test_expectations_as_for_piglit(self):
        code, text = self.call()
        self.assertEqual(code, 1)
        self.assertIn("dEQP-X.a.fail: fail (expected pass)", text)
        self.assertNotIn("skip (expected", text)  # the program itself says that the device can't
        self.assertEqual(self.call("--record")[0], 0)
        self.assertEqual(set(expectations.read(self.folder / "deqp-gles-expected.txt")), {"dEQP-X.a.fail", "dEQP-X.b.skip"})
        code, text = self.call()
        self.assertEqual(code, 0)
        self.assertIn("1 as expected, 2 known not to pass, 0 surprises", text)

    def test_the_head_says_who_drew(self):
        self.call()
        head = deqp.labels.read_head(self.folder / "gles.tsv")
        self.assertEqual((head["driver"], head["renderer"], head["device"], head["program"]), ("kobalt", "x (Kobalt)", "a device", STAND_IN.name))
        with self.assertRaisesRegex(ui.Stop, "zink should answer"):
            self.call("--peer", "zink")

    def test_what_is_wrong_is_told_in_a_line(self):
        for words, text in ((("--filter", "nothing"), "no case of .* matches nothing"), (("--env", "X"), "NAME=VALUE")):
            with self.assertRaisesRegex(ui.Stop, text):
                self.call(*words)
        with self.assertRaisesRegex(ui.Stop, "is not a program here"):
            deqp_run.runnable(self.list)
        with self.assertRaisesRegex(ui.Stop, "can't be read"):
            deqp.read_list(self.folder / "none.txt")
        (self.folder / "empty.txt").write_text("#\n")
        with self.assertRaisesRegex(ui.Stop, "names no case"):
            deqp.read_list(self.folder / "empty.txt")

    def test_names_and_batches(self):
        args = main.parser().parse_args(["deqp", "b", "l", "--peer", "zink", "--gpu", "tgl", "--filter", "x"])
        self.assertEqual(deqp.result_name("l", args), "l-zink-tgl-filtered")
        self.assertEqual(deqp.read_list(self.list), ["dEQP-X.a.pass", "dEQP-X.a.fail", "dEQP-X.b.skip"])
        self.assertEqual([deqp_run.batch_size(n, 2) for n in (1, 80, 100000)], [1, 10, 200])
        self.assertEqual(piglit_tests.group_of("dEQP-GLES31.functional.ssbo.layout.x"), "dEQP-GLES31.functional.ssbo")


if __name__ == "__main__":
    unittest.main()
