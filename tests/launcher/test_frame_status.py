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
kobalt\tdeferred\tprocess\t80\tus
kobalt\tdeferred\tframe\t300\tus
kobalt\tsoft\tcalls\t50\tus
kobalt\tsoft\tprocess\t50\tus
kobalt\tsoft\tframe\t100\tus
kobalt\tprocess\tresident\t10\tMB
native\tdeferred\tcalls\t100\tus
native\tdeferred\tprocess\t100\tus
native\tdeferred\tframe\t150\tus
native\tsoft\tcalls\t100\tus
native\tsoft\tprocess\t50\tus
native\tsoft\tframe\t200\tus
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
        self.assertIn("deferred|300|150|0.50|2.00|1.25", text)
        self.assertIn("geometric mean|||1.00|2.00|1.12", text)
        self.assertIn("up r8 16|0.50|—", text)
        self.assertIn("down r8 16|—|2.00", text)
        self.assertNotIn("process", text)

    def test_nothing_is_measured(self):
        self.assertEqual(self.section().count("not measured|not measured"), 2)


if __name__ == "__main__":
    unittest.main()
