# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The part of docs/status.md about frames and transfers, from what a bundle printed."""
import pathlib
import tempfile
import unittest
from unittest import mock

import support  # noqa: F401
from kobalt_cli.reports import frame_status
from kobalt_cli.workloads import bench

FRAMES = """# A GPU, median of 1 rounds in turn, 2026-01-02
kobalt\tdeferred\tcalls\t50\tus
kobalt\tdeferred\tfinish\t300\tus
kobalt\tprocess\tresident\t10\tMB
native\tdeferred\tcalls\t100\tus
native\tdeferred\tfinish\t150\tus
"""
TRANSFERS = """# A GPU, median of 1 rounds in turn, 2026-01-02
kobalt\tup r8 16\tpointer\t50\tMB/s
kobalt\tdown r8 16\tget_image\t200\tMB/s
native\tup r8 16\tpointer\t100\tMB/s
native\tdown r8 16\tget_image\t100\tMB/s
"""


def table(head, rows):
    return "\n".join("|".join(map(str, row)) for row in [head, *rows])


class Section(unittest.TestCase):
    def section(self, **files):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "MEASURED", pathlib.Path(folder)):
            for name, text in files.items():
                (pathlib.Path(folder) / (name + ".tsv")).write_text(text, encoding="utf-8")
            return frame_status.section(table, "not measured")

    def test_ratios_of_times_and_of_rates(self):
        text = self.section(**{"a-frame": FRAMES, "a-transfer": TRANSFERS})
        self.assertIn("deferred|50|100|2.00|0.50", text)
        self.assertIn("up r8 16|0.50|—", text)
        self.assertIn("down r8 16|—|2.00", text)
        self.assertNotIn("process", text)

    def test_nothing_is_measured(self):
        self.assertEqual(self.section().count("not measured|not measured"), 2)


if __name__ == "__main__":
    unittest.main()
