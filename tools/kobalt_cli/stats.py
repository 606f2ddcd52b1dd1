# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Shader compilations inside draws: the driver's counters, summed over passes of a profile."""
import shutil

from . import paths, piglit, ui

FOLDER = paths.OUT / "stats"
TABLE = paths.OUT / "stats.tsv"
HEAD = "# The driver's counters over passes of the smoke profile: pass, draws, compilations inside draws.\n"


def total(folder):
    """Sums of the counters that the processes wrote into FOLDER (KOBALT_STATS)."""
    sums = {}
    for path in folder.rglob("*.tsv"):
        for line in path.read_text().splitlines():
            name, tab, value = line.partition("\t")
            if tab and value.isdigit():
                sums[name] = sums.get(name, 0) + int(value)
    return sums


def measure(profile, names, args):
    """Runs NAMES twice with caches that last: the second pass draws what the first one has drawn."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    rows = []
    for title in ("first", "second"):
        folder = FOLDER / title
        folder.mkdir(parents=True)
        extra = ["KOBALT_STATS=%s" % folder, "KOBALT_CACHE_DIR=%s" % (FOLDER / "pipelines"),
                 "MESA_SHADER_CACHE_DIR=%s" % (FOLDER / "shaders"), *args.env]
        env = piglit.test_environment("kobalt", args.vulkan, args.disable, args.validation, extra)
        outcomes = piglit.run(names, "%s-stats" % profile, env, args.jobs, args.timeout, label=title + " pass")
        sums = total(folder)
        rows.append((title, sums.get("draws", 0), sums.get("draw_compiles", 0)))
        ui.note("%s pass: %s; %d draws, %d compilations inside draws" % (title, piglit.counts_text(outcomes), *rows[-1][1:]))
    for one in sorted((FOLDER / "second").iterdir()):
        compiled = total(one).get("draw_compiles", 0)
        if compiled:
            ui.note("  %d in %s" % (compiled, one.name))
    TABLE.write_text(HEAD + "".join("%s\t%d\t%d\n" % row for row in rows), encoding="utf-8")
    return 1 if rows[-1][2] or not rows[-1][1] else 0
