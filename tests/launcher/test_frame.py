# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench frame: the table, the limits of what a frame may cost, and what they say of a run."""
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import gpu
from kobalt_cli.suites import gpu_tests
from kobalt_cli.workloads import frame, frame_limits, sso_report

HEAD = "# renderer\tx (Kobalt)\n# version\t4.6 Mesa 1.2.3\n"
POST = "post\tdraws\t7\t/frame\npost\tpasses\t7\t/frame\npost\tcolour_loads\t7\t/frame\npost\tcalls\t20.5\tus\n"


def limits(*rows):
    return [frame_limits.Limit(*row) for row in rows]


class Limits(unittest.TestCase):
    def test_a_cost_above_the_limit_is_named(self):
        found = frame_limits.excesses({"post": {"passes": 7.5}}, limits(("all", "post", "passes", 7, 7)))
        self.assertEqual(found, ["post on all: passes is 7.5 a frame, the limit is 7"])

    def test_a_cost_at_the_limit_is_none(self):
        self.assertEqual(frame_limits.excesses({"post": {"passes": 7}}, limits(("all", "post", "passes", 7, 4))), [])

    def test_a_counter_that_did_not_rise_is_zero(self):
        self.assertEqual(frame_limits.excesses({"post": {}}, limits(("all", "post", "waits", 0, 0))), [])

    def test_counters_are_added_up(self):
        counts = {"post": {"colour_stores": 3, "depth_stores": 2}}
        self.assertEqual(len(frame_limits.excesses(counts, limits(("all", "post", "colour_stores+depth_stores", 4, 0)))), 1)

    def test_those_of_the_device(self):
        known = limits(("all", "a", "passes", 1, 1), ("AMD", "b", "passes", 1, 1), ("navi21", "c", "passes", 1, 1), ("Intel", "d", "passes", 1, 1))
        on = lambda *names: [limit.scene for limit in frame_limits.for_device(known, frame.device_names(*names))]
        self.assertEqual(on(gpu.find("navi21")), ["a", "b", "c"])
        self.assertEqual(on(gpu.find("navi31")), ["a", "b"])
        self.assertEqual(on(gpu.find("tgl")), ["a", "d"])
        self.assertEqual(on(None), ["a"])

    def test_the_file_names_scenes_counters_and_devices_that_exist(self):
        sources = "".join(path.read_text(encoding="utf-8") for path in (support.ROOT / "bench/frame").glob("*.cpp"))
        counters = (support.ROOT / "bench/counting_layer/counters.h").read_text(encoding="utf-8")
        devices = {"all", "lavapipe", *(maker.name for maker in gpu.MAKERS), *gpu.names()}
        known = frame_limits.read()
        self.assertGreater(len(known), 30)
        self.assertEqual(len(known), len({limit[:3] for limit in known}), "two limits for one cost")
        for limit in known:
            self.assertIn('Kind{"%s"' % limit.scene, sources)
            self.assertIn(limit.device, devices)
            self.assertLessEqual(limit.target, limit.most, limit)
            for counter in limit.counter.split("+"):
                self.assertIn("X(%s)" % counter, counters)

    def test_targets_that_are_not_reached(self):
        known = limits(("all", "post", "passes", 7, 4), ("all", "post", "blits", 1, 0))
        self.assertEqual(frame_limits.short_of_target({"post": {"passes": 7}}, known), known[:1])


class Checks(unittest.TestCase):
    def check(self, text, rows):
        said = sso_report.parse(text)
        with mock.patch.object(frame_limits, "read", lambda: limits(*rows)), \
                mock.patch.object(frame, "known_scenes", lambda: ["post", "soft"]), \
                mock.patch.object(frame, "measure", lambda scenes, env, options, limit_s: said):
            return frame_limits.check({}, ("all",))

    def test_all_is_well(self):
        self.assertEqual(self.check(HEAD + POST, [("all", "post", "passes", 7, 7)]), [])

    def test_a_scene_that_was_not_drawn_fails(self):
        self.assertEqual(self.check(HEAD, [("all", "post", "passes", 7, 7)]), ["post was not drawn"])

    def test_a_scene_that_failed_is_named_with_the_reason(self):
        self.assertEqual(self.check("post\tfailed\t-\tGL error 0x0502\n", [("all", "post", "passes", 7, 7)]), ["post: GL error 0x0502"])

    def test_without_the_layer_nothing_passes(self):
        found = self.check("post\tcalls\t20\tus\n", [("all", "post", "passes", 7, 7)])
        self.assertEqual(found, ["post: no draw was counted, the layer is not below the driver"])

    def test_the_suite_gpus_has_it(self):
        with mock.patch.object(frame_limits, "check", lambda env, names, size: ["post on all: too much"]), \
                mock.patch.object(gpu, "for_driver", lambda chosen, driver: {"LD_PRELOAD": "shim"}):
            piece = gpu_tests.frame_costs(gpu.find("tgl"))
        self.assertEqual((piece.passed, piece.failed), (0, 1))
        self.assertEqual(piece.trouble, {"budget": {"post on all: too much": "./kobalt bench frame --gpu tgl"}})


class Running(unittest.TestCase):
    def measured(self, *outputs):
        """The Said of a program whose processes print OUTPUTS, (text, status) each, for the scenes post, soft, ui."""
        done = [subprocess.CompletedProcess([], status, text, "a reason\n") for text, status in outputs]
        with mock.patch.object(frame, "program", lambda: Path("kobalt-frame")), \
                mock.patch.object(frame.subprocess, "run", mock.Mock(side_effect=done)) as run:
            said = frame.measure(["post", "soft", "ui"], {}, [])
        return said, [call.args[0][1:] for call in run.call_args_list]

    def test_the_scenes_behind_a_crash_are_drawn(self):
        said, commands = self.measured((HEAD + POST, -11), ("ui\tdraws\t300\t/frame\n", 0))
        self.assertEqual(commands, [["post", "soft", "ui"], ["ui"]])
        self.assertEqual(said.troubles, {"soft": ("failed", "the program ended with status -11: a reason")})
        self.assertEqual(said.figures["ui", "draws"], (300.0, "/frame"))

    def test_a_scene_that_fails_by_itself_ends_nothing(self):
        said, commands = self.measured((POST + "soft\tfailed\t-\tGL error 0x0502\nui\tdraws\t1\t/frame\n", 1))
        self.assertEqual(len(commands), 1)
        self.assertEqual(said.troubles, {"soft": ("failed", "GL error 0x0502")})


class Tables(unittest.TestCase):
    def record(self):
        runs = sso_report.Runs(["kobalt", "zink"])
        runs.add("kobalt", sso_report.parse(HEAD + POST + "post\tkib_loaded\t2048\t/frame\nprocess\tresident\t120\tMB\n"))
        runs.add("zink", sso_report.parse("# renderer\tzink\n# version\t4.6\n" + POST.replace("passes\t7", "passes\t13")))
        return runs.record({"device": "d", "machine": "m", "size": "480x270", "day": "2026-01-02"})

    def test_a_row_for_each_scene_and_driver(self):
        head, own, peer = frame.table(self.record(), frame.COLUMNS, {"MiB loaded": lambda of: of.get("kib_loaded", 0) / 1024})
        cells = lambda line: line.split()
        self.assertEqual(cells(own)[:6], ["post", "kobalt", "7", ".", "7", "7"])
        self.assertEqual(cells(peer)[4], "13")
        self.assertEqual(cells(own)[-1], "2")  # MiB loaded
        self.assertIn("MiB loaded", head)

    def test_what_reaches_the_kernel_has_a_table_where_it_was_counted(self):
        record = self.record()
        self.assertNotIn("what reaches the GPU's kernel driver:", frame.lines(record))
        record["figures"].append({"case": "post", "metric": "packet_draws", "unit": "/frame", "values": {"kobalt": 8}})
        lines = frame.lines(record)
        rows = lines[lines.index("what reaches the GPU's kernel driver:") + 2:]
        self.assertEqual(rows[0].split()[:7], ["post", "kobalt", ".", ".", ".", ".", "8"])

    def test_the_counter_of_calls_comes_before_the_kernel(self):
        self.assertEqual(frame.counting_calls({"LD_PRELOAD": "shim"})["LD_PRELOAD"], "%s:shim" % frame.KERNEL_CALLS)

    def test_the_terminal_has_what_it_was_measured_on(self):
        lines = frame.lines(self.record())
        self.assertEqual(lines[0], "d, m, frames of 480x270, 2026-01-02")
        self.assertIn("kobalt: 120 MB resident at the end", lines)

    def test_the_record_is_json(self):
        with tempfile.TemporaryDirectory() as folder:
            sso_report.write(Path(folder) / "frame.json", self.record())
            self.assertEqual(sso_report.read(Path(folder) / "frame.json"), self.record())


if __name__ == "__main__":
    unittest.main()
