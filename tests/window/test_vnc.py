# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What VNC clients see of a window: the picture comes from Xtigervnc.

    with-xserver.sh --server Xtigervnc ... -- test_vnc.py PROGRAM [ARGUMENTS]

PROGRAM draws something in a window until it is ended. The screen must be of one colour before that.
"""
import os
import socket
import sys

import rfb


def main(command):
    with socket.socket(socket.AF_UNIX) as stream:
        stream.settimeout(rfb.PATIENCE_S)
        stream.connect(os.environ["KOBALT_TEST_RFB"])
        wrong = rfb.watch(rfb.Viewer(stream), command)
    print("FAILED: " + wrong if wrong else "a VNC client sees the picture")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
