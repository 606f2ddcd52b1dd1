# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""docs/features.md: what drivers said is read, compared and explained."""
import contextlib
import io
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import gpu, ui
from kobalt_cli.conformance import features, features_report
from kobalt_cli.commands import main

SAID = """egl\tversion\t1.5
egl\textensions\tEGL_KHR_image
core\tversion\t%(gl)s (Core Profile) Mesa 25.0.7
core\trenderer\t%(renderer)s
core\textensions\tGL_ARB_a GL_ARB_b
compat\tversion\t%(gl)s (Compatibility Profile) Mesa 25.0.7
compat\textensions\tGL_ARB_a %(more)s
es1\tnone\teglCreateContext 1.0: error 0x3003
es2\tversion\tOpenGL ES 3.1 Mesa 25.0.7
es3\tversion\tOpenGL ES 3.1 Mesa 25.0.7
es3\textensions\tGL_OES_c
noise
"""
KOBALT = SAID % {"gl": "4.5", "renderer": "a device (Kobalt)", "more": ""}
ZINK = SAID % {"gl": "4.6", "renderer": "zink Vulkan 1.4(a device)", "more": "GL_ARB_b GL_ARB_z"}
REASONS = [("OpenGL 4.6 *", ["*"], "not built"), ("GL_ARB_z", ["AMD"], "theirs"), ("GL_ARB_*", ["lavapipe"], "ours")]


def record(name="lavapipe"):
    return features.record_of(name, {"kobalt": features.Said(KOBALT), "zink": features.Said(ZINK)})


class Records(unittest.TestCase):
    def test_what_the_probe_prints_is_read(self):
        said = features.Said(ZINK)
        self.assertEqual(said.extensions, {"EGL_KHR_image": "e", "GL_ARB_a": "cp", "GL_ARB_b": "cp", "GL_ARB_z": "p", "GL_OES_c": "3"})
        self.assertEqual([said.version(c) for c in ("core", "es1", "es3")], ["4.6", "none", "3.1"])

    def test_the_kernel_is_left_out(self):
        said = features.Said("core\trenderer\tAMD Graphics (radeonsi, navi31, LLVM 15.0.6, DRM 3.49, 6.1.0-amd64)\n")
        self.assertEqual(said.renderer(), "AMD Graphics (radeonsi, navi31, LLVM 15.0.6, DRM 3.49)")

    def test_a_record_is_kept_whole(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(features_report, "FOLDER", Path(folder)):
            features_report.write(record())
            again = features_report.read(Path(folder) / "lavapipe.tsv")
        self.assertEqual((again.extensions, again.head), (record().extensions, record().head))

    def test_another_driver_is_not_taken_for_kobalt(self):
        with self.assertRaisesRegex(ui.Stop, "the renderer is zink"):
            features.require("kobalt", features.Said(ZINK), "lavapipe")
        with self.assertRaisesRegex(ui.Stop, r"the renderer is a device \(Kobalt\)"):
            features.require("native", features.Said(KOBALT), None)
        features.require("kobalt", features.Said(KOBALT), "lavapipe")

    def test_a_peer_that_is_another_driver_is_left_out(self):
        answers = {"kobalt": features.Said(KOBALT), "zink": features.Said(SAID % {"gl": "4.5", "renderer": "llvmpipe (LLVM)", "more": ""}),
                   "native": features.Said(SAID % {"gl": "4.6", "renderer": "Some GPU", "more": ""})}
        for kobalt, drivers in ((KOBALT, ["kobalt", "native"]), (ZINK, None)):
            answers["kobalt"] = features.Said(kobalt)
            with mock.patch.object(features, "drivers_of", return_value=list(answers)), mock.patch.object(features, "environment_of", side_effect=lambda _, d: d), \
                    mock.patch.object(features, "ask", side_effect=lambda driver: (answers[driver], "")), \
                    mock.patch.object(features, "keep", side_effect=lambda one: one), contextlib.redirect_stderr(io.StringIO()) as said:
                if drivers:
                    self.assertEqual(features.measure(None, "box").drivers(), drivers)
                    self.assertIn("zink should answer", said.getvalue())
                else:
                    with self.assertRaises(ui.Stop):
                        features.measure(None, "box")

    def test_a_bundle_s_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            native = SAID % {"gl": "4.6.0 NVIDIA 580.1", "renderer": "NVIDIA H200", "more": ""}
            file.write("".join("kobalt\t%s\n" % one for one in KOBALT.splitlines()) + "".join("native\t%s\n" % one for one in native.splitlines()))
            file.flush()
            found = features.read_bundle(file.name, "h200")
        self.assertEqual((found.drivers(), found.version("native", "core"), found.native()), (["kobalt", "native"], "4.6", "NVIDIA's own GL"))
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file, self.assertRaisesRegex(ui.Stop, "no line of Kobalt's"):
            features.read_bundle(file.name, "h200")
        with self.assertRaisesRegex(ui.Stop, "can't be read"):
            features.read_bundle("/nowhere/x", "h200")

    def test_names(self):
        for name in ("h200", "rtx-4090"):
            features.check_name(name)
        for name in ("H200", "../x", "tgl", "lavapipe", ""):
            with self.assertRaises(ui.Stop):
                features.check_name(name)
        args = main.parser().parse_args(["features", "--only", "voodoo"])
        with self.assertRaisesRegex(ui.Stop, "no device voodoo"):
            features.wanted(args)

    def test_a_driver_that_dies_loses_only_the_rest(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("import os\nprint('core\\tversion\\t4.6', flush=True)\nos.abort()\n")
            file.flush()
            with mock.patch.object(features, "PROBE", file.name):
                said, trouble = features.ask({})
        self.assertEqual(said.version("core"), "4.6")
        self.assertIn("status -6", trouble)


class Bundled(unittest.TestCase):
    def test_the_bundle_asks_both_drivers(self):
        """The bundle's launcher, with an environment and a probe that print what they got."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "share/kobalt").mkdir(parents=True)
            shutil.copy2(support.ROOT / "tools/bundle/kobalt", root / "kobalt")
            (root / "share/kobalt/environment.sh").write_text("kobalt_environment() { export DRAWS='NVIDIA H200 (Kobalt)'; }\n")
            (root / "share/kobalt/features_probe.py").write_text(
                "import os\nprint('core\\trenderer\\t' + os.environ.get('DRAWS', 'NVIDIA H200'))\nprint('core\\tversion\\t4.5')\n")
            done = subprocess.run([str(root / "kobalt"), "features"], stdout=subprocess.PIPE, text=True)
            (root / "said.tsv").write_text(done.stdout)
            found = features.read_bundle(root / "said.tsv", "h200")
        self.assertEqual(done.returncode, 0)
        self.assertEqual([found.head[d + " renderer"] for d in found.drivers()], ["NVIDIA H200 (Kobalt)", "NVIDIA H200"])

    def test_the_probe_is_in_the_bundle(self):
        self.assertIn('"features_probe.py"', (support.ROOT / "tools/kobalt_cli/setup/bundle.py").read_text())


class Gaps(unittest.TestCase):
    def test_what_only_a_peer_has_in_any_context_is_missing(self):
        self.assertEqual(features_report.missing_of(record()), {
            "OpenGL 4.6 core": ["zink"], "OpenGL 4.6 compatibility": ["zink"], "GL_ARB_b": ["zink"], "GL_ARB_z": ["zink"]})

    def test_each_wants_its_own_reason(self):
        found = [record(), record("navi31")]
        table, used = features_report.gaps(found, REASONS)
        self.assertEqual(table["GL_ARB_z"].reasons, {"ours": ["lavapipe"], "theirs": ["navi31"]})
        self.assertEqual(features_report.unexplained(table), ["GL_ARB_b (navi31)"])
        self.assertEqual(used, {0, 1, 2})

    def test_what_no_driver_of_mesa_has_may_be_explained_at_once(self):
        native = features.Said((SAID % {"gl": "4.6", "renderer": "NVIDIA H200", "more": "GL_NV_path GL_ARB_b"}).replace("Mesa 25.0.7", "NVIDIA 580.1"))
        found = [record(), features.record_of("h200", {"kobalt": features.Said(KOBALT), "native": native})]
        reasons = [*REASONS, ("*", [features_report.BEYOND_MESA], "beyond")]
        table, _ = features_report.gaps(found, reasons)
        self.assertEqual(table["GL_NV_path"].reasons, {"beyond": ["h200"]})
        # BEYOND_MESA explains neither extensions that Mesa's drivers have, nor versions.
        self.assertEqual(features_report.unexplained(table), ["GL_ARB_b (h200)"])
        self.assertEqual(table["OpenGL 4.6 core"].reasons, {"not built": ["lavapipe", "h200"]})

    def test_the_page(self):
        found = [record(), record("navi31"), record("pitcairn")]
        text = features_report.document(found, features_report.gaps(found, REASONS)[0])
        self.assertIn("| lavapipe | Kobalt | 4.5 | 4.5 | 3.1 | — |", text)
        self.assertIn("| GL_ARB_b | zink | lavapipe, all of AMD's | ours (lavapipe); **no reason is written down** (all of AMD's) |", text)
        self.assertIn("| GL_ARB_b | core | yes | 2 | 2 |", text)
        self.assertIn("| GL_OES_c | 3 | 3 | 2 | 2 |", text)

    def test_a_gap_without_a_reason_fails_the_command(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(features_report, "FOLDER", Path(folder)), \
                mock.patch.object(features_report, "DOCUMENT", features_report.paths.ROOT / "out/features-test.md"), \
                mock.patch.object(Path, "write_text"), contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            features_report.write(record())
            for reasons, code in ((REASONS, 0), (REASONS[:1], 1)):
                with mock.patch.object(features_report, "read_reasons", return_value=reasons):
                    self.assertEqual(features_report.write_document(), code)
        self.assertIn("over: GL_ARB_z on AMD", out.getvalue())
        self.assertIn("no reason in tools/features-reasons.tsv: GL_ARB_b (lavapipe)", err.getvalue())

    def test_a_line_without_a_reason_is_refused(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("GL_ARB_a\t*\t \n")
            file.flush()
            with mock.patch.object(features_report, "REASONS", Path(file.name)), self.assertRaises(ValueError):
                features_report.read_reasons()


class Kept(unittest.TestCase):
    """The project's own records and reasons."""

    def test_each_gap_has_a_reason(self):
        table, _ = features_report.gaps(features_report.records(), features_report.read_reasons())
        self.assertEqual(features_report.unexplained(table), [])

    def test_every_device_is_recorded(self):
        names = [one.name for one in features_report.records()]
        self.assertLessEqual({"lavapipe", "swiftshader", *gpu.names()}, set(names))
        self.assertEqual(names[:2], ["lavapipe", "swiftshader"])

    def test_the_page_is_that_of_the_records(self):
        found = features_report.records()
        text = features_report.document(found, features_report.gaps(found, features_report.read_reasons())[0])
        self.assertEqual((support.ROOT / "docs/features.md").read_text(encoding="utf-8"), text, "run ./kobalt features --write")


if __name__ == "__main__":
    unittest.main()
