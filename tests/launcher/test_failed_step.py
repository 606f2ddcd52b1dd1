# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A step of the set-up that fails: what is named, and what it is put down to."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (sets the import path)
from kobalt_cli.lib import paths, ui
from kobalt_cli.setup import system_packages


class FailedStep(unittest.TestCase):
    """A command of the set-up that fails is named, and not what it was started by."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=str(paths.ROOT))
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.enterContext(mock.patch.object(paths, "LOGS", self.root))

    def failed(self, said):
        """The line that the user reads after an apt-get that says SAID."""
        apt = self.root / "apt-get"
        apt.write_text("#!/bin/sh\nprintf '%s'; exit 100\n" % said)
        apt.chmod(0o755)
        with mock.patch.object(system_packages.os, "geteuid", return_value=0), contextlib.redirect_stderr(io.StringIO()), \
                self.assertRaises(ui.Stop) as stop:
            ui.run(system_packages.undisturbed_root([str(apt), "-q", "install", "x"]), "installing packages")
        return str(stop.exception)

    def test_the_program_and_its_reason(self):
        self.assertRegex(self.failed("dpkg: error processing package x (--configure):\\n installed x package post-installation script "
                                     "subprocess returned error exit status 1\\nE: Sub-process /usr/bin/dpkg returned an error code (1)\\n"),
                         r"^apt-get failed while installing packages \(dpkg: error processing package x \(--configure\): installed x "
                         r"package .* exit status 1\); the whole output is in .*setup.log$")
        self.assertIn("apt-get failed while installing packages (E: odd); ", self.failed("E: odd\\n"))
        self.assertRegex(self.failed(""), "^apt-get failed while installing packages; ")

    def test_no_terminals(self):
        self.assertIn("mount -t devpts", self.failed("E: Can not write log (Is /dev/pts mounted?) - posix_openpt (2: No such file)\\n"))
        self.assertIn("mount -t devpts", self.failed("sudo: unable to allocate pty: No such device\\n"))
        with mock.patch.object(ui, "run") as command, mock.patch.object(system_packages.os, "geteuid", return_value=0):
            system_packages.fetch_and_install(["x"])
        for call in command.call_args_list:
            self.assertIn("Dpkg::Use-Pty=0", call.args[0])

    def test_scripts_of_packages_can_print(self):
        """apt closes the descriptor of its status lines for dpkg, whose children print."""
        apt = self.root / "apt-get"
        apt.write_text("#!/bin/sh\nfor word; do case $word in APT::Status-Fd=*) fd=${word#*=} ;; esac; done\n"
                       "eval \"echo 'pmstatus:x:50.0:Unpacking' >&$fd\"\n"
                       "eval \"exec $fd>&-\"\nsh -c 'echo \"Setting up x ...\"'\n")
        apt.chmod(0o755)
        shown = []
        with mock.patch.object(system_packages.os, "geteuid", return_value=0), \
                mock.patch.dict("os.environ", {"PATH": "%s:/usr/bin:/bin" % self.root}), \
                mock.patch.object(ui.Progress, "update", lambda progress, done, of: shown.append(done)):
            system_packages.fetch_and_install(["x"])
        self.assertEqual(shown, [50, 50])
        self.assertEqual((self.root / "setup.log").read_text(encoding="utf-8").count("\nSetting up x ...\n"), 2)

    def test_names(self):
        self.assertEqual(ui.named(["sudo", "env", "A=b c", "sh", "-c", 'exec "$@"', "sh", "dpkg", "--configure", "-a"]), "dpkg")
        self.assertEqual(ui.named(["sh", "-c", 'trap "" INT', "sh", "sh", "-c", 'exec "$@" 3>&1', "sh", "apt-get", "-q"]), "apt-get")
        self.assertEqual(ui.named(["/usr/bin/python3", "/x/meson", "setup"]), "meson")
        self.assertEqual(ui.named(["sh", "-c", "echo 1"]), "sh")
        self.assertEqual(ui.cause("x\nmeson.build:3:0: ERROR: no\n"), " (meson.build:3:0: ERROR: no)")


if __name__ == "__main__":
    unittest.main()
