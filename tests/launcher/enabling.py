# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A home of its own for the tests of ./kobalt enable, and the two launchers that have this command."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import support
from kobalt_cli.setup import bundle

SOURCE = support.ROOT / "kobalt"


def make_bundle(folder):
    """A bundle in FOLDER with no driver in it; its launcher."""
    (folder / "lib").mkdir(parents=True)
    (folder / "lib/libEGL_kobalt.so.0").touch()
    bundle.copy_launcher(folder)
    return folder / "kobalt"


def serve_32_bit_programs(launcher):
    """Makes the bundle of LAUNCHER one for both widths."""
    (launcher.parent / "lib32").mkdir()
    (launcher.parent / "lib32/libEGL_kobalt.so.0").touch()


class Home(unittest.TestCase):
    """self.home is the user's home, self.share the system's folder with menu entries, self.bin the system's programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.home, self.share, self.bin = self.root / "home", self.root / "share", self.root / "bin"
        for path in (self.home / "work", self.share / "applications", self.bin):
            path.mkdir(parents=True)
        self.bundle = make_bundle(self.root / "a bundle")
        self.env = {"HOME": str(self.home), "XDG_DATA_DIRS": "%s:/nonexistent" % self.share, "KOBALT_VULKAN": "none",
                    "PATH": "%s:%s:/usr/bin:/bin" % (self.home / ".local/bin", self.bin)}
        self.entries = self.home / ".local/share/applications"

    def program(self, name, body='echo "$MESA_LOADER_DRIVER_OVERRIDE $*"'):
        (self.bin / name).write_text("#!/bin/sh\n%s\n" % body)
        (self.bin / name).chmod(0o755)
        return self.bin / name

    def entry(self, name, text, folder=None):
        path = (folder or self.share / "applications") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[Desktop Entry]\nType=Application\nName=A\n" + text)
        return path

    def kobalt(self, *words, launcher=None, code=0):
        """What a launcher says on both streams."""
        done = subprocess.run([str(launcher or self.bundle), *words], env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def tree(self):
        """{path: (contents, rights)} of the home."""
        return {str(p.relative_to(self.home)): (p.read_bytes() if p.is_file() else None, p.lstat().st_mode)
                for p in self.home.rglob("*")}

    def undone(self, *words, launcher=None, by=None):
        """Enables WORDS and disables them by BY; the home must be as it was. What the home had in between."""
        before = self.tree()
        self.kobalt("enable", *words, launcher=launcher)
        between = self.tree()
        self.assertNotEqual(between, before)
        self.kobalt("disable", *(by or words), launcher=launcher)
        self.assertEqual(self.tree(), before)
        return between

    def launched(self, launcher):
        """How a menu entry starts a program by LAUNCHER."""
        return ('"%s" run --no-build -- ' if " " in str(launcher) else "%s run --no-build -- ") % launcher
