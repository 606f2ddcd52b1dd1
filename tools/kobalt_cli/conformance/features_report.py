# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""docs/features.md: GL versions and extensions by driver and device, from the records of ./kobalt features."""
import fnmatch
import re

from ..lib import expectations, gpu, labels, paths, ui

FOLDER = paths.ROOT / "docs/measured/features"
DOCUMENT = paths.ROOT / "docs/features.md"
# Kept by hand, three fields a line with tabs between: what a peer has and Kobalt hasn't (an extension or a version, *
# for any part); the devices (names, AMD, Intel, or *; or BEYOND_MESA); the reason. The first line that matches counts.
REASONS = paths.TOOLS / "features-reasons.tsv"
# Stands in place of devices, for extensions that none of Mesa's drivers was seen to offer anywhere.
BEYOND_MESA = "beyond-mesa"
# The classes of contexts in the tables: a title, and the letters of the contexts.
CLASSES = (("OpenGL", "cp"), ("OpenGL ES", "123"), ("EGL", "e"))
VERSIONS = (("core", "OpenGL %s core"), ("compat", "OpenGL %s compatibility"), ("es1", "OpenGL ES %s"), ("es3", "OpenGL ES %s"))
NAMES = {"kobalt": "Kobalt", "zink": "zink", "llvmpipe": "llvmpipe"}


class Record:
    """What the drivers said on the device NAME: HEAD {key: value}, EXTENSIONS {name: {driver: letters}}."""

    def __init__(self, name, head, extensions):
        self.name, self.head, self.extensions = name, head, extensions

    def drivers(self):
        return self.head.get("columns", "").split()

    def version(self, driver, context):
        """The version of DRIVER in CONTEXT, like "4.6", or "none". Without ES 3, ES 2 counts."""
        found = self.head.get("%s %s" % (driver, context), "none")
        return self.version(driver, "es2") if context == "es3" and found == "none" else found

    def family(self):
        """AMD or Intel for their GPUs without the hardware; else the device's own name."""
        return next((one.maker.name for one in gpu.GPUS if one.name == self.name), self.name)

    def native(self):
        """What the column `native` is called: the GL driver of the GPU's users."""
        found = next((one.maker.native for one in gpu.GPUS if one.name == self.name), None)
        return found or self.head.get("native release", labels.UNKNOWN_VERSION).split()[0] + "'s own GL"


    def is_mesa(self, driver):
        return self.head.get(driver + " release", "").startswith("Mesa")


def of_mesa(found):
    """The extensions that some driver of Mesa offers on some device."""
    return {name for record in found for name, row in record.extensions.items() if any(row.get(d) for d in record.drivers() if record.is_mesa(d))}


def number(version):
    return tuple(int(part) for part in version.split(".")) if version != "none" else (0, 0)


def write(record):
    with open(FOLDER / (record.name + ".tsv"), "w", encoding="utf-8") as file:
        file.write("# Written by ./kobalt features. Extension, then for each driver of `columns` the contexts that have it:\n"
                   "# c core, p compatibility, 1 2 3 OpenGL ES, e EGL; - none.\n" + labels.write_head(record.head))
        for name, row in record.extensions.items():
            file.write("\t".join([name, *(row.get(d) or "-" for d in record.drivers())]) + "\n")


def read(path):
    head = labels.read_head(path)
    record = Record(path.stem, head, {})
    for line in expectations.read_names(path):
        name, *cells = line.split("\t")
        record.extensions[name] = {d: "" if cell == "-" else cell for d, cell in zip(record.drivers(), cells)}
    return record


def records():
    """All Records: the CPU's devices, the GPUs in the list's order, then other machines'."""
    order = ["lavapipe", "swiftshader", *gpu.names()]
    found = [read(path) for path in FOLDER.glob("*.tsv")]
    return sorted(found, key=lambda r: (r.name not in order, order.index(r.name) if r.name in order else 0, r.name))


def read_reasons():
    """[(pattern, devices, reason)]; a line without a reason is refused."""
    reasons = []
    for line in expectations.read_names(REASONS):
        cells = line.split("\t")
        if len(cells) != 3 or not all(cell.strip() for cell in cells):
            raise ValueError("%s: a line is NAME<TAB>DEVICES<TAB>REASON, not %r" % (REASONS.name, line))
        reasons.append((cells[0], [word.strip() for word in cells[1].split(",")], cells[2]))
    return reasons


def reason_of(name, record, reasons, mesa):
    """(index, text) of the first of REASONS for NAME on RECORD's device, or None; MESA: of_mesa()."""
    beyond = [BEYOND_MESA] if name.startswith(("GL_", "EGL_")) and name not in mesa else []
    for index, (pattern, devices, text) in enumerate(reasons):
        if fnmatch.fnmatchcase(name, pattern) and ({"*", record.name, record.family(), *beyond} & set(devices)):
            return index, text
    return None


def missing_of(record):
    """{name: [peers]} of the extensions and versions that a peer has on RECORD's device and Kobalt hasn't."""
    lost, peers = {}, [d for d in record.drivers() if d != "kobalt"]
    for context, words in VERSIONS:
        own = number(record.version("kobalt", context))
        for peer in peers:
            version = record.version(peer, context)
            if number(version) > own:
                lost.setdefault(words % version, []).append(peer)
    for name, row in record.extensions.items():
        for _, letters in CLASSES:
            own = set(row.get("kobalt", ""))
            ahead = [p for p in peers if (set(row.get(p, "")) - own) & set(letters)]
            for peer in ahead:
                if peer not in lost.setdefault(name, []):
                    lost[name].append(peer)
    return lost


class Gap:
    """One thing that peers have and Kobalt lacks: the peers and devices that have it, and why Kobalt lacks it."""

    def __init__(self, name):
        self.name, self.where, self.reasons = name, {}, {}


def gaps(found, reasons):
    """({name: Gap}, indices of the REASONS that were of use)."""
    table, used, mesa = {}, set(), of_mesa(found)
    for record in found:
        for name, peers in missing_of(record).items():
            gap = table.setdefault(name, Gap(name))
            reason = reason_of(name, record, reasons, mesa)
            used.update([reason[0]] if reason else [])
            gap.where[record.name] = [record.native() if p == "native" else NAMES[p] for p in peers]
            gap.reasons.setdefault(reason[1] if reason else None, []).append(record.name)
    return table, used


def devices(names, found):
    """Devices in few words: `all of AMD's`, or their names."""
    names, words = list(names), []
    for maker in gpu.MAKERS:
        all_of = [r.name for r in found if r.family() == maker.name]
        if len(all_of) > 1 and set(all_of) <= set(names):
            words.append("all of %s's" % maker.name)
            names = [n for n in names if n not in all_of]
    return ", ".join(names + words)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell).replace("|", r"\|") for cell in row) + " |" for row in rows]) + "\n"


def version_table(found):
    rows = []
    for record in found:
        for driver in record.drivers():
            name = record.native() if driver == "native" else NAMES[driver]
            cells = [record.version(driver, c) for c in ("core", "compat", "es3", "es1")]
            rows.append([record.name, name, *("—" if c == "none" else c for c in cells), record.head.get(driver + " release", "")])
    return table(["device", "driver", "core", "compatibility", "ES", "ES 1", "release"], rows)


def gap_table(table_of, found):
    rows = []
    for gap in sorted(table_of.values(), key=lambda g: (not g.name.startswith("OpenGL"), g.name)):
        peers = list(dict.fromkeys(p for names in gap.where.values() for p in names))
        text = "; ".join("%s%s" % (reason or "**no reason is written down**", "" if len(gap.reasons) == 1 else " (%s)" % devices(names, found))
                         for reason, names in gap.reasons.items())
        rows.append([gap.name, ", ".join(peers), devices(gap.where, found), text])
    return table(["what", "who has it", "on", "why Kobalt hasn't"], rows)


def columns(found):
    """[(heading, [records], driver)]: one for each driver on each device, GPUs of one maker together."""
    groups = {}
    for record in found:
        groups.setdefault(record.family(), []).append(record)
    result = []
    for family, members in groups.items():
        title = family if len(members) == 1 else "%s (%d)" % (family, len(members))
        for driver in members[0].drivers():
            result.append(("%s: %s" % (title, members[0].native() if driver == "native" else NAMES[driver]), members, driver))
    return result


def cell(letters, wanted):
    """What a table says of the contexts LETTERS of the class WANTED."""
    letters = [one for one in wanted if one in letters]
    if not letters:
        return ""
    if wanted == "123":
        return ", ".join(letters)
    return "yes" if len(letters) == len(wanted) else {"c": "core", "p": "compat"}[letters[0]]


def extension_table(found, wanted):
    heads, rows = columns(found), []
    names = sorted({n for r in found for n, row in r.extensions.items() if any(set(c) & set(wanted) for c in row.values())})
    for name in names:
        cells = []
        for _, members, driver in heads:
            of = [m.extensions.get(name, {}).get(driver, "") for m in members]
            number_of = sum(bool(set(one) & set(wanted)) for one in of)
            cells.append(cell(of[0], wanted) if len(members) == 1 else number_of or "")
        rows.append([name, *cells])
    return table(["extension", *(head for head, _, _ in heads)], rows)


HEAD = """# Features

Written by `./kobalt features` from what the drivers report, never by hand. Which versions of OpenGL and which
extensions Kobalt offers, beside stock Mesa's zink and llvmpipe and the GPUs' own GL drivers, on each Vulkan device that
was asked%s.

AMD's and Intel's GPUs are drivers without the hardware ([GPUs](gpus.md)): what they report is what they report on the
hardware, but nothing was drawn there. A cell says in which contexts an extension is: *yes* in core and compatibility
profiles, or only in one of them; for OpenGL ES the major versions of the contexts; for the makers' GPUs on how many.
"""


def document(found, table_of):
    days = sorted({record.head.get("day", "") for record in found})
    parts = [HEAD % (", %s" % " to ".join(dict.fromkeys((days[0], days[-1]))) if days else ""), "## Versions\n", version_table(found),
             "## What a peer has and Kobalt hasn't\n",
             "The reasons are kept in `tools/features-reasons.tsv`.\n\n" + gap_table(table_of, found) if table_of else "Nothing.\n"]
    for title, wanted in CLASSES:
        parts += ["## Extensions of %s\n" % title, extension_table(found, wanted)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip("\n") + "\n"


def unexplained(table_of):
    """["NAME (DEVICE, …)"] of the gaps without a reason."""
    return ["%s (%s)" % (gap.name, ", ".join(gap.reasons[None])) for gap in table_of.values() if None in gap.reasons]


def write_document():
    found, reasons = records(), read_reasons()
    if not found:
        raise ui.Stop("nothing is recorded in docs/measured/features: run ./kobalt features without --write")
    table_of, used = gaps(found, reasons)
    DOCUMENT.write_text(document(found, table_of), encoding="utf-8")
    ui.note("wrote %s: %d extensions and versions that a peer has and Kobalt hasn't" % (DOCUMENT.relative_to(paths.ROOT), len(table_of)))
    for index, (pattern, devices, _) in enumerate(reasons):
        if index not in used and BEYOND_MESA not in devices:
            ui.note("  over: %s on %s; take its line out of tools/%s" % (pattern, ", ".join(devices), REASONS.name))
    lost = unexplained(table_of)
    for one in lost:
        ui.warn("no reason in tools/%s: %s" % (REASONS.name, one))
    return 1 if lost else 0
