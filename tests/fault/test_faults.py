#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What goes wrong, and what happens then: one clear message, the GL error or reset status that the
specification names, no crash, no hang.

    test_faults.py --probe PATH/kobalt-fault-probe [--info PATH/kobalt-info] [unittest arguments]

It runs in an environment that selects Kobalt (MESA_LOADER_DRIVER_OVERRIDE=kobalt and the rest, as
`./kobalt run` sets it); anywhere else it exits with 77, which Meson counts as skipped.
"""
import argparse
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import fault_case
from fault_case import FaultTest

INFO = None
IMAGE_LOG = None


def mock_driver():
    """A manifest of the mock Vulkan driver: a device that offers next to nothing. None without it."""
    places = [os.environ.get("KOBALT_MOCK_ICD", ""), "/usr/lib/chromium/libVkICD_mock_icd.so"]
    if os.environ.get("KOBALT_HOST"):
        places.append(os.environ["KOBALT_HOST"] + "/usr/lib/chromium/libVkICD_mock_icd.so")
    places += [str(p / ".kobalt/host/usr/lib/chromium/libVkICD_mock_icd.so") for p in Path(__file__).resolve().parents]
    return next((p for p in places if p and os.path.exists(p)), None)


class StartTest(FaultTest):
    """Nothing to start on: no context, a message that says what is missing."""

    def test_everything_is_fine_without_faults(self):
        done, seen = self.probe("draw")
        self.expect_drawn(done, seen)
        self.assertEqual(self.messages(done), [])

    def test_no_vulkan_loader(self):
        done, _ = self.probe("draw", KOBALT_VULKAN_LOADER="/nonexistent/libvulkan.so.1")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.expect_message(done, "/nonexistent/libvulkan.so.1")

    def test_no_device(self):
        done, _ = self.probe("draw", VK_DRIVER_FILES="/nonexistent/icd.json", VK_ICD_FILENAMES="/nonexistent/icd.json")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.expect_message(done, "device" if "device" in done.stderr.lower() else "driver")

    def test_wanted_device_is_not_there(self):
        done, _ = self.probe("draw", KOBALT_DEVICE="no such device")
        self.assertEqual(done.returncode, 3, done.stdout)
        # EGL tries again by other ways; it is said once all the same.
        self.assertEqual(["no such device" in line for line in self.messages(done)], [True], done.stderr)

    def test_device_below_the_profile(self):
        library = mock_driver()
        if library is None:
            self.skipTest("the mock Vulkan driver is not installed")
        manifest = self.folder / "mock_icd.json"
        manifest.write_text('{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}' % library)
        done, _ = self.probe("draw", VK_DRIVER_FILES=str(manifest), VK_ICD_FILENAMES=str(manifest))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.expect_message(done, "device")

    def test_info_says_the_same(self):
        if INFO is None:
            self.skipTest("kobalt-info was not given")
        for switches in ({"KOBALT_VULKAN_LOADER": "/nonexistent/libvulkan.so.1"},
                         {"VK_DRIVER_FILES": "/nonexistent/icd.json", "VK_ICD_FILENAMES": "/nonexistent/icd.json"}):
            for words in ([], ["--vulkan"]):
                done = self.run_program(INFO, *words, **switches)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


class ProcessTest(FaultTest):
    """What a process does beside drawing."""

    def test_children_of_fork(self):
        done, seen = self.probe("forks")
        self.expect_drawn(done, seen)
        self.assertEqual(seen.get("child"), "exit 7", done.stderr)
        self.assertEqual(seen.get("inheritor"), "exit 7", done.stderr)
        self.assertEqual(seen.get("starter"), "exit 7", done.stderr)
        self.expect_message(done, "child of fork()", "eglTerminate")

    def test_a_thread_may_exit_while_another_compiles(self):
        for _ in range(5):
            done, _ = self.probe("exits")
            self.assertEqual(done.returncode, 7, done.stderr)

    def test_a_file_of_counters_is_never_seen_half_written(self):
        """So that a program that is killed leaves the counters of its last submission."""
        folder = self.folder / "stats"
        folder.mkdir()
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_STATS=str(folder), KOBALT_CACHE_DIR="",
                   MESA_SHADER_CACHE_DISABLE="true")
        sizes = set()
        with subprocess.Popen([fault_case.PROBE, "translate"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as program:
            file = folder / ("%d.tsv" % program.pid)
            while program.poll() is None:
                if file.exists():
                    sizes.add(file.stat().st_size)
        self.assertTrue(sizes, "no counters were written")
        self.assertNotIn(0, sizes)
        self.assertEqual([path.name for path in folder.iterdir()], [file.name])


class ImageTest(FaultTest):
    """What images are created for: a usage that nothing needs costs compression on users' GPUs."""
    STORAGE, DEPTH, HOST_TRANSFER = 0x8, 0x20, 0x400000

    def setUp(self):
        super().setUp()
        if IMAGE_LOG is None:
            self.skipTest("the loader that logs images was not given")

    def lines(self):
        """(images, questions) as dictionaries of format, usage and listed formats."""
        done, seen = self.probe("images", KOBALT_VULKAN_LOADER=IMAGE_LOG)
        self.expect_drawn(done, seen)
        found = {"image": [], "question": []}
        for line in done.stderr.splitlines():
            kind, _, rest = line.partition(" ")
            if kind in found and rest.startswith("format="):
                found[kind].append({k: int(v) for k, v in (word.split("=") for word in rest.split())})
        return found["image"], found["question"]

    def test_depth_images_are_no_storage(self):
        """RADV gives HTILE to no image that shaders could write."""
        depths = [image for image in self.lines()[0] if image["usage"] & self.DEPTH]
        self.assertGreaterEqual(len(depths), 3)
        for image in depths:
            self.assertFalse(image["usage"] & self.STORAGE, image)

    def test_host_transfers_are_asked_for_with_the_list_of_formats(self):
        """ANV compresses images with a list, so only the question with the list tells what a transfer costs."""
        images, questions = self.lines()
        listed = {image["format"] for image in images if image["listed"]}
        self.assertTrue(listed, "no image has a list of its views' formats")
        asked = [question for question in questions if question["format"] in listed]
        self.assertTrue(any(question["listed"] for question in asked), questions)


class MissingExtensionTest(FaultTest):
    """Without an optional extension the same picture comes out another way."""

    def test_each_important_capability_can_be_missing(self):
        for name in ("descriptor_buffer", "push_descriptors", "graphics_pipeline_library", "extended_dynamic_state3",
                     "vertex_input_dynamic_state", "shader_object", "custom_border_color", "null_descriptor",
                     "robust_buffer_access2", "VK_EXT_descriptor_buffer"):
            with self.subTest(name):
                self.expect_drawn(*self.probe("draw", KOBALT_DISABLE=name))

    def test_all_of_them_at_once(self):
        self.expect_drawn(*self.probe("draw", KOBALT_DISABLE="descriptor_buffer,push_descriptors,"
                                      "graphics_pipeline_library,extended_dynamic_state3,vertex_input_dynamic_state,"
                                      "shader_object"))

    def test_what_gl_3_3_cannot_do_without_lowers_the_version(self):
        for name in ("transform_feedback", "geometry_shader"):
            with self.subTest(name):
                done, seen = self.probe("draw", KOBALT_DISABLE=name)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn("eglCreateContext", seen.get("context", ""))

    def test_unknown_name_is_reported_and_ignored(self):
        done, seen = self.probe("draw", KOBALT_DISABLE="no_such_capability")
        self.expect_drawn(done, seen)
        self.expect_message(done, "no_such_capability")


class CacheTest(FaultTest):
    """A cache that can't be used costs time, never a picture and never a file of the user's."""

    def test_corrupt_files(self):
        cache = self.folder / "pipelines"
        self.expect_drawn(*self.probe("draw", KOBALT_CACHE_DIR=str(cache)))
        files = [p for p in cache.rglob("*") if p.is_file()]
        self.assertTrue(files, "no cache file was written")
        for spoil in (lambda data: b"not a pipeline cache at all", lambda data: b"", lambda data: data[:len(data) // 2],
                      lambda data: data[:-8] + bytes(8), lambda data: bytes(b ^ 0x5A for b in data)):
            for path in files:
                if path.exists():
                    path.write_bytes(spoil(path.read_bytes()))
            done, seen = self.probe("draw", KOBALT_CACHE_DIR=str(cache))
            self.expect_drawn(done, seen)
            self.assertLessEqual(len(self.messages(done)), 2, done.stderr)

    def expect_kept(self, cache):
        """That there is one good file, with which the next run begins."""
        files = list(cache.rglob("*.bin"))
        self.assertEqual(len(files), 1)
        self.assertGreater(files[0].stat().st_size, 72, "a header without data")
        done, seen = self.probe("draw", KOBALT_CACHE_DIR=str(cache))
        self.expect_drawn(done, seen)
        self.assertEqual(self.messages(done), [])

    def test_a_program_that_is_killed_keeps_its_pipelines(self):
        cache = self.folder / "pipelines"
        env = dict(os.environ, EGL_PLATFORM="surfaceless", KOBALT_CACHE_DIR=str(cache), KOBALT_VALIDATION="0",
                   MESA_SHADER_CACHE_DISABLE="true")
        with subprocess.Popen([fault_case.PROBE, "stays"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as program:
            end = time.monotonic() + fault_case.TIMEOUT_S
            while not list(cache.rglob("*.bin")) and time.monotonic() < end:
                time.sleep(0.1)
            program.kill()
        self.expect_kept(cache)

    def test_a_program_that_exits_with_a_context_keeps_its_pipelines(self):
        cache = self.folder / "pipelines"
        done, _ = self.probe("leaves", KOBALT_CACHE_DIR=str(cache), KOBALT_VALIDATION="0")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.expect_kept(cache)

    def test_read_only_folder(self):
        cache = self.folder / "pipelines"
        cache.mkdir(mode=0o500)
        self.addCleanup(cache.chmod, 0o700)
        done, seen = self.probe("draw", KOBALT_CACHE_DIR=str(cache))
        self.expect_drawn(done, seen)
        self.assertLessEqual(len(self.messages(done)), 1, done.stderr)

    def test_folder_that_cannot_be_made(self):
        done, seen = self.probe("draw", KOBALT_CACHE_DIR="/proc/no-such-folder/pipelines")
        self.expect_drawn(done, seen)
        self.assertLessEqual(len(self.messages(done)), 1, done.stderr)

    def test_a_file_in_the_folders_place(self):
        blocker = self.folder / "pipelines"
        blocker.write_text("the user's own words")
        done, seen = self.probe("draw", KOBALT_CACHE_DIR=str(blocker))
        self.expect_drawn(done, seen)
        self.assertEqual(blocker.read_text(), "the user's own words")

    def test_full_disk(self):
        cache = self.folder / "pipelines"
        cache.mkdir()
        done, seen = self.probe("full-disk", KOBALT_CACHE_DIR=str(cache))
        self.expect_drawn(done, seen)
        self.assertEqual(seen.get("limited"), "yes")
        self.assertLessEqual(len(self.messages(done)), 1, done.stderr)
        leftover = [p for p in cache.rglob("*") if p.is_file() and p.stat().st_size <= 64 and p.name != "lock"]
        self.assertEqual(leftover, [], "half a file is left behind")
        # Whatever was left behind does no harm to the next run.
        self.expect_drawn(*self.probe("draw", KOBALT_CACHE_DIR=str(cache)))


class OutOfMemoryTest(FaultTest):
    def test_each_of_the_first_allocations(self):
        reported = 0
        for n in range(1, 13):
            with self.subTest(n):
                done, seen = self.probe("oom", KOBALT_FAULT="oom:%d" % n)
                if done.returncode == 3:
                    continue  # the allocation belonged to the screen: no context, and it said so
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
                if int(seen["out_of_memory"]) > 0:
                    reported += 1
                    self.expect_message(done, "memory")
                    self.assertEqual(seen.get("pixel"), "good", done.stdout + done.stderr)
        self.assertGreaterEqual(reported, 4, "hardly any failed allocation became GL_OUT_OF_MEMORY")


class LostDeviceTest(FaultTest):
    def test_robust_context_reports_a_reset(self):
        for n in (1, 3, 10):
            with self.subTest(n):
                done, seen = self.probe("lost", KOBALT_FAULT="lost:%d" % n)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(seen.get("reset"), ("guilty", "unknown"), done.stdout + done.stderr)
                self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
                self.expect_message(done, "lost")

    def test_breadcrumbs_name_the_draws_that_the_gpu_had_not_finished(self):
        """lavapipe has no markers, so they tell of passes: what the first submissions drew is begun, the third is not."""
        cache = self.folder / "cache"
        done, _ = self.probe("lost", KOBALT_FAULT="lost:3", KOBALT_DEBUG="breadcrumbs", KOBALT_CACHE_DIR=str(cache))
        told = re.search(r"a context recorded (\d+) commands; the GPU had begun (\d+) of them and finished (\d+):", done.stderr)
        self.assertTrue(told, done.stderr)
        recorded, begun, finished = map(int, told.groups())
        self.assertLess(begun, recorded, done.stderr)
        self.assertGreater(begun, 0, done.stderr)
        self.assertLessEqual(finished, begun, done.stderr)
        self.assertRegex(done.stderr, r' begun: pass \d+, 16 x 16, 1 colours, behind "frame \d+"')
        self.assertRegex(done.stderr, r' later: draw \d+, VS \S+, FS \S+, behind "frame \d+"')
        report = (cache / "device-lost.txt").read_text()
        self.assertIn("was lost in", report)
        self.assertIn(told[0], report)

    def test_without_breadcrumbs_a_loss_is_one_line(self):
        done, _ = self.probe("lost", KOBALT_FAULT="lost:3")
        self.assertNotIn("a context recorded", done.stderr)

    def test_plain_context_survives(self):
        done, seen = self.probe("lost-plain", KOBALT_FAULT="lost:3")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
        self.expect_message(done, "lost")


class TranslationTest(FaultTest):
    def test_a_shader_that_cannot_be_translated(self):
        for n in (1, 4, 9):
            with self.subTest(n):
                done, seen = self.probe("translate", KOBALT_FAULT="translate:%d" % n, MESA_SHADER_CACHE_DISABLE="true")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
                self.expect_message(done, "translat")
                told = int(seen["link_failures"]) + int(seen["errors"]) + int(seen["bad_draws"])
                self.assertGreater(told, 0, done.stdout)
                self.assertGreaterEqual(int(seen["good_draws"]), 10, done.stdout)


class RefusalTest(FaultTest):
    """What the Vulkan driver refuses to compile, or can't be translated: the link failed, with the reason."""

    def check(self, mode, reason, **options):
        done, seen = self.probe("refused-" + mode, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
        self.assertEqual(seen["link_failures"], "1", done.stdout + done.stderr)
        self.assertIn(reason, seen["info_log"])
        self.assertEqual(seen["used_all_the_same"], "0", "glUseProgram took what didn't link")
        self.assertEqual((seen["good_draws"], seen["bad_draws"]), ("11", "0"), done.stdout + done.stderr)
        done, seen = self.probe("unasked-" + mode, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
        self.expect_message(done, "draws", reason)
        self.assertEqual((seen["good_draws"], seen["bad_draws"]), ("11", "1"), done.stdout + done.stderr)

    def test_without_faults(self):
        for mode in ("graphics", "geometry", "compute"):
            with self.subTest(mode):
                done, seen = self.probe("refused-" + mode)
                self.assertEqual((seen.get("good_draws"), seen.get("end")), ("12", "reached"), done.stdout + done.stderr)

    def test_translation(self):
        for mode in ("graphics", "geometry", "compute"):
            with self.subTest(mode):
                self.check(mode, "can't be translated", KOBALT_FAULT="translate:12", MESA_SHADER_CACHE_DISABLE="true")

    def test_compute(self):
        self.check("compute", "VK_ERROR_UNKNOWN", KOBALT_FAULT="refuse:CS GLSL:6")

    def test_libraries(self):
        for mode, part in (("graphics", "pre-rasterisation"), ("graphics", "fragment"), ("geometry", "pre-rasterisation")):
            with self.subTest(mode + " " + part):
                self.check(mode, "VK_ERROR_UNKNOWN", KOBALT_FAULT="refuse:%s:6" % part)

    def test_parts_that_draws_make(self):
        """No link knows of them: their draws are skipped, with a message."""
        for part, switches in (("vertex input", {}), ("output", {}), ("linked", {}),
                               ("a graphics pipeline", {"KOBALT_DISABLE": "graphics_pipeline_library"})):
            with self.subTest(part):
                done, seen = self.probe("refused-graphics", KOBALT_FAULT="refuse:%s:1" % part, **switches)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
                self.assertEqual(seen["link_failures"], "0", done.stdout + done.stderr)
                self.expect_message(done, "VK_ERROR_UNKNOWN")

    def test_shader_objects_have_pipelines_behind_them(self):
        done, seen = self.probe("refused-graphics", KOBALT_FAULT="refuse:FS GLSL:3", KOBALT_SHADER_OBJECTS="all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((seen["link_failures"], seen["good_draws"]), ("0", "12"), done.stdout + done.stderr)
        self.expect_message(done, "pipelines serve")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--info")
    parser.add_argument("--image-log")
    options, rest = parser.parse_known_args()
    global INFO, IMAGE_LOG
    fault_case.PROBE, INFO, IMAGE_LOG = options.probe, options.info, options.image_log
    if os.environ.get("MESA_LOADER_DRIVER_OVERRIDE") != "kobalt":
        print("skipped: the environment does not select Kobalt", file=sys.stderr)
        return 77
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
