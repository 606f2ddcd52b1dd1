# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Tests that start Kobalt's own test programs: their paths come as options, the driver by the environment."""
import argparse
import os
import sys
import unittest


def main(*options):
    """Runs the tests of the script that was started, and hands their programs' paths to it as PROGRAMS. OPTIONS: the
    names of its options, each with a path. Returns 77, which Meson counts as skipped, where the environment does not
    select Kobalt."""
    parser = argparse.ArgumentParser()
    for option in options:
        parser.add_argument(option, required=True)
    sys.modules["__main__"].PROGRAMS, rest = parser.parse_known_args()
    if os.environ.get("MESA_LOADER_DRIVER_OVERRIDE") != "kobalt":
        print("skipped: the environment does not select Kobalt")
        return 77
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
    return 0
