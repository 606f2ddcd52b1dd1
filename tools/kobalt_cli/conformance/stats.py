# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Shader compilations inside draws: the driver's counters, summed over passes of a profile or of real programs."""
import shutil

from ..lib import paths, ui
from . import piglit

FOLDER = paths.OUT / "stats"
TABLE = paths.OUT / "stats.tsv"
HEAD = ("# The driver's counters over passes: of what, pass, draws, compilations inside draws, draws that waited for a shader that "
        "no link had made.\n")
COUNTERS = ("draws", "draw_compiles", "late_waits")
NOT_COUNTED = "not counted"
PASSES = ("first", "second")


def total(folder):
    """Sums of the counters that the processes wrote into FOLDER (KOBALT_STATS)."""
    sums = {}
    for path in folder.rglob("*.tsv"):
        for line in path.read_text().splitlines():
            name, tab, value = line.partition("\t")
            if tab and value.isdigit():
                sums[name] = sums.get(name, 0) + int(value)
    return sums


def read(path):
    """[(what was run, pass, draws, compilations, waits)] in the table PATH."""
    if not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(what, title, *(int(one) if one.isdigit() else one for one in (*counted, NOT_COUNTED)[:len(COUNTERS)]))
            for what, title, *counted in rows]


def record(path, rows):
    """Writes ROWS into the table PATH, in place of those of the same runs; the others stay."""
    new = {row[0] for row in rows}
    kept = [row for row in read(path) if row[0] not in new]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD + "".join("\t".join(map(str, row)) + "\n" for row in (*kept, *rows)), encoding="utf-8")


def over(what, one_pass):
    """Calls ONE_PASS(title, {variable: value}) for two passes of WHAT with caches that last, so that the second draws
    what the first one has drawn; records what the driver counted in each. Returns 1 if the second compiled inside a
    draw, or if nothing was drawn."""
    own = FOLDER / what
    shutil.rmtree(own, ignore_errors=True)
    rows = []
    for title in PASSES:
        folder = own / title
        folder.mkdir(parents=True)
        said = one_pass(title, {"KOBALT_STATS": str(folder), "KOBALT_CACHE_DIR": str(own / "pipelines"),
                                "MESA_SHADER_CACHE_DIR": str(own / "shaders")})
        sums = total(folder)
        rows.append((what, title, *(sums.get(name, 0) for name in COUNTERS)))
        ui.note("%s, %s pass: %s%d draws, %d compilations inside draws, %d waits for shaders that no link had made"
                % (what, title, said, *rows[-1][2:]))
    for title in PASSES:
        for one in sorted((own / title).iterdir()):
            compiled = total(one).get("draw_compiles", 0) if one.is_dir() else 0
            if compiled:
                ui.note("  %s pass: %d in %s" % (title, compiled, one.name))
    record(TABLE, rows)
    return 1 if rows[-1][3] or not rows[-1][2] else 0


def measure(profile, names, args):
    """Runs piglit's tests NAMES twice; each test's counters have a folder of their own."""
    def one_pass(title, variables):
        extra = ["%s=%s" % pair for pair in variables.items()] + args.env
        env = piglit.test_environment("kobalt", args.vulkan, args.disable, args.validation, extra)
        outcomes = piglit.run(names, "%s-stats" % profile, env, args.jobs, args.timeout, label=title + " pass",
                              platform=piglit.platform_of(args))
        return piglit.counts_text(outcomes) + "; "
    return over(profile if args.vulkan == "lavapipe" else "%s on %s" % (profile, args.vulkan), one_pass)
