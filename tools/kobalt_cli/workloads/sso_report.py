# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What kobalt-sso prints, over several drivers and rounds: medians, ratios, tables."""
import json
from pathlib import Path

from .bench import median

STATES = ("skipped", "failed")


class Said:
    """The output of one run of the program.

    HEAD: its lines "# key<TAB>value"; FIGURES: {(case, metric): (value, unit)}; TROUBLES: {case: (state, reason)}."""

    def __init__(self):
        self.head, self.figures, self.troubles = {}, {}, {}

    def measured(self, case):
        """True where there is something on CASE: figures, or why there are none."""
        return case in self.troubles or any(name == case for name, _ in self.figures)


def parse(text):
    """The Said of TEXT. Lines that are not the program's are left out."""
    said = Said()
    for line in text.splitlines():
        cells = line.split("\t")
        if line.startswith("# ") and len(cells) == 2:
            said.head[cells[0][2:]] = cells[1]
        elif len(cells) == 4 and cells[1] in STATES:
            said.troubles[cells[0]] = (cells[1], cells[3])
        elif len(cells) == 4:
            try:
                said.figures[cells[0], cells[1]] = (float(cells[2]), cells[3])
            except ValueError:
                pass
    return said


def ratio(own, peer, unit):
    """How many times better OWN is than PEER, above 1: better. More is better for rates, less for all else. None if the
    ratio means nothing: a value is missing, zero, or negative (a difference lost in noise)."""
    if own is None or peer is None or own <= 0 or peer <= 0:
        return None
    return own / peer if unit.endswith("/s") else peer / own


class Runs:
    """The output on several drivers, in any number of rounds."""

    def __init__(self, drivers):
        self.drivers = list(drivers)
        self.heads = {driver: {} for driver in self.drivers}
        self.samples, self.units, self.troubles = {}, {}, {}
        self.count = 0

    def add(self, driver, said):
        self.count += 1
        self.heads[driver].update(said.head)
        for key, (value, unit) in said.figures.items():
            self.units[key] = unit
            self.samples.setdefault(key, {}).setdefault(driver, []).append(value)
        for case, trouble in said.troubles.items():
            known = self.troubles.get((case, driver))
            if known is None or known[0] != "failed":  # a skip does not replace a failure
                self.troubles[case, driver] = trouble

    def record(self, head):
        """Everything, in JSON's types. A case that failed in one round has no figures, since they would not count."""
        figures = []
        for (case, metric), samples in self.samples.items():
            values = {d: median(s) for d, s in samples.items() if (case, d) not in self.troubles}
            if values:
                figures.append({"case": case, "metric": metric, "unit": self.units[case, metric], "values": values})
        return {"head": head,
                "drivers": [{"name": d, "renderer": self.heads[d].get("renderer", "none"),
                             "version": self.heads[d].get("version", "none")} for d in self.drivers],
                "figures": figures,
                "troubles": [{"case": case, "driver": driver, "kind": kind, "reason": reason}
                             for (case, driver), (kind, reason) in self.troubles.items()]}


def write(path, record):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_bundle(path):
    """The record of what the bundle's `kobalt bench sso` wrote: the program's lines, each with its driver in front."""
    title, texts = "", {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        driver, tab, rest = line.partition("\t")
        if line.startswith("# ") and not title:
            title = line[2:]
        elif tab and not line.startswith("#"):
            texts.setdefault(driver, []).append(rest)
    runs = Runs(texts)
    for driver, lines in texts.items():
        for line in lines:
            runs.add(driver, parse(line))
    return runs.record({"device": title})


def formatted(value):
    """VALUE as a table has it: with three or four significant digits."""
    if value is None:
        return "—"
    return "%.0f" % value if abs(value) >= 1000 else "%.4g" % value


def rows(record):
    """(head, rows) of the table: case, metric, unit, a value for each driver, the first one's ratio over each other.
    Cases without figures on any driver have a row as well."""
    names = [driver["name"] for driver in record["drivers"]]
    own, peers = names[0], names[1:]
    trouble = {(t["case"], t["driver"]): t["kind"] for t in record["troubles"]}
    head = ["case", "metric", "unit", *names, *("over " + peer for peer in peers)]
    found = []
    for one in record["figures"]:
        values = one["values"]
        ratios = [ratio(values.get(own), values.get(peer), one["unit"]) for peer in peers]
        found.append([one["case"], one["metric"].replace("_", " "), one["unit"],
                      *(formatted(values[n]) if n in values else trouble.get((one["case"], n), "—") for n in names),
                      *("—" if r is None else "%.2f" % r for r in ratios)])
    measured = {one["case"] for one in record["figures"]}
    for case in dict.fromkeys(t["case"] for t in record["troubles"]):
        if case not in measured:
            found.append([case, "", "", *(trouble.get((case, n), "—") for n in names), *("—" for _ in peers)])
    return head, found


def reasons(record):
    """A line for each case and driver without figures."""
    return ["%s on %s: %s, %s" % (t["case"], t["driver"], t["kind"], t["reason"]) for t in record["troubles"]]


def title(record):
    head = record["head"]
    words = [head[key] for key in ("device", "machine") if key in head]
    if "rounds" in head:
        words.append("one round" if head["rounds"] == 1 else "median of %d rounds" % head["rounds"])
    if "caches" in head:
        words.append("caches %s" % head["caches"])
    return ", ".join([*words, *([head["day"]] if "day" in head else [])])


def lines(record):
    """The record for a terminal."""
    head, body = rows(record)
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    form = lambda row: "  ".join(c.ljust(w) if i < 3 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()
    about = ["%s: %s, %s" % (d["name"], d["renderer"], d["version"]) for d in record["drivers"]]
    about += ["above 1: %s is better" % record["drivers"][0]["name"]] if len(about) > 1 else []
    return [title(record), *about, form(head), *map(form, body), *reasons(record)]
