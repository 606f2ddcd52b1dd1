#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A program whose device was lost makes another context of the same display, and draws on.

    test_recovery.py --probe PATH/kobalt-fault-probe [--layer FOLDER OF VkLayer_kobalt_fault.json] [unittest arguments]

It runs in an environment that selects Kobalt, as test_faults.py does; anywhere else it exits with 77, which Meson
counts as skipped.
"""
import argparse
import os
import sys
import unittest

import fault_case
from fault_case import FaultTest
from walk import STATE_WORDS

LAYER = None


class RecoveryTest(FaultTest):
    """The loss comes at the submission after 12 others; a frame of the probe has two or three."""

    def recover(self, mode, **switches):
        switches.setdefault("KOBALT_FAULT", "lost:12")
        done, seen = self.probe(mode, **switches)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
        self.expect_message(done, "lost")
        self.assertNotIn("out of memory", done.stderr)
        return done, seen

    def expect(self, done, seen, **wanted):
        self.assertEqual({name: seen.get(name) for name in wanted}, wanted, done.stdout + done.stderr)

    def fail_call(self, call):
        """The switches with which a call of the Vulkan driver fails (bench/fault_layer/plan.h)."""
        if LAYER is None:
            self.skipTest("the layer was not given")
        state = self.folder / "state"
        state.write_bytes((1).to_bytes(4, sys.byteorder) + bytes(4 * (STATE_WORDS - 1)))
        return {"VK_LAYER_PATH": LAYER, "VK_INSTANCE_LAYERS": "VK_LAYER_KOBALT_fault", "KOBALT_VALIDATION": "0",
                "KOBALT_FAULT_STATE": str(state), "KOBALT_FAULT_CALL": call}

    def test_each_new_context_draws(self):
        """Fails where a context gets the lost device, or where one of two losses has no successor."""
        for mode, first in (("recovers", "lost"), ("recovers-plain", "none")):
            with self.subTest(mode):
                done, seen = self.recover(mode)
                self.expect(done, seen, first=first, second_pixel="good", second_again="good", second="lost",
                            third_pixel="good", third_again="good", third_alone="good", shared_with_third="good")

    def test_a_new_device_is_told_to_who_asks(self):
        """Once for each loss: fails where a context makes a device although its screen has a successor."""
        done, _ = self.recover("recovers")
        self.assertEqual(done.stderr.count("a new one was made for this context"), 2, done.stderr)
        done, _ = self.recover("recovers-threads")
        self.assertEqual(done.stderr.count("a new one was made for this context"), 1, done.stderr)

    def test_a_loss_that_the_driver_reports(self):
        """Once, so that the second device stays."""
        done, seen = self.recover("recovers", KOBALT_FAULT="", **self.fail_call("vkQueueSubmit2:12:DEVICE_LOST"))
        self.expect(done, seen, first="lost", second_pixel="good", second_again="good", second="none", third_pixel="good")

    def test_a_device_that_can_not_be_made_yet(self):
        """Each device has one semaphore first. The second one's fails: the context is lost, and the next one makes a
        device. Fails where the reason isn't told, or where nothing is tried again."""
        done, seen = self.recover("recovers", **self.fail_call("vkCreateSemaphore:2:OUT_OF_DEVICE_MEMORY"))
        self.expect(done, seen, first="lost", second_pixel="bad", second="lost", third_pixel="good", third_again="good")
        self.expect_message(done, "no new one can be made", "VK_ERROR_OUT_OF_DEVICE_MEMORY", "later tries again")

    def test_threads_make_contexts_at_once(self):
        for _ in range(3):
            done, seen = self.recover("recovers-threads")
            self.expect(done, seen, first="lost", pixels="good")

    def test_what_shares_with_a_lost_context_is_lost(self):
        """Fails where it gets the new device, whose driver would see the lost one's textures."""
        done, seen = self.recover("recovers-shared")
        self.expect(done, seen, first="lost", second_pixel="good")
        self.assertIn(seen.get("shared"), ("refused", "lost"), done.stdout + done.stderr)
        self.assertIn(seen.get("shared_again"), ("refused", "lost"), done.stdout + done.stderr)

    def test_a_surface_from_before_the_loss(self):
        """Fails where the new context draws to a buffer of the lost device."""
        done, seen = self.recover("recovers-surface")
        if seen.get("first_pixel") == "no pbuffer":
            self.skipTest("the display has no pbuffers")
        self.expect(done, seen, first_pixel="good", first="lost", second_pixel="good", second_again="good")

    def test_an_image_from_before_the_loss(self):
        done, seen = self.recover("recovers-image")
        self.expect(done, seen, image="made", first="lost", refused="yes", second_pixel="good")

    def test_no_call_is_wrong(self):
        """Fails where an object of one device is used with another, or outlives its device."""
        for mode in ("recovers", "recovers-plain", "recovers-threads", "recovers-shared", "recovers-surface",
                     "recovers-image"):
            with self.subTest(mode):
                done, _ = self.recover(mode, KOBALT_VALIDATION="1", KOBALT_DEBUG="announce")
                if "kobalt: started, no validation layer is on" in done.stderr:
                    self.skipTest("no validation layer")
                self.assertIn("kobalt: started, ", done.stderr)
                self.assertNotIn("VUID", done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--layer")
    options, rest = parser.parse_known_args()
    global LAYER
    fault_case.PROBE, LAYER = options.probe, options.layer
    if os.environ.get("MESA_LOADER_DRIVER_OVERRIDE") != "kobalt":
        print("skipped: the environment does not select Kobalt", file=sys.stderr)
        return 77
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
