# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The programs that draw one picture: what passes, what fails, and what their sections of the page say."""
import re
import struct
import sys
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

import support  # noqa: F401, makes the launcher's modules importable
from kobalt_cli.lib import pictures
from kobalt_cli.workloads import apps, drawn, drawn_programs, traced

STARTED = "MESA: info: kobalt: started, no validation layer is on\n"
KOBALT = STARTED + "renderer: llvmpipe (LLVM 15.0.6, 256 bits, Kobalt)\n"
ANNOUNCING = {"KOBALT_DEBUG": "announce"}
PROGRAM = drawn.Program("A program", "a", (), "It draws.", "nothing", "./kobalt run -- a", lambda *_: None)


def picture(*pixels):
    """Four pixels a row."""
    return pictures.Picture(4, len(pixels) // 4, [bytes(channel for pixel in pixels[i:i + 4] for channel in (pixel,) * 3)
                                                  for i in range(0, len(pixels), 4)])


GREY = picture(*[100] * 16)
BLACK = picture(*[0] * 16)


def drawing(shot=GREY, text=KOBALT, code=0, frame=None):
    return drawn.Drawing(code, text, shot, frame, 1.25)


class Trouble(unittest.TestCase):
    def wrong(self, program=PROGRAM, driver="kobalt", env=None, **words):
        return drawn.trouble(program, drawing(**words), driver, ANNOUNCING if env is None else env)

    def test_a_good_start(self):
        self.assertIsNone(self.wrong())
        self.assertIsNone(self.wrong(driver="llvmpipe", env={}, text="renderer: llvmpipe (LLVM)\n"))

    def test_what_is_wrong(self):
        for words in ({"code": 1}, {"code": None}, {"shot": None}, {"text": STARTED}, {"text": ""},
                      {"text": KOBALT.replace(STARTED, "")}, {"text": KOBALT + "MESA: error: kobalt: device lost\n"},
                      {"text": KOBALT + "message: GL_INVALID_OPERATION in glDraw\n"},
                      {"text": STARTED + "renderer: zink Vulkan 1.4 (Kobalt)\n"}):
            self.assertIsNotNone(self.wrong(**words), words)
        self.assertIsNotNone(self.wrong(driver="llvmpipe", env={}))

    def test_a_program_that_does_not_tell_has_to_announce(self):
        silent = drawn.Program("A", "a", (), "", "", "", lambda *_: None, None)
        self.assertIsNone(self.wrong(silent, text=STARTED))
        self.assertIsNotNone(self.wrong(silent, text=""))

    def test_what_a_start_leaves(self):
        script = "import sys\nprint('frame: 12.5 ms')\nsys.exit(%d)"
        with tempfile.TemporaryDirectory() as folder:
            shot = Path(folder) / "picture.png"
            pictures.write_png(GREY, shot)
            done = drawn.start([sys.executable, "-c", script % 0], {}, shot, r"^frame: ([0-9.]+) ms")
            self.assertEqual((done.code, done.frame, done.picture.rows), (0, 12.5, GREY.rows))
            self.assertEqual(drawn.start([sys.executable, "-c", script % 3], {}, shot).code, 3)
            late = drawn.start([sys.executable, "-c", "import time; time.sleep(60)"], {}, seconds=0.2)
            self.assertIsNone(late.code)


class Section(unittest.TestCase):
    def verdict(self, kobalt, empty, llvmpipe=GREY):
        """([whether each row passes], whether the section does)."""
        shots = {"kobalt": kobalt, "zink": None, "llvmpipe": llvmpipe}
        drawings = {driver: drawing(shot) if shot else None for driver, shot in shots.items()}
        text, good = drawn.section(PROGRAM, drawings, drawing(empty) if empty else None)
        return [cell == "pass" for cell in re.findall(r"\| (pass|\*\*fail\*\*) \|$", text, re.MULTILINE)], good

    def test_the_limits(self):
        self.assertEqual(self.verdict(GREY, BLACK), ([True, True], True))
        self.assertEqual(self.verdict(picture(*[100] * 15, 104), BLACK), ([True, True], True))
        for bad in (BLACK, picture(*[100] * 15, 110), picture(*[100] * 8), None):
            self.assertEqual(self.verdict(bad, BLACK), ([False, True], False))
        self.assertEqual(self.verdict(GREY, BLACK, None), ([False, False], False))

    def test_an_empty_picture_that_does_not_differ_proves_nothing(self):
        for empty in (GREY, picture(*[101] * 16), None):
            self.assertEqual(self.verdict(GREY, empty), ([True, False], False))

    def test_what_it_says(self):
        drawings = {"kobalt": drawing(frame=7.04), "zink": None, "llvmpipe": drawing(frame=9)}
        text, _ = drawn.section(PROGRAM, drawings, drawing(BLACK))
        for words in ("## A program\n", "It draws.", "| kobalt | 7.0 | 1.2 |", "| llvmpipe | 9.0 | 1.2 |", "nothing (has to"):
            self.assertIn(words, text)
        self.assertNotIn("| zink", text)
        self.assertIn("| kobalt | 1.2 |", drawn.times_of({"kobalt": drawing(), "zink": None}))
        self.assertEqual(list(apps.sections_of(text)), ["A program"])

    def test_a_program_that_is_missing_is_left_out(self):
        absent = drawn.Program("A", "a", ("/nowhere/a",), "", "", "", lambda *_: None)
        with mock.patch.object(drawn.ui, "warn"):
            self.assertEqual(drawn.measure(absent, ":0", ("kobalt",)),
                             ("## A\n\nNot installed on this run's machine.\n", True))

    def test_a_recording_that_failed_fails(self):
        broken = drawn.Program("A", "a", (), "", "", "", lambda *_: None, None, lambda env, folder: "it did not end")
        with mock.patch.object(drawn.ui, "warn"), mock.patch.object(drawn, "environment_of", return_value={}):
            text, good = drawn.measure(broken, ":0", ("kobalt",))
        self.assertFalse(good)
        self.assertIn("**fail**: it did not end", text)

    def test_each_program_has_a_section_of_its_own(self):
        for program in drawn_programs.ALL:
            self.assertEqual(apps.SECTIONS[program.name][0], program.heading)
            self.assertRegex(program.by_hand, r"\./kobalt run -- xvfb-run -a ")


class Recorded(unittest.TestCase):
    RACE = traced.Race("game", ("--now",), r"OpenGL renderer: (.*)", 2)
    SAID = STARTED + "OpenGL renderer: llvmpipe (LLVM 15.0.6, Kobalt)\n"

    def test_what_counts_as_a_recording(self):
        self.assertIsNone(self.RACE.trouble(drawn.Drawing(0, self.SAID), ANNOUNCING))
        for code, text in ((1, self.SAID), (None, self.SAID), (0, STARTED), (0, "OpenGL renderer: llvmpipe (LLVM 15.0.6, Kobalt)\n"),
                           (0, STARTED + "OpenGL renderer: llvmpipe\n"), (0, self.SAID + "kobalt: device lost\n")):
            self.assertIsNotNone(self.RACE.trouble(drawn.Drawing(code, text), ANNOUNCING), (code, text))

    def test_the_frames_of_a_recording(self):
        def start(command, env, picture=None, frame=None, seconds=0):
            if command[1] == "trim":
                self.assertIn("--calls=0-40", command)
                return drawn.Drawing(self.trimmed, "no space")
            if command[1] == "dump":
                return drawn.Drawing(0, "12 glXSwapBuffers(dpy = 1)\n\n40 glXSwapBuffers(dpy = 1)\n77 glXSwapBuffers(d)\n"[:self.cut])
            self.assertEqual(env["MESA_GLSL_VERSION_OVERRIDE"], "450")
            return drawn.Drawing(0, self.SAID)

        for self.cut, self.trimmed, wrong in ((None, 0, None), (30, 0, "only 1 frames were drawn"),
                                              (None, 1, "apitrace trim: no space")):
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(drawn, "start", start):
                self.assertEqual(self.RACE.record(ANNOUNCING, folder), wrong)
                if not wrong:
                    self.assertEqual((Path(folder) / traced.FRAMES).read_text().split(), ["12", "40"])

    def test_a_record_is_drawn_once_for_both_pictures(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / traced.FRAMES).write_text("12\n40")

            def start(command, env, shot):
                self.assertEqual(command[command.index("-S") + 1], "12,40,%d" % traced.NEVER)
                for call, drawn_picture in ((12, BLACK), (40, GREY)):
                    pictures.write_png(drawn_picture, folder / ("%010d.png" % call))
                return drawn.Drawing(0, "Rendered 2 frames in 1 secs, average of 40 fps\n", pictures.read_png(shot))

            with mock.patch.object(drawn, "start", start):
                shown = self.RACE.draw({"HOME": name}, folder, False)
            empty = self.RACE.draw({"HOME": name}, folder, True)
        self.assertEqual((shown.frame, shown.picture.rows, empty.picture.rows), (25.0, GREY.rows, BLACK.rows))


class Png(unittest.TestCase):
    """PNG as other programs write it: every filter, with alpha and without."""
    ROWS = [bytes((7 * x * (y + 1) + 31 * y) & 255 for x in range(12)) for y in range(5)]

    def guess(self, kind, row, above, i, step):
        left, up = row[i - step] if i >= step else 0, above[i]
        corner = above[i - step] if i >= step else 0
        near = sorted((left, up, corner), key=lambda value: abs(left + up - corner - value))
        return (0, left, up, (left + up) // 2, near[0])[kind]

    def written(self, step, header):
        raw, above = bytearray(), bytes(12)
        for kind, row in enumerate(self.ROWS):
            raw.append(kind)
            raw += bytes((row[i] - self.guess(kind, row, above, i, step)) & 255 for i in range(12))
            above = row
        body = zlib.compress(bytes(raw))

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        # The pixels in two pieces, as large pictures have them.
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">II", 12 // step, 5) + header) + chunk(b"IDAT", body[:9])
                + chunk(b"IDAT", body[9:]) + chunk(b"IEND", b""))

    def read(self, data):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.png"
            path.write_bytes(data)
            return pictures.read_png(path)

    def test_every_filter(self):
        self.assertEqual(self.read(self.written(3, b"\x08\x02\0\0\0")).rows, self.ROWS)

    def test_alpha_is_left_out(self):
        without = [bytes(x for i, x in enumerate(row) if i % 4 != 3) for row in self.ROWS]
        self.assertEqual(self.read(self.written(4, b"\x08\x06\0\0\0")).rows, without)

    def test_ours_comes_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.png"
            pictures.write_png(pictures.Picture(4, 5, self.ROWS), path)
            self.assertEqual(pictures.read_png(path).rows, self.ROWS)

    def test_others_are_refused(self):
        for data in (b"", b"GIF89a", self.written(3, b"\x08\x03\0\0\0"), self.written(3, b"\x08\x02\0\0\x01")):
            with self.assertRaises(ValueError):
                self.read(data)


if __name__ == "__main__":
    unittest.main()
