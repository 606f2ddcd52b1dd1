# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the bundle's `./kobalt bench windows` printed, as docs/status.md shows it."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401
from kobalt_cli.workloads import window_rates

PRINTED = """# a GPU, windows of an Xvfb, frames a second, in turn, 2026-11-29
# native: nvidia
kobalt\tglxgears\t1280x720\t300.5
native\tglxgears\t1280x720\t100
kobalt\tglmark2 build\t1280x720\t50
native\tglmark2 build\t1280x720\t
kobalt\tglxgears\t1280x720\t200
native\tglxgears\t1280x720\t100
"""


class WindowRates(unittest.TestCase):
    def test_medians_and_ratios(self):
        self.assertEqual(window_rates.rows(window_rates.Rates(PRINTED)),
                         [["glxgears", "1280x720", "250", "100", "2.50"], ["glmark2 build", "1280x720", "50", "doesn't run", ""]])

    def test_section(self):
        table = lambda head, rows: "\n".join("|".join(row) for row in (head, *rows))
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(window_rates, "MEASURED", Path(folder)):
            self.assertIn("not measured|not measured", window_rates.status_section(table, "not measured"))
            (Path(folder) / "a-windows.tsv").write_text(PRINTED)
            section = window_rates.status_section(table, "not measured")
        self.assertIn("a GPU, windows of an Xvfb", section)
        self.assertIn("native: nvidia", section)
        self.assertIn("glxgears|1280x720|250|100|2.50", section)


if __name__ == "__main__":
    unittest.main()
