# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Mesa's source: fetched from Debian's mirror or as Mesa's release, checked against the pinned sum, unpacked below
subprojects/."""
import configparser
import hashlib
import http.client
import shutil
import tarfile
import urllib.request

from . import paths, private_apt, stamps, ui

FETCHED = "mesa-source"  # the stamp that tells a fetched tree from one that the user has unpacked
SLOW_S = 60  # without a byte for so long, a download has failed


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


def release_url():
    """Where Mesa's release lies: what the wrap file says, which serves those who call Meson themselves."""
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
                      "or unpack Mesa %s in %s by hand"
                      % (url, getattr(error, "reason", error), paths.MESA_VERSION,
                         paths.MESA_TREE.relative_to(paths.ROOT))) from None
    return tarball


def fetch(system=None):
    """Brings Mesa's source into subprojects/ unless it is there: through apt where SYSTEM's mirror has it."""
    if present():
        return
    suite = next((suite for kind, suite in system.suites if kind == "deb-src"), None) if system else None
    tarball = private_apt.download_source("mesa", suite) / paths.MESA_TARBALL if suite else None
    if tarball is None or not tarball.exists():  # no such mirror, or it has another Mesa by now
        tarball = download_release(paths.APT / "downloads")
    check_sum(tarball)
    if not tarfile.is_tarfile(tarball):
        raise ui.Stop("%s is damaged: delete .kobalt/apt, then run the same command again" % tarball.name)
    unpack(tarball)
    stamps.write(FETCHED, paths.MESA_VERSION)
