# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench servers: what is run, what counts, and the table in docs/status.md."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import tables
from kobalt_cli.workloads import server_matrix

GREW = "GLX growth over 2000 resizes: 12 KiB of 90000, the server's -4 KiB, 0 files\nwindow tests passed\n"


class ServerMatrix(unittest.TestCase):
    def test_results(self):
        for code, out, err, expected in (
                (0, "window tests passed\n", "", ("passed", 0)), (0, GREW, "", ("12 KiB, server -4 KiB", 0)),
                (1, GREW, "", ("failed", 0)), (77, "skipped: no server\n", "", ("skipped", 0)), (None, "", "", ("hangs", 0)),
                (0, "", "kobalt: windows are shown by copies through the CPU: why\n\n", ("passed", 0)),
                (0, "", "XIO: X connection to :3 broken (explicit kill or server shutdown).\n", ("passed", 0)),
                (0, "", "kobalt: the window's frames can't be shown\nX error\n", ("passed", 2))):
            self.assertEqual(server_matrix.judged(code, out, err), expected)

    def test_commands(self):
        with mock.patch.object(server_matrix.environment, "own_program", return_value="/tests"):
            self.assertEqual(server_matrix.command_of("Xvfb, 16 bits", "egl", "growth"),
                             [str(support.ROOT / "tests/window/with-xserver.sh"), "-screen", "0", "1280x1024x16", "--", "/tests",
                              "egl", "growth"])
            self.assertTrue(server_matrix.command_of("Xwayland on Weston", "glx", "resizes")[0].endswith("with-weston.sh"))
        self.assertEqual(server_matrix.apis("Xvfb without GLX"), ("egl",))

    def test_parts_are_those_of_the_program(self):
        source = (support.ROOT / "tests/window/main.cpp").read_text(encoding="utf-8")
        for part in server_matrix.PARTS:
            self.assertIn('{"%s", run_' % part, source)

    def test_section(self):
        table = lambda head, rows: "\n".join("|".join(row) for row in (head, *rows))
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(server_matrix, "TABLE", Path(folder) / "new/window-servers.tsv"):
            self.assertIn("not measured|not measured", server_matrix.status_section(table, "not measured"))
            tables.write(server_matrix.TABLE, "a machine",
                                [("Xvfb", "cpu", "glx", "resizes", "passed", 0), ("Xvfb", "cpu", "glx", "threads", "failed", 2),
                                 ("Xvfb", "cpu", "glx", "growth", "1 KiB, server 0 KiB", 1)])
            section = server_matrix.status_section(table, "not measured")
        self.assertIn("a machine\n", section)
        self.assertIn("Xvfb|cpu|GLX|passed|failed|not measured|1 KiB, server 0 KiB|3", section)


if __name__ == "__main__":
    unittest.main()
