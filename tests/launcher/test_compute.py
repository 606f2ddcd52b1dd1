# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench compute: what is asked of kobalt-compute, and what is made of what it prints."""
import contextlib
import io
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  puts tools/ into the path
from kobalt_cli.commands import main
from kobalt_cli.lib import gpu, ui
from kobalt_cli.reports import compute_status
from kobalt_cli.workloads import bench, bench_page, compute, compute_report, sso_report

HEAD = "# renderer\tx (Kobalt)\n# version\t4.6\n# device\tx\n# driver\tY 1\n"
SAID = HEAD + "fp32\trate\tGFLOP/s\t90\t100\t0.9\nmemory\trate\tGB/s\t50\t50\t1\nfp16\tskipped\t-\tOpenGL refuses the SPIR-V\n"


def parsed(*words):
    return main.parser().parse_args(["bench", "compute", *words])


def record(*texts):
    runs = compute_report.Runs(["kobalt"])
    for text in texts:
        runs.add("kobalt", text)
    return runs.record({"device": "d", "machine": "m", "day": "2026-01-02", "rounds": len(texts)})


class Options(unittest.TestCase):
    def test_usual(self):
        self.assertEqual(compute.options_of(parsed(), None), [])

    def test_a_gpu_that_computes_nothing_is_not_judged(self):
        self.assertEqual(compute.options_of(parsed("--quick", "--gpu", "tgl"), gpu.find("tgl")), ["--quick", "--no-check"])

    def test_the_program_knows_them(self):
        source = (support.ROOT / "bench/compute/options.cpp").read_text(encoding="utf-8")
        for word in ("--quick", "--no-check", "--list"):
            self.assertIn('"%s"' % word, source)


class Kernels(unittest.TestCase):
    def test_each_is_built_and_included(self):
        folder = support.ROOT / "bench/compute"
        kernels = {path.stem for path in (folder / "kernels").glob("*.comp")}
        built = re.search(r"foreach kernel : \[(.*)\]", (folder / "meson.build").read_text(encoding="utf-8"))[1]
        self.assertEqual(kernels, set(re.findall(r"'(\w+)'", built)))
        sources = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.cpp"))
        self.assertEqual(kernels, set(re.findall(r'"(\w+)_comp\.h"', sources)))


class Measuring(unittest.TestCase):
    def measured(self, text, status, errors=""):
        done = subprocess.CompletedProcess([], status, text, errors)
        with mock.patch.object(compute, "program", lambda: Path("kobalt-compute")), \
                mock.patch.object(compute.subprocess, "run", lambda *words, **more: done):
            return compute.measure("kobalt", {}, [])

    def test_what_was_printed(self):
        self.assertEqual(self.measured(SAID, 0), SAID)

    def test_a_crash_on_the_way_is_a_failure(self):
        own = compute_report.parse(self.measured(SAID, -11, "a word\n"))[0]
        self.assertEqual(own.troubles["the rest"], ("failed", "ended with status -11: a word"))

    def test_without_figures_it_stops(self):
        with self.assertRaises(ui.Stop) as stop:
            self.measured("", 1, "kobalt-compute: no OpenGL 4.5 context\n")
        self.assertEqual(str(stop.exception), "kobalt-compute on kobalt ended with status 1: kobalt-compute: no OpenGL 4.5 context")


class Report(unittest.TestCase):
    def test_vulkan_is_one_more_driver(self):
        own, peer = compute_report.parse(SAID)
        self.assertEqual(own.figures["fp32", "rate"], (90.0, "GFLOP/s"))
        self.assertEqual(own.figures["fp32", "ratio"], (0.9, "×"))
        self.assertEqual(peer.figures, {("fp32", "rate"): (100.0, "GFLOP/s"), ("memory", "rate"): (50.0, "GB/s")})
        self.assertEqual(peer.head, {"renderer": "x", "version": "Y 1"})

    def test_ratios_are_medians_of_those_of_single_runs(self):
        other = SAID.replace("90\t100\t0.9", "30\t40\t0.75")
        self.assertEqual(compute_report.ratios(record(SAID, other, other), "kobalt"), {"fp32": 0.75, "memory": 1.0})

    def test_rows(self):
        head, rows = compute_report.rows(record(SAID))
        self.assertEqual(head, ["kernel", "unit", "kobalt", "vulkan", "kobalt over vulkan"])
        self.assertEqual(rows, [["fp32", "GFLOP/s", "90", "100", "0.90"], ["memory", "GB/s", "50", "50", "1.00"],
                                ["fp16", "", "skipped", "—", "—"]])

    def test_the_terminal_has_reasons_and_what_is_slow(self):
        lines = compute_report.lines(record(SAID))
        self.assertIn("fp16 on kobalt: skipped, OpenGL refuses the SPIR-V", lines)
        self.assertEqual(lines[-1], "below 0.95 of vulkan's rate: fp32")

    def test_a_skip_is_no_failure(self):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(compute.show(record(SAID)), 0)
            self.assertEqual(compute.show(record(SAID.replace("skipped", "failed"))), 1)

    def test_a_bundles_output(self):
        text = "# A GPU, median of 2 rounds in turn, 2026-01-02\n" + "".join(
            "%s\t%s\n" % (driver, line) for driver, said in (("kobalt", SAID), ("native", SAID.replace("90\t100\t0.9", "100\t100\t1")),
                                                             ("kobalt", SAID.replace("0.9\n", "0.94\n"))) for line in said.splitlines())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.tsv"
            path.write_text(text, encoding="utf-8")
            read = compute_report.read_bundle(path)
        self.assertEqual([driver["name"] for driver in read["drivers"]], ["kobalt", "native", "vulkan"])
        self.assertAlmostEqual(compute_report.ratios(read, "kobalt")["fp32"], 0.92)
        self.assertEqual(compute_report.ratios(read, "native")["fp32"], 1)
        self.assertEqual(read["head"], {"device": "A GPU, median of 2 rounds in turn, 2026-01-02"})

    def test_plots(self):
        ratio, flops, bytes_ = bench_page.compute_plots(record(SAID))
        self.assertEqual((ratio.labels, ratio.series), (["fp32", "memory"], {"kobalt": [0.9, 1.0]}))
        self.assertEqual((flops.title, flops.series), ("Rates, GFLOP/s", {"kobalt": [90.0], "vulkan": [100.0]}))
        self.assertEqual(bytes_.labels, ["memory"])


class Status(unittest.TestCase):
    def section(self, **files):
        table = lambda head, rows: "\n".join("|".join(map(str, row)) for row in [head, *rows]) + "\n"
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "MEASURED", Path(folder)):
            for name, text in files.items():
                (Path(folder) / (name + ".tsv")).write_text(text, encoding="utf-8")
            own = Path(folder) / compute_status.FILE
            if files:
                sso_report.write(own, record(SAID))
            return compute_status.section(lambda name: own, table, "not measured")

    def test_this_machine_and_a_bundle(self):
        bundle = "# A GPU, 2026-01-02\n" + "".join("kobalt\t%s\n" % line for line in SAID.replace("0.9\n", "0.97\n").splitlines())
        text = self.section(**{"a-compute": bundle})
        self.assertIn("d, m, one round, 2026-01-02\n\nkernel|unit|kobalt|vulkan|kobalt over vulkan\nfp32|GFLOP/s|90|100|0.90", text)
        self.assertIn("A GPU, 2026-01-02\n\nkernel|unit|kobalt|vulkan|kobalt over vulkan\nfp32|GFLOP/s|90|100|0.97", text)

    def test_nothing_is_measured(self):
        self.assertIn("|not measured", self.section())


if __name__ == "__main__":
    unittest.main()
