# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""spirv-val's own fault is told from ours, by a proof for each module."""
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.conformance import corpus, spirv_val

# Two outputs of a control shader at Location 3: the second one is a patch's, or another one of the vertices'.
CONTROL = """OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %main "main" %vertex %other
OpExecutionMode %main OutputVertices 3
OpDecorate %vertex Location 3
OpDecorate %other Location 3
{patch}
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%array = OpTypeArray %float %three
%vertex_type = OpTypePointer Output %array
%other_type = OpTypePointer Output {type}
%vertex = OpVariable %vertex_type Output
%other = OpVariable %other_type Output
%main = OpFunction %void None %function
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
SAID = ("12: Entry-point has conflicting output location assignment at location 14, component 0 "
        "  OpEntryPoint TessellationControl %4")


class Complaints(unittest.TestCase):
    def test_only_the_fault_itself(self):
        with mock.patch.object(spirv_val, "version", return_value="SPIRV-Tools v2023.1"):
            self.assertTrue(spirv_val.may_be_its_fault(SAID))
            for other in (SAID.replace("output", "input"), SAID.replace("TessellationControl", "TessellationEvaluation"),
                          SAID.replace("TessellationControl", "Vertex"), SAID.replace("conflicting", "no")):
                self.assertFalse(spirv_val.may_be_its_fault(other), other)
            self.assertTrue(spirv_val.may_be_its_fault(SAID.replace("output", "input").replace("Control", "Evaluation")))

    def test_a_newer_one_has_no_excuse(self):
        for name, has in (("SPIRV-Tools v2023.6", True), ("SPIRV-Tools v2024.1", True), ("SPIRV-Tools v2024.2", False),
                          ("SPIRV-Tools v2025.1", False), ("SPIRV-Tools", False)):
            self.assertEqual(spirv_val.has_fault(name), has, name)

    def test_only_patch_varyings_move(self):
        text = "OpDecorate %3 Patch\nOpDecorate %3 Location 7\nOpDecorate %4 Location 7\nOpDecorate %33 Location 1\n"
        self.assertEqual(spirv_val.apart(text), "OpDecorate %3 Patch\nOpDecorate %3 Location 1007\n"
                                                "OpDecorate %4 Location 7\nOpDecorate %33 Location 1\n")

    def test_the_proof(self):
        """Runs the real tools: a real conflict is still reported, a patch's is not."""
        if not shutil.which("spirv-as"):
            self.fail("spirv-as is missing: install the package spirv-tools")
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder) / "module.spv"

            def left(patch, kind):
                text = CONTROL.format(patch=patch, type=kind)
                said, code = spirv_val.said(["spirv-as", "--target-env", spirv_val.TARGET, "-o", str(module), "-"], input=text)
                self.assertEqual(code, 0, said)
                return spirv_val.complaint_without_fault(module)

            self.assertIsNone(left("OpDecorate %other Patch", "%float"))
            self.assertIn("no patch varying", left("", "%array"))


class Settling(unittest.TestCase):
    def row(self):
        return corpus.Row("\t".join(["invalid", "TCS", "full", "1.0", "10", "/p/a.shader_test", SAID]) + "\n")

    def settled(self, left):
        def dump(command, **how):
            (Path(command[2]) / "a.shader_test.TCS.full.spv").write_bytes(b"")

        row = self.row()
        with mock.patch.object(spirv_val, "version", return_value="SPIRV-Tools v2023.1"), \
                mock.patch.object(spirv_val, "complaint_without_fault", return_value=left), \
                mock.patch.object(corpus.subprocess, "run", dump):
            corpus.settle([row])
        return row

    def test_what_is_proven_is_disputed(self):
        self.assertEqual(self.settled(None).result, "disputed")

    def test_what_is_not_proven_stays_invalid(self):
        row = self.settled("a real conflict")
        self.assertEqual(row.result, "invalid")
        self.assertIn("a real conflict", row.reason)


if __name__ == "__main__":
    unittest.main()
