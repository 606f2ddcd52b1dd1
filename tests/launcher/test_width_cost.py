# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a draw costs programs of each width: the command and its table; callgrind isn't started."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401 (puts tools/ into the path)
from kobalt_cli.commands import actions, main
from kobalt_cli.lib import environment, target, ui
from kobalt_cli.setup import i386_setup, setup
from kobalt_cli.workloads import gpu_bench, width_cost

COUNTS = {"amd64": {"draw": 1000.0, "blend": 2000.0, "flush_finish": 9.0}, "i386": {"draw": 1500.0, "blend": 2500.0, "flush_finish": 7.0}}


class Widths(unittest.TestCase):
    def test_each_width_counts_its_own_program(self):
        def counted(words, env, what):
            self.assertEqual(env["width"], "i386" if "build-i386" in str(words[0]) else "amd64")
            return COUNTS[env["width"]]

        with tempfile.TemporaryDirectory() as folder, mock.patch.object(width_cost, "TABLE", Path(folder) / "table.tsv"), \
                mock.patch.object(gpu_bench, "counted", side_effect=counted), mock.patch.object(ui, "note"), \
                mock.patch.object(setup, "ensure"), mock.patch.object(i386_setup, "ensure") as built, \
                mock.patch.object(environment, "kobalt", side_effect=lambda target, **_: {"width": target.name}):
            self.assertEqual(actions.command_bench(main.parser().parse_args(["bench", "--instructions", "--arch", "i386"])), 0)
            text = width_cost.TABLE.read_text()
        self.assertEqual(text.splitlines()[2:], ["draw\t1000\t1500\t1.50", "blend\t2000\t2500\t1.25"])
        self.assertTrue(built.call_args.kwargs["tests"])

    def test_the_machines_own_width_has_the_budget(self):
        with mock.patch.object(setup, "ensure"), mock.patch.object(setup, "ensure_peers"), \
                mock.patch.object(gpu_bench, "command", return_value=3) as command:
            self.assertEqual(actions.command_bench(main.parser().parse_args(["bench", "--instructions"])), 3)
        self.assertEqual(command.call_args.args[0].arch, target.AMD64.name)


if __name__ == "__main__":
    unittest.main()
