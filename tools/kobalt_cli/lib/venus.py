# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Venus, Mesa's Vulkan over virtio-gpu: virglrenderer's server on a unix socket, and the environment of its clients."""
import contextlib
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from . import gpu, paths, ui

TREE = paths.STATE / "venus"  # unpacked packages: the server, and all libraries that it needs, libc included
STARTER = TREE / "virgl_test_server"
RENDERER = TREE / "virgl_render_server"
SERVED = TREE / "served.json"  # manifest of the driver that the server draws with: lavapipe
CLIENT = TREE / "client.json"  # manifest of the client's driver
LIBRARY = gpu.LIBRARIES / "libvulkan_virtio.so"
START_S = 20
END_S = 10
NAME = "Virtio-GPU Venus ("  # how the names of devices begin
# What would choose another device than the server's.
CHOICES = ("KOBALT_DEVICE", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES", "MESA_VK_DEVICE_SELECT", "DRI_PRIME")


def put_on(env, socket):
    """ENV changed for a program whose Vulkan is the server at the unix socket SOCKET."""
    env = {name: value for name, value in env.items() if name not in CHOICES}
    return dict(env, VK_DRIVER_FILES=str(CLIENT), VN_DEBUG="vtest", VTEST_SOCKET_NAME=str(socket))


def server_environment():
    """The server's environment: it draws with lavapipe, and has nothing of Kobalt's or the client's choices."""
    others = (*CHOICES, "LD_LIBRARY_PATH", "LD_PRELOAD", "VK_INSTANCE_LAYERS", "VTEST_SOCKET_NAME", "VN_DEBUG")
    env = {name: value for name, value in os.environ.items() if name not in others}
    return dict(env, VK_DRIVER_FILES=str(SERVED), RENDER_SERVER_EXEC_PATH=str(RENDERER), LVP_SNORM_BLEND="1")


class Server:
    """A server in a process group and a folder of its own, that lives as long as the object is entered. What it says
    goes to the file LOG."""

    def __init__(self, log, command=(str(STARTER), "--venus", "--no-virgl", "--multi-clients"), start_s=START_S):
        self.log, self.command, self.start_s = Path(log), list(command), start_s
        self.folder = self.process = None

    @property
    def socket(self):
        return Path(self.folder.name) / "venus"

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="kobalt-venus-")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([*self.command, "--socket-path=%s" % self.socket], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=subprocess.STDOUT, env=server_environment(),
                                            start_new_session=True)
        until = time.monotonic() + self.start_s
        while not self.socket.exists():
            if not self.runs() or time.monotonic() > until:
                said = self.log.read_text(encoding="utf-8", errors="replace").strip()[-400:]
                self.__exit__()
                raise ui.Stop("Venus's server made no socket in %d s: %s" % (self.start_s, said or "it said nothing"))
            time.sleep(0.05)
        return self

    def __exit__(self, *exc):
        self.end(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)
        self.kill()
        self.folder.cleanup()

    def runs(self):
        return self.process.poll() is None

    def end(self, number):
        """Sends the signal NUMBER to the server and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def kill(self):
        self.end(signal.SIGKILL)
        self.process.wait()
