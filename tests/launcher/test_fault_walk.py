# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench faults, and tests/fault/walk.py, whose answers it counts."""
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import tables
from kobalt_cli.workloads import fault_walk

sys.path.insert(0, str(support.ROOT / "tests/fault"))
import walk  # noqa: E402


def frame(number, struck=0, wrong=(), errors=(), reset=0, link_failed=False, swap_error=0):
    return {"frame": number, "struck": struck, "wrong": list(wrong), "errors": list(errors), "link_failed": link_failed,
            "incomplete": False, "reset": reset, "swap_error": swap_error}


class Judgement(unittest.TestCase):
    once = walk.Case("vkCreateImage", 1, "OUT_OF_HOST_MEMORY")
    for_ever = walk.Case("vkCreateImage", 1, "OUT_OF_HOST_MEMORY", walk.FOR_EVER)

    def test_right_answers(self):
        for lines in ([frame(1), frame(2, struck=1), frame(3)],
                      [frame(1), frame(2, struck=1, wrong=["pixel"], errors=[0x505]), frame(3)],
                      [frame(1), frame(2, struck=1, wrong=["pixel"], link_failed=True), frame(3)],
                      [frame(1), frame(2, struck=1, wrong=["pixel"], reset=0x8255), {"next_display": "good"}],
                      [{"loss_told": True}, frame(1), frame(2, struck=1, wrong=["pixel"])]):
            self.assertEqual(walk.judge(lines, self.once), "")
        self.assertEqual(walk.judge([frame(2, struck=1, errors=[0x505]), frame(3, errors=[0x505])], self.for_ever), "")

    def test_wrong_answers(self):
        silent = [frame(1), frame(2, struck=1, wrong=["pixel"])]
        self.assertIn("without an error", walk.judge(silent, self.once))
        lost_object = [frame(2, struck=1, wrong=["pixel"], errors=[0x505]), frame(3, wrong=["lasting objects"], errors=[0x505])]
        self.assertIn("nothing failed in it", walk.judge(lost_object, self.once))
        dead = [frame(2, struck=1, reset=0x8255), {"next_display": "broken"}]
        self.assertIn("after a loss", walk.judge(dead, self.once))

    def test_windows(self):
        bad_native_window = 0x300B
        told = [frame(2, struck=1, wrong=["window"], swap_error=bad_native_window), frame(3)]
        self.assertEqual(walk.judge(told, self.once), "")
        silent = [frame(2, struck=1, wrong=["window"]), frame(3)]
        self.assertIn("without an error", walk.judge(silent, self.once))
        lost_window = [frame(2, struck=1, swap_error=bad_native_window), frame(3, swap_error=bad_native_window)]
        self.assertIn("nothing failed in it", walk.judge(lost_window, self.once))
        self.assertEqual(walk.judge(lost_window, self.for_ever), "")
        self.assertIn("window: EGL error 0x3000", walk.judge([frame(2, struck=1, swap_error=0x3000)], self.once))
        none = [{"no_window": 6, "attempt": attempt, "egl_error": 0x3003, "struck": 1} for attempt in (1, 2)]
        self.assertIn("window: none", walk.judge(none, self.once))
        self.assertEqual(walk.judge(none[:1], self.once), "")
        self.assertEqual(walk.judge(none, self.for_ever), "")
        self.assertEqual(walk.judge([{"x_errors": 2, "end": True}], self.once), "window: 2 X errors")

    def test_moments(self):
        self.assertEqual(walk.moments_of(False), ["frame", "start", "end"])
        with mock.patch.dict("os.environ", KOBALT_EXPECT_RENDERER="zink"):
            self.assertNotIn("copied window", walk.moments_of(True))
        calls = {"vkCreateSwapchainKHR": 1, "vkCreateBuffer": 1}
        self.assertEqual({case.command for case in walk.cases_of(calls, 0, set(), "window")}, {"vkCreateSwapchainKHR"})
        self.assertEqual({case.command for case in walk.cases_of(calls, 1, set(), "window")}, set(calls))
        self.assertEqual({case.moment for case in walk.cases_of(calls, 1, set(), "window")}, {"window"})

    def test_cases(self):
        cases = list(walk.cases_of({"vkCreateImage": 9, "vkQueueSubmit2": 1}, 2, set()))
        self.assertEqual(str(cases[0]), "vkCreateImage:1:OUT_OF_HOST_MEMORY")
        self.assertIn("vkCreateImage:6:OUT_OF_HOST_MEMORY:2", map(str, cases))
        self.assertIn("vkCreateImage:1:OUT_OF_DEVICE_MEMORY:1000000", map(str, cases))
        self.assertTrue(any(case.robust for case in cases if case.result == "DEVICE_LOST"))
        sample = list(walk.cases_of({"vkCreateImage": 9, "vkQueueSubmit2": 1}, 0, set()))
        self.assertLess(len(sample), len(cases))
        self.assertEqual({case.command for case in sample}, {case.command for case in cases})
        self.assertFalse(any(case.command == "vkCreateImage" for case in walk.cases_of({"vkCreateImage": 1}, 2, {"vkQueueSubmit2"})))

    def test_commands_are_those_of_the_layer(self):
        names = walk.command_names()
        self.assertIn("vkCreateImageView", names)
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(walk.WINDOW_COMMANDS | set(walk.RESULTS), set(names))
        plan = (support.ROOT / "bench/fault_layer/plan.h").read_text(encoding="utf-8")
        self.assertIn("most_commands = %d;" % (walk.STATE_WORDS - 2), plan)
        self.assertLess(len(names), walk.STATE_WORDS - 2)


class Table(unittest.TestCase):
    def test_answers_are_summed(self):
        text = ("vkCreateImage:1:OUT_OF_HOST_MEMORY\tframe\tright\nvkCreateImage:2:OUT_OF_HOST_MEMORY\twindow\tcrashes (signal 11)\n"
                "vkQueueSubmit2:1:DEVICE_LOST\tend\tframe 2 is wrong without an error: pixel\n")
        self.assertEqual(fault_walk.summed(text), {"vkCreateImage": {"right": 1, "crashes": 1}, "vkQueueSubmit2": {"wrong frames": 1}})

    def test_section(self):
        table = lambda head, rows: "\n".join("|".join(row) for row in (head, *rows))
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(fault_walk, "TABLE", Path(folder) / "new/faults.tsv"):
            self.assertIn("not measured|not measured", fault_walk.status_section(table, "not measured"))
            tables.write(fault_walk.TABLE, "a machine", [("kobalt", "vkCreateImage", "right", 5), ("zink", "vkCreateImage", "crashes", 2),
                                                            ("zink", "vkCreateImage", "right", 3)])
            section = fault_walk.status_section(table, "not measured")
        self.assertIn("kobalt|1|5|5|0|0|0|0|0|0", section)
        self.assertIn("zink|1|5|3|2|0|0|0|0|0", section)


if __name__ == "__main__":
    unittest.main()
