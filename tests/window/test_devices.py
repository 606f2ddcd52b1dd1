# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""DRI_PRIME reaches programs that use GLX and EGL: what kobalt-info prints chooses the device, and a line says where it can't.

    test_devices.py PATH/kobalt-info PATH/kobalt-window-tests [unittest arguments]
"""
import os
import re
import subprocess
import sys
import unittest

INFO, WINDOWS = sys.argv[1:3]
APIS = ("glx", "egl")


def run(program, *arguments, **variables):
    env = {name: value for name, value in os.environ.items() if name not in ("DRI_PRIME", "KOBALT_DEVICE")}
    env.update(variables)
    return subprocess.run([program, *arguments], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


class DriPrime(unittest.TestCase):
    def renders(self, api, **variables):
        done = run(WINDOWS, api, "renderer", **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stderr

    def test_what_is_printed_names_the_device(self):
        prime = re.search(r" or DRI_PRIME=(\S+)", run(INFO, "--vulkan").stdout)[1]
        self.assertIn("chosen: DRI_PRIME=%s names it" % prime, run(INFO, "--vulkan", DRI_PRIME=prime).stdout)
        for api in APIS:
            self.assertNotIn("DRI_PRIME", self.renders(api, DRI_PRIME=prime))

    def test_no_such_device_is_said_once(self):
        for api in APIS:
            said = self.renders(api, DRI_PRIME="pci-0000_77_00_0")
            self.assertEqual(said.count("DRI_PRIME=pci-0000_77_00_0 has no effect"), 1, said)

    def test_kobalt_device_comes_first(self):
        for api in APIS:
            self.assertNotIn("DRI_PRIME", self.renders(api, DRI_PRIME="pci-0000_77_00_0", KOBALT_DEVICE="0"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
