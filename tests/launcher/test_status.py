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

from kobalt_cli import sanitizers, status  # noqa: E402


class Sanitizers(unittest.TestCase):
    def test_reports_of_each_part_or_that_none_was_run(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(status.paths, "OUT", Path(folder)), \
                mock.patch.object(status, "KEPT", Path(folder) / "kept"):
            figures = {"reports": 2, "passed": 7, "failed": 1, "skipped": 3, "day": "2026-01-02"}
            (Path(folder) / "sanitize-thread.json").write_text(json.dumps({"gl": figures}))
            text = sanitizers.status_section(status.located, status.table, status.MISSING)
        self.assertIn("| ThreadSanitizer | gl | 2 | 7 | 1 | 3 | 2026-01-02 |", text)
        self.assertRegex(text, r"\| AddressSanitizer.* \| all \| not measured \|")


if __name__ == "__main__":
    unittest.main()
