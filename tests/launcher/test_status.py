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

from kobalt_cli.lib import ui  # noqa: E402
from kobalt_cli.reports import picture_report, recorded, sanitizers, status  # noqa: E402


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


class Recorded(unittest.TestCase):
    """A run is recorded with the commit that it tested, and only without failures."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.enterContext(mock.patch.object(recorded.paths, "ROOT", self.root))
        recorded.git("init", "--quiet")
        for name, value in (("user.name", "a"), ("user.email", "a@localhost")):
            recorded.git("config", name, value)
        self.commit("src/a.cpp", "1")

    def commit(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)
        recorded.git("add", name)
        recorded.git("commit", "--quiet", "--message", name)

    def run_of_now(self, failed=0):
        path = self.root / "run.json"
        recorded.save([{"text": "a", "failed": failed}], path, recorded.state())
        return json.loads(path.read_text())

    def test_a_run_of_this_commit(self):
        run = self.run_of_now()
        recorded.refuse(run)
        self.assertIsNone(recorded.check(run))

    def test_documents_may_change_behind_it(self):
        run = self.run_of_now()
        for name in ("docs/status.md", "docs/measured/results/x.tsv", "README.md"):
            self.commit(name, "2")
        self.assertIsNone(recorded.check(run))
        self.commit("src/a.cpp", "2")
        self.assertRegex(recorded.check(run), "code changed since .* src/a.cpp")

    def test_failures_are_not_recorded(self):
        run = self.run_of_now(failed=1)
        with self.assertRaisesRegex(ui.Stop, "has failures .a: 1."):
            recorded.refuse(run)
        self.assertEqual(recorded.check(run), "it has failures")

    def test_a_run_of_no_commit_is_not_recorded(self):
        (self.root / "src/a.cpp").write_text("2")
        with self.assertRaisesRegex(ui.Stop, "not of a commit as it stands"):
            recorded.refuse(self.run_of_now())

    def test_code_that_changes_during_a_run(self):
        begun = recorded.state()
        self.commit("src/a.cpp", "3")
        recorded.save([], self.root / "run.json", begun)
        with self.assertRaisesRegex(ui.Stop, "not of a commit"):
            recorded.refuse(json.loads((self.root / "run.json").read_text()))

    def test_another_history(self):
        run = dict(self.run_of_now(), commit="0" * 40)
        self.assertRegex(recorded.check(run), "no commit before this one")


if __name__ == "__main__":
    unittest.main()
