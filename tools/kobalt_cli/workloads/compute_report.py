# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What kobalt-compute prints: rates through OpenGL and straight through Vulkan, over several drivers and rounds."""
from pathlib import Path

from . import sso_report

VULKAN = "vulkan"
RATE, RATIO = "rate", "ratio"
# What Kobalt is to reach of Vulkan's own rate.
TARGET = 0.95


def parse(text):
    """The Saids of OpenGL and of Vulkan in TEXT; OpenGL's has the ratios as well."""
    own, peer = sso_report.parse(text), sso_report.Said()
    peer.head = {"renderer": own.head.get("device", "none"), "version": own.head.get("driver", "none")}
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) == 6 and cells[1] == RATE:
            case, _, unit, *numbers = cells
            try:
                through_gl, through_vulkan, ratio = map(float, numbers)
            except ValueError:
                continue
            own.figures[case, RATE], own.figures[case, RATIO] = (through_gl, unit), (ratio, "×")
            peer.figures[case, RATE] = (through_vulkan, unit)
    return own, peer


class Runs:
    """The output on several drivers, in any number of rounds. Vulkan is one more driver, which each run measures."""

    def __init__(self, drivers):
        self.runs = sso_report.Runs([*drivers, VULKAN])

    def add(self, driver, text):
        own, peer = parse(text)
        self.runs.add(driver, own)
        self.runs.add(VULKAN, peer)

    def record(self, head):
        return self.runs.record(head)


def read_bundle(path):
    """The record of what the bundle's `kobalt bench compute` wrote: the program's lines, each with its driver in front."""
    title, texts = "", {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        driver, tab, rest = line.partition("\t")
        if line.startswith("# ") and not title:
            title = line[2:]
        elif tab and not line.startswith("#"):
            rounds = texts.setdefault(driver, [])
            if rest.startswith("# renderer\t") or not rounds:
                rounds.append("")
            rounds[-1] += rest + "\n"
    runs = Runs(texts)
    for driver, rounds in texts.items():
        for text in rounds:
            runs.add(driver, text)
    return runs.record({"device": title})


def figures_of(record):
    """{kernel: {metric: {driver: value}}} and {kernel: unit} of a record."""
    found, units = {}, {}
    for one in record["figures"]:
        found.setdefault(one["case"], {})[one["metric"]] = one["values"]
        if one["metric"] == RATE:
            units[one["case"]] = one["unit"]
    return found, units


def ratios(record, driver):
    """{kernel: DRIVER's rate over Vulkan's in the same runs}."""
    return {case: of[RATIO][driver] for case, of in figures_of(record)[0].items() if driver in of.get(RATIO, {})}


def rows(record):
    """(head, rows) of the table: a kernel, its rates by driver, the ratios of all to Vulkan."""
    names = [driver["name"] for driver in record["drivers"]]
    trouble = {(t["case"], t["driver"]): t["kind"] for t in record["troubles"]}
    found, units = figures_of(record)
    body = []
    for case in dict.fromkeys([*found, *(t["case"] for t in record["troubles"])]):
        rates, of_vulkan = (found.get(case, {}).get(metric, {}) for metric in (RATE, RATIO))
        body.append([case, units.get(case, ""),
                     *(sso_report.formatted(rates[n]) if n in rates else trouble.get((case, n), "—") for n in names),
                     *("%.2f" % of_vulkan[n] if n in of_vulkan else "—" for n in names if n != VULKAN)])
    return ["kernel", "unit", *names, *("%s over %s" % (n, VULKAN) for n in names if n != VULKAN)], body


def lines(record):
    """The record for a terminal."""
    head, body = rows(record)
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    form = lambda row: "  ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()
    about = ["%s: %s, %s" % (d["name"], d["renderer"], d["version"]) for d in record["drivers"]]
    own = record["drivers"][0]["name"]
    low = [case for case, ratio in ratios(record, own).items() if ratio < TARGET]
    return [sso_report.title(record), *about, form(head), *map(form, body), *sso_report.reasons(record),
            *(["below %.2f of %s's rate: %s" % (TARGET, VULKAN, ", ".join(low))] if low else [])]
