#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Each Vulkan call that can fail does, one at a time, and the program above must see an answer that GL allows.

    walk.py --frames PATH/kobalt-fault-frames --layer FOLDER [--windows] [--commands COMMAND,...] [--moments MOMENT,...]
            [--most N] [--jobs N] [--table FILE]

A run draws frames while the Nth call of one command returns an error, once or from then on. Right answers: the frames are
right; an error, a failed link or an incomplete framebuffer, and frames behind it that are right; or a reset status. In a
window (--windows, on the X server of DISPLAY) the X server shows the frame as well, or eglSwapBuffers,
eglCreateWindowSurface or glGetError return an error.
Wrong ones: a crash, a hang, a wrong picture without an error, an object or a window that stays broken, or another exit
status than the program's own.
It runs in an environment that selects the driver; where that is not Kobalt, KOBALT_EXPECT_RENDERER says which.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOR_EVER = 1000000
LASTING = ("lasting objects", "computed values", "back buffer", "window")  # drawn with them: tests/fault/frames/frame.cpp
STATE_WORDS = 2 + 400  # bench/fault_layer/plan.h: State
TIMEOUT_S = 50  # below the minute after which Kobalt takes a GPU for hung
SWAP_ERRORS = {0x3003: "EGL_BAD_ALLOC", 0x300B: "EGL_BAD_NATIVE_WINDOW", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST"}
MOST_PLACES = 40  # tests/fault/frames/window.cpp: windows that lie beside each other on a screen
WINDOW_COMMANDS = {
    "vkCreateXcbSurfaceKHR", "vkGetPhysicalDeviceSurfaceSupportKHR", "vkGetPhysicalDeviceSurfaceCapabilitiesKHR",
    "vkGetPhysicalDeviceSurfaceFormatsKHR", "vkGetPhysicalDeviceSurfacePresentModesKHR", "vkCreateSwapchainKHR",
    "vkGetSwapchainImagesKHR", "vkAcquireNextImageKHR", "vkQueuePresentKHR", "vkCreateSemaphore", "vkQueueSubmit2",
    "vkCreateImage", "vkCreateImageView",
}


@dataclass
class Moment:
    """Where calls begin to count and fail."""
    armed_from: int  # the frame; 0: before there is a context or a window, more than FRAMES: behind the last one
    frames: int
    window: bool = False
    windows: str = "auto"  # KOBALT_WINDOWS
    sample: frozenset = frozenset()  # the commands of a sample; empty: all


MOMENTS = {
    "frame": Moment(2, 6),
    "start": Moment(0, 2),
    "end": Moment(3, 2),
    "window": Moment(2, 7, True, sample=frozenset(WINDOW_COMMANDS)),
    "window start": Moment(0, 3, True, sample=frozenset(WINDOW_COMMANDS)),
    "window end": Moment(3, 2, True),
    # A window without a swapchain.
    "copied window": Moment(2, 7, True, "cpu", frozenset({"vkAllocateMemory", "vkCreateBuffer", "vkQueueSubmit2"})),
}
# What Vulkan lets a command return (Vulkan 1.4, "Return Codes"); all others may run out of memory.
DEFAULT_RESULTS = ("OUT_OF_HOST_MEMORY", "OUT_OF_DEVICE_MEMORY")
RESULTS = {
    "vkAllocateDescriptorSets": DEFAULT_RESULTS + ("OUT_OF_POOL_MEMORY", "FRAGMENTED_POOL"),
    "vkAllocateMemory": DEFAULT_RESULTS + ("INVALID_EXTERNAL_HANDLE",),
    "vkMapMemory": DEFAULT_RESULTS + ("MEMORY_MAP_FAILED",),
    "vkCopyMemoryToImageEXT": DEFAULT_RESULTS + ("MEMORY_MAP_FAILED", "INITIALIZATION_FAILED"),
    "vkQueueSubmit2": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkQueueBindSparse": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkGetSemaphoreCounterValue": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkGetFenceStatus": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkWaitSemaphores": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkWaitForFences": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkGetQueryPoolResults": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkDeviceWaitIdle": DEFAULT_RESULTS + ("DEVICE_LOST",),
    "vkCreateSampler": ("OUT_OF_DEVICE_MEMORY", "TOO_MANY_OBJECTS"),
    "vkTransitionImageLayoutEXT": DEFAULT_RESULTS + ("MEMORY_MAP_FAILED", "INITIALIZATION_FAILED"),
    "vkCreateShadersEXT": DEFAULT_RESULTS + ("INITIALIZATION_FAILED",),
    "vkEnumeratePhysicalDevices": DEFAULT_RESULTS + ("INITIALIZATION_FAILED",),
    "vkCreateDevice": DEFAULT_RESULTS + ("EXTENSION_NOT_PRESENT", "FEATURE_NOT_PRESENT", "TOO_MANY_OBJECTS", "DEVICE_LOST",
                                         "INITIALIZATION_FAILED"),
    "vkGetPhysicalDeviceSurfaceSupportKHR": DEFAULT_RESULTS + ("SURFACE_LOST",),
    "vkGetPhysicalDeviceSurfaceCapabilitiesKHR": DEFAULT_RESULTS + ("SURFACE_LOST",),
    "vkGetPhysicalDeviceSurfaceFormatsKHR": DEFAULT_RESULTS + ("SURFACE_LOST",),
    "vkGetPhysicalDeviceSurfacePresentModesKHR": DEFAULT_RESULTS + ("SURFACE_LOST",),
    # What only swapchains in exclusive full screen and compressed images return is left out: Kobalt makes neither.
    "vkCreateSwapchainKHR": DEFAULT_RESULTS + ("DEVICE_LOST", "NATIVE_WINDOW_IN_USE", "INITIALIZATION_FAILED", "SURFACE_LOST"),
    "vkAcquireNextImageKHR": DEFAULT_RESULTS + ("DEVICE_LOST", "SURFACE_LOST", "OUT_OF_DATE"),
    "vkQueuePresentKHR": DEFAULT_RESULTS + ("DEVICE_LOST", "SURFACE_LOST", "OUT_OF_DATE"),
}


def command_names():
    """The layer's commands, by index: what Kobalt calls (bench/fault_layer/commands.h)."""
    device = (ROOT / "src/vulkan/base/dispatch_list_device.h").read_text()
    instance = (ROOT / "src/vulkan/base/dispatch_list_instance.h").read_text().partition("KOBALT_INSTANCE_COMMANDS")[2]
    surface = (ROOT / "bench/fault_layer/commands.h").read_text()
    return ["vk" + name for text in (device, instance, surface) for name in re.findall(r"^\s+X\((\w+)\)", text, re.M)]


@dataclass
class Case:
    command: str
    number: int
    result: str
    count: int = 1
    robust: bool = False
    moment: str = "frame"

    def __str__(self):
        return "%s:%d:%s%s" % (self.command, self.number, self.result, ":%d" % self.count if self.count > 1 else "")


class Runner:
    def __init__(self, frames, layer, names):
        self.frames, self.layer, self.names = frames, layer, names
        self.places = queue.SimpleQueue()
        for place in range(MOST_PLACES):
            self.places.put(place)

    def run(self, case):
        """(what was printed, calls by command, what went wrong with the process)."""
        place = self.places.get()
        try:
            return self.run_at(place, case)
        finally:
            self.places.put(place)

    def run_at(self, place, case):
        moment = MOMENTS[case.moment]
        with tempfile.TemporaryDirectory(prefix="kobalt-walk-") as folder:
            state = Path(folder) / "state"
            state.write_bytes(bytes(4 * STATE_WORDS))
            env = dict(os.environ, EGL_PLATFORM="surfaceless", VK_LAYER_PATH=str(self.layer), KOBALT_VALIDATION="0",
                       VK_INSTANCE_LAYERS="VK_LAYER_KOBALT_fault", KOBALT_FAULT_STATE=str(state),
                       KOBALT_CACHE_DIR=folder + "/pipelines", MESA_SHADER_CACHE_DISABLE="true",
                       KOBALT_WINDOWS=moment.windows)
            if case.command:
                env["KOBALT_FAULT_CALL"] = str(case)
            command = [self.frames, "--armed-from", str(moment.armed_from), "--frames", str(moment.frames)]
            command += ["--robust"] * case.robust + ["--window", str(place)] * moment.window
            try:
                done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      errors="replace", timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                return [], {}, "hangs"
            words = memoryview(state.read_bytes()).cast("I")
            calls = {name: words[2 + i] for i, name in enumerate(self.names) if words[2 + i]}
            lost = "was lost in" in done.stderr and not case.robust
            lines = [{"loss_told": True}] * lost + [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            if done.returncode < 0:
                return lines, calls, "crashes (signal %d)" % -done.returncode
            told = "kobalt:" in done.stderr or os.environ.get("KOBALT_EXPECT_RENDERER") != "Kobalt"
            if done.returncode == 3 and lines and lines[-1].get("context") == "none" and told:
                return lines, calls, "" if case.command else "there is no context"
            if done.returncode != 0 or not lines or "end" not in lines[-1]:
                return lines, calls, "ends early: %s" % done.stderr.strip()[-300:]
            return lines, calls, ""


def judge_windows(lines, case):
    """What is wrong with the windows' errors; empty: nothing."""
    failed = [line for line in lines if "no_window" in line]
    for error in [line["egl_error"] for line in failed] + [line.get("swap_error", 0) for line in lines]:
        if error and error not in SWAP_ERRORS:
            return "window: EGL error 0x%04x, which says nothing" % error
    if any(line["attempt"] > 1 for line in failed) and case.count < FOR_EVER:
        return "window: none can be made, though nothing fails any more"
    return next(("window: %d X errors" % line["x_errors"] for line in lines if line.get("x_errors")), "")


def without_lasting(frame):
    return dict(frame, wrong=[one for one in frame["wrong"] if one not in LASTING], errors=[])


def judge(lines, case):
    """What is wrong with the answer; empty: nothing."""
    frames = [line for line in lines if "frame" in line]
    if lines and "loss_told" in lines[0]:
        return ""  # a context that isn't robust draws nothing any more
    # What was told to be without storage, or not to be linked, stays so.
    if any(line.get("lasting_told") for line in lines):
        frames = [without_lasting(frame) for frame in frames]
    struck = False
    for frame in frames:
        struck |= frame["struck"] > 0
        errors = frame["errors"] + [frame.get("swap_error", 0)] * bool(frame.get("swap_error", 0))
        told = errors or frame["link_failed"] or frame["incomplete"] or frame["reset"]
        if frame["wrong"] and not told:
            return "frame %d is wrong without an error: %s" % (frame["frame"], ", ".join(frame["wrong"]))
        if struck and not frame["struck"] and told and case.count < FOR_EVER and not any(f["reset"] for f in frames):
            return "frame %d has errors, though nothing failed in it: %s" % (frame["frame"], errors)
    for line in lines:
        if line.get("next_display", "good") != "good":
            return "after a loss: the context of the next display is %s" % line["next_display"]
    return judge_windows(lines, case)


def numbers_of(count, most):
    """The calls that fail, of COUNT: the first MOST, and some that are spread over the rest."""
    return sorted({*range(1, min(count, most) + 1), max(count // 3, 1), max(count * 2 // 3, 1)})


def cases_of(calls, most, wanted, moment="frame"):
    """All cases of the commands in CALLS that are WANTED (none: all); a sample where MOST is 0."""
    sample = MOMENTS[moment].sample
    for command, count in sorted(calls.items()):
        if (wanted and command not in wanted) or (not most and not wanted and sample and command not in sample):
            continue
        results = RESULTS.get(command, DEFAULT_RESULTS)
        for result in results if most else sorted({results[0], results[-1]}):
            for number in numbers_of(count, most) if most else [max(count // 2, 1)]:
                lost = result == "DEVICE_LOST"
                if most and not lost:
                    yield Case(command, number, result, moment=moment)
                # Kobalt makes a call that runs out of memory once more: that fails, too.
                yield Case(command, number, result, 1 if lost else 2, moment=moment)
                if lost:
                    yield Case(command, number, result, robust=True, moment=moment)
            yield Case(command, 1, result, FOR_EVER, moment=moment)


def moments_of(windows):
    """The moments in windows, or else those off screen."""
    kobalt = os.environ.get("KOBALT_EXPECT_RENDERER", "Kobalt") == "Kobalt"
    return [name for name, moment in MOMENTS.items() if moment.window == windows and (kobalt or moment.windows == "auto")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--frames", required=True)
    parser.add_argument("--layer", required=True)
    parser.add_argument("--windows", action="store_true", help="the moments of windows; without: those off screen")
    parser.add_argument("--commands", default="")
    parser.add_argument("--moments", default="", help="of %s" % ", ".join(MOMENTS))
    parser.add_argument("--most", type=int, default=0, help="how many of a command's first calls fail; 0: a sample of all cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--table")
    options = parser.parse_args()
    runner = Runner(options.frames, options.layer, command_names())
    wanted = set(filter(None, options.commands.split(",")))
    moments = list(filter(None, options.moments.split(","))) or moments_of(options.windows)
    cases = []
    for moment in moments:
        lines, calls, broken = runner.run(Case("", 0, "", moment=moment))
        problem = broken or judge(lines, Case("", 0, ""))
        if broken == "there is no context":
            return 77
        if problem or not calls:
            print("without any fault the program fails: %s" % (problem or "no call reached the layer"))
            return 1
        cases += cases_of(calls, options.most, wanted, moment)
    print("%d cases of %d commands" % (len(cases), len({case.command for case in cases})), flush=True)
    bad = Counter()
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, (lines, _, broken) in zip(cases, pool.map(runner.run, cases)):
            problem = broken or judge(lines, case)
            rows.append((str(case), case.moment, problem or "right"))
            if problem:
                bad[case.command] += 1
                print("%-13s %-70s %s" % (case.moment, case, problem), flush=True)
    if options.table:
        Path(options.table).write_text("".join("%s\t%s\t%s\n" % row for row in rows))
    print("%d of %d cases are wrong%s" % (sum(bad.values()), len(cases), ": " + ", ".join(sorted(bad)) if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
