# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Checks what kobalt-info says of displays: an X server and a Wayland compositor of the environment.

    test_info.py PATH/kobalt-info yes|no [unittest arguments]

The second argument says whether the X server has GLX.
"""
import os
import re
import subprocess
import sys
import unittest

INFO, GLX = sys.argv[1:3]
ADVICE = "libgl1-mesa-dri"


def windows(**variables):
    """The part of the report about windows; a variable of None is taken out of the environment."""
    env = {name: value for name, value in {**os.environ, **variables}.items() if value is not None}
    done = subprocess.run([INFO, "--vulkan"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60)
    if done.returncode:
        raise AssertionError("kobalt-info ends with status %d: %s" % (done.returncode, done.stderr))
    if done.stderr:
        raise AssertionError("kobalt-info says on stderr: " + done.stderr)
    return done.stdout.partition("\nWindows\n")[2]


class Info(unittest.TestCase):
    def test_extensions_and_interfaces(self):
        text = windows(KOBALT_WINDOWS=None)
        self.assertRegex(text, r"X11: :\d+: DRI3 (yes|no), Present (yes|no), MIT-SHM yes, GLX %s\n" % GLX)
        self.assertRegex(text, r"Wayland: \S+: wl_shm yes, zwp_linux_dmabuf_v1 (yes|no)\n")
        self.assertEqual(len(re.findall("windows get ", text)), 2, text)

    def test_advice_where_there_is_no_glx(self):
        lines = [line for line in windows().splitlines() if ADVICE in line]
        self.assertEqual(len(lines), GLX == "no")
        for line in lines:
            self.assertIn("EGL", line)

    def test_the_wish(self):
        text = windows(KOBALT_WINDOWS="cpu")
        self.assertIn("windows get copies through the CPU (MIT-SHM): KOBALT_WINDOWS=cpu\n", text)
        self.assertIn("windows get copies through the CPU (wl_shm): KOBALT_WINDOWS=cpu\n", text)

    def test_a_wish_that_means_nothing(self):
        done = subprocess.run([INFO, "--vulkan"], env=dict(os.environ, KOBALT_WINDOWS="gpu"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.stderr, "kobalt: warning: KOBALT_WINDOWS=gpu is ignored: it takes auto, swapchain or cpu; "
                                      "without it: auto\n")

    def test_servers_without_frames_of_gpus(self):
        # The servers of the tests have neither DRI3 nor NV-GLX, which tools/environment.sh asks for.
        self.assertIn("DRI3 no", windows())
        for display in (os.environ["DISPLAY"], ":9999", ""):
            done = subprocess.run([INFO, "--x11-driver"], env={**os.environ, "DISPLAY": display}, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_no_servers(self):
        # A compositor may have the default name where WAYLAND_DISPLAY isn't set.
        text = windows(DISPLAY=None, WAYLAND_DISPLAY=None, XDG_RUNTIME_DIR="/nonexistent")
        self.assertEqual(text, "  X11: DISPLAY is not set\n  Wayland: WAYLAND_DISPLAY is not set\n")

    def test_servers_that_are_gone(self):
        text = windows(DISPLAY=":9999", WAYLAND_DISPLAY="nobody")
        self.assertIn("  X11: :9999 doesn't answer", text)
        self.assertIn("  Wayland: nobody doesn't answer", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
