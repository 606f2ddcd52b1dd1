# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Blender renders a scene of ours with Eevee, its renderer on OpenGL; the picture is compared."""
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..lib import environment, paths, pictures, ui, witness
from ..lib.likeness import MARGIN, MEAN_LIMIT, SHARE_LIMIT, far_beyond, row, within

SCENE = paths.ROOT / "tests/apps/blender_scene.py"
IMAGES = paths.ROOT / "docs/images"
SECONDS = 240
# Blender 4.2 replaced Eevee by another renderer, which the scene has not been tried with.
BEFORE = (4, 2)
TIMED = ("kobalt", "zink", "llvmpipe")
CACHES = ("KOBALT_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE")

SECTION = """## Blender

Blender %s renders a scene of six objects, two lights and shadows (`tests/apps/blender_scene.py`) in the background with
Eevee, its renderer on OpenGL. The picture is compared with llvmpipe's as above, and within the same limits: a mean
of at most %s, and at most %s different pixels. Each object has a place, a turn and a size of its own, and the
picture shows whether the driver kept them. To show that the limits would tell, llvmpipe also renders the scene with the
objects' transforms taken away; that picture has to be at least %d times beyond both limits.

| picture | mean difference | different pixels | greatest difference | |
|---|---|---|---|---|
%s

Kobalt (left) and llvmpipe (right):

![Kobalt](images/blender-kobalt.png) ![llvmpipe](images/blender-llvmpipe.png)

Blender starts twice on each driver, and renders once each time. At the *first* start no shader was compiled before, at
the *second* the caches on disk are filled. These are seconds of processor time from start to end, all threads together,
drawing on the CPU included; the machine is shared, so they are only roughly to be compared.

| driver | first start | second start |
|---|---|---|
%s

By hand:

```sh
./kobalt run -- xvfb-run -a blender --background --factory-startup --python tests/apps/blender_scene.py -- kobalt.tga
```
"""
ABSENT = "## Blender\n\n%s\n"


def version(program):
    """Blender's version, "3.4.1"; None where it says none."""
    found = re.search(r"^Blender ([0-9.]+)", witness.output([program, "--version"], None), re.MULTILINE)
    return found[1] if found else None


def too_new(number):
    return tuple(int(part) for part in number.split(".")[:2]) >= BEFORE


def processor_time():
    """Seconds of processor time that this process's ended children have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def render(display, driver, folder, still=False):
    """(the picture or None, seconds of processor time). FOLDER is the home, and keeps the shaders that were compiled."""
    shot = Path(folder) / "picture.tga"
    shot.unlink(missing_ok=True)
    env = dict(environment.for_driver(driver), DISPLAY=display, HOME=str(folder),
               XDG_CACHE_HOME=str(Path(folder) / "cache"))
    for name in CACHES:
        env.pop(name, None)
    before = processor_time()
    try:
        done = subprocess.run([shutil.which("blender"), "--background", "--factory-startup", "--python-exit-code", "1",
                               "--python", str(SCENE), "--", str(shot)] + (["still"] if still else []), env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        ui.warn("Blender on %s did not end within %d s" % (driver, SECONDS))
        return None, 0.0
    seconds = processor_time() - before
    wrong = trouble(done.stdout.decode("utf-8", "replace"), driver, done.returncode, shot.exists())
    if wrong:
        ui.warn("Blender on %s: %s" % (driver, wrong))
        return None, seconds
    return pictures.read_tga(shot), seconds


def trouble(text, driver, code, drawn):
    """What is wrong with a render that printed TEXT; None if nothing is."""
    drew = re.search(r"^renderer: (.*)", text, re.MULTILINE)
    said = re.search(r"^(?:MESA: \w+: )?kobalt: .*|^\w*Error: .*", text, re.MULTILINE)
    if code or said or not drawn:
        return "exit status %d, %s" % (code, said[0] if said else "a picture" if drawn else "no picture")
    if not drew or not witness.is_of(drew[1], driver):
        return "%s drew" % (drew[1] if drew else "nothing")
    return None


def section(number, starts, still, times):
    """(the page's section, whether all is well). STARTS: the differences of Kobalt's pictures at the first and the
    second start; STILL: the difference of the picture without transforms; None if there is no picture.
    TIMES: {driver: (seconds, seconds)}."""
    kept = [difference is not None and within(difference) for difference in starts]
    tells = still is not None and far_beyond(still)
    rows = [row("Kobalt's at the %s start" % name, difference, good)
            for name, difference, good in zip(("first", "second"), starts, kept)]
    rows.append(row("llvmpipe's without the transforms (has to differ)", still, tells))
    lines = ["| %s | %.1f | %.1f |" % (driver, *seconds) for driver, seconds in times.items()]
    return SECTION % (number, MEAN_LIMIT, "%.1f%%" % (100 * SHARE_LIMIT), MARGIN, "\n".join(rows),
                      "\n".join(lines)), all(kept) and tells


def measure(display, drivers):
    """(the page's section, whether all is well)."""
    number = version("blender") if shutil.which("blender") else None
    if not number or too_new(number):
        why = "Blender %s has another Eevee than the scene was made for" % number if number else "blender is not installed"
        ui.warn("%s, it is left out" % why)
        return ABSENT % (why[0].upper() + why[1:] + " (this run's machine)."), True
    shots, times = {}, {}
    for driver in TIMED:
        ui.note("Blender on %s" % driver)
        with tempfile.TemporaryDirectory(prefix="kobalt-blender-") as folder:
            starts = [render(display, driver, folder) for _ in range(2)]
            if driver == "llvmpipe":
                still, _ = render(display, driver, folder, still=True)
        shots[driver] = [shot for shot, _ in starts]
        if all(shots[driver]):
            times[driver] = [seconds for _, seconds in starts]
    for driver in drivers:
        if shots[driver][1]:
            pictures.write_png(shots[driver][1], IMAGES / ("blender-%s.png" % driver))
    right = shots["llvmpipe"][0]
    first, second, without = [pictures.compare(shot, right) if shot and right else None
                              for shot in (*shots["kobalt"], still)]
    return section(number, (first, second), without, times)
