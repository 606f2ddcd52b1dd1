# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the bundle's `./kobalt bench windows` printed on machines that not every developer has."""
from .bench import MEASURED, median


class Rates:
    """HEAD: the comments' texts; FIGURES: {(program, size): {driver: [frames a second]}}, in the file's order."""

    def __init__(self, text):
        self.head, self.figures = [], {}
        for line in text.splitlines():
            cells = line.split("\t")
            if line.startswith("# "):
                self.head.append(line[2:])
            elif len(cells) == 4:
                drivers = self.figures.setdefault((cells[1], cells[2]), {})
                drivers.setdefault(cells[0], []).extend([float(cells[3])] if cells[3] else [])


def rows(rates):
    """A row for each program and size: medians of Kobalt and of the machine's own GL, and their ratio."""
    found = []
    for (program, size), drivers in rates.figures.items():
        own, peer = (median(drivers[name]) if drivers.get(name) else None for name in ("kobalt", "native"))
        found.append([program, size, *("%.0f" % rate if rate else "doesn't run" for rate in (own, peer)),
                      "%.2f" % (own / peer) if own and peer else ""])
    return found


def status_section(table, missing):
    """The section of docs/status.md; TABLE makes a table, MISSING stands in its cells where nothing was measured."""
    head = ["program", "size", "Kobalt", "the machine's own GL", "ratio"]
    text = ("## Windows\n\nFrames a second in windows of an Xvfb, the bundle's `./kobalt bench windows`: each program on both "
            "in turn, three rounds, medians.\n\n")
    parts = []
    for path in sorted(MEASURED.glob("*-windows.tsv")):
        rates = Rates(path.read_text(encoding="utf-8"))
        parts.append("%s\n\n%s\n\n%s" % (rates.head[0], "\n".join("- " + line for line in rates.head[1:]), table(head, rows(rates))))
    return text + ("\n".join(parts) or table(head, [[missing] * len(head)]))
