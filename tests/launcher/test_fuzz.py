# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt fuzz and the suite `fuzz`: what is read from kobalt-fuzz, and what counts against it."""
import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support
from kobalt_cli.lib import environment, paths
from kobalt_cli.commands import main
from kobalt_cli.suites import fuzz_tests
from kobalt_cli.workloads import fuzz

STARTED = "MESA: info: kobalt: started, Vulkan 1.3"
VALIDATED = STARTED + ", VK_LAYER_KHRONOS_validation with synchronisation"
GOOD = "calls: seed 7, 120 inputs from 30 on, 60.5 inputs/s, 0 faults"
BAD = ("calls: seed 7, in input 31: dies of Aborted\n  thread 0, step 9: flush\n  again: kobalt-fuzz calls --seed 7\n"
       "calls: seed 7, around input 40: validation: VUID-1\ncalls: seed 7, 120 inputs from 30 on, 60.5 inputs/s, 2 faults")


class Program(unittest.TestCase):
    """The program is one that prints what it is told to."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        for patch in (mock.patch.object(paths, "PREFIX", self.folder), mock.patch.object(fuzz, "FOLDER", self.folder / "fuzz"),
                      mock.patch.object(environment, "for_driver", lambda driver, extra: dict(os.environ, **extra))):
            patch.start()
            self.addCleanup(patch.stop)

    def prints(self, out, said, status=0):
        program = self.folder / "bin" / fuzz.PROGRAM
        program.write_text("#!/bin/sh\necho \"$*\" >> '%s/asked'\necho '%s'\necho '%s' >&2\nexit %d\n" % (self.folder, out, said, status))
        program.chmod(0o755)

    def asked(self):
        return (self.folder / "asked").read_text().splitlines()

    def test_a_good_run(self):
        self.prints(GOOD, STARTED)
        outcome = fuzz.run("calls", seed=7, first=30, inputs=120)
        self.assertEqual((outcome.inputs, outcome.rate, outcome.faults, outcome.doubt), (120, 60.5, [], ""))
        self.assertEqual(self.asked(), ["calls --seed 7 --first 30 --inputs 120"])

    def test_faults_are_told(self):
        self.prints(BAD, STARTED, 1)
        self.assertEqual(fuzz.run("calls").faults, BAD.splitlines()[0:1] + BAD.splitlines()[3:4])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(fuzz.command(main.parser().parse_args(["fuzz", "calls"])), 1)

    def test_a_run_that_shows_nothing_is_in_doubt(self):
        for out, said, validation in ((GOOD, "", False), (GOOD, STARTED, True), ("", STARTED, False),
                                      (GOOD.replace("120", "0"), STARTED, False)):
            self.prints(out, said)
            self.assertTrue(fuzz.run("calls", validation=validation).doubt, (out, said, validation))
        self.prints(GOOD, VALIDATED)
        self.assertEqual(fuzz.run("calls", validation=True).doubt, "")

    def test_peers_announce_nothing(self):
        self.prints(GOOD, "")
        self.assertEqual(fuzz.run("calls", driver="zink").doubt, "")

    def suite(self, all=False):
        with mock.patch.object(fuzz_tests, "ways", return_value=[("calls", False), ("calls", True)]), \
                contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return fuzz_tests.suite(SimpleNamespace(all=all))

    def test_the_suite_has_a_result_for_each_way(self):
        self.prints(GOOD, VALIDATED)
        self.assertEqual(self.suite().line(), "2 passed, 0 failed, 0 skipped")
        self.prints(BAD, VALIDATED, 1)
        self.assertEqual(self.suite().line(), "0 passed, 4 failed, 0 skipped")
        self.assertTrue(all("--seconds %d" % fuzz_tests.SECONDS in line for line in self.asked()))

    def test_all_runs_longer(self):
        self.prints(GOOD, VALIDATED)
        self.suite(all=True)
        self.assertTrue(all("--seconds %d" % fuzz_tests.LONG_SECONDS in line for line in self.asked()))


class Names(unittest.TestCase):
    def test_each_target_of_the_program_is_known(self):
        kinds = re.search(r"kinds\{([^}]*)\}", (support.ROOT / "tests/fuzz/main.cpp").read_text())[1]
        self.assertEqual(re.findall(r"(\w+)_kind\(\)", kinds), fuzz.names())

    def test_each_target_is_in_a_way(self):
        self.assertEqual({name for name, _ in fuzz_tests.ways()}, set(fuzz.names()))
        self.assertIn(("calls", True), fuzz_tests.ways())

    def test_the_command_line(self):
        args = main.parser().parse_args(["fuzz", "calls", "--seed", "3", "--first", "9", "--inputs", "1", "--driver", "zink"])
        self.assertEqual((args.seed, args.first, args.inputs, args.seconds, args.driver), (3, 9, 1, None, "zink"))


if __name__ == "__main__":
    unittest.main()
