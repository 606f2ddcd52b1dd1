#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The supervisor of kobalt-fuzz: it tells each kind of fault with the input's number, goes on behind it, and the same
input alone has the same fault.

    test_supervisor.py --fuzz PATH/kobalt-fuzz [unittest arguments]
"""
import argparse
import re
import subprocess
import sys
import unittest

FUZZ = None
# What each planted fault is told as.
TOLD = {"crash": "dies of Aborted", "hang": "takes more than 1 s", "growth": r"takes \d+ MiB", "status": "ends with status 7",
        "message": "validation: VUID-planted", "wrong": r"wrong in input \d+: planted"}
FAULT = re.compile(r"^planted-\w+: seed (\d+), (?:in|around) input (\d+): (.*)$", re.MULTILINE)
SUM = re.compile(r"^planted-\w+: seed \d+, (\d+) inputs from (\d+) on, [\d.]+ inputs/s, (\d+) faults$", re.MULTILINE)


def fuzz(name, *words):
    return subprocess.run([FUZZ, "planted-" + name, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60)


class Supervisor(unittest.TestCase):
    def test_each_kind_of_fault_is_told_and_comes_again(self):
        for name, text in TOLD.items():
            with self.subTest(name):
                done = fuzz(name, "--inputs", 8, "--seed", 4)
                found = FAULT.findall(done.stdout)
                self.assertTrue(found, done.stdout)
                for seed, _, told in found:
                    self.assertEqual(seed, "4")
                    self.assertRegex(told, text)
                self.assertEqual(SUM.findall(done.stdout), [("8", "0", str(len(found)))])
                self.assertEqual(done.returncode, 1)
                self.assertLess(len(found), 8, "inputs without a fault have to be among them")
                # Lines of output are read a moment later, when the next input may run already.
                if name not in ("message", "wrong"):
                    again = fuzz(name, "--inputs", 1, "--seed", 4, "--first", found[-1][1])
                    (_, number, told), = FAULT.findall(again.stdout)
                    self.assertEqual(number, found[-1][1])
                    self.assertRegex(told, text)  # which has another size each time where memory grows
                    self.assertIn("bad", again.stdout, "the journal of a dead worker is told")

    def test_the_same_inputs_in_each_run(self):
        runs = [FAULT.findall(fuzz("crash", "--inputs", 30, "--seed", seed).stdout) for seed in (5, 5, 6)]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual([one[1] for one in runs[0]], [one[1] for one in runs[2]])

    def test_without_faults_the_status_is_0(self):
        good = next(i for i in range(100) if not FAULT.findall(fuzz("crash", "--inputs", 1, "--first", i).stdout))
        done = fuzz("crash", "--inputs", 1, "--first", good)
        self.assertEqual((done.returncode, SUM.findall(done.stdout)), (0, [("1", str(good), "0")]))

    def test_limits(self):
        self.assertEqual(len(FAULT.findall(fuzz("crash", "--inputs", 1000, "--faults", 2).stdout)), 2)
        timed = SUM.findall(fuzz("wrong", "--seconds", 3, "--faults", 0).stdout)
        self.assertGreater(int(timed[0][0]), 0)

    def test_without_a_target_there_is_no_result(self):
        done = fuzz("refusal", "--inputs", 1)
        self.assertEqual(done.returncode, 3)
        self.assertIn("planted: not here", done.stderr)
        for words in (["--inputs"], ["--inputs", "x"], ["--seconds", "-1"], ["--what", "1"]):
            self.assertEqual(fuzz("crash", *words).returncode, 2, words)
        self.assertEqual(fuzz("nothing").returncode, 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fuzz", required=True)
    known, rest = parser.parse_known_args()
    FUZZ = known.fuzz
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
