# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Checks that there is room for what is about to be fetched and built, before anything is started."""
import os
import shutil

from ..lib import paths, ui

# Gigabytes (10^9 bytes), measured on a bare Debian 12 and rounded up.
SOURCES = 0.7       # Mesa's source and the tools in .kobalt, with what is fetched on the way
BUILD = 0.4         # build/, its prefix and out/
I386 = 1.2          # packages of i386 in .kobalt, with the downloads, and build-i386/
ARM64 = 1.5         # packages of arm64 in .kobalt, its compiler, the downloads, and build-arm64/
CACHE = 0.1         # ccache's folder in the home
PACKAGES = 0.016    # a package that apt installs, with its share of what comes along and of the downloads
LARGE = {"piglit": 2.2, "openarena": 0.9}


def packages(names):
    """Gigabytes that apt needs to install NAMES."""
    return sum(LARGE.get(name, PACKAGES) for name in names)


def need(wants):
    """Stops when WANTS, pairs of a folder and the gigabytes that are to go there, don't fit."""
    if not os.access(paths.ROOT, os.W_OK):
        raise ui.Stop("%s can't be written to: put the project where you may write" % paths.ROOT)
    systems = {}  # file system: [one of its folders, gigabytes]
    for folder, gigabytes in wants:
        folder = paths.existing(folder)
        entry = systems.setdefault(folder.stat().st_dev, [folder, 0.0])
        entry[1] += gigabytes
    for folder, gigabytes in systems.values():
        free = shutil.disk_usage(folder).free / 1e9
        if gigabytes > 0 and free < gigabytes:
            raise ui.Stop("the disk that holds %s has %s free and %s are needed: make room for %s more, then run the same "
                          "command again" % (folder, *map(ui.spell_size, (free, gigabytes, gigabytes - free))))
