# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How the SPIR-V corpus is counted."""
import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli import corpus, status


def row(result, stage="", device="", file="a.shader_test", reason=""):
    return corpus.Row("\t".join([result, stage, device, "1.0", "10", file, reason]) + "\n")


class Counting(unittest.TestCase):
    def test_a_shader_is_as_good_as_its_worst_module(self):
        data, failures = corpus.summary([row("valid", "VS", "full"), row("invalid", "VS", "portable", reason="7: bad"),
                                         row("valid", "FS", "full"), row("valid", "FS", "portable")])
        self.assertEqual(data["stages"], {"VS": {"invalid": 1}, "FS": {"valid": 1}})
        self.assertEqual((data["files"], data["shaders"], data["modules"], data["valid"]), (1, 2, 4, 3))
        self.assertEqual(failures, [("a.shader_test", "VS, device portable: invalid: 7: bad")])

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

    def test_complaints_known_to_be_wrong_are_counted_apart(self):
        reason = ("12: Entry-point has conflicting output location assignment at location 14, component 0 "
                  "  OpEntryPoint TessellationControl %4")
        data, failures = corpus.summary([row("invalid", "TCS", "full", reason=reason)])
        self.assertEqual((data["stages"], failures), ({"TCS": {"disputed": 1}}, []))
        self.assertEqual((data["modules"], data["valid"], data["invalid"]), (1, 0, 0))
        self.assertEqual(list(data["wrong_complaints"].values()), [1])
        _, failures = corpus.summary([row("invalid", "GS", "full", reason=reason.replace("TessellationControl", "Geometry"))])
        self.assertEqual(len(failures), 1)

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


class Target(unittest.TestCase):
    def test_modules_are_checked_for_the_version_that_kobalt_asks_for(self):
        instance = (support.ROOT / "src/vulkan/instance.cpp").read_text()
        probe = (support.ROOT / "tests/spirv/probe.cpp").read_text()
        asked = re.search(r"\.apiVersion = VK_API_VERSION_(\d)_(\d);", instance).groups()
        checked = re.search(r"SPV_ENV_VULKAN_(\d)_(\d);", probe).groups()
        self.assertEqual(asked, checked)
        self.assertEqual(corpus.TARGET, "vulkan%s.%s" % asked)


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
