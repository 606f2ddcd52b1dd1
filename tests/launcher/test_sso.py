# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench sso: what is read from kobalt-sso, the ratios, and what the tables say."""
import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import environment, gpu, labels, paths, ui
from kobalt_cli.workloads import bench, sso, sso_report
from kobalt_cli.reports import status
from kobalt_cli.commands import main

HEAD = "# renderer\t%s\n# version\t4.6 Mesa 1.2.3\n# seed\t7\n"
FIGURES = "swap\tdraws\t%s\tM/s\nswap\trss_growth\t%s\tMB\n"
SKIPPED = "five\tskipped\t-\tOpenGL 3.3 without GL_ARB_tessellation_shader\n"
FAILED = "swap\tfailed\t-\twrong picture: cell 0 is (0, 0, 0, 0), not (5, 5, 5, 191)\n"


def runs_of(**texts):
    """The output of drivers, a list of texts for each."""
    runs = sso_report.Runs(texts)
    for driver, said in texts.items():
        for text in said:
            runs.add(driver, sso_report.parse(text))
    return runs


class Reading(unittest.TestCase):
    def test_lines(self):
        said = sso_report.parse(HEAD % "x (Kobalt)" + FIGURES % (1.5, "2e+01") + SKIPPED + "a message\nswap\tbad\tnumber\tM/s\n")
        self.assertEqual(said.head, {"renderer": "x (Kobalt)", "version": "4.6 Mesa 1.2.3", "seed": "7"})
        self.assertEqual(said.figures, {("swap", "draws"): (1.5, "M/s"), ("swap", "rss_growth"): (20.0, "MB")})
        self.assertEqual(said.troubles, {"five": ("skipped", "OpenGL 3.3 without GL_ARB_tessellation_shader")})
        self.assertEqual([said.measured(case) for case in ("swap", "five", "draw")], [True, True, False])

    def test_ratios_above_one_are_better_whatever_the_unit(self):
        self.assertEqual(sso_report.ratio(3.0, 2.0, "M/s"), 1.5)
        self.assertEqual(sso_report.ratio(100.0, 200.0, "1/s"), 0.5)
        for unit in ("us", "ms", "MB", "%", "x"):
            self.assertEqual(sso_report.ratio(2.0, 3.0, unit), 1.5, unit)

    def test_noise_and_nothing_have_no_ratio(self):
        for own, peer in ((None, 1.0), (1.0, None), (0.0, 1.0), (1.0, 0.0), (-0.9, 71.0), (1.0, -3.0)):
            self.assertIsNone(sso_report.ratio(own, peer, "us"))


class Records(unittest.TestCase):
    def record(self):
        return runs_of(kobalt=[HEAD % "x (Kobalt)" + FIGURES % (n, 10) + SKIPPED for n in (5, 1, 2)],
                       zink=[HEAD % "zink (x)" + FIGURES % (4, 30) + "five\tmade\t3\tms\n"]).record({"device": "d", "rounds": 3})

    def test_medians_over_rounds(self):
        record = self.record()
        self.assertEqual(record["drivers"][0], {"name": "kobalt", "renderer": "x (Kobalt)", "version": "4.6 Mesa 1.2.3"})
        self.assertEqual(record["figures"][0],
                         {"case": "swap", "metric": "draws", "unit": "M/s", "values": {"kobalt": 2.0, "zink": 4.0}})
        self.assertEqual([(t["case"], t["driver"], t["kind"]) for t in record["troubles"]], [("five", "kobalt", "skipped")])

    def test_rows(self):
        head, rows = sso_report.rows(self.record())
        self.assertEqual(head, ["case", "metric", "unit", "kobalt", "zink", "over zink"])
        self.assertEqual(rows, [["swap", "draws", "M/s", "2", "4", "0.50"], ["swap", "rss growth", "MB", "10", "30", "3.00"],
                                ["five", "made", "ms", "skipped", "3", "—"]])

    def test_a_case_that_failed_once_has_no_figures(self):
        for texts in ([FAILED, FIGURES % (1, 1)], [FIGURES % (1, 1), FAILED], [FAILED, SKIPPED.replace("five", "swap")]):
            record = runs_of(kobalt=texts).record({})
            self.assertEqual(record["figures"], [])
            self.assertEqual([t["kind"] for t in record["troubles"]], ["failed"])
            self.assertEqual(sso_report.rows(record)[1], [["swap", "", "", "failed"]])
            self.assertIn("swap on kobalt: failed, wrong picture", sso_report.reasons(record)[0])

    def test_a_record_reads_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sub/sso.json"
            sso_report.write(path, self.record())
            self.assertEqual(sso_report.read(path), self.record())

    def test_what_a_bundle_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "gpu-sso.tsv"
            lines = ["# a GPU, median of 2 rounds in turn, 2026-01-01"]
            for rate in (1, 3):
                for driver, factor in (("kobalt", 1), ("native", 2)):
                    lines += ["%s\t# renderer\t%s" % (driver, driver.upper()), "%s\tswap\tdraws\t%d\tM/s" % (driver, rate * factor),
                              "%s\tstart\tprocess\t1250e-2\tms" % driver, "# native, five: status 1: why"]
            path.write_text("\n".join(lines) + "\n")
            record = sso_report.read_bundle(path)
        self.assertEqual(record["figures"][0]["values"], {"kobalt": 2.0, "native": 4.0})
        self.assertEqual(record["figures"][1]["values"], {"kobalt": 12.5, "native": 12.5})
        self.assertEqual(sso_report.title(record), "a GPU, median of 2 rounds in turn, 2026-01-01")
        self.assertEqual(record["drivers"][1]["renderer"], "NATIVE")

    def test_the_status_shows_it(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            with mock.patch.object(paths, "OUT", out), mock.patch.object(status, "KEPT", out / "kept"), \
                    mock.patch.object(bench, "MEASURED", out):
                self.assertIn("not measured", status.sso_section())
                sso_report.write(out / "sso.json", self.record())
                (out / "h-sso.tsv").write_text("# another GPU\nkobalt\tdraw\tdraws\t9\tM/s\n")
                text = status.sso_section()
        self.assertIn("d, median of 3 rounds\n", text)
        self.assertIn("| swap | rss growth | MB | 10 | 30 | 3.00 |", text)
        self.assertIn("another GPU\n\n| case | metric | unit | kobalt |", text)


class Command(unittest.TestCase):
    """The command, with a program that prints what was measured."""

    def run_sso(self, words, printed, end="exit 0", renderer="x (Kobalt)"):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "prefix/bin").mkdir(parents=True)
            program = folder / "prefix/bin" / sso.PROGRAM
            program.write_text("#!/bin/sh\nif [ \"$1\" = --list ]; then printf 'swap\\tx\\nfive\\ty\\n'; exit; fi\n"
                               "echo \"$WHO $*\" >> '%s/asked'\n[ \"$WHO\" = zink ] && name='zink (y)' || name='%s'\n"
                               "printf '# renderer\\t%%s\\n' \"$name\"\ncat <<'END'\n%sEND\n%s\n"
                               % (scratch, renderer, printed, end))
            program.chmod(0o755)
            out = io.StringIO()
            with mock.patch.object(paths, "PREFIX", folder / "prefix"), mock.patch.object(paths, "OUT", folder), \
                    mock.patch.object(sso, "RESULT", folder / "sso.json"), mock.patch.object(labels, "device", return_value="d"), \
                    mock.patch.object(environment, "for_driver", lambda d, v=None, extra=None: dict(os.environ, WHO=d, **extra or {})), \
                    contextlib.redirect_stdout(out):
                result = sso.command(main.parser().parse_args(["bench", "sso", *words]), None)
            asked = [line.split() for line in (folder / "asked").read_text().splitlines()]
            return result, out.getvalue(), asked, (folder / "sso.json").exists()

    def test_drivers_take_turns_with_the_same_shaders(self):
        result, text, asked, written = self.run_sso(["--rounds", "2"], FIGURES % (1, 2) + SKIPPED)
        self.assertEqual((result, written), (0, True))
        self.assertEqual([words[0] for words in asked], ["kobalt", "zink"] * 2 + ["zink", "kobalt"] * 2)
        seeds = [words[words.index("--seed") + 1] for words in asked]
        self.assertEqual([len(set(seeds[:4])), len(set(seeds[4:])), len(set(seeds))], [1, 1, 2])
        self.assertRegex(text, r"swap +draws +M/s +1 +1 +1\.00")

    def test_parts_are_not_kept(self):
        _, text, asked, written = self.run_sso(["--case", "swap", "--rounds", "1", "--drivers", "kobalt", "--quick"], FIGURES % (1, 2))
        self.assertEqual((written, len(asked)), (False, 1))
        self.assertIn("--quick", asked[0])
        self.assertIn("stays as it was", text)

    def test_a_second_start_has_run_before(self):
        _, _, asked, _ = self.run_sso(["--case", "swap", "--rounds", "1", "--drivers", "kobalt", "--second-start"], FIGURES % (1, 2))
        self.assertEqual(len(asked), 2)
        self.assertEqual(asked[0], asked[1])

    def test_failures_of_the_first_driver_fail(self):
        self.assertEqual(self.run_sso(["--rounds", "1"], FAILED, "exit 1")[0], 1)
        self.assertEqual(self.run_sso(["--rounds", "1"], SKIPPED)[0], 1)  # the program said nothing of the other case
        for end, words in (("exit 3", "ended with status 3"), ("kill -KILL $$", "died of signal 9")):
            _, text, _, _ = self.run_sso(["--rounds", "1"], "", end)
            self.assertIn("swap on kobalt: failed, %s: no output" % words, text)

    def test_another_driver_is_not_measured_in_silence(self):
        with self.assertRaisesRegex(ui.Stop, "kobalt should draw here, but the renderer is llvmpipe"):
            self.run_sso(["--rounds", "1"], FIGURES % (1, 2), renderer="llvmpipe (LLVM)")
        said, vendor = sso_report.parse(HEAD % "zink Vulkan 1.4"), sso_report.parse(HEAD % "Mesa Intel(R)")
        with self.assertRaises(ui.Stop):
            sso.require("native", said, gpu.find("tgl"))
        sso.require("native", vendor, gpu.find("tgl"))

    def test_names_are_looked_up(self):
        self.assertEqual(sso.chosen_drivers(None, False), ["kobalt", "zink"])
        self.assertEqual(sso.chosen_drivers(None, True), ["kobalt", "zink", "native"])
        self.assertEqual(sso.chosen_drivers("zink,native,zink", False), ["zink", "native"])
        for words, gpus in (("kobald", False), ("llvmpipe", True)):
            with self.assertRaisesRegex(ui.Stop, "there is no driver " + words):
                sso.chosen_drivers(words, gpus)
        with self.assertRaisesRegex(ui.Stop, "there is no case six; there are swap, five"):
            self.run_sso(["--case", "six"], "")
        with self.assertRaisesRegex(ui.Stop, "lavapipe only"):
            sso.environment_of("zink", None, "system", "/nowhere")

    def test_the_command_line(self):
        args = main.parser().parse_args(["bench", "sso", "--drivers", "kobalt,native", "--rounds", "1"])
        self.assertEqual((args.what, args.drivers, args.rounds), ("sso", "kobalt,native", 1))
        self.assertEqual(main.parser().parse_args(["bench", "--rounds", "2"]).what, "demo")


if __name__ == "__main__":
    unittest.main()
