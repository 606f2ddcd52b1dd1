# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A VNC client that reads whole pictures, by the RFB protocol 3.8 (RFC 6143), and what is expected of them."""
import struct
import subprocess
import time

PATIENCE_S = 20
LEAST_COLOURS = 16  # a shaded picture; the bare screen has one or two
LEAST_SHARE = 0.01  # of the screen's pixels that the program has to change


class Viewer:
    """A VNC client without a password. STREAM is connected to the server; it has sendall and recv, as sockets have."""

    def __init__(self, stream):
        self.socket = stream
        self.read(12)  # the server's version
        self.socket.sendall(b"RFB 003.008\n")
        kinds = self.read(self.read(1)[0])
        if 1 not in kinds:
            raise RuntimeError("the VNC server asks for a password: its kinds of security are %s" % list(kinds))
        self.socket.sendall(b"\x01")
        (refused,) = struct.unpack(">I", self.read(4))
        if refused:
            raise RuntimeError("the VNC server refuses the client")
        self.socket.sendall(b"\x01")  # others may look on
        self.width, self.height = struct.unpack(">HH", self.read(4))
        self.read(16)
        (length,) = struct.unpack(">I", self.read(4))
        self.read(length)
        # 32 bits a pixel, of which 24 count, little endian, true colour; then: raw rectangles alone.
        self.socket.sendall(struct.pack(">B3xBBBBHHHBBB3x", 0, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0))
        self.socket.sendall(struct.pack(">BxHi", 2, 1, 0))

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise RuntimeError("the VNC server has closed the connection")
            data += part
        return data

    def picture(self):
        """The colours of the screen, a number for each pixel."""
        pixels = [0] * (self.width * self.height)
        self.socket.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, self.width, self.height))
        left = self.width * self.height
        while left > 0:
            kind = self.read(1)[0]
            if kind == 2:  # a bell
                continue
            if kind == 3:  # the clipboard
                self.read(3)
                (length,) = struct.unpack(">I", self.read(4))
                self.read(length)
                continue
            if kind != 0:
                raise RuntimeError("the VNC server sends a message of the unknown kind %d" % kind)
            (count,) = struct.unpack(">xH", self.read(3))
            for _ in range(count):
                x, y, width, height, encoding = struct.unpack(">HHHHi", self.read(12))
                if encoding != 0:
                    raise RuntimeError("the VNC server sends encoding %d, not raw pixels" % encoding)
                texels = struct.unpack("<%dI" % (width * height), self.read(4 * width * height))
                for row in range(height):
                    begin = (y + row) * self.width + x
                    pixels[begin:begin + width] = [texel & 0xffffff for texel in
                                                   texels[row * width:(row + 1) * width]]
                left -= width * height
        return pixels


def judge(before, after):
    """What is wrong with the picture AFTER a program has drawn, or None."""
    changed = sum(a != b for a, b in zip(before, after))
    colours = len(set(after))
    if changed < LEAST_SHARE * len(after):
        return "only %d of %d pixels changed" % (changed, len(after))
    if colours < LEAST_COLOURS:
        return "the screen has %d colours; %d are expected of a shaded picture" % (colours, LEAST_COLOURS)
    return None


def watch(viewer, command):
    """Starts COMMAND, which draws something in a window until it is ended. Returns what is wrong with the screen that
    VIEWER reads, or None. The screen must be of one colour before that."""
    before = viewer.picture()
    if judge(before, viewer.picture()) is None:
        return "the bare screen passes for a picture"
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE_S
        wrong = "no picture was read"
        while wrong and time.monotonic() < end and program.poll() is None:
            time.sleep(0.5)
            wrong = judge(before, viewer.picture())
        if program.poll() is not None:
            wrong = "%s has ended with status %d" % (command[0], program.returncode)
    finally:
        program.terminate()
        program.wait()
    return wrong
