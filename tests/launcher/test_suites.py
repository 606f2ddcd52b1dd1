# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What ./kobalt test sums up, and what it does not let pass in silence."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support
from kobalt_cli.lib import expectations, paths, tally, ui
from kobalt_cli.setup import distribution
from kobalt_cli.conformance import piglit_run
from kobalt_cli.reports import profiles
from kobalt_cli.suites import declared, programs, skips, style, suites

# What the GL tests look at contents with.
PIXELS = r"\b(expect_pixel|expect_area|pixel(_float|_int|_uint)?\(|read_picture|evaluate(_int|_uint)?\(|Get(Named)?BufferSubData|GetTex(ture)?Image)"


def arguments(**more):
    values = dict(quick=False, all=False, suite=None, gpu=None, list=False, jobs=2)
    values.update(more)
    return SimpleNamespace(**values)


class Sum(unittest.TestCase):
    def run_with(self, *results, allowed=None, **more):
        """(exit status, lines) of a run whose suites give RESULTS."""
        made = [suites.Suite("s%d" % i, "suite %d" % i, 1, lambda args, one=one: one, "") for i, one in enumerate(results)]
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(suites, "all_suites", return_value=made), \
                mock.patch.object(suites, "FOLDER", Path(folder) / "test"), mock.patch.object(paths, "OUT", Path(folder)), \
                mock.patch.object(skips, "read", return_value=allowed or {}), \
                mock.patch.object(declared, "missing_cases", return_value=more.pop("missing", [])), \
                contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = suites.run(arguments(**more))
            self.report = json.loads((Path(folder) / "test.json").read_text()) if (Path(folder) / "test.json").exists() else None
        return code, out.getvalue().splitlines()

    def test_the_last_line_is_what_ci_reads(self):
        code, lines = self.run_with(tally.Tally(passed=3), tally.Tally(passed=2))
        self.assertEqual((code, lines[-1]), (0, "6 passed, 0 failed, 0 skipped"))

    def test_known_failures_are_neither_passed_nor_skipped(self):
        code, lines = self.run_with(tally.Tally(passed=3, known=4))
        self.assertEqual((code, lines[-1]), (0, "4 passed, 0 failed, 0 skipped"))
        self.assertTrue(any(line.startswith("4 known not to pass") for line in lines[:-1]), lines)
        self.assertEqual(self.report["suites"][0]["known"], 4)

    def test_the_time_of_each_suite_is_told(self):
        _, lines = self.run_with(tally.Tally(passed=1))
        self.assertTrue(any(line.startswith("suite 0") and " s " in line for line in lines), lines)

    def test_a_suite_without_a_result_fails(self):
        code, lines = self.run_with(tally.Tally())
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_a_suite_that_breaks_fails(self):
        made = suites.Suite("s", "t", 1, lambda args: 1 / 0, "")
        self.assertEqual(suites.run_suite(made, arguments(), {}).failed, 1)

    def test_a_test_that_is_gone_fails(self):
        code, lines = self.run_with(tally.Tally(passed=1), missing=["A.b (tests/a.cpp)"])
        self.assertEqual((code, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        _, lines = self.run_with(tally.Tally(passed=1), missing=["A.b (tests/a.cpp)"], quick=True)
        self.assertEqual(lines[-1], "1 passed, 0 failed, 0 skipped")

    def test_an_unexpected_skip_fails(self):
        one = lambda: tally.Tally(passed=1, skipped=1, skips=["A.b"])
        self.assertEqual(self.run_with(one())[0], 1)
        self.assertEqual(self.run_with(one(), allowed={("s0", "A.b"): (skips.ALWAYS, "why")})[0], 0)
        self.assertEqual(self.run_with(one(), allowed={("s1", "A.b"): (skips.SOMETIMES, "why")})[0], 1, "another suite's")

    def test_a_skip_that_is_over_leaves_the_list(self):
        for when, code in ((skips.ALWAYS, 1), (skips.SOMETIMES, 0)):
            self.assertEqual(self.run_with(tally.Tally(passed=1), allowed={("s0", "A.b"): (when, "why")})[0], code)
        impossible = tally.Tally(skipped=1, skips=["all"])
        allowed = {("s0", "A.b"): (skips.ALWAYS, "why"), ("s0", "all"): (skips.SOMETIMES, "why")}
        self.assertEqual(self.run_with(impossible, allowed=allowed)[0], 0, "nothing ran, so nothing is known of A.b")

    def test_every_suite_for_ci_and_more_with_all(self):
        names = {s.name for s in suites.chosen(arguments())}
        self.assertLessEqual({"format", "launcher", "unit", "gl", "corpus", "readme", "smoke", "gl33", "swiftshader", "bundle"}, names)
        self.assertLessEqual({"tidy", "sanitizers", "apps"},
                             {s.name for s in suites.chosen(arguments(all=True))} - names)
        for suite in suites.all_suites(arguments()):
            self.assertEqual(bool(suite.more), suite.name not in names, suite)

    def test_results_of_piglit(self):
        outcomes = [piglit_run.Outcome(n, r) for n, r in (("a", "pass"), ("b", "skip"), ("c", "fail"), ("d", "fail"))]
        outcomes[0].validation = ["VUID-1", "VUID-1"]
        result = suites.piglit_result("x", outcomes, {"b": ("skip", "why"), "c": ("fail", "why"), "d": ("fail", expectations.UNKNOWN)})
        self.assertEqual((result.line(), result.known), ("1 passed, 2 failed, 1 skipped", 2))
        self.assertEqual(result.notes, ["x: d: fail, without a reason in the expectations", "x: validation: VUID-1 (first in a)"])


class Declared(unittest.TestCase):
    SOURCE = "TEST(A, one) {}\nTEST_P(B, two) {}\n  TEST_F(C, three) {}\nTYPED_TEST(D, four) {}\n"
    MESON = "test('unit', program)\ntest(\n  'window-' + api,\n  sh,\n)\n"

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tests = Path(folder.name) / "tests"
        tests.mkdir()
        (tests / "a.cpp").write_text(self.SOURCE)
        (tests / "meson.build").write_text(self.MESON)
        return tests

    def test_cases_by_their_plain_names(self):
        for name, plain in (("A.one", "A.one"), ("Sizes/B.two/3", "B.two"), ("D/0.four", "D.four"), ("X/D/1.four", "D.four")):
            self.assertEqual(declared.plain(name), plain)

    def test_what_did_not_run_is_missing(self):
        seen = {"A.one", "Sizes/B.two/0", "C.three", "D/0.four", "unit"}
        self.assertEqual(declared.missing_cases(seen, self.folder()), [])
        self.assertEqual(declared.missing_cases(seen - {"Sizes/B.two/0"}, self.folder()), ["B.two (tests/a.cpp)"])

    def test_what_was_not_built_is_missing(self):
        self.assertEqual(declared.missing_programs({"unit", "window-glx"}, self.folder()), [])
        self.assertEqual(declared.missing_programs({"unit"}, self.folder()), ["window- (tests/meson.build)"])

    def test_the_front_is_judged_once(self):
        """The tests of Mesa's front end run in the first configuration alone; so each of their suites is theirs wholly,
        and none looks at what was drawn or computed."""
        front = declared.front_suites()
        self.assertGreater(len(front), 15)
        with mock.patch.object(programs.declared, "front_suites", return_value=["A", "B"]):
            self.assertEqual(programs.without_front(), "--gtest_filter=-A.*:*/A.*:B.*:*/B.*")
        runs = []
        with mock.patch.object(programs, "gl", side_effect=lambda *words, front=True, **named: runs.append(front)):
            suites.all_suites(SimpleNamespace(quick=False, all=False, jobs=1))
        self.assertEqual(runs, [True, False, False])
        for name, path in declared.cases(support.ROOT / "tests/gl").items():
            if path.parent != declared.FRONT:
                self.assertNotIn(name.partition(".")[0], front, "%s is outside of tests/gl/mesa" % name)
        for path in declared.FRONT.glob("*.cpp"):
            self.assertNotRegex(path.read_text(encoding="utf-8"), PIXELS, path.name)

    def test_the_tests_of_this_project_are_found(self):
        self.assertGreater(len(declared.cases()), 300)
        self.assertIn("gl", declared.programs())


class Skips(unittest.TestCase):
    def test_each_has_a_reason(self):
        for (suite, test), (when, reason) in skips.read().items():
            self.assertGreater(len(reason), 10, test)
            self.assertIn(suite, {s.name for s in suites.all_suites(arguments())}, test)

    def test_a_line_of_several_suites(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("gl bundle\tA.b\talways\twhy\n")
            file.flush()
            self.assertEqual(skips.read(Path(file.name)), {(suite, "A.b"): (skips.ALWAYS, "why") for suite in ("gl", "bundle")})

    def test_the_bundle_skips_what_the_gl_tests_always_skip(self):
        """Both run the same programs on the same device."""
        always = {suite: {test for (owner, test), (when, _) in skips.read().items() if owner == suite and when == skips.ALWAYS}
                  for suite in ("gl", "bundle")}
        self.assertEqual(always["gl"], always["bundle"])

    def test_a_line_without_a_reason_is_refused(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("# head\nunit\tA.b\talways\t \n")
            file.flush()
            with self.assertRaises(ValueError):
                skips.read(Path(file.name))

    def test_names_of_what_was_skipped(self):
        text = ("[==========] Running 2 tests from 1 test suite.\n[ RUN      ] A.b\n[  SKIPPED ] A.b (0 ms)\n"
                "[       OK ] A.c (1 ms)\n[==========] 2 tests from 1 test suite ran. (3 ms total)\n[  PASSED  ] 1 test.\n"
                "[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] A.b\n")
        one = tally.from_gtest_text(text, True)
        self.assertEqual((one.line(), one.skips, one.seen), ("1 passed, 0 failed, 1 skipped", ["A.b"], {"A.b", "A.c"}))
        text = ("test_a (m.C) ... ok\ntest_b (m.C)\nWhat it is. ... skipped 'no'\ntest_c (m.C) ... FAIL\n"
                "Ran 3 tests in 0.1s\n\nFAILED (failures=1, skipped=1)\n")
        one = tally.from_unittest_text(text, False)
        self.assertEqual((one.line(), one.skips, one.notes), ("1 passed, 1 failed, 1 skipped", ["test_b"], ["test_c"]))


class Profiles(unittest.TestCase):
    def test_the_class_is_what_zink_passes_of_the_groups_before_gl_4(self):
        zink = {"spec@glsl-1.30@a": "pass", "spec@glsl-1.30@b": "fail", "spec@arb_compute_shader@c": "pass", "shaders@d": "pass"}
        llvmpipe = dict.fromkeys(zink, "crash")
        self.assertEqual(profiles.class_33(zink, llvmpipe, {"spec@arb_compute_shader"}),
                         {"shaders@d": ("pass", "crash"), "spec@glsl-1.30@a": ("pass", "crash")})

    def test_the_lists_are_those_that_the_command_makes(self):
        later = set(expectations.read_names(profiles.LATER))
        names = expectations.read_names(expectations.profile_path("gl33"))
        self.assertEqual(names, sorted(names))
        self.assertEqual([n for n in names if not profiles.in_class(n, later)], [])

    def test_smoke_takes_some_of_each_group(self):
        peers = {"spec@a@%02d" % i: ("pass", "pass") for i in range(30)}
        peers.update({"spec@b@slow": ("pass", "pass"), "spec@b@fast": ("pass", "pass"), "spec@c@x": ("pass", "fail")})
        self.assertEqual(profiles.smoke_programs(peers, {"spec@b@slow": 99.0}),
                         ["spec@a@00", "spec@a@10", "spec@a@20", "spec@b@fast"])


class Style(unittest.TestCase):
    def test_a_file_out_of_form_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            bad, good = Path(folder) / "bad.cpp", Path(folder) / "good.cpp"
            bad.write_text("int  a ;\n")
            good.write_text("int a;\n")
            if style.formatter():
                self.assertEqual(style.out_of_form(style.formatter(), [bad, good]), [str(bad)])

    def test_a_missing_formatter_is_no_pass(self):
        with mock.patch.object(style, "formatter", return_value=None):
            for system in (distribution.KNOWN["debian", "13"], None):
                with mock.patch.object(distribution, "here", return_value=system):
                    self.assertEqual(style.format_suite(None).line(), "0 passed, 0 failed, 1 skipped")
            with mock.patch.object(distribution, "here", return_value=distribution.KNOWN["debian", "12"]), \
                    self.assertRaisesRegex(ui.Stop, "install the package clang-format"):
                style.format_suite(None)


if __name__ == "__main__":
    unittest.main()
