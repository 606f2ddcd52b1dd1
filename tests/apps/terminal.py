# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A terminal on OpenGL runs this: coloured text, and then a picture of the terminal's own window, as the X server has it.

    alacritty -e python3 terminal.py PICTURE [empty]

PICTURE is a PNG file. With the word `empty` nothing is printed. It is taken once the window has not changed for a
second."""
import ctypes
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from kobalt_cli.lib import pictures  # noqa: E402

Z_PIXMAP, ALL_PLANES = 2, ctypes.c_ulong(0xFFFFFFFF)
SECONDS = 120


class Image(ctypes.Structure):
    """The beginning of Xlib's XImage."""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("offset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.POINTER(ctypes.c_char)), ("byte_order", ctypes.c_int), ("unit", ctypes.c_int),
                ("bit_order", ctypes.c_int), ("pad", ctypes.c_int), ("depth", ctypes.c_int), ("stride", ctypes.c_int),
                ("bits", ctypes.c_int)]


class Display:
    """A connection to the X server."""

    def __init__(self):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XGetImage.restype = ctypes.POINTER(Image)
        self.connection = ctypes.c_void_p(self.x11.XOpenDisplay(None))

    def picture(self, window):
        root, place, size = ctypes.c_ulong(), [ctypes.c_int() for _ in range(2)], [ctypes.c_uint() for _ in range(4)]
        self.x11.XGetGeometry(self.connection, ctypes.c_ulong(window), *map(ctypes.byref, [root, *place, *size]))
        image = self.x11.XGetImage(self.connection, ctypes.c_ulong(window), 0, 0, size[0], size[1], ALL_PLANES, Z_PIXMAP)
        width, height, stride = image[0].width, image[0].height, image[0].stride
        if image[0].bits != 32:
            sys.exit("the window has %d bits a pixel" % image[0].bits)
        data = image[0].data[:stride * height]
        self.x11.XDestroyImage(image)
        rows = []
        for y in range(height):
            row, texels = bytearray(width * 3), data[y * stride:y * stride + width * 4]
            row[0::3], row[1::3], row[2::3] = texels[2::4], texels[1::4], texels[0::4]
            rows.append(bytes(row))
        return pictures.Picture(width, height, rows)


def write_text():
    for colour in range(8):
        print("\033[4%dm  \033[0m \033[3%dmcolour %d: the quick brown fox jumps over the lazy dog\033[0m"
              % (colour, colour, colour))
    print("\033[1mbold\033[0m \033[3mitalic\033[0m \033[4munderlined\033[0m \033[7minverse\033[0m ▁▂▃▄▅▆▇█ ┌─┬─┐ äöüß")


def main():
    if "empty" not in sys.argv[2:]:
        write_text()
    print("\033[?25l", end="", flush=True)  # no cursor
    display, window, last = Display(), int(os.environ["WINDOWID"]), None
    for _ in range(SECONDS):
        time.sleep(1)
        now = display.picture(window)
        if last and now.rows == last.rows and ("empty" in sys.argv[2:] or len(set(now.rows)) > 1):
            pictures.write_png(now, Path(sys.argv[1]))
            return
        last = now


main()
