# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""docs/status.md says what was measured, and what wasn't."""
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from kobalt_cli import picture_report, sanitizers, status  # noqa: E402


class Sanitizers(unittest.TestCase):
    def test_reports_of_each_part_or_that_none_was_run(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(status.paths, "OUT", Path(folder)), \
                mock.patch.object(status, "KEPT", Path(folder) / "kept"):
            figures = {"reports": 2, "passed": 7, "failed": 1, "skipped": 3, "day": "2026-01-02"}
            (Path(folder) / "sanitize-thread.json").write_text(json.dumps({"gl": figures}))
            text = sanitizers.status_section(status.located, status.table, status.MISSING)
        self.assertIn("| ThreadSanitizer | gl | 2 | 7 | 1 | 3 | 2026-01-02 |", text)
        self.assertRegex(text, r"\| AddressSanitizer.* \| all \| not measured \|")


class Pictures(unittest.TestCase):
    def test_each_case_has_a_row(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(status.paths, "OUT", Path(folder)), \
                mock.patch.object(status, "KEPT", Path(folder) / "kept"):
            self.assertIn("not measured", picture_report.status_section(status.located, status.measured_on, status.table, status.MISSING))
            path = Path(folder) / picture_report.FILE
            path.parent.mkdir(parents=True)
            path.write_text("# who drew\n# case\tlimit\tempty\twithout\nfur\t0.20\t100.0\tblades 75.4\nsky\t0.20\t98.0\t\n")
            text = picture_report.status_section(status.located, status.measured_on, status.table, status.MISSING)
            day = status.measured_on(path)
        self.assertIn("Measured %s on who drew\n\n| case | limit | empty | without |\n" % day, text)
        self.assertIn("| fur | 0.20 | 100.0 | blades 75.4 |\n| sky | 0.20 | 98.0 |  |\n", text)


if __name__ == "__main__":
    unittest.main()
