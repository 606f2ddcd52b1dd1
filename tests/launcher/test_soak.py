# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt soak: what is read from kobalt-soak, and what the tables say."""
import contextlib
import io
import os
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import environment, paths, ui
from kobalt_cli.workloads import soak
from kobalt_cli.commands import main

HEAD = "Kobalt on llvmpipe, 3.3 (Core Profile) Mesa 25.0.7, 3 s a load; memory in KiB"
GOOD = "draws\t3000\t1000.0\t100000\t101000\t102000\t2.0\t-\t-\t-\t-\t0.5\tok"
GROWN = "frames\t9000\t3000.0\t100000\t900000\t900000\t800.0\t100\t100\t100\t0.0\t20000.0\tgrows: resident set"
DEAD = "copies" + "\t-" * 11 + "\tdied of signal 11"
OUTPUT = "# %s\n# %s\n%s\n%s\nsomething else\n%s\n" % (HEAD, "\t".join(soak.COLUMNS), GOOD, GROWN, DEAD)


class Tables(unittest.TestCase):
    def test_rows_are_read(self):
        head, rows = soak.parse(OUTPUT)
        self.assertEqual(head, HEAD)
        self.assertEqual([row.load for row in rows], ["draws", "frames", "copies"])
        self.assertEqual([row.good for row in rows], [True, False, False])
        self.assertEqual(rows[0].number("rate"), 1000.0)
        self.assertEqual(rows[0].number("rss_growth"), 2.0)
        self.assertIsNone(rows[0].number("device_1s"))
        self.assertIsNone(rows[2].number("rate"))

    def test_the_status_has_each_load_beside_the_peers(self):
        with tempfile.TemporaryDirectory() as folder:
            own, peer = Path(folder) / "some-soak-kobalt.tsv", Path(folder) / "some-soak-native.tsv"
            soak.write_table(own, *soak.parse(OUTPUT))
            soak.write_table(peer, "Native", [soak.Row(GOOD.replace("1000.0", "4000.0").split("\t"))])
            with mock.patch.object(soak, "FOLDER", Path(folder) / "none"), mock.patch.object(soak.bench, "MEASURED", Path(folder)):
                text = soak.status_section(lambda head, rows: "\n".join("|".join(row) for row in rows))
        self.assertIn("beside it: Native", text)
        self.assertIn("draws|2.0|2.0|1000.0|0.25", text)
        self.assertIn("frames|800.0|—|3000.0|—", text)

    def test_a_table_reads_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sub/kobalt.tsv"
            head, rows = soak.parse(OUTPUT)
            soak.write_table(path, head, rows)
            again, by_load = soak.read_table(path)
            self.assertEqual(again, HEAD)
            self.assertEqual({k: r.cells for k, r in by_load.items()}, {r.load: r.cells for r in rows})
            self.assertEqual(soak.read_table(Path(folder) / "none.tsv"), ("", {}))

    def test_only_loads_that_both_finished_are_compared(self):
        rows = soak.parse(OUTPUT)[1]
        peers = soak.parse(OUTPUT.replace("1000.0", "500.0").replace("9000\t3000.0", "9000\t-"))[1]
        self.assertEqual(soak.compare(rows, {row.load: row for row in peers}), [("draws", 1000.0, 500.0, 2.0)])


class Verdict(unittest.TestCase):
    """The command, with a program that prints what was measured."""

    def run_soak(self, printed, status, drivers=("kobalt",)):
        with tempfile.TemporaryDirectory() as scratch:
            prefix = Path(scratch) / "prefix"
            (prefix / "bin").mkdir(parents=True)
            program = prefix / "bin" / soak.PROGRAM
            program.write_text("#!/bin/sh\necho \"$*\" >> '%s/asked'\ncat <<'END'\n%sEND\nexit %d\n"
                               % (scratch, printed, status))
            program.chmod(0o755)
            args = types.SimpleNamespace(driver=list(drivers), seconds=3, load=[])
            out, err = io.StringIO(), io.StringIO()
            with mock.patch.object(paths, "PREFIX", prefix), \
                    mock.patch.object(soak, "FOLDER", Path(scratch) / "soak"), \
                    mock.patch.object(environment, "for_driver", lambda driver, extra: dict(os.environ, **extra)), \
                    contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = soak.command(args)
            tables = sorted(path.name for path in (Path(scratch) / "soak").glob("*.tsv"))
            return code, out.getvalue(), err.getvalue(), tables, (Path(scratch) / "asked").read_text()

    def test_growth_and_death_fail(self):
        code, _, err, tables, asked = self.run_soak(OUTPUT, 1)
        self.assertEqual(code, 1)
        self.assertIn("frames: grows: resident set", err)
        self.assertIn("copies: died of signal 11", err)
        self.assertEqual(tables, ["kobalt.tsv"])
        self.assertIn("--max-growth 5", asked)

    def test_flat_passes(self):
        code, out, err, _, _ = self.run_soak("# %s\n%s\n" % (HEAD, GOOD), 0)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("1 of 1 loads", out)

    def test_peers_are_measured_and_not_judged(self):
        code, _, _, tables, asked = self.run_soak(OUTPUT, 1, ["zink"])
        self.assertEqual((code, tables), (0, ["zink.tsv"]))
        self.assertNotIn("--max-growth", asked)

    def test_a_program_that_says_nothing_is_an_error(self):
        with self.assertRaises(ui.Stop):
            self.run_soak("", 1)

    def test_the_command_line(self):
        args = main.parser().parse_args(["soak", "--seconds", "3", "--driver", "kobalt", "--load", "frames"])
        self.assertEqual((args.seconds, args.driver, args.load), (3, ["kobalt"], ["frames"]))


if __name__ == "__main__":
    unittest.main()
