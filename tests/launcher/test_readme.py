# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite that types README.md's commands."""
import os
import tempfile
import unittest
from unittest import mock

import support
from kobalt_cli.suites import readme


class Readme(unittest.TestCase):
    def test_every_command_but_the_suite_itself_is_typed(self):
        lines = readme.commands((support.ROOT / "README.md").read_text())
        self.assertEqual([line for line in lines if readme.skipped(line, quick=False)], ["./kobalt test"])
        for line in ("./kobalt run", "./kobalt run -- glxgears", "./kobalt info", "./kobalt bundle"):
            self.assertIn(line, lines)
        self.assertTrue(any(readme.by_hand(line) for line in lines))
        # A command that removes things is only run with --dry-run.
        self.assertEqual([line for line in lines if "uninstall" in line], ["./kobalt uninstall --dry-run"])

    def test_what_is_not_typed_for_servers(self):
        """Commands that change the machine or need another one, and programs that are missing."""
        lines = readme.commands((support.ROOT / "docs/servers.md").read_text())
        with mock.patch.object(readme, "PROGRAMS", ()):
            left = [line.split()[0] for line in lines if readme.skipped(line, quick=False)]
        self.assertEqual(left, ["sudo", "docker", "docker", "docker", "sudo", "ssh"])
        self.assertGreater(len(lines), 2 * len(left))
        for part, path in readme.PROGRAMS:
            self.assertTrue(any(part in line for line in lines), part)
            with mock.patch.object(readme.os.path, "exists", return_value=False):
                self.assertIn("is missing", readme.skipped(part, quick=False))

    def test_what_is_not_typed_for_remote_gpus(self):
        lines = readme.commands((support.ROOT / "docs/remote.md").read_text())
        self.assertEqual([line.split()[0] for line in lines if readme.skipped(line, quick=False)], ["ssh"])
        self.assertEqual([line for line in lines if readme.is_window(line)], lines[1:])

    def test_servers_go_on_until_they_are_ended(self):
        self.assertTrue(readme.is_server("sleep 60 &"))
        servers = []
        with tempfile.NamedTemporaryFile("w") as log, mock.patch.object(readme, "SERVER_S", 0.5):
            self.assertIsNone(readme.serve("sleep 60 &", dict(os.environ), log, servers))
            self.assertIn("false &: ended with exit status 1", readme.serve("false &", dict(os.environ), log, servers))
        self.assertIsNone(servers[0].poll())
        for server in servers:
            readme.end(server)
        self.assertIsNotNone(servers[0].poll())

    def test_the_image_has_what_the_document_installs(self):
        text = (support.ROOT / "packaging/Dockerfile").read_text()
        typed = readme.commands((support.ROOT / "docs/servers.md").read_text())
        lines = [line for line in typed if line.startswith("sudo apt-get install ")]
        self.assertEqual(len(lines), 2)
        for package in " ".join(lines).replace("sudo apt-get install", "").split():
            self.assertRegex(text, r"\s%s\s" % package)

    def test_programs_in_windows_are_ended(self):
        self.assertTrue(readme.is_window("./kobalt run -- glxgears"))
        self.assertTrue(readme.is_window("GALLIUM_HUD=fps,kobalt-draws KOBALT_QUIET=1 ./kobalt run -- glxgears"))
        self.assertFalse(readme.is_window("./kobalt run --frames 60"))
        self.assertFalse(readme.is_window("echo ./kobalt run -- glxgears"))
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w") as log:
            program = os.path.join(folder, "kobalt")
            with open(program, "w") as file:
                file.write("#!/bin/sh\necho \"$HUD $*\"; exec sleep 60\n")
            os.chmod(program, 0o755)
            with mock.patch.object(readme.paths, "ROOT", folder), mock.patch.object(readme, "WATCHED_S", 0.5), \
                    mock.patch.object(readme, "doubt_of", return_value=None):
                self.assertIsNone(readme.run_line("HUD=fps ./kobalt run -- glxgears", dict(os.environ), log))
            with open(log.name) as file:
                self.assertIn("fps run -- glxgears\n", file.read())

    def test_a_stranger_finds_what_he_looks_for(self):
        text = (support.ROOT / "README.md").read_text()
        for word in ("Vulkan 1.3", "OpenGL 3.3", "4.6", "ES 3.2", "docs/features.md", "%command%", "Lutris", "Wine", "32-bit", "Wayland", "GALLIUM_HUD",
                     "black window", "wrong device", "No device", "./kobalt uninstall", "./kobalt report", "Ubuntu 24.04"):
            self.assertIn(word, text)

    def test_lines_that_go_on(self):
        self.assertEqual(readme.commands("```sh\na \\\n  b\n\nc\n```\n```\nno command\n```\n"), ["a    b", "c"])

    def test_a_failure_is_named(self):
        with tempfile.NamedTemporaryFile("w") as log:
            self.assertIsNone(readme.run_line("echo before", dict(os.environ), log))
            self.assertEqual(readme.run_line("echo why; exit 3", dict(os.environ), log),
                             "echo why; exit 3: exit status 3 (why)")
            self.assertEqual(readme.run_line("exit 3", dict(os.environ), log), "exit 3: exit status 3 (it said nothing)")


if __name__ == "__main__":
    unittest.main()
