# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Programs that draw one picture which is the same at every start: what the picture shows, and its section of the page.

A program draws on Kobalt, on zink and on llvmpipe; Kobalt's picture is compared with llvmpipe's. llvmpipe draws once
more without what matters, and that picture has to be far from the first, or the comparison would prove nothing."""
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..lib import environment, paths, pictures, ui, witness
from ..lib.likeness import MARGIN, MEAN_LIMIT, SHARE_LIMIT, far_beyond, row, within

IMAGES = paths.ROOT / "docs/images"
TIMED = ("kobalt", "zink", "llvmpipe")
SECONDS = 600
# Messages of a fault: the driver's own, and those that programs print for GL errors.
FAULT = re.compile(r"^(?:MESA: \w+: )?kobalt: (?!started).*|.*\bGL_(?:INVALID|OUT_OF)_\w+.*", re.MULTILINE)

SECTION = """## %(heading)s

%(about)s

The picture is compared with llvmpipe's as above, within the same limits (%(mean)s; %(share)s). llvmpipe's picture of
%(empty)s has to be at least %(margin)d times beyond both.

| picture | mean difference | different pixels | greatest difference | |
|---|---|---|---|---|
%(rows)s

Kobalt (left) and llvmpipe (right):

![Kobalt](images/%(name)s-kobalt.png) ![llvmpipe](images/%(name)s-llvmpipe.png)

%(times)s

By hand:

```sh
%(by_hand)s
```
"""
ABSENT = "## %s\n\n%s\n"
FRAMES = """A frame's time in ms, as the program tells it, and seconds of processor time from start to end, all threads
together, drawing on the CPU included; the machine is shared, so they are only roughly to be compared:"""
STARTS = """Seconds of processor time from start to end, all threads together, drawing on the CPU included; the machine
is shared, so they are only roughly to be compared (the program tells no frame times):"""


@dataclass
class Drawing:
    """The results of one start: exit status, output, picture, the frame's time, processor time."""
    code: int | None
    text: str
    picture: pictures.Picture | None = None
    frame: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Program:
    """A program, how it is started, and the words about it. DRAW takes an environment, a folder and whether the picture
    is to lack what matters; RENDERER finds GL_RENDERER in what is printed, None if the program doesn't print
    GL_RENDERER."""
    heading: str
    name: str
    needs: tuple[str, ...]
    about: str
    empty: str
    by_hand: str
    draw: Callable[[dict, Path, bool], Drawing]
    renderer: str | None = r"^renderer: (.*)"
    prepare: Callable[[dict, Path], str | None] | None = None


def find(name):
    """Where the program or file NAME is; None if there is none."""
    if name.startswith("/"):
        return name if Path(name).exists() else None
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def start(command, env, picture=None, frame=None, seconds=SECONDS):
    """Runs COMMAND to its end; PICTURE is the PNG it writes, FRAME a pattern that finds its frame time in ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return Drawing(None, (late.stdout or b"").decode("utf-8", "replace"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = done.stdout.decode("utf-8", "replace")
    told = re.search(frame, text, re.MULTILINE) if frame else None
    shot = pictures.read_png(picture) if picture and picture.exists() else None
    return Drawing(done.returncode, text, shot, float(told[1]) if told else None,
                   after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def environment_of(driver, display, folder):
    """The environment of a start on DRIVER, with a home of its own in FOLDER."""
    home = Path(folder) / driver
    home.mkdir(exist_ok=True)
    env = dict(environment.for_driver(driver), DISPLAY=display, HOME=str(home), XDG_RUNTIME_DIR=str(home))
    for name in ("CONFIG", "DATA", "CACHE"):
        env["XDG_%s_HOME" % name] = str(home / name.lower())
    return witness.announcing(env) if driver == "kobalt" else env


def trouble(program, drawing, driver, env):
    """What is wrong with a start on DRIVER; None if nothing is."""
    if drawing.code is None:
        return "did not end within %d s" % SECONDS
    said = FAULT.search(witness.ANNOUNCED.sub("", drawing.text))
    if drawing.code or said or not drawing.picture:
        what = said[0] if said else "a picture" if drawing.picture else "no picture"
        return "exit status %d, %s" % (drawing.code, what)
    if program.renderer:
        drew = re.search(program.renderer, drawing.text, re.MULTILINE)
        if not drew or not witness.is_of(drew[1], driver):
            return "%s drew" % (drew[1] if drew else "nothing")
    if witness.is_announcing(env):
        return witness.doubt(witness.weakest(drawing.text), witness.needed(env))
    return None


def drawn(program, driver, display, folder, empty=False):
    """The drawing of a start in which nothing went wrong, or None."""
    ui.note("%s%s on %s" % (program.heading, " (%s)" % program.empty if empty else "", driver))
    env = environment_of(driver, display, folder)
    if not program.renderer:
        witness.require(driver, env)
    drawing = program.draw(env, Path(folder), empty)
    wrong = trouble(program, drawing, driver, env)
    if wrong:
        ui.warn("%s on %s: %s" % (program.heading, driver, wrong))
    return None if wrong else drawing


def times_of(drawings):
    """The table of frame times and processor times; DRAWINGS: {driver: Drawing or None}."""
    there = {driver: drawing for driver, drawing in drawings.items() if drawing}
    if any(drawing.frame is not None for drawing in there.values()):
        lines = ["| %s | %s | %.1f |" % (driver, "" if one.frame is None else "%.1f" % one.frame, one.seconds)
                 for driver, one in there.items()]
        return "\n".join([FRAMES, "", "| driver | ms a frame | seconds of processor time |", "|---|---|---|", *lines])
    lines = ["| %s | %.1f |" % (driver, one.seconds) for driver, one in there.items()]
    return "\n".join([STARTS, "", "| driver | seconds of processor time |", "|---|---|", *lines])


def difference(one, other):
    """What the pictures of two drawings differ by; None where one is missing or they differ in size."""
    if not one or not other or (one.picture.width, one.picture.height) != (other.picture.width, other.picture.height):
        return None
    return pictures.compare(one.picture, other.picture)


def section(program, drawings, empty):
    """(the page's section, whether all is well); None stands for a drawing that went wrong."""
    right = drawings["llvmpipe"]
    own, blank = difference(drawings["kobalt"], right), difference(empty, right)
    alike, tells = own is not None and within(own), blank is not None and far_beyond(blank)
    rows = [row("Kobalt's", own, alike), row("llvmpipe's of %s (has to differ)" % program.empty, blank, tells)]
    return SECTION % {"heading": program.heading, "about": program.about, "name": program.name, "empty": program.empty,
                      "mean": MEAN_LIMIT, "share": "%.1f%%" % (100 * SHARE_LIMIT), "margin": MARGIN,
                      "rows": "\n".join(rows), "times": times_of(drawings), "by_hand": program.by_hand}, alike and tells


def measure(program, display, drivers):
    """(the page's section, whether all is well)."""
    missing = [name for name in program.needs if not find(name)]
    if missing:
        ui.warn("%s is not installed, %s is left out" % (missing[0], program.heading))
        return ABSENT % (program.heading, "Not installed on this run's machine."), True
    with tempfile.TemporaryDirectory(prefix="kobalt-%s-" % program.name) as folder:
        wrong = program.prepare(environment_of("kobalt", display, folder), Path(folder)) if program.prepare else None
        if wrong:
            ui.warn("%s on kobalt: %s" % (program.heading, wrong))
            return ABSENT % (program.heading, "**fail**: %s." % wrong), False
        drawings = {driver: drawn(program, driver, display, folder) for driver in TIMED}
        empty = drawn(program, "llvmpipe", display, folder, empty=True)
    for driver in drivers:
        if drawings[driver]:
            pictures.write_png(drawings[driver].picture, IMAGES / ("%s-%s.png" % (program.name, driver)))
    return section(program, drawings, empty)
