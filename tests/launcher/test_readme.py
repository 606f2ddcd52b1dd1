# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite that types README.md's commands."""
import os
import tempfile
import unittest

import support
from kobalt_cli import readme


class Readme(unittest.TestCase):
    def test_every_command_but_the_suite_itself_is_typed(self):
        lines = readme.commands((support.ROOT / "README.md").read_text())
        self.assertEqual([line for line in lines if readme.skipped(line, quick=False)], ["./kobalt test"])
        for line in ("./kobalt run", "./kobalt run -- glxgears", "./kobalt info", "./kobalt bundle"):
            self.assertIn(line, lines)
        self.assertTrue(any(readme.by_hand(line) for line in lines))

    def test_lines_that_go_on(self):
        self.assertEqual(readme.commands("```sh\na \\\n  b\n\nc\n```\n```\nno command\n```\n"), ["a    b", "c"])

    def test_a_failure_is_named(self):
        with tempfile.NamedTemporaryFile("w") as log:
            self.assertIsNone(readme.run_line("echo before", dict(os.environ), log))
            self.assertEqual(readme.run_line("echo why; exit 3", dict(os.environ), log),
                             "echo why; exit 3: exit status 3 (why)")
            self.assertEqual(readme.run_line("exit 3", dict(os.environ), log), "exit 3: exit status 3 (it said nothing)")


if __name__ == "__main__":
    unittest.main()
