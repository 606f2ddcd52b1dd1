# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Stamps: a step of the set-up is skipped while what it depends on is unchanged."""
import hashlib
from pathlib import Path

from . import paths


def digest(*parts):
    """A hash over texts and over the contents of files (a missing file counts as such)."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            part = part.read_bytes() if part.is_file() else b"missing"
        elif not isinstance(part, bytes):
            part = str(part).encode()
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()


def fresh(name, value):
    stamp = paths.STAMPS / name
    return stamp.is_file() and stamp.read_text() == value


def write(name, value):
    paths.STAMPS.mkdir(parents=True, exist_ok=True)
    (paths.STAMPS / name).write_text(value)


def drop(name):
    (paths.STAMPS / name).unlink(missing_ok=True)
