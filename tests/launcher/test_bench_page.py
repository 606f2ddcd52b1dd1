# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The pages of ./kobalt bench frame and transfer: which plots they have, and of which numbers."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  puts tools/ into the path
from kobalt_cli.workloads import bench_page


def record(*figures):
    return {"head": {"device": "d", "machine": "m", "day": "2026-01-02"},
            "drivers": [{"name": name, "renderer": name, "version": "4.6"} for name in ("kobalt", "native")],
            "figures": [{"case": case, "metric": metric, "unit": unit, "values": values} for case, metric, unit, values in figures]}


FRAMES = record(("post", "draws", "/frame", {"kobalt": 7}), ("post", "colour_loads", "/frame", {"kobalt": 7}),
                ("post", "depth_stores", "/frame", {"kobalt": 2}), ("soft", "draws", "/frame", {"kobalt": 30}),
                ("post", "calls", "us", {"kobalt": 20, "native": 15}), ("process", "resident", "MB", {"kobalt": 100}))
TRANSFERS = record(("up rgba8 64", "pointer", "MB/s", {"kobalt": 2, "native": 4}), ("up rgba8 16", "pointer", "MB/s", {"kobalt": 1}),
                   ("down rgba8 16", "pbo_ring", "MB/s", {"kobalt": 3}), ("mipmaps", "rate", "1/s", {"kobalt": 9}))


class FakeAxes:
    """Records the calls of one plot."""

    def __init__(self, calls):
        self.calls = calls

    def __getattr__(self, name):
        return lambda *words, **more: self.calls.append((name, words, more))


class FakeFigure:
    calls = []

    def __init__(self, **more):
        pass

    def subplots(self):
        return FakeAxes(self.calls)

    def savefig(self, text, format):
        text.write("<?xml?>\n<svg>picture</svg>")


class Plots(unittest.TestCase):
    def test_counters_are_summed_up_by_scene(self):
        plots = {plot.title: plot for plot in bench_page.frame_plots(FRAMES)}
        loads = plots["Loads and stores of attachments"]
        self.assertEqual((loads.labels, loads.series), (["post", "soft"], {"kobalt": [9, 0]}))

    def test_drivers_without_counts_have_times_only(self):
        plots = {plot.title: plot for plot in bench_page.frame_plots(FRAMES)}
        self.assertEqual(plots["GL's calls"].series, {"kobalt": [20, 0], "native": [15, 0]})

    def test_what_has_no_number_has_no_plot(self):
        self.assertNotIn("Waits", [plot.title for plot in bench_page.frame_plots(FRAMES)])

    def test_transfers_by_size(self):
        up, down = bench_page.transfer_plots(TRANSFERS)
        self.assertEqual(up, bench_page.Plot("up, rgba8, pointer", "MB/s", "lines", [16, 64], {"kobalt": [1, 2], "native": [None, 4]}))
        self.assertEqual(down.title, "down, rgba8, pbo ring")


class Pages(unittest.TestCase):
    def test_the_page_has_what_was_measured_and_a_picture_for_each_plot(self):
        text = bench_page.page("a <title>", ["a device"], bench_page.transfer_plots(TRANSFERS), FakeFigure)
        self.assertEqual(text.count("<section><svg>picture</svg></section>"), 2)
        self.assertIn("<h1>a &lt;title&gt;</h1>\n<p>a device</p>", text)

    def test_lines_leave_out_what_was_not_measured(self):
        FakeFigure.calls.clear()
        bench_page.svg(bench_page.transfer_plots(TRANSFERS)[0], FakeFigure)
        drawn = [words for name, words, _ in FakeFigure.calls if name == "plot"]
        self.assertEqual(drawn, [([16, 64], [1, 2]), ([64], [4])])

    def test_without_matplotlib_there_is_a_word_and_no_page(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, {"matplotlib.figure": None}), \
                contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            path = Path(folder) / "frame.html"
            bench_page.write(path, "t", FRAMES, [])
            self.assertFalse(path.exists())
        self.assertIn("python3-matplotlib", said.getvalue())


if __name__ == "__main__":
    unittest.main()
