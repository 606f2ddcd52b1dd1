# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Two Vulkan drivers at once, one of which refuses instances of Vulkan 1.4: kobalt-info lists both, and each draws.

    with-xserver.sh --server Xtigervnc ... -- test_two_drivers.py PATH/kobalt-info [unittest arguments]

Exit status 77: there is no second driver, and the reason is printed.
"""
import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import rfb

INFO = sys.argv[1]
LAVAPIPE = Path(os.environ.get("VK_DRIVER_FILES", ""))
SWIFTSHADER = LAVAPIPE.parent / "swiftshader_icd.json"


def variables(**more):
    env = {name: value for name, value in os.environ.items() if name not in ("DRI_PRIME", "KOBALT_DEVICE")}
    return {**env, "VK_DRIVER_FILES": "%s:%s" % (LAVAPIPE, SWIFTSHADER), **more}


def info(**more):
    return subprocess.run([INFO, "--vulkan"], env=variables(**more), stdout=subprocess.PIPE, text=True, timeout=60,
                          check=True).stdout


def choices():
    """Of each device that kobalt-info lists: its name, and the variables that choose it."""
    found = re.findall(r"^[* ] \d  (.*)\n(?:     .*\n)*?     KOBALT_DEVICE='?([^'\n]*?)'? or DRI_PRIME=(\S+)$", info(),
                       re.M)
    return [(name, wish) for name, device, prime in found for wish in ({"KOBALT_DEVICE": device}, {"DRI_PRIME": prime})]


class TwoDrivers(unittest.TestCase):
    def test_both_are_listed(self):
        self.assertEqual([name.split()[0] for name, _ in choices()], ["llvmpipe"] * 2 + ["SwiftShader"] * 2, info())

    def test_each_is_chosen(self):
        for name, wish in choices():
            self.assertRegex(info(**wish), r"(?m)^\* \d  " + re.escape(name) + "$")

    def test_each_draws(self):
        for name, wish in choices():
            with self.subTest(**wish), tempfile.NamedTemporaryFile() as said, socket.socket(socket.AF_UNIX) as stream:
                stream.settimeout(rfb.PATIENCE_S)
                stream.connect(os.environ["KOBALT_TEST_RFB"])
                # rfb.watch() gives the program this process's environment.
                os.environ.update(variables(**wish))
                for variable in {"KOBALT_DEVICE", "DRI_PRIME"} - set(wish):
                    os.environ.pop(variable, None)
                wrong = rfb.watch(rfb.Viewer(stream), ["sh", "-c", "exec stdbuf -oL glxgears -info >" + said.name])
                self.assertIsNone(wrong)
                self.assertIn(name.split(" (")[0], re.search("GL_RENDERER *= (.*)", said.read().decode())[1])


if __name__ == "__main__":
    if LAVAPIPE.name != "lvp_icd.json" or not SWIFTSHADER.exists():
        print("skipped: VK_DRIVER_FILES=%s isn't a lavapipe that has SwiftShader beside it" % LAVAPIPE)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
