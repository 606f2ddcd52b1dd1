# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench transfer: what is asked of kobalt-transfer, and what is made of what it prints."""
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  puts tools/ into the path
from kobalt_cli.commands import main
from kobalt_cli.lib import gpu, ui
from kobalt_cli.workloads import transfer

SAID = ("# renderer\tx (Kobalt)\n# version\t4.6\nup rgba8 16\tpointer\t241\tMB/s\n"
        "down rgba8 16 pbo_ring\tfailed\t-\twrong texels, GL error 0x0000\n")


def parsed(*words):
    return main.parser().parse_args(["bench", "transfer", *words])


class Options(unittest.TestCase):
    def test_usual(self):
        self.assertEqual(transfer.options_of(parsed(), None), ["--seconds", "0.1"])

    def test_a_gpu_that_draws_nothing_is_not_judged(self):
        self.assertIn("--no-pictures", transfer.options_of(parsed("--gpu", "tgl"), gpu.find("tgl")))

    def test_quick_and_formats(self):
        self.assertEqual(transfer.options_of(parsed("--quick", "--case", "rgba8,r8"), None),
                         ["--seconds", "0.01", "--most", "256", "rgba8", "r8"])


class Measuring(unittest.TestCase):
    def measured(self, text, status, errors=""):
        done = subprocess.CompletedProcess([], status, text, errors)
        with mock.patch.object(transfer, "program", lambda: Path("kobalt-transfer")), \
                mock.patch.object(transfer.subprocess, "run", lambda *words, **more: done):
            return transfer.measure("kobalt", {}, [])

    def test_figures_and_failures(self):
        said = self.measured(SAID, 1)
        self.assertEqual(said.figures["up rgba8 16", "pointer"], (241.0, "MB/s"))
        self.assertEqual(said.troubles, {"down rgba8 16 pbo_ring": ("failed", "wrong texels, GL error 0x0000")})

    def test_a_crash_on_the_way_is_a_failure(self):
        self.assertEqual(self.measured(SAID, -11, "a word\n").troubles["the rest"], ("failed", "ended with status -11: a word"))

    def test_a_crash_at_once_stops(self):
        with self.assertRaises(ui.Stop) as stop:
            self.measured("", -11)
        self.assertEqual(str(stop.exception), "kobalt-transfer on kobalt ended with status -11")


if __name__ == "__main__":
    unittest.main()
