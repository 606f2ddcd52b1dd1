# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The bundle for 64- and 32-bit programs, unpacked where nothing of the build trees is around it, on lavapipe."""
import re
import shutil
import subprocess
import tarfile

from ..lib import environment, likeness, paths, pictures, tally, xserver
from ..lib.target import I386
from ..setup import bundle

FOLDER = paths.OUT / "test/both-widths"
LIMIT_S = 300
FRAMES, SIZE = 3, "160x120"
# Started by a 64-bit shell, in one environment: the bundle's folder, and one for the pictures of each program.
DRAW = ('"$0/bin32/kobalt-demo" --frames {0} --size {1} --out "$1" && '
        '"$0/bin/kobalt-demo" --frames {0} --size {1} --out "$2"').format(FRAMES, SIZE)


def unpacked():
    """Makes the bundle and unpacks it; its folder."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    bundle.make(FOLDER, both=True)
    tarball = next(FOLDER.glob("kobalt-*.tar.xz"))
    with tarfile.open(tarball) as archive:
        archive.extractall(FOLDER)
    return FOLDER / tarball.name.removesuffix(".tar.xz")


def libraries_of_driver(place):
    """A folder with what the fetched 32-bit lavapipe needs and the bundle at PLACE lacks: on other machines these are the
    system's own. The rest of the fetched libraries stays out of reach, so the bundle's have to do."""
    folder = FOLDER / "driver"
    folder.mkdir(exist_ok=True)
    tree = I386.tree / "usr/lib" / I386.multiarch
    env = dict(environment.without_kobalt(), LD_LIBRARY_PATH=str(tree))
    for name, path in bundle.needed(tree / "libvulkan_lvp.so", env).items():
        if not (bundle.GLIBC.match(name) or (place / "lib32/support" / name).exists()):
            (folder / name).symlink_to(path)
    return folder


def environment_of(place):
    """The environment that the bundle's launcher is started in."""
    manifests = [tree / "usr/share/vulkan/icd.d/lvp_icd.json" for tree in (paths.HOST, I386.tree)]
    env = dict(environment.without_kobalt(), VK_DRIVER_FILES=":".join(map(str, manifests)), KOBALT_QUIET="1",
               LD_LIBRARY_PATH=str(libraries_of_driver(place)), KOBALT_CACHE_DIR=str(FOLDER / "cache"))
    env.pop("KOBALT_HOST", None)
    return env


def said_by(words, env, log):
    """(exit status, what is said) of the command WORDS, which is kept in the file LOG."""
    done = subprocess.run([str(word) for word in words], env=env, cwd=FOLDER, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_S)
    (FOLDER / log).write_text(done.stdout, encoding="utf-8")
    return done.returncode, done.stdout


def drawn(place, env):
    """A Tally with one result: do a 32- and a 64-bit program, started by one shell, draw the same on Kobalt?"""
    folders = [FOLDER / "narrow", FOLDER / "wide"]
    code, text = said_by([place / "kobalt", "run", "--", "/bin/sh", "-c", DRAW, place, *folders], env, "drawn.log")
    renderers = re.findall(r"^renderer: .*Kobalt\)$", text, re.MULTILINE)
    if code or len(renderers) != 2:
        return tally.Tally(failed=1, notes=["a 32- and a 64-bit program of one shell: status %d, %d on Kobalt: see %s"
                                            % (code, len(renderers), FOLDER / "drawn.log")])
    shots = [[pictures.read_png(path) for path in sorted(folder.glob("*.png"))] for folder in folders]
    differences = [pictures.compare(*pair) for pair in zip(*shots)]
    if len(differences) != FRAMES or not all(likeness.within(one) for one in differences):
        return tally.Tally(failed=1, notes=["the pictures of a 32- and a 64-bit program differ: %s" % differences])
    return tally.Tally(passed=1)


def windows(place, env):
    """A Tally with a result for GLX and one for EGL: the tests of windows of a 32-bit program."""
    result = tally.Tally()
    with xserver.VirtualDisplay() as display:
        for api in ("glx", "egl"):
            code, text = said_by([place / "kobalt", "run", "--", environment.own_program("kobalt-window-tests", True, I386), api],
                                 dict(xserver.environment(display, env), KOBALT_EXPECT_RENDERER="Kobalt"), "windows-%s.log" % api)
            good = code == 0 and "window tests passed" in text
            result.add(tally.Tally(passed=good, failed=not good,
                                   notes=[] if good else ["windows of a 32-bit program by %s: status %d" % (api, code)]))
    return result


def info(place, env):
    """A Tally with one result: does the bundle say on what 32-bit programs draw?"""
    code, text = said_by([place / "kobalt", "info"], env, "info.log")
    good = code == 0 and re.search(r"^32-bit programs: .*llvmpipe", text, re.MULTILINE)
    return tally.Tally(passed=bool(good), failed=not good, notes=[] if good else ["kobalt info: status %d: %s" % (code, text[-200:])])


def bundled(args):
    """A Tally over all parts."""
    place = unpacked()
    env = environment_of(place)
    result = tally.Tally()
    for part in (drawn, windows, info):
        result.add(part(place, env))
    return result
