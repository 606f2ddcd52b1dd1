# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a browser gets of a window (docs/servers.md): noVNC's page, and the picture through websockify.

    with-xserver.sh --server Xtigervnc ... -- test_browser.py PROGRAM [ARGUMENTS]

websockify listens on the loopback interface alone. Exit status 77: it isn't installed, or noVNC isn't.
"""
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import rfb
from websocket import WebSocket

HOST = "127.0.0.1"
PAGES = "/usr/share/novnc"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def page(port):
    """noVNC's page, once websockify answers."""
    end = time.monotonic() + rfb.PATIENCE_S
    while True:
        try:
            # Without the environment's proxies, which don't know this machine's loopback interface.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open("http://%s:%d/vnc.html" % (HOST, port), timeout=rfb.PATIENCE_S) as answer:
                return answer.read()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def judge(port, command):
    if b"noVNC" not in page(port):
        return "the page isn't noVNC's"
    with WebSocket(HOST, port, rfb.PATIENCE_S) as stream:
        return rfb.watch(rfb.Viewer(stream), command)


def main(command):
    websockify = shutil.which("websockify")
    if not websockify or not os.path.exists(PAGES + "/vnc.html"):
        print("skipped: websockify or noVNC is missing (Debian: websockify, novnc)")
        return 77
    port = free_port()
    server = subprocess.Popen([websockify, "--web", PAGES, "--unix-target", os.environ["KOBALT_TEST_RFB"],
                               "%s:%d" % (HOST, port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wrong = judge(port, command)
    finally:
        server.terminate()
        server.wait()
    print("FAILED: " + wrong if wrong else "a browser gets the picture")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
