#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a draw had to compile is known at the next start: the same scenes then compile nothing inside a draw.
And whatever the caches' files have become meanwhile, they draw.

    test_second_run.py --gl-tests PATH/kobalt-gl-tests [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import program_tests  # noqa: E402

PROGRAMS = None
# Scenes whose shaders GL's state changes: two variants, and what stands for shaders in outlines.
SCENES = ("FixedFunctionTest.PolygonStipple", "FixedFunctionTest.SmoothPointsAreRound", "OutlineTest.CulledQuads",
          "OutlineTest.FixedFunctionQuadsAreCulledWithoutDiagonals")
# Programs that tessellate: their stages are compiled together when they are linked, and so is what stands for a
# control shader, whatever size of patches comes.
TESSELLATED = ("TessellationTest.PatchSizesChangeBetweenDraws", "TessellationTest.PassedThroughPatchesOfEverySize",
               "TessellationTest.DefaultLevels", "TessellationTest.GeometryShaderBehindIt",
               "TessellationTest.TransformFeedback", "TessellationInterfaceTest.ClipDistances")
# What old GL state makes of programs, and the programs of the fixed function.
VARIANTS = ("CompatLateShaderTest.OldStateOfAProgramThatIsKnown", "CompatLateShaderTest.TheFixedFunctionIsMadeOnce",
            "FixedFunctionTest.AlphaTest", "FixedFunctionTest.UserClipPlanes",
            "FixedFunctionTest.ClipVertexInAShader", "FixedFunctionTest.TwoSidedColour")
# Shaders that Mesa makes for itself, and what it makes of programs to draw pixels.
HELPERS = ("LateShaderTest.ABlitThatIsDrawnMakesItsShaderOnce", "PixelPathTest.Bitmap", "PixelPathTest.DrawPixels",
           "PixelPathTest.DrawPixelsFloatLuminanceAndScale", "PixelPathTest.CopyPixels")
SPRITES = "FixedFunctionTest.SpriteCoordinatesAreForPointsOnly"


def counters_in(folder):
    """The sum of what the processes wrote there with KOBALT_STATS."""
    found = {}
    for path in folder.glob("*.tsv"):
        for line in path.read_text().splitlines():
            name, _, value = line.partition("\t")
            if value.isdigit():
                found[name] = found.get(name, 0) + int(value)
    return found


class SecondRunTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kobalt-second-run-")
        self.addCleanup(self.scratch.cleanup)
        self.runs = 0

    def counters(self, scene, draws=True, disable=""):
        """The driver's counters over one process that draws SCENE, on a device without DISABLE."""
        self.runs += 1
        folder = Path(self.scratch.name)
        stats = folder / ("stats-%d" % self.runs)
        stats.mkdir()
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_STATS=str(stats),
                   KOBALT_CACHE_DIR=str(folder / "pipelines"), MESA_SHADER_CACHE_DIR=str(folder / "shaders"))
        env.pop("MESA_SHADER_CACHE_DISABLE", None)
        env["KOBALT_DISABLE"] = disable
        done = subprocess.run([PROGRAMS.gl_tests, "--gtest_filter=" + scene], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", env=env, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[  PASSED  ] 1 test", done.stdout)
        found = counters_in(stats)
        self.assertEqual(found.get("draws", 0) > 0, draws)
        return found

    def test_what_draws_needed_is_remembered(self):
        for scene in SCENES:
            with self.subTest(scene):
                self.assertGreater(self.counters(scene)["draw_compiles"], 0, "the scene no longer tests anything")
                second = self.counters(scene)
                self.assertEqual(second["draw_compiles"], 0)
                self.assertGreater(second["remembered_needs"], 0)

    def test_old_state_is_remembered(self):
        """Of what drew once nothing is made in a draw again: no variant, no program of the fixed function, and no shader
        of Mesa's own."""
        for scene in VARIANTS + HELPERS:
            with self.subTest(scene):
                first, second = self.counters(scene), self.counters(scene)
                self.assertGreater(first["late_shaders"], 0, "the scene no longer tests anything")
                self.assertEqual(second["late_shaders"], 0)
                self.assertEqual(second["draw_compiles"], 0)

    def test_nothing_is_translated_twice(self):
        made = 0
        for scene in SCENES + VARIANTS + HELPERS:
            with self.subTest(scene):
                made += self.counters(scene)["translations"]  # 0 where other scenes have the same shaders
                # A process may end before the compiler service has begun all that it was given, and the next
                # one then translates that for the first time: on a busy machine there are such shaders.
                for _ in range(3):
                    later = self.counters(scene)
                    if later["translations"] == 0:
                        break
                self.assertEqual(later["translations"], 0)
                self.assertGreater(later["stage_compiles"], 0, "the scene no longer tests anything")
        self.assertGreater(made, len(SCENES))

    def test_tessellation_never_compiles_in_a_draw(self):
        for scene in TESSELLATED:
            with self.subTest(scene):
                self.assertEqual(self.counters(scene)["draw_compiles"], 0)

    def test_what_is_switched_off_has_shaders_of_its_own(self):
        """What Mesa keeps of a device with doubles is nothing for one where they are computed in integers."""
        for disable in ("", "shader_float64", ""):
            self.counters("UniformTest.StructsWithDoubles", disable=disable)

    def test_what_never_draws_compiles_nothing(self):
        self.assertEqual(self.counters("ClearTest.WholeTarget", draws=False)["stage_compiles"], 0)

    def test_sprites_never_compile_in_a_draw(self):
        self.assertEqual(self.counters(SPRITES)["draw_compiles"], 0)


class BindlessTest(SecondRunTest):
    """Texture handles: the bindless set is bound once in each command buffer that reads through it."""

    # The inherited tests have nothing to do with it.
    test_what_draws_needed_is_remembered = None
    test_old_state_is_remembered = None
    test_nothing_is_translated_twice = None
    test_sprites_never_compile_in_a_draw = None
    test_what_never_draws_compiles_nothing = None

    def test_the_set_stays_bound(self):
        found = self.counters("BindlessTest.OrdinaryAndSeparableProgramsInTurn")
        self.assertGreater(found["bindless_binds"], 0)
        self.assertLessEqual(found["bindless_binds"], found["batches"])
        self.assertEqual(self.counters(SPRITES)["bindless_binds"], 0)


class KeptBinaryTest(unittest.TestCase):
    """Programs keep program binaries themselves. Those that a process of the same user saved are loaded, others are not."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="kobalt-kept-binary-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def outcome(self, caches, megabytes="256"):
        """What a process with the folder CACHES does with the binary: it is `kept`, `loaded` or `refused`."""
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_CACHE_DIR=str(self.folder / caches),
                   KOBALT_CACHE_MAX_MB=megabytes, MESA_SHADER_CACHE_DIR=str(self.folder / "shaders"),
                   KOBALT_KEPT_BINARY=str(self.folder / "binary"))
        env.pop("MESA_SHADER_CACHE_DISABLE", None)
        done = subprocess.run([PROGRAMS.gl_tests, "--gtest_filter=SignedBinaryTest.OneOfAnotherProcess"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=env,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        return re.search(r"^the binary is (\w+)$", done.stdout, re.MULTILINE)[1]

    def test_the_user_s_processes_share_a_key(self):
        self.assertEqual([self.outcome(caches) for caches in ("mine", "mine", "another's", "mine")],
                         ["kept", "loaded", "refused", "loaded"])

    def test_without_a_cache_binaries_are_of_one_process(self):
        self.assertEqual([self.outcome("mine", megabytes="0") for _ in range(2)], ["kept", "refused"])
        self.assertFalse((self.folder / "mine/key").exists())


RECORD_WORDS = 24  # gallium/shader_memory.cpp: Record
RECORD_BYTES = 4 * RECORD_WORDS
EXTRA_OUTPUTS, EXTRA_INTEGERS = 10, 11  # the words that are masks, the second one of the first one's bits
ZSTD = bytes.fromhex("28b52ffd")


def damaged(data, dice):
    """DATA after some accident."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data)) if data else 0
        accident = dice.randrange(4)
        if accident == 0 and data:
            data[at] ^= 1 << dice.randrange(8)
        elif accident == 1:
            del data[at:]
        elif accident == 2:
            data[at:at] = dice.randbytes(dice.randint(1, 64))
        else:
            data[at:at + 32] = dice.choice((b"\0", b"\xff")) * 32
    return bytes(data)


def record_position(entry):
    """Where the compressed record starts in one of Mesa's cache files that holds one of ours, else None."""
    header = (RECORD_BYTES).to_bytes(4, "little")
    for mark in (ZSTD, b"\x78"):
        at = entry.find(header + mark)
        if at >= 4 and zlib.crc32(entry[at + 4:]) ^ 0xffffffff == int.from_bytes(entry[at - 4:at], "little"):
            return at + 4
    return None


def with_record(entry, at, record):
    """ENTRY with another record, and a checksum that is right."""
    # A frame of zstd with one block that isn't compressed (RFC 8878, 3.1.1): last block, its size.
    block = (len(record) << 3 | 1).to_bytes(3, "little")
    body = ZSTD + bytes([0x20, len(record)]) + block + record if entry[at:at + 4] == ZSTD else zlib.compress(record)
    return entry[:at - 8] + (zlib.crc32(body) ^ 0xffffffff).to_bytes(4, "little") + entry[at - 4:at] + body


class DamagedCacheTest(unittest.TestCase):
    """The damage is the same each time: the generators have fixed seeds."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kobalt-damaged-cache-")
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)
        self.draw()
        self.kept = self.folder / "kept"
        shutil.copytree(self.folder / "shaders", self.kept)

    def draw(self):
        """Draws the scenes; returns the driver's counters."""
        stats = Path(tempfile.mkdtemp(dir=self.folder))
        # One file for each entry: what is damaged is one entry then.
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_CACHE_DIR=str(self.folder / "pipelines"),
                   MESA_SHADER_CACHE_DIR=str(self.folder / "shaders"), MESA_DISK_CACHE_MULTI_FILE="1",
                   KOBALT_STATS=str(stats))
        for name in ("KOBALT_DISABLE", "MESA_SHADER_CACHE_DISABLE"):
            env.pop(name, None)
        done = subprocess.run([PROGRAMS.gl_tests, "--gtest_filter=" + ":".join(SCENES)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=env, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[  PASSED  ] %d tests" % len(SCENES), done.stdout)
        return counters_in(stats)

    def fresh_entries(self):
        """The cache's files as the first run left them."""
        shutil.rmtree(self.folder / "shaders")
        shutil.copytree(self.kept, self.folder / "shaders")
        return [path for path in sorted((self.folder / "shaders").rglob("*")) if path.is_file()]

    def test_damaged_entries(self):
        for seed in range(8):
            dice = random.Random(seed)
            for path in self.fresh_entries():
                if dice.random() < 0.7:
                    path.write_bytes(damaged(path.read_bytes(), dice))
            with self.subTest(seed=seed):
                self.draw()

    def test_records_that_cannot_be_build_nothing(self):
        records = [(path, at) for path in self.fresh_entries() if (at := record_position(path.read_bytes()))]
        self.assertGreater(len(records), 0, "no record was found: the format of the cache's files is another one")
        self.assertEqual(self.draw()["refused_needs"], 0)
        self.fresh_entries()
        strange = {path: with_record(path.read_bytes(), at, b"\xff" * RECORD_BYTES) for path, at in records}
        for path, entry in strange.items():
            path.write_bytes(entry)
        self.assertGreater(self.draw()["refused_needs"], 0)
        # What is refused is removed, what is built from stays. A program that is deleted before its compilation
        # has begun reads nothing: on a busy machine another run may have to come to it.
        for _ in range(9):
            left = [path for path, entry in strange.items() if path.exists() and path.read_bytes() == entry]
            if not left:
                break
            self.draw()
        self.assertEqual(left, [])

    def test_any_record(self):
        for seed in range(8):
            dice = random.Random(seed)
            records = 0
            for path in self.fresh_entries():
                entry = path.read_bytes()
                at = record_position(entry)
                if at is None:
                    continue
                records += 1
                # Random words, or what could be true of some other shader.
                words = [dice.choice((0, 1, dice.getrandbits(32)) if seed % 2 else (0, 1)) for _ in range(RECORD_WORDS)]
                if seed % 4 == 2:
                    words[EXTRA_OUTPUTS] = dice.getrandbits(32)
                    words[EXTRA_INTEGERS] = words[EXTRA_OUTPUTS] & dice.getrandbits(32)
                path.write_bytes(with_record(entry, at, b"".join(word.to_bytes(4, "little") for word in words)))
            self.assertGreater(records, 0, "no record was found: the format of the cache's files is another one")
            with self.subTest(seed=seed):
                self.draw()


if __name__ == "__main__":
    sys.exit(program_tests.main("--gl-tests"))
