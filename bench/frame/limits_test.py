#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""limits_test.py: the scenes of bench/frame cost no more than limits.tsv says, on the driver that the environment selects.

It runs kobalt-frame with the counting layer below the driver, as lavapipe is in `meson test`.
"""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from kobalt_cli.workloads import frame, frame_limits


def main():
    complaints = frame_limits.check(frame.layered(dict(os.environ)), ("all", "lavapipe"))
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
