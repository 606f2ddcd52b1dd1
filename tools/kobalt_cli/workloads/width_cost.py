# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench --instructions --arch i386: what a draw costs 32-bit programs, beside those of the machine's own width.

Both draw on lavapipe of their own architecture, whose part of a draw counts as well. Waits are left out: how often they
poll is not a fixed number."""
from ..lib import environment, paths, ui
from ..lib.target import AMD64, I386
from . import gpu_bench, overhead

TABLE = paths.OUT / "instructions-i386.tsv"


def counts_of(target):
    """{case: instructions a draw} of TARGET's build."""
    env = environment.kobalt(vulkan="lavapipe", quiet=True, target=target,
                             extra={**gpu_bench.ALL_IN_ONE_THREAD, "KOBALT_EXPECT_RENDERER": "Kobalt"})
    ui.note("%s: counting, about a minute" % target.name)
    found = gpu_bench.counted([target.build / "bench/draw_cost/kobalt-draw-cost"], env, "kobalt-draw-cost for %s" % target.name)
    return {case: number for case, number in found.items() if case not in gpu_bench.WAITS}


def command(args):
    """Prints and writes the table. Returns 0."""
    wide, narrow = counts_of(AMD64), counts_of(I386)
    lines = ["# kobalt-draw-cost on lavapipe under callgrind, instructions a draw", "# case\tamd64\ti386\tratio"]
    for case in sorted(wide.keys() & narrow.keys(), key=list(wide).index):
        lines.append("%s\t%.0f\t%.0f\t%.2f" % (case, wide[case], narrow[case], narrow[case] / wide[case]))
        ui.note("%-18s amd64 %6.0f  i386 %6.0f  %.2f" % (case, wide[case], narrow[case], narrow[case] / wide[case]))
    ui.note("geometric mean %.2f" % overhead.geometric_mean([narrow[case] / wide[case] for case in wide.keys() & narrow.keys()]))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0
