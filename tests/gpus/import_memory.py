# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What AMD's no-op kernel answers when a driver imports host memory. Runs on the no-op kernel (LD_PRELOAD) only; the
exit status is 1 where an import has no handle of its own.

libdrm keeps its buffers in an array by their handles, which it expects from the kernel. A handle that the kernel
doesn't write is what happened to be on libdrm's stack: another buffer's, or one so large that the array's size
overflows. Then libdrm frees the array, and uses it all the same.
"""
import fcntl
import os
import struct
import sys

NODE = "/dev/dri/renderD128"
# struct drm_amdgpu_gem_userptr: address, size, flags, and the handle that the kernel gives.
USERPTR, USERPTR_NR = struct.Struct("=QQII"), 0x51
CLOSE, CLOSE_NR = struct.Struct("=II"), 0x09
READ_WRITE, WRITE = 3, 1
LEFT_OVER = 0xffffff20  # makes the array's size overflow


def request(direction, number, size):
    """The number of a request to a DRM device, as the macros of linux/ioctl.h make it."""
    return direction << 30 | size << 16 | ord("d") << 8 | number


def import_memory(node):
    """The handle for a page of host memory."""
    arguments = bytearray(USERPTR.pack(0x10000, 4096, 0, LEFT_OVER))
    fcntl.ioctl(node, request(READ_WRITE, USERPTR_NR, USERPTR.size), arguments)
    return USERPTR.unpack(arguments)[3]


def main():
    node = os.open(NODE, os.O_RDWR)
    handles = [import_memory(node) for _ in range(2)]
    print("handles of imported host memory: %s" % ", ".join("0x%x" % handle for handle in handles))
    if len(set(handles)) != 2 or {0, LEFT_OVER} & set(handles):
        return 1
    for handle in handles:
        fcntl.ioctl(node, request(WRITE, CLOSE_NR, CLOSE.size), CLOSE.pack(handle, 0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
