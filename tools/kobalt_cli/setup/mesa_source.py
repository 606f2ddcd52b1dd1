# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Mesa's source: its release from Debian's mirror or from Mesa's, in Meson's package cache, and the tree that Meson
unpacks from there and patches (subprojects/mesa.wrap)."""
import configparser
import filecmp
import hashlib
import http.client
import os
import shutil
import tarfile
import urllib.request

from ..lib import paths, stamps, ui
from . import mesa_series, private_apt

FETCHED = "mesa-source"  # the stamp that tells a fetched release from one that the user has put there
TREE = "mesa-tree"       # the stamp of the series that the tree has
SLOW_S = 60              # seconds without a byte after which a download has failed


def present():
    """True when Mesa's release lies in Meson's package cache."""
    return paths.MESA_TARBALL.is_file()


def check_sum(path, expected=paths.MESA_SHA256):
    """Stops when the tarball is not the one that Kobalt is made for."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            total.update(block)
    if total.hexdigest() != expected:
        raise ui.Stop("%s is not the expected file (sha256 %s…, expected %s…): delete .kobalt/apt, then run "
                      "the same command again" % (path.name, total.hexdigest()[:12], expected[:12]))


def release_url():
    """The URL of Mesa's release, read from the wrap file, which Meson itself uses as well."""
    wrap = configparser.ConfigParser(interpolation=None)
    wrap.read(paths.MESA_WRAP)
    return wrap["wrap-file"]["source_url"]


def download_release(folder):
    """Fetches Mesa's release tarball into FOLDER; proxies are taken from the environment."""
    url = release_url()
    tarball = folder / url.rpartition("/")[2]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(url, timeout=SLOW_S) as source, open(tarball, "wb") as target:
            shutil.copyfileobj(source, target)
    except (http.client.HTTPException, OSError) as error:
        if ui.advise_file(error):  # the disk, not the network
            raise
        raise ui.Stop("Mesa's release can't be fetched from %s (%s): check the connection, then run the same command again, "
                      "or put the file in %s by hand"
                      % (url, getattr(error, "reason", error), paths.MESA_TARBALL.parent.relative_to(paths.ROOT))) from None
    return tarball


def fetch(system=None):
    """Brings Mesa's release into Meson's package cache unless it is there: through apt where SYSTEM's mirror has it."""
    if present():
        return
    suite = next((suite for kind, suite in system.suites if kind == "deb-src"), None) if system else None
    tarball = private_apt.download_source("mesa", suite) / paths.MESA_DEBIAN_TARBALL if suite else None
    if tarball is None or not tarball.exists():  # no such mirror, or it has another Mesa by now
        tarball = download_release(paths.APT / "downloads")
    check_sum(tarball)
    if not tarfile.is_tarfile(tarball):
        raise ui.Stop("%s is damaged: delete .kobalt/apt, then run the same command again" % tarball.name)
    paths.MESA_TARBALL.parent.mkdir(parents=True, exist_ok=True)
    part = paths.MESA_TARBALL.with_suffix(".part")
    shutil.copyfile(tarball, part)
    part.rename(paths.MESA_TARBALL)
    stamps.write(FETCHED, paths.MESA_VERSION)


def keep_times(old, new):
    """Gives each file of NEW that OLD has with the same contents its time there, so that what didn't change isn't
    compiled again."""
    for folder, _, files in os.walk(new):
        for name in files:
            file = os.path.join(folder, name)
            before = os.path.join(old, os.path.relpath(file, new))
            if os.path.isfile(before) and not os.path.islink(file) and filecmp.cmp(before, file, shallow=False):
                status = os.stat(before)
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def old_tree():
    """Where the tree lies that is replaced while its successor is unpacked."""
    return paths.MESA_TREE.with_name("." + paths.MESA_TREE.name + ".old")


def unpacked(series=None):
    """True when the tree is the release with the whole series of today, whose fingerprint SERIES is."""
    return paths.MESA_TREE.is_dir() and not old_tree().exists() and stamps.fresh(TREE, series or mesa_series.fingerprint())


def unpack(meson):
    """Has MESON (a command) unpack the release and apply the series, where the tree isn't that already."""
    value, old = mesa_series.fingerprint(), old_tree()
    if unpacked(value):
        return
    stamps.drop(TREE)
    if old.exists():  # an earlier run was interrupted, so the tree that it left is incomplete
        shutil.rmtree(paths.MESA_TREE, ignore_errors=True)
    elif paths.MESA_TREE.is_dir():
        paths.MESA_TREE.rename(old)
    ui.note("      unpacking Mesa and applying %d patches (about 30 s)" % len(mesa_series.names()))
    try:
        ui.run([*meson, "subprojects", "download", "--sourcedir", paths.ROOT, "mesa"], "unpacking Mesa's source",
               log="setup.log", env=paths.build_environment())
    except BaseException:  # the tree has only a part of the patches
        shutil.rmtree(paths.MESA_TREE, ignore_errors=True)
        raise
    if old.is_dir():
        keep_times(old, paths.MESA_TREE)
        shutil.rmtree(old)
    stamps.write(TREE, value)
