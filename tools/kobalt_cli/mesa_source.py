# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Mesa's source: fetched from Debian, checked against the pinned sum, unpacked below subprojects/."""
import hashlib
import shutil
import tarfile

from . import paths, private_apt, ui


def present():
    """True when a Mesa tree of the right version lies in subprojects/."""
    version = paths.MESA_TREE / "VERSION"
    if not version.is_file():
        return False
    found = version.read_text().strip()
    if found != paths.MESA_VERSION:
        raise ui.Stop("%s holds Mesa %s, %s is needed: remove the folder, then run the same command again"
                      % (paths.MESA_TREE.relative_to(paths.ROOT), found, paths.MESA_VERSION))
    return True


def check_sum(path, expected=paths.MESA_SHA256):
    """Stops when the tarball is not the one that Kobalt is made for."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            total.update(block)
    if total.hexdigest() != expected:
        raise ui.Stop("%s is not the expected file (sha256 %s…, expected %s…): delete .kobalt/apt, then run "
                      "the same command again" % (path.name, total.hexdigest()[:12], expected[:12]))


def unpack(tarball):
    """Unpacks TARBALL so that an interrupted run never leaves half a tree behind."""
    fresh = paths.MESA_TREE.with_name("." + paths.MESA_TREE.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    ui.run(["tar", "-xJf", tarball, "-C", fresh, "--strip-components=1"], "unpacking Mesa's source")
    fresh.rename(paths.MESA_TREE)


def fetch():
    """Brings Mesa's source into subprojects/ unless it is there."""
    if present():
        return
    folder = private_apt.download_source("mesa", "trixie")
    tarball = folder / paths.MESA_TARBALL
    if not tarball.exists():
        raise ui.Stop("the mirror has another Mesa than %s: unpack Mesa %s in %s, then run the same command again"
                      % (paths.MESA_VERSION, paths.MESA_VERSION, paths.MESA_TREE.relative_to(paths.ROOT)))
    check_sum(tarball)
    if not tarfile.is_tarfile(tarball):
        raise ui.Stop("%s is damaged: delete .kobalt/apt, then run the same command again" % tarball.name)
    unpack(tarball)
