# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Brings what a build installs into its prefix without disturbing the programs that run on what is there.

A library that is mapped must not be written to: its reader would crash with SIGBUS. So each changed file is copied
beside the old one and takes its name at the end; a process that has the old file open keeps it. Unchanged files stay.
"""
import filecmp
import json
import os
import shutil
from pathlib import Path

from ..lib import paths, stamps
from ..lib.target import AMD64

LIST = "installed-files"  # below paths.STAMPS: what the last installation put there


def files(tree):
    """The files and links below TREE, as relative paths."""
    return sorted(path.relative_to(tree) for path in tree.rglob("*") if path.is_symlink() or path.is_file())


def same(one, other):
    """True when the files ONE and OTHER have the same content and rights, or are links to the same place."""
    if one.is_symlink() or other.is_symlink():
        return one.is_symlink() and other.is_symlink() and os.readlink(one) == os.readlink(other)
    if not other.is_file() or one.stat().st_mode != other.stat().st_mode:
        return False
    return filecmp.cmp(one, other, shallow=False)


def bring(staged, prefix):
    """Makes PREFIX hold the files of STAGED; returns the relative paths of those that it had to replace.

    The copies are made first and renamed together, so that old and new libraries hardly ever meet.
    """
    changed = [name for name in files(staged) if not same(staged / name, prefix / name)]
    ready = []
    try:
        for name in changed:
            target = prefix / name
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(".%s.new" % target.name)
            beside.unlink(missing_ok=True)  # an interrupted installation may have left one
            ready.append((beside, target))
            shutil.copy2(staged / name, beside, follow_symlinks=False)
        for beside, target in ready:
            os.replace(beside, target)
    finally:
        for beside, _ in ready:
            beside.unlink(missing_ok=True)
    return changed


def drop_left_over(staged, prefix, target=AMD64):
    """Removes from PREFIX, TARGET's, the files that the previous installation brought and that STAGED no longer has."""
    record = paths.STAMPS / (LIST + target.suffix)
    now = [str(name) for name in files(staged)]
    before = record.read_text(encoding="utf-8").splitlines() if record.is_file() else []
    for name in set(before) - set(now):
        (prefix / name).unlink(missing_ok=True)
    stamps.write(LIST + target.suffix, "".join(name + "\n" for name in now))


def sources(build=None):
    """The files of the build that an installation would copy."""
    build = build or paths.BUILD
    try:
        plan = json.loads((build / "meson-info/intro-installed.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    for name in sorted(plan):
        path = Path(name)
        if not path.is_absolute():  # a link, which changes with the plan only
            continue
        yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def state(build=None):
    """A value that changes with what would be installed. Steps that ninja runs every time, and that change nothing
    (Mesa's git_sha1.h), don't count."""
    build = build or paths.BUILD
    parts = [build / "meson-info/intro-installed.json"]
    for path in [build / "meson-private/install.dat", *sources(build)]:
        try:
            found = path.stat()
            parts.append("%s %d %d" % (path, found.st_size, found.st_mtime_ns))
        except OSError:
            parts.append("%s missing" % path)
    return stamps.digest(*parts)
