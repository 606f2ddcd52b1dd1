#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Counts the Vulkan commands of draws that differ in a texture's parameters alone.

    test_sweep_calls.py --gl-tests PATH/kobalt-gl-tests [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import program_tests  # noqa: E402

PROGRAMS = None
# Each scene is drawn three times: twice to warm up, once to be measured.
ROUNDS = 3
BIASES = 256
SWIZZLES = 36
CALL = re.compile(r"^(\d+)\t[\d.]+\t[\d.]+\t(vk\w+)$", re.MULTILINE)


def calls_of(scene):
    """How often each Vulkan command was called in one process that draws SCENE; and the renderer."""
    with tempfile.TemporaryDirectory(prefix="kobalt-sweep-") as folder:
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_DEBUG="calls", KOBALT_CACHE_DIR=folder)
        for name in ("KOBALT_PUSHED_BLOCKS", "KOBALT_VALIDATION", "KOBALT_DISABLE"):
            env.pop(name, None)
        done = subprocess.run([PROGRAMS.gl_tests, "--gtest_filter=SamplerSweepTest." + scene], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=env, timeout=120)
    if done.returncode or "[  PASSED  ] 1 test" not in done.stdout:
        raise AssertionError(done.stdout)
    return {name: int(count) for count, name in CALL.findall(done.stdout)}


class SweepCallsTest(unittest.TestCase):
    def judge(self, calls):
        self.assertGreater(calls.get("vkCmdDraw", 0), ROUNDS * SWIZZLES - 1, "the scene was not drawn")
        # lavapipe allocates memory for each push; the tests' device is lavapipe unless another one is named.
        if "lvp_icd" in os.environ.get("VK_DRIVER_FILES", ""):
            self.assertEqual({name: count for name, count in calls.items() if "PushDescriptor" in name}, {})

    def test_a_bias_costs_a_sampler_at_most(self):
        calls = calls_of("LodBiases")
        self.judge(calls)
        self.assertLess(calls["vkCreateSampler"], BIASES + 16, "equal samplers are made once")
        self.assertLess(calls.get("vkCreateImageView", 0), 16)

    def test_a_swizzle_costs_a_view_at_most(self):
        calls = calls_of("Swizzles")
        self.judge(calls)
        self.assertLess(calls.get("vkCreateImageView", 0), ROUNDS * SWIZZLES + 16)
        self.assertLess(calls["vkCreateSampler"], 16)


if __name__ == "__main__":
    sys.exit(program_tests.main("--gl-tests"))
