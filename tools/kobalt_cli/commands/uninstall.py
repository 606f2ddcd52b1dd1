# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt uninstall: takes away what Kobalt made on this machine, and says what stays."""
import os
import shutil
import tempfile
from pathlib import Path

from ..lib import lock, paths, stamps, ui
from ..lib.target import I386
from ..setup import mesa_source, system_packages
from . import enable


def cache_folders():
    """Kobalt's folders in the user's cache: compiled pipelines, and NVIDIA's mended manifest (tools/environment.sh)."""
    homes = [os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.environ.get("HOME", ""), ".cache")]
    folders = [Path(home) / "kobalt" for home in homes if os.path.isabs(home)]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir() or folder.is_symlink()]


def temporary_folders(parent=None):
    """The folders that tools/environment.sh makes if there is no home: this user's, with NVIDIA's manifest at most in
    them."""
    found = []
    for folder in Path(parent or tempfile.gettempdir()).glob("kobalt-??????"):
        try:
            if (folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.geteuid()
                    and set(os.listdir(folder)) <= {"nvidia_icd.json"}):
                found.append(folder)
        except OSError:  # another user's
            continue
    return sorted(found)


def project_folders():
    """(folders inside the project that --all takes away, those that stay with the reason)."""
    taken = [paths.BUILD, I386.build, paths.ROOT / "build-mine", paths.OUT, paths.MESA_TREE]  # Meson makes the tree of the release
    stay = []
    if paths.MESA_TARBALL.exists():
        if stamps.fresh(mesa_source.FETCHED, paths.MESA_VERSION):
            taken.append(paths.MESA_TARBALL.parent)
        else:
            stay.append((paths.MESA_TARBALL, "the set-up has no record of having fetched it"))
    taken.append(paths.STATE)  # last: the records are in it
    return [folder for folder in taken if folder.exists()], stay


def size(folder):
    """Gigabytes of disk that FOLDER takes."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(root, name)).st_blocks * 512
            except OSError:
                continue
    return total / 1e9


def remove(path):
    """Removes a folder, or the link that stands in its place."""
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path)


def packages_that_stay():
    """The packages that the set-up installed with apt and that are still there."""
    names = system_packages.recorded()
    if not names:
        return []
    gone = set(system_packages.missing(names))
    return [name for name in names if name not in gone]


def say_what_stays(everything, kept):
    packages = packages_that_stay()
    if packages:
        sudo = "" if os.geteuid() == 0 else "sudo "
        ui.note("%d packages stay that the set-up installed with apt (other programs may use them by now); to remove them:"
                % len(packages))
        ui.note("  %sapt-get remove %s" % (sudo, " ".join(packages)))
        ui.note("  %sapt-get autoremove" % sudo)
    if os.environ.get("KOBALT_CACHE_DIR"):
        ui.note("$KOBALT_CACHE_DIR stays: that folder is yours")
    compiled = paths.compiler_cache()
    if compiled.is_dir() and paths.STATE not in compiled.parents:
        ui.note("the compiler cache is ccache's, which all your projects share: it drops old entries by itself, "
                "`ccache --clear` drops all")
    for folder, why in kept:
        ui.note("%s stays: %s" % (folder.relative_to(paths.ROOT), why))
    if not everything:
        inside, _ = project_folders()
        if inside:
            ui.note("inside the project stay %s; `./kobalt uninstall --all` takes them, too"
                    % ", ".join(str(folder.relative_to(paths.ROOT)) for folder in inside))


def take_away(everything, dry_run):
    inside, kept = project_folders() if everything else ([], [])
    targets = cache_folders() + temporary_folders() + inside
    enabled = enable.mine()
    if dry_run:
        for line in enabled:
            ui.note("would disable %s" % line)
        for path in targets:
            ui.note("would remove %s (%s)" % (path, ui.spell_size(size(path))))
        say_what_stays(everything, kept)
        return 0
    # Printed first, since the text is read from the folders that are removed below.
    say_what_stays(everything, kept)
    undone = not enabled or enable.disable_mine()
    for path in targets:
        about = ui.spell_size(size(path))
        remove(path)
        ui.note("removed %s (%s)" % (path, about))
    if not targets and not enabled:
        ui.note("there was nothing to remove")
    return 0 if undone else 1


def command(args):
    """Removes without asking; --dry-run only lists."""
    if args.dry_run or not paths.STATE.exists():
        return take_away(args.all, args.dry_run)
    with lock.held():
        return take_away(args.all, False)
