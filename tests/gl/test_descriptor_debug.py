#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""KOBALT_DEBUG=descriptors: each planted fault is reported once, in the log and by GL's debug output, with the names
that the app knows. And nothing is said of scenes without a fault.

    test_descriptor_debug.py --gl-tests PATH/kobalt-gl-tests [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import program_tests  # noqa: E402

PROGRAMS = None
# A test of descriptor_debug_test.cpp, and what its report has to name.
FAULTS = {
    "NoBufferForABlock": ("program ", "fragment shader", 'uniform block "Colours"', "no buffer is bound"),
    "ARangeSmallerThanItsBlock": ('uniform block "Colours"', "16 bytes of the block's 32"),
    "ARangeBehindItsBuffer": ('uniform block "Colours"', "begins at byte 1048576"),
    "ABufferThatWasNeverWritten": ('uniform block "Colours"', "never written"),
    "NoTexture": ('sampler "picture"', "no complete texture is bound"),
    "AnIncompleteTexture": ('sampler "picture"', "no complete texture is bound"),
    "ATextureThatWasNeverWritten": ('sampler "picture"', "16 x 8"),
    "ElementsOfAnArrayAreTold": ('sampler "pictures[1]"', "no complete texture is bound"),
}
HANDLE_FAULTS = {
    "NoHandle": ('handle "picture"', "the handle is 0"),
    "NotResident": ('handle "picture"', "is not resident"),
    "ResidentNoLonger": ('handle "picture"', "is not resident"),
    "ADeletedTexture": ('handle "picture"', "is of no texture"),
    "AHandleInABlock": ('handle "Scene.picture', "is not resident"),
}
# What the layer's GPU-assisted validation says of faults that only the running shader knows.
GPU_FAULTS = {
    "AComputedHandleThatIsGood": (),
    "AComputedHandleThatNobodyMade": ("set = 0, binding = 0", "is uninitialized", "Stage = Fragment", "Draw Index 0"),
}
# Scenes without a fault, of any kind.
CLEAN = ("DescriptorDebugTest.ACleanSceneSaysNothing", "DescriptorDebugHandleTest.GoodHandlesSayNothing",
         "BindlessTest.*", "UniformTest.*", "SharedStageTest.*")


class DescriptorDebugTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kobalt-descriptor-debug-")
        self.addCleanup(self.scratch.cleanup)

    def run_tests(self, scenes, debug, **more):
        """The output of one process that draws SCENES with KOBALT_DEBUG=DEBUG, and its reports. Without the validation
        layer, unless MORE of the environment says otherwise: what is seen here the CPU sees."""
        folder = Path(self.scratch.name)
        layers = folder / "no-layers"
        layers.mkdir(exist_ok=True)
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_DEBUG=debug,
                   KOBALT_CACHE_DIR=str(folder / "pipelines"), MESA_SHADER_CACHE_DIR=str(folder / "shaders"))
        env.pop("KOBALT_VALIDATION", None)
        if not more:
            env["VK_LAYER_PATH"] = str(layers)
        env.update(more)
        done = subprocess.run([PROGRAMS.gl_tests, "--gtest_filter=" + ":".join(scenes)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=env, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout)
        if "[  SKIPPED ]" not in done.stdout:
            self.assertNotIn("[  PASSED  ] 0 tests", done.stdout)
        return done.stdout, [line for line in done.stdout.splitlines() if "kobalt: descriptors: " in line]

    def expect(self, suite, faults):
        for name, words in faults.items():
            with self.subTest(name):
                output, reports = self.run_tests(["%s.%s" % (suite, name)], "descriptors")
                if "[  SKIPPED ]" in output:
                    self.skipTest("the device has no texture handles")
                self.assertEqual(len(reports), 1, output)
                for word in words:
                    self.assertIn(word, reports[0])

    def test_each_fault_is_told_once(self):
        self.expect("DescriptorDebugTest", FAULTS)

    def test_each_fault_of_a_handle_is_told_once(self):
        self.expect("DescriptorDebugHandleTest", HANDLE_FAULTS)

    def test_the_gpu_tells_what_only_shaders_know(self):
        for name, words in GPU_FAULTS.items():
            with self.subTest(name):
                output, _ = self.run_tests(["DescriptorDebugGpuTest." + name], "descriptors,names,announce",
                                           KOBALT_TEST_GPU_ASSISTED="1", KOBALT_DISABLE="descriptor_buffer")
                if "[  SKIPPED ]" in output:
                    self.skipTest("the device has no texture handles")
                if "GPU-assisted" not in output:
                    self.skipTest("the validation layer is not installed")
                found = [text for text in output.split("MESA: ") if text.startswith("error: kobalt: validation:")]
                self.assertEqual(bool(found), bool(words), output)
                for word in words:
                    self.assertIn(word, found[0])

    def test_clean_scenes_say_nothing(self):
        output, reports = self.run_tests(CLEAN, "descriptors")
        self.assertEqual(reports, [], output)

    def test_nothing_is_said_without_the_switch(self):
        output, reports = self.run_tests(["DescriptorDebug*"], "names")
        self.assertEqual(reports, [], output)


if __name__ == "__main__":
    sys.exit(program_tests.main("--gl-tests"))
