# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt cost: a file of counters against what a frame may cost."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import support  # puts tools/ into the path
from kobalt_cli.lib import ui
from kobalt_cli.commands import main

HEAD = "process,seconds,frame,draws,passes,draw_compiles\n"
# Two processes; the line without a frame is the end of the first.
RUN = HEAD + "7,0.1,1,10,2,3\n7,0.2,2,10,1,0\n9,0.2,3,4,1,1\n7,0.3,4,10,2,0\n7,0.4,,0,0,5\n"


class Cost(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.file = Path(scratch.name) / "counters.csv"
        self.file.write_text(RUN)

    def judged(self, *words):
        """(exit status, what is printed) of `./kobalt cost FILE WORDS`."""
        args = main.parser().parse_args(["cost", str(self.file), *words])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = args.function(args)
        return status, out.getvalue()

    def test_each_frame_is_judged_by_itself(self):
        self.assertEqual(self.judged("passes=2", "draw-compiles=3"), (0, "4 frames, 0 costs above what was stated\n"))
        status, said = self.judged("passes=1", "kobalt-draw-compiles=1")
        self.assertEqual(status, 1)
        self.assertEqual(said.splitlines(), ["frame 1: passes is 2, stated is at most 1",
                                             "frame 1: draw_compiles is 3, stated is at most 1",
                                             "frame 4: passes is 2, stated is at most 1",
                                             "4 frames, 3 costs above what was stated"])

    def test_the_first_frames_of_each_process_can_be_left_out(self):
        self.assertEqual(self.judged("draw_compiles=0", "--skip", "1"), (0, "2 frames, 0 costs above what was stated\n"))

    def test_a_process_as_a_whole(self):
        self.assertEqual(self.judged("--whole", "draw_compiles=8"), (0, "2 processes, 0 costs above what was stated\n"))
        status, said = self.judged("--whole", "draw_compiles=7")
        self.assertEqual((status, said.splitlines()[0]), (1, "process 7: draw_compiles is 8, stated is at most 7"))

    def test_no_frame_is_no_success(self):
        with self.assertRaisesRegex(ui.Stop, r"has no frames to look at behind the first 9 .*--whole"):
            self.judged("passes=2", "--skip", "9")
        self.file.write_text(HEAD)
        with self.assertRaisesRegex(ui.Stop, "no frames"):
            self.judged("passes=2")

    def test_mistakes_are_said(self):
        with self.assertRaisesRegex(ui.Stop, "no counter pases in the file; there are draw_compiles, draws, passes"):
            self.judged("pases=1")
        with self.assertRaisesRegex(ui.Stop, "'passes' states no cost: write COUNTER=MOST"):
            self.judged("passes")
        self.file.write_text("some,table\n1,2\n")
        with self.assertRaisesRegex(ui.Stop, "holds no counters: make it with ./kobalt run --csv"):
            self.judged("passes=1")
        self.file.write_text(RUN + "7,0.5,5,1\n")
        with self.assertRaisesRegex(ui.Stop, "lines of another length"):
            self.judged("passes=1")
        self.file.unlink()
        with self.assertRaisesRegex(ui.Stop, "can't be read .*No such file"):
            self.judged("passes=1")


if __name__ == "__main__":
    unittest.main()
