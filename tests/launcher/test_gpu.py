# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""GPUs without the hardware: their names, the environment of a program on one, and what counts against it there."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import environment, gpu, paths, ui
from kobalt_cli.conformance import piglit_run
from kobalt_cli.setup import gpu_setup
from kobalt_cli.workloads import gpu_bench
from kobalt_cli.suites import gpu_pieces, gpu_tests
from kobalt_cli.reports import gpu_report
from kobalt_cli.commands import main

GL_OUTPUT = """Note: Google Test filter = A.*
[==========] Running 4 tests from 1 test suite.
[ RUN      ] A.Good
DRM_IOCTL_GET_CAP: unhandled 0x10
[       OK ] A.Good (3 ms)
[ RUN      ] A.Says
MESA: error: kobalt: validation: VUID-vkCmdDraw-None-1: vkCmdDraw(): what is wrong
[       OK ] A.Says (3 ms)
[ RUN      ] A.Missing
[  SKIPPED ] A.Missing (0 ms)
[ RUN      ] Many/A.Refuses/Two
MESA: error: kobalt: shader 12: no such op; draws with it do nothing
[  FAILED  ] Many/A.Refuses/Two, where GetParam() = 2 (1 ms)
"""


class Names(unittest.TestCase):
    def test_every_maker_and_generation(self):
        self.assertEqual(len(set(gpu.names())), len(gpu.GPUS))
        self.assertGreaterEqual(len(gpu.GPUS), 17)
        families = {one.family.split(",")[0] for one in gpu.GPUS}
        self.assertLessEqual({"GCN 1", "RDNA 3.5", "Gen9", "Xe2"}, families)
        self.assertEqual({gpu.find(name).maker for name in gpu.USUAL}, set(gpu.MAKERS))

    def test_a_wrong_name_is_refused_before_anything_is_built(self):
        with self.assertRaisesRegex(ui.Stop, "kobalt gpus"):
            gpu.find("voodoo2")
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
            main.parser().parse_args(["run", "--gpu", "voodoo2", "--", "glxgears"])
        self.assertIn("no GPU called voodoo2", said.getvalue())

    def test_all_commands_take_it(self):
        for words in (["run", "--gpu", "tgl", "--", "x"], ["info", "--gpu", "tgl"], ["bench", "--gpu", "tgl"],
                      ["peer", "--gpu", "tgl", "native", "--", "x"]):
            self.assertEqual(main.parser().parse_args(words).gpu, "tgl", words)
        self.assertEqual(main.parser().parse_args(["test", "--gpu", "tgl", "--gpu", "skl"]).gpu, ["tgl", "skl"])

    def test_it_is_said_that_nothing_is_drawn(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            gpu.say(gpu.find("navi31"))
        self.assertIn("nothing is drawn", said.getvalue())
        self.assertEqual(len(said.getvalue().splitlines()), 1)


class Environment(unittest.TestCase):
    def test_only_the_program_is_on_the_shim(self):
        """The shell that works out Kobalt's environment would otherwise run on it."""
        def kobalt(vulkan, quiet):
            self.assertEqual(vulkan, "none")
            return {"LD_LIBRARY_PATH": "/kobalt", "KOBALT_DEVICE": "mine", "VK_ICD_FILENAMES": "/mine.json"}
        with mock.patch.object(environment, "kobalt", kobalt):
            env = gpu.for_driver(gpu.find("vega10"), extra={"X": "1"})
        self.assertEqual((env["AMDGPU_GPU_ID"], env["LD_PRELOAD"], env["X"]), ("vega10", str(gpu.AMD.shim), "1"))
        self.assertTrue(env["VK_DRIVER_FILES"].endswith("libvulkan_radeon.so.json"))
        self.assertEqual(env["LD_LIBRARY_PATH"], "/kobalt:%s" % gpu.LIBRARIES)
        self.assertFalse({"KOBALT_DEVICE", "VK_ICD_FILENAMES"} & set(env))

    def test_peers(self):
        env = gpu.for_driver(gpu.find("tgl"), "native")
        self.assertEqual(env["INTEL_STUB_GPU_PLATFORM"], "tgl")
        self.assertFalse({"LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE"} & set(env))
        env = gpu.for_driver(gpu.find("tgl"), "zink")
        self.assertEqual(env["MESA_LOADER_DRIVER_OVERRIDE"], "zink")
        self.assertTrue(env["VK_DRIVER_FILES"].endswith("libvulkan_intel.so.json"))


class Kernels(unittest.TestCase):
    def test_a_change_of_their_sources_builds_them_anew(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "MESA_TREE", Path(folder)):
            source = Path(folder) / "src/amd/drm-shim/kernel.c"
            source.parent.mkdir(parents=True)
            values = {gpu_setup.shims_value()}
            for text in ("one", "two"):
                source.write_text(text, encoding="utf-8")
                values.add(gpu_setup.shims_value())
        self.assertEqual(len(values), 3)


class Judging(unittest.TestCase):
    def test_gl_tests(self):
        piece = gpu_pieces.Piece()
        ended, running = gpu_pieces.read_gl(GL_OUTPUT, piece)
        self.assertEqual((ended, running), (["A.Good", "A.Says", "A.Missing", "Many/A.Refuses/Two"], None))
        self.assertEqual((piece.passed, piece.failed, piece.skipped), (1, 2, 1))
        self.assertEqual(piece.trouble["validation"], {"VUID-vkCmdDraw-None-1": "A.Says"})
        self.assertEqual(list(piece.trouble["refused shader"].values()), ["Many/A.Refuses/Two"])

    def test_a_crash_is_laid_at_the_door_of_its_test(self):
        self.assertEqual(gpu_pieces.read_gl("[ RUN      ] A.Good\n[       OK ] A.Good (1 ms)\n[ RUN      ] A.Bad\n",
                                            gpu_pieces.Piece()), (["A.Good"], "A.Bad"))

    def test_the_front_is_judged_elsewhere(self):
        with mock.patch.object(gpu_pieces.declared, "front_suites", return_value=["Front"]):
            self.assertEqual(gpu_pieces.without_front(["Front.A", "AFront.A", "Calls/Front.B/0", "Front/1.C", "B.Front"]),
                             ["AFront.A", "B.Front"])

    def outcome(self, result, output=""):
        piece = gpu_pieces.Piece()
        gpu_pieces.judge(piece, piglit_run.Outcome("spec@a@b", result, 0.1, (), output))
        return piece

    def test_pictures_do_not_count(self):
        self.assertEqual(self.outcome("fail", "Probe color at (0,0)").failed, 0)

    def test_crashes_hangs_errors_and_messages_do(self):
        for result, output, kind in (("crash", "", "crash"), ("timeout", "", "hang"),
                                     ("fail", "Unexpected GL error: GL_INVALID_OPERATION 0x502", "GL error"),
                                     ("pass", "MESA: error: kobalt: validation: SYNC-HAZARD-X: y", "validation"),
                                     ("pass", "MESA: error: kobalt: a copy: out of memory", "error")):
            piece = self.outcome(result, output)
            self.assertEqual((piece.failed, list(piece.trouble)), (1, [kind]))

    def test_shares_cover_everything(self):
        things = list(range(17))
        self.assertEqual(sorted(sum((gpu_tests.shared_out(things, n, 6) for n in range(6)), [])), things)


class Budget(unittest.TestCase):
    def test_counts(self):
        dump = "version: 1\ndesc: Trigger: --dump-before=measured_%s\ntotals: %d\n"
        texts = [dump % one for one in (("draw", 9000), ("end", 64), ("draw", 7), ("end", 2000), ("blend", 5), ("end", 3000))]
        self.assertEqual(gpu_bench.parse_counts(texts), {"draw": 2000, "blend": 3000})

    def test_more_and_much_less_are_both_told(self):
        told = gpu_bench.over_budget({"a": 104, "b": 106, "c": 90, "d": 1}, {"a": 100, "b": 100, "c": 100, "e": 1})
        self.assertEqual([line.partition(":")[0] for line in told], ["b", "c", "d", "e"])

    def test_waits_have_none(self):
        self.assertEqual(gpu_bench.budgeted({"draw": 1, "flush_finish": 2}), {"draw": 1})

    def test_a_budget_reads_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "budget.tsv"
            gpu_bench.write_budget({"tgl": {"draw": 12}, "navi31": {"draw": 34}}, path)
            self.assertEqual(gpu_bench.read_budget(path), {"navi31": {"draw": 34}, "tgl": {"draw": 12}})

    def test_a_table_reads_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.tsv"
            rows = {"draw": {"kobalt": 1.0, "zink": 2.0, "native": 3.0}, "DrawArrays (1 VBO| 0)": {"kobalt": 4.0, "zink": 5.0}}
            gpu_bench.write_table(path, "navi31, here", "ns", rows)
            self.assertEqual(gpu_bench.read_table(path), ("navi31, here", "ns", rows))


class OffTable(unittest.TestCase):
    def test_leaves_out_what_the_driver_no_longer_has(self):
        record = {"info": {"off": {"logic_op": "not offered", "an_older_one": "not offered"}}}
        text = gpu_report.off_table({gpu.find("navi31"): record, gpu.find("tgl"): record}, {"logic_op"})
        self.assertIn("| logic_op | not offered | all |", text)
        self.assertNotIn("an_older_one", text)
        self.assertLessEqual({"logic_op", "descriptor_buffer"}, gpu_report.capabilities())


if __name__ == "__main__":
    unittest.main()
