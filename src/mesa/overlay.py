#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Puts the Kobalt driver into a Mesa 25.0.7 source tree.

Mesa reaches a Vulkan-backed Gallium driver through one slot. This script fills that slot: it links
the overlay files and Kobalt's sources into the slot's folder, renames the driver's string, and makes
the edits of edits/: what keeps the slot from working without a DRM device, and what the frontend,
the compiler and the linker do otherwise than OpenGL's specifications say. Every edit names the text it expects; where that text is missing
nothing at all is written and the file and the reason are printed. Running it twice changes nothing.

usage: overlay.py MESA_TREE KOBALT_TREE
"""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True  # the sources stay as they are
from edits import EDITS  # noqa: E402

MESA_VERSION = "25.0.7"
SLOT = "src/gallium/drivers/zink"

# Files in which the quoted driver name is the slot's name and nothing else.
RENAME_STRING = [
    "src/egl/drivers/dri2/platform_surfaceless.c",
    "src/egl/drivers/dri2/platform_x11_dri3.c",
    "src/egl/drivers/dri2/platform_x11.c",
    "src/egl/drivers/dri2/platform_wayland.c",
    "src/egl/drivers/dri2/platform_device.c",
    "src/egl/main/eglapi.c",
    "src/glx/glxext.c",
    "src/glx/drisw_glx.c",
    "src/glx/dri3_glx.c",
    "src/gbm/backends/dri/gbm_dri.c",
    "src/loader/loader.c",
    "src/loader/pci_id_driver_map.h",
    "src/gallium/auxiliary/target-helpers/inline_sw_helper.h",
    "src/gallium/auxiliary/target-helpers/sw_helper.h",
    "src/gallium/auxiliary/driver_trace/tr_screen.c",
    "src/gallium/auxiliary/pipe-loader/pipe_loader_drm.c",
]


class OverlayError(Exception):
    """An edit that does not fit the tree; the text names the file and the reason."""


def fail(path, reason):
    raise OverlayError(f"kobalt: the Mesa slot can't be applied: {path}: {reason}")


def edited(text, old, new):
    """TEXT with OLD replaced by NEW; unchanged where that was done before, None where neither is there.

    Either may be a part of the other, so NEW alone doesn't tell that OLD was replaced."""
    if new in text and (old in new or old not in text):
        return text
    return text.replace(old, new) if old in text else None


def planned_texts(mesa):
    """Returns {path: new text} for all files that still need an edit."""
    texts = {}

    def load(name):
        path = mesa / name
        if path not in texts:
            if not path.is_file():
                fail(name, "the file is missing")
            texts[path] = path.read_text(encoding="utf-8")
        return path

    for name in RENAME_STRING:
        path = load(name)
        if '"zink"' in texts[path]:
            texts[path] = texts[path].replace('"zink"', '"kobalt"')
        elif '"kobalt"' not in texts[path] and "kobalt_driver" not in texts[path]:
            fail(name, 'the driver name "zink" is not there')
    for name, old, new in EDITS:
        path = load(name)
        text = edited(texts[path], old, new)
        if text is None:
            fail(name, f"the expected text is not there: {old}")
        texts[path] = text
    path = load("src/gallium/auxiliary/driver_trace/tr_screen.c")
    texts[path] = re.sub(r'"kobalt", 4\)', '"kobalt", 6)', texts[path])
    return texts


def link(target, at):
    """Makes `at` a symbolic link to `target`, leaving a right one alone."""
    target = os.path.relpath(target, at.parent)
    if at.is_symlink() and os.readlink(at) == target:
        return
    if at.is_symlink() or at.is_file():
        at.unlink()
    at.symlink_to(target)


def main(argv):
    if len(argv) != 3:
        print(__doc__.strip().splitlines()[-1], file=sys.stderr)
        return 2
    mesa, kobalt = Path(argv[1]).absolute(), Path(argv[2]).absolute()
    try:
        version = mesa / "VERSION"
        if not version.is_file():
            fail(version, "this is no Mesa source tree")
        if version.read_text().strip() != MESA_VERSION:
            fail(version, f"Mesa {MESA_VERSION} is needed, this is {version.read_text().strip()}")
        texts = planned_texts(mesa)
    except OverlayError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in texts.items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    slot = mesa / SLOT
    original = mesa / (SLOT + ".original")
    if slot.is_dir() and not original.exists() and not (slot / "kobalt").is_symlink():
        slot.rename(original)
    slot.mkdir(exist_ok=True)
    for source in sorted((kobalt / "src/mesa/overlay").iterdir()):
        link(source, slot / source.name)
    link(kobalt / "src", slot / "kobalt")
    link(kobalt / "include", slot / "kobalt_public")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
