# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Pictures without any library: reading uncompressed TGA and PNG, comparing, writing small PNG."""
import struct
import zlib

NOTICEABLE = 8  # a channel that differs by more counts as a different pixel


class Picture:
    """RGB, 8 bits a channel, the top row first."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows


def read_tga(path):
    """An uncompressed 24-bit TGA, as id Tech 3 games write screenshots."""
    data = path.read_bytes()
    if len(data) < 18 or data[2] != 2 or data[16] != 24:
        raise ValueError("%s is no uncompressed 24-bit TGA" % path)
    width, height = struct.unpack_from("<HH", data, 12)
    start, stride = 18 + data[0], width * 3
    rows = []
    for y in range(height):
        row = bytearray(data[start + y * stride:start + (y + 1) * stride])
        row[0::3], row[2::3] = row[2::3], row[0::3]
        rows.append(bytes(row))
    if not data[17] & 0x20:
        rows.reverse()
    return Picture(width, height, rows)


def unfiltered(kind, row, above, step):
    """A row of PNG as it was before its filter KIND; STEP: bytes of a pixel."""
    if kind == 0:
        return row
    if kind == 2:
        return bytearray((x + y) & 255 for x, y in zip(row, above))
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            sum_ = left + above[i] - corner
            guess = min((left, above[i], corner), key=lambda near: abs(sum_ - near))
        row[i] = (value + guess) & 255
    return row


def read_png(path):
    """A PNG of 8-bit RGB or RGBA, not interlaced; its alpha is left out."""
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[24:29] not in (b"\x08\x02\0\0\0", b"\x08\x06\0\0\0"):
        raise ValueError("%s is no PNG of 8-bit RGB or RGBA" % path)
    width, height = struct.unpack_from(">II", data, 16)
    step, packed, place = 4 if data[25] == 6 else 3, b"", 8
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"IDAT":
            packed += data[place + 8:place + 8 + size]
        place += size + 12
    raw, stride = zlib.decompress(packed), width * step + 1
    rows, above = [], bytearray(width * step)
    for y in range(height):
        above = unfiltered(raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride]), above, step)
        rows.append(bytes(above) if step == 3 else bytes(x for i, x in enumerate(above) if i % 4 != 3))
    return Picture(width, height, rows)


def compare(a, b):
    """(mean absolute channel difference, share of different pixels, greatest difference)."""
    if (a.width, a.height) != (b.width, b.height):
        raise ValueError("the pictures differ in size")
    total, different, greatest = 0, 0, 0
    for one, other in zip(a.rows, b.rows):
        if one == other:
            continue
        deltas = [abs(x - y) for x, y in zip(one, other)]
        total += sum(deltas)
        greatest = max(greatest, max(deltas))
        different += sum(max(deltas[i:i + 3]) > NOTICEABLE for i in range(0, len(deltas), 3))
    pixels = a.width * a.height
    return total / (3 * pixels), different / pixels, greatest


def halved(picture):
    """Half the size, each pixel the mean of four."""
    rows = []
    for y in range(0, picture.height - 1, 2):
        up, down = picture.rows[y], picture.rows[y + 1]
        rows.append(bytes((up[i + c] + up[i + 3 + c] + down[i + c] + down[i + 3 + c] + 2) // 4
                          for i in range(0, picture.width // 2 * 6, 6) for c in range(3)))
    return Picture(picture.width // 2, len(rows), rows)


def write_png(picture, path):
    """Each row is stored as its difference from the one above, which compresses well."""
    raw, above = bytearray(), bytes(picture.width * 3)
    for row in picture.rows:
        raw.append(2)
        raw += bytes((x - y) & 255 for x, y in zip(row, above))
        above = row

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    path.parent.mkdir(parents=True, exist_ok=True)
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(raw), 9))
                     + chunk(b"IEND", b""))
