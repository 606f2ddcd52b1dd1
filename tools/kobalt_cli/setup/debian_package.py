# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt package: Debian's packages, by dpkg-buildpackage in a root of the release that they are for.

The source package is this tree with Mesa's release in Meson's package cache, so that its build needs no network."""
import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

from ..lib import lock, paths, ui
from . import distribution, mesa_source, package_lists, package_roots

DEBIAN = paths.ROOT / "packaging/debian"
OUT = paths.OUT / "packages"
TOOLS = ("build-essential", "ccache", "fakeroot", "lintian", "xz-utils")  # besides the build dependencies
FIELD = re.compile(r"^(\S+):[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)


@dataclasses.dataclass
class Packages:
    """What a build made: the .deb files by the packages' names, and how many of lintian's tags there are by severity."""

    suite: str
    folder: Path
    files: dict
    tags: dict


def fields(text):
    """{field: value} of a stanza of a control file."""
    return {name: " ".join(value.split()) for name, value in FIELD.findall(text)}


def build_dependencies():
    """The names of the packages that the build needs, as debian/control has them."""
    source = fields((DEBIAN / "control").read_text(encoding="utf-8").partition("\n\n")[0])
    return [part.split()[0] for part in source["Build-Depends"].split(", ")]


def build_packages(suite):
    """What the root for SUITE's build has: `name/suite` for what comes from another suite."""
    elsewhere = dict(package_lists.private_pairs("host", package_roots.RELEASES[suite]))
    found = []
    for name in [*TOOLS, *build_dependencies()]:
        name = {"debhelper-compat": "debhelper"}.get(name, name)
        found.append(name if elsewhere.get(name, suite) == suite else "%s/%s" % (name, elsewhere[name]))
    return found


def version(suite):
    """The packages' version for SUITE: a newer release's is the newer one, so that an upgrade of the system takes it."""
    return "%s-1~deb%s" % (paths.version(), package_roots.RELEASES[suite].name.rpartition("-")[2])


def changelog(text, suite):
    """The changelog TEXT with SUITE's version at its top."""
    return re.sub(r"^kobalt \([^)]*\) \S+;", "kobalt (%s) %s;" % (version(suite), suite), text, count=1)


def source_files():
    """The files of the source package, relative to the project: what git tracks, and Mesa's release."""
    done = subprocess.run(["git", "-C", str(paths.ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise ui.Stop("packages are made from a git checkout, and git says: %s" % done.stderr.strip())
    names = sorted({name for name in done.stdout.split("\0") if name and (paths.ROOT / name).is_file()})
    return [*names, str(paths.MESA_TARBALL.relative_to(paths.ROOT))]


def stage(suite, folder):
    """Writes the source tarball into FOLDER and unpacks it there, with SUITE's debian folder; returns the tree."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    name = "kobalt-" + paths.version()
    listed = folder / "files"
    listed.write_text("".join(file + "\n" for file in source_files()))
    tarball = folder / ("kobalt_%s.orig.tar.xz" % paths.version())
    # Mesa's release is most of it, and compressed already.
    ui.run(["tar", "-C", paths.ROOT, "--owner=0", "--group=0", "--transform=flags=r;s,^,%s/," % name, "-I", "xz -T0 -0",
            "-cf", tarball, "-T", listed], "packing the source", log=package_roots.LOG)
    listed.unlink()
    ui.run(["tar", "-C", folder, "-xf", tarball], "unpacking the source", log=package_roots.LOG)
    shutil.copytree(DEBIAN, folder / name / "debian")
    log = folder / name / "debian/changelog"
    log.write_text(changelog(log.read_text(encoding="utf-8"), suite), encoding="utf-8")
    return folder / name


def build_environment(tree):
    """The environment of dpkg-buildpackage. TREE: as the root calls the source's folder. The compiler gets the flags of
    `./kobalt build`, so that ccache has what is compiled, and the driver is the one that the tests try."""
    plain = {"DEB_%s_SET" % name: "" for name in ("CFLAGS", "CXXFLAGS", "CPPFLAGS")}
    return {**plain, "DEB_BUILD_OPTIONS": "noautodbgsym parallel=%d" % (os.cpu_count() or 1), "CC": "ccache gcc", "CXX": "ccache g++",
            "CCACHE_DIR": "/ccache", "CCACHE_BASEDIR": tree, "CCACHE_NOHASHDIR": "1", "CCACHE_SLOPPINESS": "locale"}


def build(suite):
    """Builds SUITE's packages and has lintian read them; returns Packages. lintian's errors stop it."""
    with lock.held():
        mesa_source.fetch(distribution.here())
        root = package_roots.make(suite, "build", build_packages(suite), "essential")
        folder = OUT / suite
        tree = "/build/" + stage(suite, folder).name
        cache = paths.compiler_cache()
        cache.mkdir(parents=True, exist_ok=True)
        binds = [(folder, "/build"), (cache, "/ccache")]
        ui.note("      building the packages for %s" % suite)
        inside = lambda words: ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", tree, *words]
        root.must(inside(["dpkg-buildpackage", "-us", "-uc"]), "dpkg-buildpackage", binds, build_environment(tree))
        code, said = root.run(inside(["lintian", "--allow-root", "--tag-display-limit", "0", "--display-info",
                                      "--fail-on", "error", "../kobalt_%s_amd64.changes" % version(suite)]), binds)
    (folder / "lintian.txt").write_text(said, encoding="utf-8")
    shutil.rmtree(folder / Path(tree).name)
    found = Packages(suite, folder, {deb.name.partition("_")[0]: deb for deb in sorted(folder.glob("*.deb"))},
                     {kind: len(re.findall("^%s: " % kind, said, re.MULTILINE)) for kind in "EWIP"})
    if code:
        raise ui.Stop("lintian finds %d errors: see %s" % (found.tags["E"], (folder / "lintian.txt").relative_to(paths.ROOT)))
    return found


def command(args):
    """Builds the packages for each release that ARGS name; says what came out."""
    for suite in args.release or [distribution.here().suite if distribution.here() else "bookworm"]:
        packages = build(suite)
        for file in packages.files.values():
            ui.note("%s: %.1f MB" % (os.path.relpath(file), file.stat().st_size / 1e6))
        ui.note("lintian: %(E)d errors, %(W)d warnings, %(I)d remarks" % packages.tags)
    return 0
