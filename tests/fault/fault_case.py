# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the tests of faults share: programs in an environment of their own, and the messages that they print."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TIMEOUT_S = 60
PROBE = None  # kobalt-fault-probe


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kobalt-fault-")
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name)

    def run_program(self, program, *arguments, **switches):
        env = dict(os.environ, EGL_PLATFORM="surfaceless")
        env.setdefault("KOBALT_CACHE_DIR", str(self.folder / "pipelines"))
        # A shader found in Mesa's cache would not be translated again.
        env["MESA_SHADER_CACHE_DIR"] = str(self.folder / "shaders")
        env.update(switches)
        try:
            done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  errors="replace", env=env, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired as late:
            self.fail("%s hangs with %s: %s" % (arguments, switches, late.stderr))
        self.assertGreaterEqual(done.returncode, 0, "killed by a signal with %s: %s" % (switches, done.stderr))
        return done

    def probe(self, mode, **options):
        done = self.run_program(PROBE, mode, **options)
        seen = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        return done, seen

    @staticmethod
    def messages(done):
        """Kobalt's own lines of the error stream, whatever prefix Mesa's log puts before them, but for the one with
        which it announces itself where the caller asks for that (KOBALT_DEBUG=announce)."""
        lines = [line[line.index("kobalt:"):] for line in done.stderr.splitlines() if "kobalt:" in line]
        return [line for line in lines if not line.startswith("kobalt: started, ")]

    def expect_message(self, done, *words):
        """At least one message has all the words, and no message is repeated over and over."""
        lines = self.messages(done)
        good = [line for line in lines if all(word.lower() in line.lower() for word in words)]
        self.assertTrue(good, "no message with %s in: %s" % (words, done.stderr))
        for line in set(lines):
            self.assertLessEqual(lines.count(line), 3, "repeated: " + line)

    def expect_drawn(self, done, seen):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(seen.get("pixel"), "good", done.stdout + done.stderr)
        self.assertEqual(seen.get("end"), "reached", done.stdout + done.stderr)
