# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The manual page and the shells' completions, for the source tree's launcher and the bundle's."""
import argparse
import re
import shutil
import subprocess
import unittest

import enabling
import support
from kobalt_cli.commands import main

PAGE = support.ROOT / "docs/kobalt.1"


def commands():
    """{command: its argparse parser} of the source tree's launcher."""
    return next(a for a in main.parser()._actions if isinstance(a, argparse._SubParsersAction)).choices


class Completion(enabling.Home):
    def complete(self, *words, launcher=None):
        """What bash would offer for the last of WORDS."""
        launcher = launcher or self.bundle
        script = '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kobalt "$1"; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, launcher.parent / "share/bash-completion/completions/kobalt"
                               if launcher != enabling.SOURCE else support.ROOT / "tools/completion/kobalt.bash", launcher, *words],
                              env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return sorted(set(done.stdout.split()))

    def setUp(self):
        super().setUp()
        shutil.rmtree(self.bundle.parent)
        self.bundle = enabling.make_bundle(self.root / "kobalt-1")

    def test_commands(self):
        self.assertEqual(self.complete("", launcher=enabling.SOURCE), sorted(commands()))
        usage = self.kobalt("help")
        self.assertEqual(self.complete(""), sorted(set(re.findall(r"^  \./kobalt (\w+)", usage, re.MULTILINE))))
        self.assertEqual(self.complete("dis"), ["disable"])

    def test_options(self):
        self.assertEqual(self.complete("enable", "--", launcher=enabling.SOURCE), ["--all", "--command", "--help"])
        self.assertEqual(self.complete("enable", "--"), ["--all", "--command"])
        self.assertEqual(self.complete("bench", "--"), [])  # nothing is started for it

    def test_programs(self):
        self.program("drawing")
        self.entry("kde/drawn.desktop", "Exec=drawing\n")
        self.assertEqual(self.complete("enable", "dra"), ["drawing"])
        self.assertEqual(self.complete("enable", "kde-dr"), ["kde-drawn"])
        self.assertEqual(self.complete("run", "--", "drawi"), ["drawing"])
        (self.home / "work/file.txt").touch()
        self.assertEqual(self.complete("run", "--", "drawing", "%s/work/f" % self.home), ["%s/work/file.txt" % self.home])
        self.kobalt("enable", "--command", "drawing")
        self.kobalt("enable", "kde-drawn")
        self.assertEqual(self.complete("disable", ""), ["drawing", "kde-drawn"])

    def test_scripts_parse(self):
        for name, shell in (("kobalt.bash", "bash"), ("kobalt.fish", "fish")):
            if shutil.which(shell):
                self.assertEqual(subprocess.run([shell, "-n", str(support.ROOT / "tools/completion" / name)]).returncode, 0)
        self.assertTrue((self.bundle.parent / "share/fish/vendor_completions.d/kobalt.fish").is_file())


class Page(enabling.Home):
    def test_it_is_well_formed(self):
        checks = (["mandoc", "-T", "lint", "-W", "warning", str(PAGE)], ["groff", "-ww", "-mandoc", "-T", "utf8", "-z", str(PAGE)])
        done = [subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
                for words in checks if shutil.which(words[0])]
        if not done:
            self.skipTest("there is neither mandoc nor groff here")
        self.assertEqual("".join(done), "")
        self.assertTrue((self.bundle.parent / "share/man/man1/kobalt.1").is_file())

    def test_it_describes_what_both_launchers_have(self):
        text = PAGE.read_text()
        described = set(re.findall(r"^\.It Cm (\w+)", text, re.MULTILINE))
        self.assertEqual(described, {"run", "enable", "disable", "list", "info", "report", "test"})
        usage = set(re.findall(r"^  \./kobalt (\w+)", self.kobalt("help"), re.MULTILINE))
        self.assertLessEqual(described, usage & set(commands()))
        for name in ("enable", "disable", "list"):
            for action in commands()[name]._actions:
                for option in action.option_strings:
                    if option.startswith("--") and option != "--help":
                        self.assertIn("Fl %s" % option[1:], text)


class Report(enabling.Home):
    def test_it_has_versions_and_nothing_private(self):
        """The bundle's and the packages' report; test_report.py has the source tree's."""
        info = self.bundle.parent / "bin/kobalt-info"
        info.parent.mkdir()
        info.write_text("#!/bin/sh\necho $HOME/x /home/jane/y 10.1.2.3 https://mirror.corp/z 01234567-89ab-cdef-0123-456789abcdef\n"
                        "uname -n\necho OpenGL 4.6\n")
        info.chmod(0o755)
        self.env["KOBALT_DEVICE"] = "A card"
        file = self.root / "report.txt"
        self.assertIn("look it over", self.kobalt("report", str(file)))
        text = file.read_text()
        for word in ("kobalt 0.1.0", "kernel: Linux", "KOBALT_DEVICE=A card", "OpenGL 4.6", "~/x /home/USER/y ADDRESS ADDRESS/z UUID\nHOST\n"):
            self.assertIn(word, text)
        for word in (str(self.home), "jane", "10.1.2.3", "mirror.corp", "01234567"):
            self.assertNotIn(word, text)


if __name__ == "__main__":
    unittest.main()
