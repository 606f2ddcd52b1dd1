# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt report: what a bug report needs is in it, and nothing that tells who the user is."""
import contextlib
import io
import os
import platform
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (sets the import path)
from kobalt_cli.lib import environment, paths, ui
from kobalt_cli.commands import main, report

LOG = """$ sudo env https_proxy=http://anna:geheim@proxy.firma.example:3128 apt-get -q update
Get:1 http://mirror.firma.example/debian bookworm InRelease [151 kB]
Err:2 http://mirror.firma.example/debian trixie InRelease
  Could not connect to mirror.firma.example:80 (10.20.30.40), connection timed out [IP: 10.20.30.40 80]
W: Temporary failure resolving 'mirror.firma.example'
c++ -I/home/anna/src/kobalt/src -I/home/anna/lib -o /home/anna/src/kobalt/build/x.o
warning: /media/anna/disk and anna@annas-pc.firma.example and annas-pc
the last line: banana
"""
INFO = """#!/bin/sh
echo "* 0  NVIDIA H200 (driver 580.159.4.0)"
echo "uuid 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
echo "cache: $HOME/.cache/kobalt" >&2
exit 3
"""


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.home = self.root / "home/anna"
        self.project = self.home / "src/kobalt"
        (self.project / "out/logs").mkdir(parents=True)
        (self.project / "build/prefix/bin").mkdir(parents=True)
        for name, value in (("ROOT", ""), ("LOGS", "out/logs"), ("OUT", "out"), ("PREFIX", "build/prefix")):
            self.enterContext(mock.patch.object(paths, name, self.project / value))
        self.program = paths.PREFIX / "bin/kobalt-info"
        self.program.write_text(INFO)
        self.program.chmod(0o755)
        log = LOG.replace("/home/anna", str(self.home))
        (paths.LOGS / "setup.log").write_text("".join("line %d of many\n" % i for i in range(100)) + log)
        self.enterContext(mock.patch.object(platform, "node", return_value="annas-pc.firma.example"))
        self.enterContext(mock.patch.object(report, "user_name", return_value="anna"))
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "KOBALT_DEVICE": "H200", "MESA_DEBUG": "context",
               "KOBALT_CACHE_DIR": str(self.home / "cache"), "VK_DRIVER_FILES": "/etc/anna.json", "SECRET_TOKEN": "geheim",
               "DISPLAY": "annas-pc:0"}
        self.enterContext(mock.patch.dict(os.environ, env, clear=True))
        self.enterContext(mock.patch.object(environment, "kobalt", side_effect=lambda: dict(os.environ)))

    def text(self):
        out = self.project / "out/kobalt-report.txt"
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(main.main(["report", "--out", str(out)]), 0)
        self.assertIn("kobalt-report.txt", said.getvalue())
        return out.read_text()

    def test_what_is_needed_is_there(self):
        text = self.text()
        for part in ("kobalt: 0", "Mesa: 25.0.7", "kernel: Linux %s" % os.uname().release, "Vulkan loader: ", "distribution: ",
                     "X11 display: set", "Wayland display: not set", "* 0  NVIDIA H200 (driver 580.159.4.0)",
                     "cache: ~/.cache/kobalt", "(exit status 3)", "== the end of out/logs/setup.log", "line 99 of many",
                     "the last line: banana", "http://ADDRESS/debian trixie InRelease"):
            self.assertIn(part, text)

    def test_switches_and_no_other_variables(self):
        block = self.text().split("== switches\n")[1].split("\n\n")[0].splitlines()
        self.assertEqual(block, ["KOBALT_CACHE_DIR=~/cache", "KOBALT_DEVICE=H200", "MESA_DEBUG=context",
                                 "VK_DRIVER_FILES=/etc/USER.json"])

    def test_nothing_private(self):
        text = self.text()
        for private in ("anna@", "/anna", "anna:", " anna ", "annas-pc", "firma", "geheim", "SECRET_TOKEN", "10.20.30.40",
                        "0f1e2d3c", str(self.home), str(self.root / "home")):
            self.assertNotIn(private, text)
        self.assertIn("c++ -I./src -I~/lib -o ./build/x.o", text)

    def test_only_the_ends_of_logs(self):
        text = self.text()
        self.assertNotIn("line %d of many" % (100 - report.LOG_LINES), text)

    def test_the_last_lost_device(self):
        self.assertNotIn("lost device", self.text())
        (self.home / "cache").mkdir()
        (self.home / "cache/device-lost.txt").write_text("the Vulkan device was lost in vkQueueSubmit2\na page fault\n")
        self.assertRegex(self.text(), r"== the last lost device\n\d{4}-.*\nthe Vulkan device was lost in vkQueueSubmit2\na page fault\n")

    def test_without_a_build(self):
        self.program.unlink()
        self.assertIn("== kobalt-info\nKobalt is not built here\n", self.text())

    def test_what_fails_is_reported_too(self):
        with mock.patch.object(environment, "kobalt", side_effect=ui.Stop("no environment for Kobalt")):
            self.assertIn("no environment for Kobalt", self.text())
        self.program.write_text("#!/bin/sh\nexec sleep 60\n")
        with mock.patch.object(report, "INFO_S", 0.2):
            self.assertIn("kobalt-info did not end within", self.text())

    def test_names_of_nobody_are_left(self):
        scrub = report.Scrubber("/root", "root", "localhost", "/srv/kobalt")
        self.assertEqual(scrub("root of /root/x on localhost in /srv/kobalt-2 and /srv/kobalt/a"),
                         "root of ~/x on localhost in /srv/kobalt-2 and ./a")
        self.assertEqual(report.Scrubber("/", "", "", "/x")("/usr/lib"), "/usr/lib")


if __name__ == "__main__":
    unittest.main()
