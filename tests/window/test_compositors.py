# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A compositor that draws with OpenGL on Kobalt, without a screen, and a client of it that does so, too.

    test_compositors.py weston | mutter | kwin

The client (weston-simple-egl) waits for the compositor before each frame. So its frames a second, which are printed,
are those that the compositor drew. Exit status 77: the compositor isn't installed, and the reason is printed.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOCKET = "kobalt-compositor"
CLIENT = "weston-simple-egl"
START_S = 60
CLIENT_S = 60
STEADY = 2  # counts of frames, of five seconds each
# The command, its Debian package, and variables. A bus of its own for those that want one.
COMPOSITORS = {
    "weston": (["weston", "--backend=headless-backend.so", "--use-gl", "--width=1280", "--height=800", "--idle-time=0",
                "--socket=" + SOCKET], "weston", {}),
    "mutter": (["dbus-run-session", "--", "mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", "1280x800",
                "--wayland-display=" + SOCKET], "mutter", {"GSETTINGS_BACKEND": "memory"}),
    "kwin": (["dbus-run-session", "--", "kwin_wayland", "--virtual", "--width", "1280", "--height", "800", "--socket", SOCKET],
             "kwin-wayland", {"KWIN_COMPOSE": "O2ES"}),
}
COMMAND, PACKAGE, VARIABLES = COMPOSITORS[sys.argv.pop(1)]
ANNOUNCED = re.compile(r"kobalt: started, ")
FRAMES = re.compile(r"(\d+) frames in \d+ seconds: ([\d.]+) fps")


def missing():
    """What isn't installed, or None."""
    programs = [word for word in COMMAND if not word.startswith("-")][:2 if COMMAND[0] == "dbus-run-session" else 1]
    lacking = [name for name in (*programs, CLIENT) if not shutil.which(name)]
    return "%s isn't installed (Debian: %s, weston, dbus)" % (lacking[0], PACKAGE) if lacking else None


class Compositor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # helpers of KWin outlive it
        self.addCleanup(folder.cleanup)
        self.runtime = Path(folder.name)
        self.runtime.chmod(0o700)
        self.log = self.runtime / "log"
        # KWin writes into the home.
        self.env = {**os.environ, "XDG_RUNTIME_DIR": folder.name, "HOME": folder.name, "KOBALT_DEBUG": "announce",
                    "KOBALT_STATE_DIR": folder.name, **VARIABLES}
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            self.env.pop(name, None)

    def said(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def command(self):
        """COMMAND with a copy of the compositor. Debian's kwin_wayland has a capability (cap_sys_resource), with which the
        dynamic linker ignores LD_LIBRARY_PATH, and which containers may lack; a copy has none."""
        place = COMMAND.index("--") + 1 if "--" in COMMAND else 0
        copy = shutil.copy(shutil.which(COMMAND[place]), self.runtime)
        return [*COMMAND[:place], copy, *COMMAND[place + 1:]]

    def start(self):
        with open(self.log, "w", encoding="utf-8") as log:
            process = subprocess.Popen(self.command(), env=self.env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.addCleanup(self.end, process)
        end = time.monotonic() + START_S
        while not (self.runtime / SOCKET).exists():
            self.assertIsNone(process.poll(), "the compositor ended by itself:\n" + self.said())
            self.assertLess(time.monotonic(), end, "the compositor opens no socket:\n" + self.said())
            time.sleep(0.1)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def test_a_client_is_shown(self):
        process = self.start()
        client = subprocess.Popen(["stdbuf", "-oL", CLIENT], env={**self.env, "WAYLAND_DISPLAY": SOCKET}, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace")
        self.addCleanup(client.stdout.close)
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        lines, counts, end = [], [], time.monotonic() + CLIENT_S
        while len(counts) < STEADY and time.monotonic() < end:
            line = client.stdout.readline()
            if not line:
                break
            lines.append(line)
            counts += [float(found[2]) for found in [FRAMES.search(line)] if found]
        text = "".join(lines)
        self.assertEqual(len(counts), STEADY, "the client counted no frames:\n%s\nThe compositor:\n%s" % (text, self.said()))
        self.assertIsNone(process.poll(), "the compositor ended by itself:\n" + self.said())
        self.assertRegex(text, ANNOUNCED, "the client isn't drawn by Kobalt")
        self.assertRegex(self.said(), ANNOUNCED, "the compositor isn't drawn by Kobalt")
        self.assertGreater(counts[-1], 1, "frames a second")
        print("%s: %s draws %s frames a second" % (PACKAGE, CLIENT, counts[-1]))


if __name__ == "__main__":
    REASON = missing()
    if REASON:
        print("skipped: " + REASON)
        sys.exit(77)
    unittest.main()
