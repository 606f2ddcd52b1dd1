# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A result counts only if the output shows that Kobalt drew, and that the validation layer was on."""
import re
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

import support
from kobalt_cli.lib import labels, tally, ui, witness
from kobalt_cli.conformance import piglit, piglit_run, piglit_tests
from kobalt_cli.workloads import apps, bench
from kobalt_cli.suites import programs, readme

ON = "MESA: info: kobalt: started, VK_LAYER_KHRONOS_validation is on\n"
OFF = "MESA: info: kobalt: started, no validation layer is on\n"
SYNC = "kobalt: started, VK_LAYER_KHRONOS_validation is on, with synchronisation\n"
PASS = "print('PIGLIT: {\"result\": \"pass\" }')\n"


def running(code, **env):
    """The Outcome of a test that is the Python program CODE."""
    test = SimpleNamespace(name="spec@a@b", skip=False, command=[sys.executable, "-c", code])
    return piglit_run.run_one(test, dict(env), 20.0, "/")


def saying(text):
    return PASS + "import sys; sys.stderr.write(%r)" % text


class Announcements(unittest.TestCase):
    def test_the_driver_says_what_is_read(self):
        """The driver's source has the words that witness.py looks for."""
        source = next(support.ROOT.glob("src/vulkan/**/instance.cpp")).read_text()
        self.assertIn('has_debug("announce")', source)
        text = re.search(r'has_debug\("announce"\).*?\n    }', source, re.DOTALL)[0]
        said = re.findall(r'"([^"]*)"', text)
        off = next(s for s in said if "no validation" in s)
        self.assertEqual(witness.weakest("kobalt: %s\n" % off), witness.PLAIN)
        on = "started, " + witness.LAYER + next(s for s in said if s.startswith(" is on"))
        self.assertEqual(witness.weakest("kobalt: %s\n" % on), witness.VALIDATED)
        sync = next(s for s in said if "synchronisation" in s)
        self.assertEqual(witness.weakest("kobalt: %s%s\n" % (on, sync)), witness.SYNCHRONISED)
        self.assertIn('validation_layer = "%s"' % witness.LAYER, source)

    def test_the_weakest_process_counts(self):
        self.assertIsNone(witness.weakest("nothing\n"))
        self.assertEqual(witness.weakest(ON + OFF), witness.PLAIN)
        self.assertEqual(witness.weakest(SYNC + ON), witness.VALIDATED)
        self.assertEqual(witness.weakest(SYNC), witness.SYNCHRONISED)

    def test_what_is_needed_follows_from_the_environment(self):
        self.assertEqual(witness.needed({}), witness.PLAIN)
        self.assertEqual(witness.needed({"KOBALT_VALIDATION": "1"}), witness.VALIDATED)
        self.assertEqual(witness.needed({"KOBALT_VALIDATION": "1", "KOBALT_DEBUG": "sync,names"}), witness.SYNCHRONISED)
        self.assertEqual(witness.needed({"KOBALT_VALIDATION": "0", "KOBALT_DEBUG": "sync"}), witness.PLAIN)

    def test_validated_runs_ask_for_the_layer_without_its_limit(self):
        for sync, level in ((False, witness.VALIDATED), (True, witness.SYNCHRONISED)):
            env = piglit.test_environment("llvmpipe", "lavapipe", [], True, [], sync)
            self.assertEqual(witness.needed(env), level)
            self.assertEqual(env["VK_LAYER_ENABLE_MESSAGE_LIMIT"], "false")

    def test_words_of_the_caller_stay(self):
        env = witness.announcing({"KOBALT_DEBUG": "sync"})
        self.assertEqual(env["KOBALT_DEBUG"], "sync,announce")
        self.assertEqual(witness.announcing(env), env)


class Piglit(unittest.TestCase):
    VALIDATED = {"KOBALT_DEBUG": "announce", "KOBALT_VALIDATION": "1"}

    def test_no_driver_no_pass(self):
        self.assertEqual(running(PASS, KOBALT_DEBUG="announce").result, "unseen")
        self.assertEqual(running(saying(OFF), KOBALT_DEBUG="announce").result, "pass")
        self.assertEqual(running(PASS).result, "pass", "peers announce nothing")

    def test_no_layer_no_pass(self):
        outcome = running(saying(OFF), **self.VALIDATED)
        self.assertEqual(outcome.result, "unseen")
        self.assertIn("VK_LAYER_KHRONOS_validation was not on", outcome.output)
        self.assertEqual(running(saying(ON), **self.VALIDATED).result, "pass")

    def test_no_synchronisation_no_pass(self):
        env = dict(self.VALIDATED, KOBALT_DEBUG="sync,announce")
        self.assertEqual(running(saying(ON), **env).result, "unseen")
        self.assertEqual(running(saying(SYNC), **env).result, "pass")

    def test_a_failure_stays_one(self):
        self.assertEqual(running("raise SystemExit(1)", KOBALT_DEBUG="announce").result, "fail")

    def test_what_starts_no_driver_may_pass_without(self):
        with mock.patch.object(piglit_tests, "without_driver", return_value={"spec@a@b"}):
            self.assertEqual(running(PASS, KOBALT_DEBUG="announce").result, "pass")

    def test_an_unseen_test_is_a_surprise(self):
        from kobalt_cli.suites import suites
        result = suites.piglit_result("smoke", [piglit_run.Outcome("a", "unseen"), piglit_run.Outcome("b", "pass")], {})
        self.assertEqual(result.line(), "1 passed, 1 failed, 0 skipped")


class GlTests(unittest.TestCase):
    def judged(self, text, **env):
        result = tally.Tally(passed=3)
        programs.judge_gl_output(result, "gl", text, dict(env, KOBALT_DEBUG=env.get("KOBALT_DEBUG", "announce")))
        return result

    def test_zero_messages_without_the_layer_is_a_failure(self):
        self.assertEqual(self.judged(OFF, KOBALT_VALIDATION="1").failed, 1)
        self.assertEqual(self.judged("", KOBALT_VALIDATION="1").failed, 1)
        self.assertEqual(self.judged(ON, KOBALT_VALIDATION="1").failed, 0)
        self.assertEqual(self.judged(OFF, KOBALT_VALIDATION="0").failed, 0)
        self.assertEqual(self.judged(ON, KOBALT_VALIDATION="1", KOBALT_DEBUG="sync,announce").failed, 1)

    def test_messages_fail(self):
        result = self.judged(ON + "kobalt: validation: VUID-1: text\nkobalt: validation: VUID-1: text\n", KOBALT_VALIDATION="1")
        self.assertEqual(result.notes, ["gl: validation: VUID-1"])


class Renderers(unittest.TestCase):
    def test_every_driver_by_its_own_name(self):
        """The name of the device behind the driver must not count: lavapipe is called llvmpipe."""
        names = {"kobalt": "llvmpipe (LLVM 15.0.6, 256 bits, Kobalt)", "llvmpipe": "llvmpipe (LLVM 15.0.6, 256 bits)",
                 "zink": "zink Vulkan 1.4(llvmpipe (LLVM 15.0.6, 256 bits) (MESA_LLVMPIPE))"}
        for driver in names:
            for other, renderer in names.items():
                self.assertEqual(witness.is_of(renderer, driver), driver == other, (driver, renderer))

    def test_kobalt_stands_behind_the_device(self):
        """As src/gallium/screen/names.h writes it; the word alone shows nothing."""
        for renderer in ("NVIDIA H200 (Kobalt)", "AMD Radeon RX 6800 (RADV NAVI21, Kobalt)", "Intel(R) Arc(TM) (Kobalt)",
                         "Virtio-GPU Venus (llvmpipe (LLVM 15.0.6, 256 bits), Kobalt)"):
            self.assertTrue(witness.is_of(renderer, "kobalt"), renderer)
        for renderer in ("Kobalt", "Kobalt (llvmpipe)", "NVIDIA H200/PCIe/SSE2", "Voodoo (no Kobalt)", "llvmpipe (LLVM 15.0.6)",
                         "zink Vulkan 1.4 (Kobalt)", "none"):
            self.assertFalse(witness.is_of(renderer, "kobalt"), renderer)

    def test_another_renderer_stops_the_run(self):
        with mock.patch.object(witness, "renderer_of", return_value="llvmpipe (LLVM 15)"):
            for name in ("kobalt", "zink"):
                with self.assertRaises(ui.Stop):
                    witness.require(name, {})
            self.assertEqual(witness.require("llvmpipe", {}), "llvmpipe (LLVM 15)")
        with mock.patch.object(witness, "renderer_of", return_value="none"), self.assertRaises(ui.Stop):
            witness.require("system", {})

    def test_piglit_asks_before_it_runs(self):
        """No test is run, and no table written, where another driver would draw."""
        with mock.patch.object(witness, "renderer_of", return_value="softpipe"), self.assertRaises(ui.Stop), \
                mock.patch.object(piglit_run, "run_all") as ran, \
                mock.patch.object(piglit.xserver, "VirtualDisplay") as display:
            display.return_value.__enter__.return_value.name = ":99"
            piglit.run(["a"], "nothing", {}, 1, 1.0)
        ran.assert_not_called()

    def test_the_demo_says_who_drew(self):
        text = "renderer: NVIDIA H200 (Kobalt)\nversion: 3.3 (Core Profile) Mesa 25.0.7\n"
        self.assertEqual(bench.drew(text), ("NVIDIA H200 (Kobalt)", "Mesa 25.0.7"))
        self.assertEqual(bench.drew("nothing"), ("none", "an unknown version"))


class Readme(unittest.TestCase):
    def test_programs_must_have_started_kobalt(self):
        for line in ("./kobalt run", "./kobalt run -- glxgears", "./kobalt run --frames 60"):
            self.assertIsNotNone(readme.doubt_of(line, "60 frames\n"), line)
            self.assertIsNone(readme.doubt_of(line, OFF), line)

    def test_info_must_name_kobalt(self):
        good = "  OpenGL core: 3.3 (Core Profile) Mesa 25.0.7, GLSL 3.30, llvmpipe (LLVM 15.0.6, Kobalt) (Mesa)\n"
        for line in ("./kobalt info", "VK_DRIVER_FILES=a out/kobalt-*/kobalt info"):
            self.assertIsNone(readme.doubt_of(line, good), line)
            self.assertIsNotNone(readme.doubt_of(line, good.replace(", Kobalt", "")), line)
        self.assertIsNone(readme.doubt_of("./kobalt bundle", ""))


class Programs(unittest.TestCase):
    def test_a_program_without_kobalt_is_in_trouble(self):
        for said, trouble in (("", True), (OFF, False)):
            code, text = apps.execute([sys.executable, "-c", "import sys; sys.stderr.write(%r)" % said],
                                      {"KOBALT_DEBUG": "announce"}, 20)
            self.assertEqual((code, bool(apps.TROUBLE.search(text))), (0, trouble), text)


class Labels(unittest.TestCase):
    REPORT = ("Vulkan devices\n  0  SwiftShader Device\n     CPU, 1 GiB of device memory, Vulkan 1.3.0, driver SwiftShader 5\n"
              "* 1  llvmpipe (LLVM 15.0.6, 256 bits)\n     CPU, 24.0 GiB of device memory, Vulkan 1.4.305, driver llvmpipe "
              "Mesa 25.0.7-2 (LLVM 15.0.6)\n     uuid 6d, score 1\n")

    def test_a_run_that_goes_on_says_since_when(self):
        self.assertEqual(labels.since({"day": "2026-11-23"}, "2026-11-23"), {})
        self.assertEqual(labels.since({}, "2026-11-23"), {})
        self.assertEqual(labels.since({"day": "2026-11-22"}, "2026-11-23"), {"since": "2026-11-22"})
        self.assertEqual(labels.since({"since": "2026-11-20", "day": "2026-11-22"}, "2026-11-23"), {"since": "2026-11-20"})
        self.assertEqual(labels.days({"since": "2026-11-20", "day": "2026-11-23"}), "2026-11-20 to 2026-11-23")
        self.assertEqual(labels.days({"day": "2026-11-23"}), "2026-11-23")

    def test_the_chosen_device_and_its_driver(self):
        self.assertEqual(labels.parse_device(self.REPORT),
                         "llvmpipe (LLVM 15.0.6, 256 bits), driver llvmpipe Mesa 25.0.7-2 (LLVM 15.0.6)")
        self.assertIsNone(labels.parse_device("Vulkan devices\n"))

    def test_a_head_reads_as_it_was_written(self):
        import tempfile
        from pathlib import Path
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.tsv"
            path.write_text(labels.write_head({"device": "a b", "day": "2026-11-22"}) + "spec@a\tpass\t0.10\t\n")
            self.assertEqual(labels.read_head(path), {"device": "a b", "day": "2026-11-22"})
            self.assertEqual([o.name for o in piglit.read_results(path)], ["spec@a"])
        self.assertEqual(labels.on({}), labels.UNKNOWN)

    def test_rounds(self):
        self.assertEqual((labels.rounds(1), labels.rounds(3)), ("one round", "median of 3 rounds"))

    def test_no_version_is_typed(self):
        """What a table or a page says of versions and devices comes from a run."""
        for name in ("bench", "overhead", "status", "profiles", "piglit", "labels"):
            text = next((support.ROOT / "tools/kobalt_cli").rglob(name + ".py")).read_text()
            self.assertNotRegex(text, r"\d+\.\d+\.\d+|MESA_VERSION|lavapipe \d|H200", name)


if __name__ == "__main__":
    unittest.main()
