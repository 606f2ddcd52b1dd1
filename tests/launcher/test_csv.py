# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt run --csv FILE: where the driver is told to write its counters."""
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import ui
from kobalt_cli.setup import setup
from kobalt_cli.commands import actions, main, run


class Csv(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def started(self, *words):
        """The environment of what `./kobalt WORDS` starts."""
        args = main.parser().parse_args(words)
        with mock.patch.object(setup, "ensure"), mock.patch.object(run, "kobalt_on", return_value={"PATH": "/bin", "DISPLAY": ":0"}), \
                mock.patch.object(run, "execute") as program, mock.patch.object(run.subprocess, "run") as scene, \
                mock.patch.object(run.environment, "own_program", return_value=Path("/bin/true")), mock.patch.object(ui, "note"):
            scene.return_value.returncode = 0
            actions.command_run(args)
        return program.call_args.args[1] if program.called else scene.call_args.kwargs["env"]

    def test_the_driver_gets_the_whole_path_of_an_empty_file(self):
        file = self.folder / "counters.csv"
        file.write_text("from the time before\n")
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        env = self.started("run", "--csv", "counters.csv", "--", "glxgears", "-info")
        self.assertEqual(os.path.realpath(env["KOBALT_CSV"]), os.path.realpath(file))
        self.assertTrue(os.path.isabs(env["KOBALT_CSV"]))
        self.assertEqual(file.read_text(), "")

    def test_the_demo_is_counted_too(self):
        env = self.started("run", "--csv", str(self.folder / "demo.csv"), "--out", str(self.folder))
        self.assertEqual(env["KOBALT_CSV"], str(self.folder / "demo.csv"))

    def test_without_it_nothing_is_written(self):
        self.assertNotIn("KOBALT_CSV", self.started("run", "--", "glxgears"))
        self.assertNotIn("KOBALT_CSV", self.started("run", "--out", str(self.folder)))

    def test_a_program_keeps_an_option_of_that_name(self):
        args = main.parser().parse_args(["run", "--", "program", "--csv", "its.csv"])
        self.assertIsNone(args.csv)
        self.assertEqual(actions.run_words(args.app), ["program", "--csv", "its.csv"])

    def test_a_file_that_cannot_be_written_is_said_before_anything_starts(self):
        with self.assertRaisesRegex(ui.Stop, r"no counters can be written to .*missing/x.csv \(No such file.*--csv"):
            self.started("run", "--csv", str(self.folder / "missing/x.csv"), "--", "glxgears")


if __name__ == "__main__":
    unittest.main()
