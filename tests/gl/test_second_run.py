#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a draw had to compile is known at the next start: the same scenes then compile nothing inside a draw.

    test_second_run.py --gl-tests PATH/kobalt-gl-tests [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GL_TESTS = None
# Scenes whose shaders GL's state changes: two variants, and what stands for shaders in outlines.
SCENES = ("FixedFunctionTest.PolygonStipple", "FixedFunctionTest.SmoothPointsAreRound", "OutlineTest.CulledQuads",
          "OutlineTest.FixedFunctionQuadsAreCulledWithoutDiagonals")
SPRITES = "FixedFunctionTest.SpriteCoordinatesAreForPointsOnly"


class SecondRunTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kobalt-second-run-")
        self.addCleanup(self.scratch.cleanup)
        self.runs = 0

    def counters(self, scene):
        """The driver's counters over one process that draws SCENE."""
        self.runs += 1
        folder = Path(self.scratch.name)
        stats = folder / ("stats-%d" % self.runs)
        stats.mkdir()
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_STATS=str(stats),
                   KOBALT_CACHE_DIR=str(folder / "pipelines"), MESA_SHADER_CACHE_DIR=str(folder / "shaders"))
        for name in ("KOBALT_DISABLE", "MESA_SHADER_CACHE_DISABLE"):
            env.pop(name, None)
        done = subprocess.run([GL_TESTS, "--gtest_filter=" + scene], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", env=env, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[  PASSED  ] 1 test", done.stdout)
        found = {}
        for path in stats.glob("*.tsv"):
            for line in path.read_text().splitlines():
                name, _, value = line.partition("\t")
                if value.isdigit():
                    found[name] = found.get(name, 0) + int(value)
        self.assertGreater(found.get("draws", 0), 0)
        return found

    def test_what_draws_needed_is_remembered(self):
        for scene in SCENES:
            with self.subTest(scene):
                self.assertGreater(self.counters(scene)["draw_compiles"], 0, "the scene no longer tests anything")
                self.assertEqual(self.counters(scene)["draw_compiles"], 0)

    def test_sprites_never_compile_in_a_draw(self):
        self.assertEqual(self.counters(SPRITES)["draw_compiles"], 0)


def main():
    global GL_TESTS
    parser = argparse.ArgumentParser()
    parser.add_argument("--gl-tests", required=True)
    options, rest = parser.parse_known_args()
    GL_TESTS = options.gl_tests
    if os.environ.get("MESA_LOADER_DRIVER_OVERRIDE") != "kobalt":
        print("skipped: the environment does not select Kobalt")
        return 77
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
