# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt gpus: the list of GPUs without the hardware, and docs/gpus.md from what was measured on them."""
import collections
import json
import re
import shutil

from ..lib import gpu, paths, ui
from ..workloads import gpu_bench, overhead
from . import gpu_tables

DOCUMENT = paths.ROOT / "docs/gpus.md"
FOLDER = paths.OUT / "gpus"
KEPT = paths.ROOT / "docs/measured/results/gpus"  # tracked copies: a clone shows the same numbers
CAPABILITIES = paths.ROOT / "src/vulkan/capabilities/capability_list.h"
MISSING = "not measured"

HEAD = """# GPUs

Written by `./kobalt gpus --write` from measured results, never by hand.

## What was tried on real hardware, and what was not

Pictures drawn by Kobalt were compared on an NVIDIA H200 (driver 580), and on two Vulkan drivers that draw on the
CPU, lavapipe and SwiftShader ([status](status.md)). **No picture was ever drawn on a GPU of AMD or Intel.**

What stands below comes from those GPUs' own drivers without the hardware. Mesa's tree holds no-op kernels, shims
that answer a driver's system calls as a certain GPU's kernel driver would. On them run RADV and ANV, the Vulkan
drivers of AMD's and Intel's users, unchanged. Their limits, formats, shader compilers and command recording are
real, so Kobalt takes on each GPU the paths that it will take there, the validation layer looks on, and what a draw
costs the CPU can be measured. Submitted commands go nowhere: pictures stay empty, and nothing is known of what the
GPU would make of the commands, of its speed, of windows, or of GPU hangs.

```sh
./kobalt gpus
./kobalt info --gpu navi31
./kobalt run --gpu tgl -- xvfb-run -a glxinfo -B
./kobalt test --gpu navi31
./kobalt test --suite gpus --all
./kobalt bench --overhead --gpu tgl
./kobalt bench --instructions --gpu tgl
```

The suite `gpus` of `./kobalt test` runs the GL tests, piglit's smoke profile and a part of its shader tests with
validation (synchronisation included) on six of them, %s; with `--all` on each. A crash, a hang, a GL error, a
validation message, a shader that is refused and an error in Kobalt's log each fail it.
"""

FAMILIES = """## Other families

The no-op kernels of the same tree cover more makers. Debian 12's `mesa-vulkan-drivers` holds RADV, ANV, HASVK,
lavapipe, Virtio and gfxstream; the drivers of other makers would have to be built.

| Vulkan driver | shim | what is known |
|---|---|---|
%s

%s"""
# Results of trying the families that don't come with the package.
TRIED = (("HASVK (Intel, Haswell and Broadwell)", "intel", "it is in the package and runs; Kobalt refuses it with the reason, Vulkan 1.2"),
         ("V3DV (Broadcom)", "v3d", "configures from the same tree, 554 build steps; was not built, so Kobalt was not tried on it"),
         ("Turnip (Qualcomm)", "freedreno", "configures from the same tree, 623 build steps; was not built, so Kobalt was not tried on it"),
         ("PanVK (Arm)", "panfrost", "configures; has Vulkan 1.1 at most in this release, so Kobalt would refuse it"),
         ("PowerVR (Imagination)", "none", "has Vulkan 1.0 in this release, so Kobalt would refuse it"),
         ("NVK (NVIDIA)", "nouveau", "needs a Rust compiler and bindgen, which the set-up does not install; not tried"),
         ("Honeykrisp (Apple)", "asahi", "needs libclc and LLVM, which the set-up does not install; not tried"))


def located(name):
    """The result file of this machine, or its tracked copy."""
    return FOLDER / name if (FOLDER / name).exists() else KEPT / name


def keep():
    KEPT.mkdir(parents=True, exist_ok=True)
    for path in [*FOLDER.glob("*.json"), *FOLDER.glob("*.tsv")]:
        shutil.copyfile(path, KEPT / path.name)


def results():
    """{GPU: its record} of all GPUs that the suite has seen."""
    found = {}
    for one in gpu.GPUS:
        path = located(one.name + ".json")
        if path.exists():
            found[one] = json.loads(path.read_text(encoding="utf-8"))
    return found


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell).replace("|", r"\|") for cell in row) + " |" for row in rows]) + "\n"


def trouble_of(record):
    """{kind: {text: the test it was first seen in}} of all parts of a GPU's RECORD."""
    total = {}
    for piece in record["pieces"].values():
        for kind, found in piece["trouble"].items():
            for text, where in found.items():
                total.setdefault(kind, {}).setdefault(text, where)
    return total


def number(record, *kinds):
    return sum(len(trouble_of(record).get(kind, ())) for kind in kinds)


def suite_table(found):
    rows = []
    for one in gpu.GPUS:
        record = found.get(one)
        if not record:
            rows.append([one.name, "%s %s" % (one.maker.name, one.family), *[MISSING] * 7])
            continue
        pieces = record["pieces"].values()
        rows.append([one.name, "%s %s" % (one.maker.name, one.family), record["info"].get("gl") or "none",
                     record["info"].get("es") or "none",
                     "%d of %d" % (sum(p["passed"] for p in pieces), sum(p["passed"] + p["failed"] for p in pieces)),
                     number(record, "crash", "hang"), number(record, "validation"), number(record, "refused shader"),
                     number(record, "GL error", "error", "budget")])
    return table(["GPU", "family", "OpenGL", "OpenGL ES", "tests clean", "crashes, hangs", "validation messages",
                  "refused shaders", "errors"], rows)


def trouble_table(found):
    seen = {}
    for one, record in found.items():
        for kind, texts in trouble_of(record).items():
            for text, where in texts.items():
                text = re.sub(r"0x[0-9a-f]+|\d{3,}", "…", text)
                seen.setdefault((kind, text), (where, []))[1].append(one.name)
    if not seen:
        return "Nothing was found on any of them.\n"
    return table(["what", "text", "first in", "GPUs"],
                 [[kind, text[:160], where, ", ".join(dict.fromkeys(names))] for (kind, text), (where, names) in sorted(seen.items())])


def capabilities():
    """The names of the driver's capabilities."""
    return set(re.findall(r"\bX\((\w+)\)", CAPABILITIES.read_text(encoding="utf-8")))


def off_table(found, known):
    """The table of capabilities that are off, with the reason, by GPUs. A record may be older than the driver: what is
    not in KNOWN was removed since."""
    where = collections.OrderedDict()
    for one, record in found.items():
        for name, reason in record["info"].get("off", {}).items():
            if name in known:
                where.setdefault((name, reason), []).append(one.name)
    everywhere = len(found)

    def gpus(names):
        if len(names) == everywhere:
            return "all"
        for maker in gpu.MAKERS:
            if names == [one.name for one in found if one.maker is maker]:
                return "all of %s's" % maker.name
        return ", ".join(names)
    return table(["capability", "why it is off", "GPUs"],
                 [[name, reason, gpus(names)] for (name, reason), names in sorted(where.items())])


def cost_tables():
    """The tables of what draws cost: instructions, times and drawoverhead, for the GPUs that were measured."""
    text = ""
    for one in gpu.GPUS:
        for kind, words in (("instructions", "Instructions a draw takes after each kind of change, counted by callgrind"),
                            ("times", "The same cases in nanoseconds")):
            path = located("%s-%s.tsv" % (kind, one.name))
            if path.exists():
                head, _, rows = gpu_bench.read_table(path)
                text += "### %s: %s\n\n%s: %s.\n\n" % (one.name, kind, words, head)
                text += table(["after a change of", *gpu.DRIVERS[:2], one.maker.native, "of zink's", "of %s's" % one.maker.native],
                              [[case.replace("_", " "), *cells_of(row),
                                *share_of(row)] for case, row in rows.items()]) + "\n"
        for mode in overhead.MODES:
            path = located("overhead-%s-%s.tsv" % (one.name, mode))
            if path.exists():
                text += overhead_table(one, path)
    return text or MISSING + "\n"


def cells_of(row):
    """The cells of ROW; a driver that did not finish a case has no number."""
    return ["%.0f" % row[d] if row.get(d) else "—" for d in gpu.DRIVERS]


def share_of(row):
    return ["%.2f" % (row["kobalt"] / row[d]) if row.get("kobalt") and row.get(d) else "" for d in gpu.DRIVERS[1:]]


def overhead_table(one, path):
    head, _, rows = gpu_bench.read_table(path)
    body, means = [], {d: [] for d in gpu.DRIVERS[1:]}
    for case, row in rows.items():
        ratios = []
        for peer in gpu.DRIVERS[1:]:
            both = row.get("kobalt") and row.get(peer)
            ratios.append("%.2f" % (row["kobalt"] / row[peer]) if both else "")
            means[peer] += [row["kobalt"] / row[peer]] if both else []
        body.append([case, *cells_of(row), *ratios])
    body.append(["geometric mean", "", "", "", *("%.2f" % overhead.geometric_mean(m) if m else "" for m in means.values())])
    return ("### %s: drawoverhead\n\nThousand draws a second, above 1: Kobalt is faster. %s.\n\n" % (one.name, head)
            + table(["case", *gpu.DRIVERS[:2], one.maker.native, "over zink", "over " + one.maker.native], body) + "\n")


def document():
    found = results()
    days = sorted({record["day"] for record in found.values()})
    parts = [HEAD % ", ".join(gpu.USUAL),
             "## Each GPU\n\n%sPictures are not judged; a test is clean when nothing counts against it.\n\n%s"
             % ("Measured %s. " % " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "", suite_table(found)),
             "## What was found\n\n" + trouble_table(found),
             "## Not taken\n\n" + table(["GPU", "reason"], [["%s (%s)" % (one.name, one.family), "it has no " + reason]
                                                           for one, reason in gpu.REFUSED.values()]),
             "## Capabilities that are off\n\nThe others are on; [architecture](architecture.md) says what they are for.\n\n"
             + off_table(found, capabilities()),
             "## What a draw costs the CPU\n\nAll work in the program's thread, on Kobalt, zink and the GPU's own GL driver.\n\n"
             + cost_tables(),
             FAMILIES % ("\n".join("| %s | %s | %s |" % row for row in TRIED), gpu_tables.section(table))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip("\n") + "\n"


def status_section():
    """The short form, for docs/status.md."""
    found = results()
    text = "## GPUs without the hardware\n\n[More](gpus.md); nothing is drawn there, so pictures are not judged.\n\n"
    if not found:
        return text + table(["GPUs", "tests clean"], [[MISSING] * 2])
    pieces = [piece for record in found.values() for piece in record["pieces"].values()]
    return text + table(
        ["GPUs", "tests clean", "crashes, hangs", "validation messages", "refused shaders"],
        [[len(found), "%d of %d" % (sum(p["passed"] for p in pieces), sum(p["passed"] + p["failed"] for p in pieces)),
          *(sum(number(record, *kinds) for record in found.values())
            for kinds in (("crash", "hang"), ("validation",), ("refused shader",)))]])


def command(args):
    if not args.write:
        for line in gpu.listing():
            ui.note(line)
        return 0
    if FOLDER.is_dir():
        keep()
    DOCUMENT.write_text(document(), encoding="utf-8")
    ui.note("wrote %s" % DOCUMENT.relative_to(paths.ROOT))
    return 0
