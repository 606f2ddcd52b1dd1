# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""XScreenSaver's OpenGL programs, on a clock that advances at each swap; a picture of each is compared."""
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from ..lib import environment, paths, pictures, ui
from ..lib.likeness import within

SOURCE = paths.ROOT / "tests/apps/stepped_clock.cpp"
FOLDER = Path("/usr/libexec/xscreensaver")
FRAME = 30
SECONDS = 60
# Programs whose picture depends on nothing but the clock. winduprobot is
# not among them: lavapipe leaves gaps in its long wide lines, under any driver.
PROGRAMS = """atlantis blinkbox boxed carousel circuit cubicgrid dangerball etruscanvenus extrusion flipflop gears
glplanet lament menger morph3d pipes polyhedra sproingies superquadrics surfaces""".split()

SECTION = """## Screensavers

%d OpenGL programs of XScreenSaver (Debian's `xscreensaver-gl` and `xscreensaver-gl-extra`) draw %d frames each, and the last one is
compared with llvmpipe's as above. A clock that each swap moves on by 1/30 s (`tests/apps/stepped_clock.cpp`) makes
them draw the same frames on both. A program also fails when it leaves a GL error or does not end within %d seconds.
*Seconds* are those from start to end, on Kobalt and on llvmpipe.

| program | mean difference | different pixels | seconds | |
|---|---|---|---|---|
%s
"""


def build_clock(folder):
    library = Path(folder) / "stepped_clock.so"
    done = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-shared", "-fPIC", "-o", str(library),
                           str(SOURCE), "-lEGL", "-lGL", "-ldl"], stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise ui.Stop("%s does not compile: %s" % (SOURCE.relative_to(paths.ROOT), done.stderr.strip()[-300:]))
    return library


def draw(name, driver, base, library, folder):
    """(the picture or None, seconds, what went wrong)."""
    shot = Path(folder) / "picture.tga"
    shot.unlink(missing_ok=True)
    env = dict(base, LD_PRELOAD=str(library), STEPPED_FRAME=str(FRAME), STEPPED_PICTURE=str(shot), HOME=str(folder),
               vblank_mode="0")
    start = time.monotonic()
    try:
        done = subprocess.run([str(FOLDER / name), "--window", "--geometry", "320x320"], env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, SECONDS, "no frame %d within %d s" % (FRAME, SECONDS)
    seconds = time.monotonic() - start
    text = done.stdout.decode("utf-8", "replace")
    drew = re.search(r"^renderer: (.*)", text, re.MULTILINE)
    if not drew or not drew[1].lower().startswith(driver):
        return None, seconds, "%s drew" % (drew[1] if drew else "nothing")
    if done.returncode or not shot.exists():
        return None, seconds, "exit status %d" % done.returncode
    return pictures.read_tga(shot), seconds, re.search(r"^kobalt: .*", text, re.MULTILINE)


def measure(display, drivers):
    """(the page's section, whether all is well)."""
    if not FOLDER.is_dir() or not shutil.which(os.environ.get("CXX", "c++")):
        ui.warn("xscreensaver-gl or a compiler is not installed, the screensavers are left out")
        return "## Screensavers\n\nNot installed on this run's machine.\n", True
    rows, good = [], True
    environments = {driver: dict(environment.for_driver(driver), DISPLAY=display) for driver in drivers}
    with tempfile.TemporaryDirectory(prefix="kobalt-screensavers-") as folder:
        library = build_clock(folder)
        for name in PROGRAMS:
            ui.note("%s on %s" % (name, " and ".join(drivers)))
            shots = [draw(name, driver, environments[driver], library, folder) for driver in drivers]
            wrong = ["%s: %s" % (driver, shot[2]) for driver, shot in zip(drivers, shots) if shot[2]]
            fits, cells = False, "| |"
            if not wrong:
                mean, share, _ = difference = pictures.compare(shots[0][0], shots[1][0])
                fits = within(difference)
                cells = "| %.4f | %.3f%%" % (mean, 100 * share)
            for line in wrong:
                ui.warn("%s on %s" % (name, line))
            good = good and fits
            rows.append("| %s %s | %.1f, %.1f | %s |" % (name, cells, shots[0][1], shots[1][1],
                                                         "pass" if fits else "**fail**"))
    return SECTION % (len(rows), FRAME, SECONDS, "\n".join(rows)), good
