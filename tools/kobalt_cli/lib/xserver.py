# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A virtual X server for tests; each test worker has one of its own, so windows never overlap."""
import os
import shutil
import subprocess
import tempfile

from . import ui


class NoDisplay:
    """Stands in for VirtualDisplay if tests have no window system: there is no server, so the name is None."""

    name = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


class VirtualDisplay:
    """An Xvfb that lives as long as the object is entered, with further OPTIONS."""

    def __init__(self, screen="1280x1024x24", options=()):
        self.screen = screen
        self.options = options
        self.name = None
        self.process = None

    def __enter__(self):
        xvfb = shutil.which("Xvfb")
        if not xvfb:
            raise ui.Stop("Xvfb is missing: install the package xvfb")
        read_fd, write_fd = os.pipe()
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [xvfb, "-displayfd", str(write_fd), "-screen", "0", self.screen, "-nolisten", "tcp", "-noreset", *self.options],
            pass_fds=[write_fd], stdout=self.log, stderr=self.log, start_new_session=True)
        os.close(write_fd)
        with os.fdopen(read_fd) as reader:
            number = reader.readline().strip()
        if not number:
            self.process.wait()
            raise ui.Stop("Xvfb did not start: see whether /tmp/.X11-unix can be written to")
        self.name = ":" + number
        return self

    def __exit__(self, *exc):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def display_for(windows):
    """A display of the test's own, to be entered; a NoDisplay without WINDOWS."""
    return VirtualDisplay() if windows else NoDisplay()


def environment(display, env):
    """ENV with DISPLAY, entered, as its X server; without any server if DISPLAY is a NoDisplay."""
    env = {key: value for key, value in env.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return dict(env, DISPLAY=display.name) if display.name else env
