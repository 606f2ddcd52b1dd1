# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""OpenArena plays 1,000 frames of the match it ships as a demo; its pictures are compared."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..lib import environment, paths, pictures, ui
from ..lib.likeness import MEAN_LIMIT, SHARE_LIMIT, within

FRAMES = 1000
COMPARED = 600  # a frame in which no effect of the game's random numbers is to be seen
IMAGES = paths.ROOT / "docs/images"
RENDERERS = [("opengl2", "GL 3.3 core"), ("opengl1", "GL 1.x, fixed function")]

# A timed demo steps the game by 50 ms a frame, so frame N shows the same on every machine. What comes from
# random numbers (gibs, marks, casings) and from the wall clock (messages) is switched off.
SCRIPT = """set s_initsound 0
set con_notifytime 0
set cg_draw2D 0
set cg_gibs 0
set cg_marks 0
set com_blood 0
set cg_brassTime 0
set cg_leiEnhancement 0
set timedemo 1
demo demo088-test1
wait %d
screenshot kobalt
wait %d
quit
""" % (COMPARED, FRAMES - COMPARED)

SETTINGS = {"com_hunkMegs": 512, "s_initsound": 0, "r_fullscreen": 0, "r_mode": -1, "r_customwidth": 640,
            "r_customheight": 480, "r_swapInterval": 0, "r_hdr": 0, "r_autoExposure": 0, "r_toneMap": 0}

SECTION = """## OpenArena

OpenArena plays %d frames of a match between bots (the demo that it ships), with its default renderer and with the
fixed-function one. Frame %d is taken as a picture and compared with llvmpipe's of the same frame, pixel by pixel on
the 8-bit RGB channels. *Mean difference* is the mean of the absolute channel differences, in units of 1/255; *different
pixels* are those where any channel differs by more than %d. It passes with a mean of at most %s and at most
%s different pixels: two rasterizers may round an edge differently, a wrong texture or a missing object shows far beyond.

| renderer | frames | mean difference | different pixels | greatest difference | |
|---|---|---|---|---|---|
%s

Kobalt (left) and llvmpipe (right), frame %d, default renderer, at half size:

![Kobalt](images/openarena-kobalt.png) ![llvmpipe](images/openarena-llvmpipe.png)

By hand, a match against a bot, with a picture and out:

```sh
./kobalt run -- xvfb-run -a openarena +set s_initsound 0 +set r_fullscreen 0 +set r_mode -1 \\
    +set r_customwidth 640 +set r_customheight 480 +set sv_pure 0 +set bot_enable 1 \\
    +devmap oa_dm1 +addbot grunt 3 +wait 200 +screenshotJPEG kobalt +wait 5 +quit
```
"""


def program():
    return shutil.which("openarena") or shutil.which("openarena", path="/usr/games")


def play(display, driver, renderer):
    """(the picture of frame COMPARED or None, frames played)."""
    with tempfile.TemporaryDirectory(prefix="kobalt-openarena-") as home:
        data = Path(home) / ".openarena/baseoa"
        data.mkdir(parents=True)
        (data / "kobalt.cfg").write_text(SCRIPT)
        env = dict(environment.for_driver(driver), DISPLAY=display, HOME=home)
        words = [word for key, value in SETTINGS.items() for word in ("+set", key, str(value))]
        try:
            done = subprocess.run([program(), *words, "+set", "cl_renderer", renderer, "+exec", "kobalt.cfg"],
                                  env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=300)
        except subprocess.TimeoutExpired:
            ui.warn("OpenArena (%s) on %s did not end within 300 s" % (renderer, driver))
            return None, 0
        text = done.stdout.decode("utf-8", "replace")
        shot = data / "screenshots/kobalt.tga"
        trouble = re.search(r"^(ERROR|kobalt): .*", text, re.MULTILINE)
        drew = re.search(r"^GL_RENDERER: (.*)", text, re.MULTILINE)
        if not drew or not drew[1].lower().startswith(driver):
            ui.warn("%s should draw OpenArena, but %s does" % (driver, drew[1] if drew else "nothing"))
            return None, 0
        if done.returncode or trouble or not shot.exists():
            ui.warn("OpenArena (%s) on %s: exit status %d, %s"
                    % (renderer, driver, done.returncode, trouble[0] if trouble else "no picture"))
            return None, 0
        return pictures.read_tga(shot), FRAMES


def measure(display, drivers):
    """(the page's section, whether all is well)."""
    if not program():
        ui.warn("openarena is not installed, it is left out")
        return "## OpenArena\n\nNot installed on this run's machine.\n", True
    rows, good = [], True
    for renderer, what in RENDERERS:
        shots = {}
        for driver in drivers:
            ui.note("OpenArena, %s renderer, on %s" % (renderer, driver))
            shots[driver], played = play(display, driver, renderer)
            if driver == "kobalt":
                frames = played
        if None in shots.values():
            rows.append("| %s (%s) | %d | | | | **fail** |" % (renderer, what, frames))
            good = False
            continue
        mean, share, greatest = difference = pictures.compare(shots["kobalt"], shots["llvmpipe"])
        fits = within(difference)
        good = good and fits
        rows.append("| %s (%s) | %d | %.4f | %.3f%% | %d | %s |" % (renderer, what, frames, mean, 100 * share, greatest,
                                                               "pass" if fits else "**fail**"))
        if renderer == RENDERERS[0][0]:
            for driver, picture in shots.items():
                pictures.write_png(pictures.halved(picture), IMAGES / ("openarena-%s.png" % driver))
    return SECTION % (FRAMES, COMPARED, pictures.NOTICEABLE, MEAN_LIMIT, "%.1f%%" % (100 * SHARE_LIMIT),
                      "\n".join(rows), COMPARED), good
