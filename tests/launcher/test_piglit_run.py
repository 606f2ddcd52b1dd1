# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How piglit's tests are run: which run together, which alone, and which again."""
import contextlib
import sys
import types
import unittest
from unittest import mock

import support  # noqa: F401  (finds kobalt_cli)
from kobalt_cli.conformance import piglit_run, piglit_tests

CLOCK = "spec@a@clock"


def test_that(program, name=CLOCK):
    """A test of that NAME which runs PROGRAM, Python's text."""
    return types.SimpleNamespace(name=name, skip=False, command=[sys.executable, "-c", program])


def answers(*results):
    """What `execute` answers, one call after another: a run with each of RESULTS."""
    return mock.patch.object(piglit_run, "execute", side_effect=[
        (0, 'PIGLIT: {"result": "%s" }\n' % result, "") for result in results])


class ByTheClock(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(piglit_tests, "by_the_clock", return_value={CLOCK})
        patch.start()
        self.addCleanup(patch.stop)

    def run_one(self, name, *results):
        with answers(*results) as execute:
            outcome = piglit_run.run_one(test_that("", name), {}, 5, ".")
        return outcome.result, execute.call_count

    def test_a_failure_is_tried_again(self):
        self.assertEqual(self.run_one(CLOCK, "fail", "fail", "pass"), ("pass", 3))

    def test_a_clock_that_is_wrong_fails(self):
        self.assertEqual(self.run_one(CLOCK, *["fail"] * 5), ("fail", 5))

    def test_no_other_test_is_tried_again(self):
        self.assertEqual(self.run_one("spec@a@b", "fail", "pass"), ("fail", 1))

    def test_a_crash_is_not_tried_again(self):
        with mock.patch.object(piglit_run, "execute", return_value=(-11, "", "")) as execute:
            self.assertEqual(piglit_run.run_one(test_that(""), {}, 5, ".").result, "crash")
        self.assertEqual(execute.call_count, 1)

    def test_they_come_last_and_alone(self):
        running, seen = set(), []

        def run_one(test, *_):
            running.add(test.name)
            seen.append((test.name, len(running)))
            running.discard(test.name)
            return piglit_run.Outcome(test.name, "pass")

        tests = [test_that("", name) for name in (CLOCK, "spec@a@b", "spec@a@c", "spec@a@d")]
        outcomes = []
        with mock.patch.object(piglit_run, "run_one", side_effect=run_one), \
                mock.patch.object(piglit_run.xserver, "VirtualDisplay",
                                  side_effect=lambda: contextlib.nullcontext(types.SimpleNamespace(name=":9"))), \
                mock.patch.object(piglit_tests, "root", return_value="."), \
                mock.patch.object(piglit_run.ui, "Progress"):
            piglit_run.run_all(tests, {}, 2, 5, outcomes.append)
        self.assertEqual(len(outcomes), 4)
        self.assertEqual(seen[-1], (CLOCK, 1))

    def test_piglit_has_each_of_them(self):
        mock.patch.stopall()
        self.assertTrue(piglit_tests.by_the_clock() <= set(piglit_tests.load("quick_gl")))


class WithoutWindows(unittest.TestCase):
    def run_all(self, platform, displays):
        seen = []

        def run_one(test, env, *_):
            seen.append(env)
            return piglit_run.Outcome(test.name, "pass")
        with mock.patch.object(piglit_run, "run_one", side_effect=run_one), \
                mock.patch.object(piglit_run.xserver, "VirtualDisplay",
                                  side_effect=lambda: displays.append(1) or contextlib.nullcontext(types.SimpleNamespace(name=":9"))), \
                mock.patch.object(piglit_tests, "root", return_value="."), mock.patch.object(piglit_run.ui, "Progress"):
            piglit_run.run_all([test_that("", "spec@a@b")], {"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, 1, 5, platform=platform)
        return seen[0]

    def test_no_server_is_started_or_named(self):
        displays = []
        env = self.run_all(piglit_tests.NO_WINDOW, displays)
        self.assertEqual((displays, env["PIGLIT_PLATFORM"], "DISPLAY" in env, "WAYLAND_DISPLAY" in env), ([], "surfaceless_egl", False, False))
        env = self.run_all(piglit_tests.PLATFORM, displays)
        self.assertEqual((displays, env["DISPLAY"], "WAYLAND_DISPLAY" in env), ([1], ":9", False))

    def test_each_test_draws_into_a_framebuffer_object(self):
        test = piglit_tests.find(["spec@!opengl 1.1@read-front"], piglit_tests.NO_WINDOW)[0]
        self.assertIn("-fbo", test.command)
        self.assertNotIn("-fbo", piglit_tests.find([test.name])[0].command)

    def test_glx_is_skipped(self):
        names = ["glx@glx-close-display"]
        self.assertEqual([piglit_tests.find(names, p)[0].skip for p in (piglit_tests.NO_WINDOW, piglit_tests.PLATFORM)], [True, False])


if __name__ == "__main__":
    unittest.main()
