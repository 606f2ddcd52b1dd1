# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How the SPIR-V corpus is counted."""
import json
import re
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support
from kobalt_cli.conformance import corpus, corpus_driver, piglit_batches, piglit_run
from kobalt_cli.reports import status

ON = "kobalt: started, no validation layer is on\n"


def row(result, stage="", device="", file="a.shader_test", reason=""):
    return corpus.Row("\t".join([result, stage, device, "1.0", "10", file, reason]) + "\n")


class Counting(unittest.TestCase):
    def test_a_shader_is_as_good_as_its_worst_module(self):
        data, failures = corpus.summary([row("valid", "VS", "full"), row("invalid", "VS", "portable", reason="7: bad"),
                                         row("valid", "FS", "full"), row("valid", "FS", "portable")])
        self.assertEqual(data["stages"], {"VS": {"invalid": 1}, "FS": {"valid": 1}})
        self.assertEqual((data["files"], data["shaders"], data["modules"], data["valid"]), (1, 2, 4, 3))
        self.assertEqual(failures, [("a.shader_test", "VS, device portable: invalid: 7: bad")])

    def test_a_module_that_is_told_otherwise_than_it_declares_is_a_failure(self):
        data, failures = corpus.summary([row("misreported", "FS", "full", reason="binding 3 has other layers")])
        self.assertEqual((data["stages"], data["modules"], data["valid"], data["misreported"]), ({"FS": {"misreported": 1}}, 1, 0, 1))
        self.assertEqual(failures, [("a.shader_test", "FS, device full: misreported: binding 3 has other layers")])
        self.assertEqual(data["cells"], {"fragment shaders, full": {"bad": 1}})
        self.assertIn("1 differ", corpus.compared(data))
        self.assertEqual(corpus.compared({}), "")

    def test_what_is_not_there_yet_is_counted_once_a_shader(self):
        reason = "vertex shader: no SPIR-V for intrinsic shader_clock"
        data, failures = corpus.summary([row("refused", "VS", d, reason=reason) for d in ("full", "portable")])
        self.assertEqual(list(data["not_translated"].values()), [1])
        self.assertEqual(failures, [])

    def test_what_a_device_lacks_is_no_failure_of_the_translator(self):
        reason = "vertex shader: no SPIR-V for 64-bit floats, which the device does not have"
        rows = [row("valid", "VS", "full"), row("refused", "VS", "portable", reason=reason)]
        data, failures = corpus.summary(rows)
        self.assertEqual((data["stages"], data["not_translated"], failures), ({"VS": {"valid": 1}}, {}, []))
        _, failures = corpus.summary([row("refused", "VS", "full", reason=reason)])
        self.assertEqual(len(failures), 1)

    def test_complaints_proven_to_be_wrong_are_counted_apart(self):
        data, failures = corpus.summary([row("disputed", "TCS", "full", reason="12: conflicting")])
        self.assertEqual((data["stages"], failures), ({"TCS": {"disputed": 1}}, []))
        self.assertEqual((data["modules"], data["valid"], data["invalid"]), (1, 0, 0))
        self.assertEqual(list(data["wrong_complaints"].values()), [1])
        _, failures = corpus.summary([row("invalid", "TCS", "full", reason="12: conflicting")])
        self.assertEqual(len(failures), 1)

    def test_a_result_for_each_stage_on_each_device(self):
        data, _ = corpus.summary([row("valid", "VS", "full"), row("valid", "VS", "full", file="b"),
                                  row("invalid", "VS", "portable", reason="7: bad"), row("valid", "FS", "full"),
                                  row("died", file="c", reason="spirv::translate: died with signal 11")])
        self.assertEqual(data["cells"], {"vertex shaders, full": {"good": 2}, "vertex shaders, portable": {"bad": 1},
                                         "fragment shaders, full": {"good": 1}, "files shaders, read to their end": {"bad": 1}})

    def test_any_other_refusal_is_a_failure(self):
        data, failures = corpus.summary([row("refused", "FS", "full", reason="fragment shader: no SPIR-V for ALU fsin")])
        self.assertEqual(len(failures), 1)
        self.assertEqual(data["failures"], 1)

    def test_a_death_in_mesa_is_counted_and_one_of_ours_fails(self):
        rows = [row("died", reason="Mesa's compiler: takes too long"),
                row("died", file="b.shader_test", reason="spirv::translate: died with signal 11")]
        data, failures = corpus.summary(rows)
        self.assertEqual(data["not_compiled"], {"Mesa's compiler runs out of time or memory": 1})
        self.assertEqual(failures, [("b.shader_test", "spirv::translate: died with signal 11")])

    def test_files_without_shaders_are_grouped(self):
        rows = [row("skipped", file=str(i), reason=reason) for i, reason in enumerate((
            "SPIR-V source", "Mesa refuses it: 0:3(1): error: `a' undeclared", "Mesa refuses it: 0:9(2): error: `b' undeclared",
            "Mesa refuses it, as the test expects: error: one", "Mesa refuses it, as the test expects: error: two"))]
        data, _ = corpus.summary(rows)
        self.assertEqual(data["not_compiled"], {"SPIR-V source": 1, "Mesa refuses it: error: '…' undeclared": 2,
                                                "Mesa refuses it, as the test expects": 2})


OUTPUT = """PIGLIT TEST: 1 - a
PIGLIT: {"subtest": {"a" : "pass"}}
PIGLIT TEST: 2 - b
Probe color at (0,0)
PIGLIT: {"subtest": {"b" : "fail"}}
PIGLIT TEST: 3 - a
PIGLIT: {"subtest": {"a" : "skip"}}
"""


class Probes(unittest.TestCase):
    """The shader tests through the driver are judged by their own probes."""

    def test_each_test_of_a_batch_has_its_own_result(self):
        self.assertEqual(piglit_batches.read(OUTPUT + 'PIGLIT: {"result": "fail" }\n'), {1: "pass", 2: "fail", 3: "skip"})
        self.assertEqual(piglit_batches.read(OUTPUT + "PIGLIT TEST: 4 - d\n")[4], None)

    def named(self, *names):
        return [SimpleNamespace(name="spec@x@" + n, file=n, skip=False, command=["shader_runner", n]) for n in names]

    def batch(self, *answers):
        """The results of a batch of a, b, a where the program gives ANSWERS, (code, output) each."""
        with mock.patch.object(piglit_batches.piglit_run, "execute", side_effect=[(c, o, ON) for c, o in answers]):
            found = piglit_batches.run("shader_runner", self.named("a", "b", "c"), {"KOBALT_DEBUG": "announce"}, "/")
        return [(o.name[-1], o.result) for o in found]

    def test_a_failing_probe_fails(self):
        self.assertEqual(self.batch((1, OUTPUT)), [("a", "pass"), ("b", "fail"), ("c", "skip")])

    def test_a_crash_is_that_of_the_test_it_happened_in(self):
        begun = "".join(OUTPUT.splitlines(True)[:3])
        self.assertEqual(self.batch((-11, begun), (0, "PIGLIT TEST: 1 - c\nPIGLIT: {\"subtest\": {\"c\": \"pass\"}}\n")),
                         [("a", "pass"), ("b", "crash"), ("c", "pass")])
        self.assertEqual(self.batch((None, begun), (-6, "")), [("a", "pass"), ("b", "timeout"), ("c", "crash")])

    def test_silence_is_no_pass(self):
        self.assertEqual(self.batch((0, "")), [("a", "notrun"), ("b", "notrun"), ("c", "notrun")])

    def test_no_driver_no_pass(self):
        with mock.patch.object(piglit_batches.piglit_run, "execute", return_value=(0, OUTPUT, "")):
            found = piglit_batches.run("shader_runner", self.named("a", "b", "c"), {"KOBALT_DEBUG": "announce"}, "/")
        self.assertEqual([o.result for o in found], ["unseen", "fail", "skip"])

    def test_what_fails_is_judged_alone(self):
        alone = piglit_run.Outcome("spec@x@b", "pass")
        with mock.patch.object(piglit_batches.piglit_run, "execute", return_value=(1, OUTPUT, ON)), \
                mock.patch.object(piglit_batches.piglit_run, "run_one", return_value=alone) as again:
            found = piglit_batches.judge("shader_runner", self.named("a", "b", "c"), {"KOBALT_DEBUG": "announce"}, "/")
        self.assertEqual([o.result for o in found], ["pass", "pass", "skip"])
        self.assertEqual([call.args[0].name for call in again.call_args_list], ["spec@x@b"])

    def test_only_shader_tests_share_a_process(self):
        tests = [*self.named("a", "b"), SimpleNamespace(name="spec@x@c", file=None, skip=False, command=["c"]),
                 SimpleNamespace(name="spec@x@d", file="d", skip=True, command=["shader_runner", "d"])]
        batches, alone = piglit_batches.jobs(tests)
        self.assertEqual([test.name for test in alone], ["spec@x@c", "spec@x@d"])
        with mock.patch.object(piglit_batches, "judge", return_value=["judged"]) as judge:
            self.assertEqual([batch({}, "/") for batch in batches], [["judged"]])
        judge.assert_called_once_with("shader_runner", tests[:2], {}, "/", None)

    def test_one_result_for_a_group(self):
        outcomes = [piglit_run.Outcome("spec@one@" + n, r) for n, r in (("a", "pass"), ("b", "pass"), ("c", "skip"))]
        outcomes += [piglit_run.Outcome("spec@two@" + n, r) for n, r in (("a", "pass"), ("b", "fail"), ("c", "fail"))]
        result = corpus_driver.judged(outcomes, {"spec@one@c": ("skip", "why"), "spec@two@c": ("fail", "why")})
        self.assertEqual((result.line(), result.known), ("1 passed, 1 failed, 1 skipped", 1))
        self.assertEqual(result.notes, ["spec@two@b: fail (expected pass)"])
        unknown = corpus_driver.judged(outcomes[2:3], {"spec@one@c": ("skip", "not looked at yet")})
        self.assertEqual((unknown.line(), unknown.known), ("1 passed, 1 failed, 1 skipped", 0))


class Whole(unittest.TestCase):
    """The whole corpus runs if its result could differ from the recorded one."""

    def due(self, **recorded):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "corpus.json"
            if recorded:
                path.write_text(json.dumps(recorded))
            with mock.patch.object(corpus, "RECORD", path), mock.patch.object(corpus, "RESULT", Path(folder) / "none"), \
                    mock.patch.object(corpus, "digest", return_value="now"):
                return corpus.whole_is_due()

    def test_a_clean_record_of_just_this_state(self):
        self.assertIsNone(self.due(digest="now", failures=0))
        for recorded in ({}, {"failures": 0}, {"digest": "then", "failures": 0}, {"digest": "now", "failures": 1}):
            self.assertIsNotNone(self.due(**recorded), recorded)

    def test_the_digest_follows_the_translator_and_mesa(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in ("src/spirv/a.cpp", "tests/spirv/b.cpp", "subprojects/mesa.wrap", "src/vulkan/c.cpp"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("1")
            with mock.patch.object(corpus.paths, "ROOT", root), mock.patch.object(corpus, "files", return_value=[]):
                first = corpus.digest()
                (root / "src/vulkan/c.cpp").write_text("2")
                self.assertEqual(corpus.digest(), first)
                for name in ("src/spirv/a.cpp", "tests/spirv/b.cpp", "subprojects/mesa.wrap"):
                    (root / name).write_text("2")
                    self.assertNotEqual(corpus.digest(), first, name)
                    (root / name).write_text("1")
                with mock.patch.object(corpus.paths, "MESA_VERSION", "99"):
                    self.assertNotEqual(corpus.digest(), first)


class Target(unittest.TestCase):
    def test_modules_are_checked_for_a_version_that_kobalt_may_meet(self):
        # Vulkan 1.3 is the newest that Debian 12's SPIRV-Tools knows; Vulkan drivers may have more, so Kobalt
        # asks for more.
        instance = next(support.ROOT.glob("src/vulkan/**/instance.h")).read_text()
        probe = (support.ROOT / "tests/spirv/probe.cpp").read_text()
        asked = re.search(r"newest_api_version = VK_API_VERSION_(\d)_(\d);", instance).groups()
        checked = re.search(r"SPV_ENV_VULKAN_(\d)_(\d);", probe).groups()
        self.assertEqual(checked, ("1", "3"))
        self.assertGreaterEqual(asked, checked)
        self.assertEqual(corpus.TARGET, "vulkan%s.%s" % checked)


class Status(unittest.TestCase):
    def test_the_section_shows_every_count(self):
        data, _ = corpus.summary([row("valid", "VS", "full"), row("refused", "CS", "full", reason="intrinsic shader_clock"),
                                  row("skipped", file="b", reason="SPIR-V source")])
        data.update(seconds=2.5, jobs=1, validator="SPIRV-Tools v1")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(status.paths, "OUT", Path(folder)), \
                mock.patch.object(status, "KEPT", Path(folder) / "kept"):
            (Path(folder) / "corpus.json").write_text(json.dumps(data))
            text = status.corpus_section()
        for piece in ("| vertex | 1 | 1 | 0 | 0 | 0 |", "| compute | 1 | 0 | 0 | 0 | 1 |", "| GL_ARB_shader_clock | 1 |",
                      "| SPIR-V source | 1 |", "SPIRV-Tools v1"):
            self.assertIn(piece, text)


if __name__ == "__main__":
    unittest.main()
