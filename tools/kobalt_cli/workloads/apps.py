# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt apps: real programs in windows on a virtual X server; writes docs/apps.md."""
import functools
import os
import re
import shutil
import subprocess
import tempfile

from ..lib import environment, paths, ui, witness, xserver
from ..lib.labels import machine
from ..conformance import stats
from . import blender, drawn, drawn_programs, openarena, screensavers

DOCUMENT = paths.ROOT / "docs/apps.md"
# Printed by programs and by us when something went wrong; glmark2 checks GL errors itself.
TROUBLE = re.compile(r"error|failed|kobalt: |unsupported|segmentation", re.IGNORECASE)

SCENE = re.compile(r"^\[([a-z0-9]+)\].*FPS: [0-9]+", re.MULTILINE)


def execute(command, env, seconds):
    """(exit status, or None if it still ran after SECONDS; its output). On Kobalt the output must show that Kobalt
    drew: if it doesn't, an error is appended as the output's last line, which counts as trouble."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
            process.terminate()
            process.wait()
        log.seek(0)
        text = log.read().decode("utf-8", "replace")
    if witness.is_announcing(env):
        doubt = witness.doubt(witness.weakest(text), witness.needed(env))
        text = witness.ANNOUNCED.sub("", text) + ("\nerror: %s" % doubt if doubt else "")
    return code, text


def environment_of(driver, display):
    env = dict(environment.for_driver(driver), DISPLAY=display)
    return witness.announcing(env) if driver == "kobalt" else env


def gears(name, env):
    """A program that runs until it is stopped, and prints its frames every five seconds."""
    line_buffered = [shutil.which("stdbuf") or "stdbuf", "-oL"]
    code, text = execute(line_buffered + [name], env, 7)
    found = re.search(r"([0-9]+) frames in ([0-9.]+) seconds", text)
    good = code is None and found and not TROUBLE.search(text)
    return good, "%.0f frames a second" % (int(found[1]) / float(found[2])) if found else text.strip()[-80:]


def marks(name, env):
    """All scenes of glmark2, half a second each: its default list, and what that leaves out."""
    known = re.findall(r"^\[Scene\] (\S+)", execute([name, "-l"], env, 20)[1], re.MULTILINE)
    code, text = execute([name, "-b", ":duration=0.5"], env, 600)
    lines = [line.strip(" *") for line in text.splitlines() if TROUBLE.search(line)]
    score = re.search(r"Score: ([0-9]+)", text)
    runs = SCENE.findall(text)
    missing = [scene for scene in known if scene not in runs]
    for scene in missing:
        again, text = execute([name, "-b", scene + ":duration=0.5"], env, 60)
        code = code or again
        runs += SCENE.findall(text)
        lines += [line.strip(" *") for line in text.splitlines() if TROUBLE.search(line)]
    for line in dict.fromkeys(lines):
        ui.warn("%s: %s" % (name, line))
    good = code == 0 and score and known and set(runs) == set(known) and not lines
    return good, "%d runs of %d of %d scenes, score %s" % (len(runs), len(set(runs)), len(known),
                                                         score[1] if score else "none")


PROGRAMS = [("glxgears", gears), ("es2gears_x11", gears), ("glmark2", marks), ("glmark2-es2", marks)]

INTRODUCTION = """# Programs that were tried

`./kobalt apps` writes this page: it runs each program in a window of a virtual X server, on Kobalt over
lavapipe and on llvmpipe of the same Mesa release, and fails when one of them does. The programs
are Debian's; the command installs them. `./kobalt apps --only NAME` runs and writes one section and leaves the
others as they are. The sections are called
%s.

Left out, with the reason: what needs a network or a sound device; 0 A.D. (3.4 GB) and FreeCAD (1.1 GB) for their size;
ParaView as a whole (0.9 GB), since VTK draws for it; Extreme Tux Racer, which no command starts a race in, and
which uses the fixed functions that OpenArena's second renderer does. Debian 12 has no Blender above 3.4.1.
"""

SMALL = """## Small programs

A program passes when it neither ends by itself nor says anything of an error. Speeds come from this
run's machine, %s, and are only to be compared with each other. llvmpipe hands its frames to
the X server in shared memory. A Vulkan driver that draws on the CPU copies them and sends them through the
server's socket where that has no DRI 3, as a virtual one: that is most of the difference in `glmark2`, it is the same
for zink, and with `--off-screen` little of it is left.

| program | Kobalt | | llvmpipe |
|---|---|---|---|
%s
"""


def small_programs(display, drivers):
    """(the page's section, whether all is well)."""
    rows, good = [], True
    for driver in drivers:
        witness.require(driver, environment_of(driver, display))
    for name, check in PROGRAMS:
        if not shutil.which(name):
            ui.warn("%s is not installed, it is left out" % name)
            continue
        cells = []
        for driver in drivers:
            ui.note("%s on %s" % (name, driver))
            cells.append(check(name, environment_of(driver, display)))
        good = good and bool(cells[0][0])
        rows.append("| %s | %s | %s | %s |" % (name, cells[0][1], "pass" if cells[0][0] else "**fail**", cells[1][1]))
    return SMALL % (machine(), "\n".join(rows)), good


# The names that --only takes, each with the section's heading and the function that runs it, in the page's order.
SECTIONS = {"small": ("Small programs", small_programs), "openarena": ("OpenArena", openarena.measure),
            "screensavers": ("Screensavers", screensavers.measure), "blender": ("Blender", blender.measure),
            **{program.name: (program.heading, functools.partial(drawn.measure, program))
               for program in drawn_programs.ALL}}


# The sections that --stats runs: their programs go by a clock of their own, and so draw the same each time.
COUNTED = ("openarena", "screensavers")


def sections_of(page):
    """{heading: text} of the page's sections; a line that begins with ## begins one."""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]
    return {part.splitlines()[0][3:].strip(): part.rstrip("\n") + "\n" for part in parts}


def page(old, made):
    """The page, with the sections MADE ({heading: text}) in place of those that OLD has; the others stay."""
    texts = {**sections_of(old), **made}
    introduction = INTRODUCTION % ", ".join("`%s`" % name for name in SECTIONS)
    return "\n".join([introduction] + [texts[heading] for heading, _ in SECTIONS.values() if heading in texts])


def write(only=None):
    """Runs the programs of the sections ONLY (all of them by default) and writes the page; 1 where one failed."""
    drivers, made, well = ("kobalt", "llvmpipe"), {}, True
    with xserver.VirtualDisplay() as display:
        for name in only or SECTIONS:
            heading, measure = SECTIONS[name]
            made[heading], good = measure(display.name, drivers)
            well = well and good
    old = DOCUMENT.read_text(encoding="utf-8") if only and DOCUMENT.exists() else ""
    DOCUMENT.write_text(page(old, made), encoding="utf-8")
    ui.note("written: %s" % DOCUMENT.relative_to(paths.ROOT))
    return 0 if well else 1


def count(names):
    """Runs and writes the sections NAMES twice, and records the compilations inside draws (stats.py)."""
    worst = 0
    for name in names:
        def one_pass(title, variables, name=name):
            # The sections derive their environments from this process's.
            before = {key: os.environ.get(key) for key in variables}
            os.environ.update(variables)
            try:
                failed = write([name])
            finally:
                for key, value in before.items():
                    os.environ.pop(key) if value is None else os.environ.update({key: value})
            return "something failed; " if failed else ""
        worst = max(worst, stats.over(name, one_pass))
    return worst


def command(args):
    return count(args.only or COUNTED) if args.stats else write(args.only)
