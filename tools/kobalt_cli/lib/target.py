# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The architectures that Kobalt is built for: the machine's own, and 32-bit x86 and arm64 beside it."""
import dataclasses
from pathlib import Path

from . import paths


@dataclasses.dataclass(frozen=True)
class Target:
    """An architecture, by Debian's name, and where what is built and fetched for it lies."""

    name: str
    multiarch: str
    family: str       # Meson's name of the processors
    suffix: str = ""  # of its build folder, its stamps and its folders in out/

    @property
    def build(self) -> Path:
        return paths.BUILD.with_name(paths.BUILD.name + self.suffix)

    @property
    def prefix(self) -> Path:
        return self.build / "prefix" if self.suffix else paths.PREFIX

    @property
    def tree(self) -> Path:
        """Unpacked packages with the Vulkan drivers that its programs use: KOBALT_HOST."""
        return paths.STATE / self.name if self.suffix else paths.HOST

    @property
    def machine_file(self) -> Path:
        """What tells Meson about the tree: a native file, or a cross file."""
        return paths.STATE / ("meson-%s.ini" % self.name) if self.suffix else paths.NATIVE_FILE


AMD64 = Target("amd64", paths.MULTIARCH, "x86_64")
I386 = Target("i386", paths.MULTIARCH_32, "x86", "-i386")
ARM64 = Target("arm64", paths.MULTIARCH_ARM, "aarch64", "-arm64")
ALL = {one.name: one for one in (AMD64, I386, ARM64)}
