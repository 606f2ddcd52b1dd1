# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt soak: programs that never wait for the GPU, and the memory that the driver takes for them.

The loads are those of tests/soak, each for some seconds in a process of its own. Kobalt is judged: what a load
takes after its first second must stay within MAX_GROWTH_PERCENT, and its last frame must be right. The peers are
measured, to compare with."""
import subprocess
import tempfile

from ..lib import environment, paths, ui
from . import apps, bench

PROGRAM = "kobalt-soak"
FOLDER = paths.OUT / "soak"
# What GL_RENDERER must contain, so that no other driver is measured in silence.
DRIVERS = {"kobalt": "Kobalt", "zink": "zink", "llvmpipe": "llvmpipe", "system": ""}
MAX_GROWTH_PERCENT = 5
# What Meson's build of tests/soak prints, in this order.
COLUMNS = ("load", "iterations", "rate", "rss_1s", "rss_end", "rss_max", "rss_growth",
           "device_1s", "device_end", "device_max", "device_growth", "drain_ms", "result")


class Row:
    """One load on one driver: a value by column, None where it isn't known; `result` is "ok" or what was wrong."""

    def __init__(self, cells):
        self.cells = list(cells)
        self.load, self.result = cells[0], cells[-1]

    def number(self, column):
        text = self.cells[COLUMNS.index(column)]
        return None if text == "-" else float(text)

    @property
    def good(self):
        return self.result == "ok"


def parse(text):
    """(head, [Row]) of what kobalt-soak prints; the head names the driver. Other lines are left out."""
    head, rows = "", []
    for line in text.splitlines():
        if line.startswith("# ") and not head:
            head = line[2:].strip()
        cells = line.split("\t")
        if not line.startswith("#") and len(cells) == len(COLUMNS):
            rows.append(Row(cells))
    return head, rows


def table_path(driver, folder=None):
    return (folder or FOLDER) / (driver + ".tsv")


def write_table(path, head, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["# " + head, "# " + "\t".join(COLUMNS), *("\t".join(row.cells) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_table(path):
    """(head, {load: Row}) of a table; ("", {}) where there is none."""
    if not path.exists():
        return "", {}
    head, rows = parse(path.read_text(encoding="utf-8"))
    return head, {row.load: row for row in rows}


def compare(rows, peers):
    """(load, rate, the peer's rate, ratio) of the loads that both drivers got right."""
    found = []
    for row in rows:
        peer = peers.get(row.load)
        if peer and row.number("rate") and peer.number("rate"):
            found.append((row.load, row.number("rate"), peer.number("rate"), row.number("rate") / peer.number("rate")))
    return found


def table_pairs():
    """[(Kobalt's table, the peer's)] that docs/status.md shows: this machine's last run, then what was measured with
    the bundle on machines that not every developer has (docs/measured/NAME-soak-kobalt.tsv and -soak-native.tsv)."""
    found = [(table_path("kobalt"), table_path("zink"))] if table_path("kobalt").exists() else []
    return found + [(own, own.with_name(own.name.replace("-kobalt.tsv", "-native.tsv")))
                    for own in sorted(bench.MEASURED.glob("*-soak-kobalt.tsv"))]


def status_section(table):
    """The section of docs/status.md; TABLE makes Markdown of a head and rows."""
    text = ("## Memory under loads that never wait\n\n`./kobalt soak`: what the resident set grows by after the first second, "
            "in percent, and how often a second each load runs.\n\n")
    parts = []
    for own_path, peer_path in table_pairs():
        (head, own), (peer_head, peers) = read_table(own_path), read_table(peer_path)
        ratios = {load: ratio for load, _, _, ratio in compare(own.values(), peers)}
        growth, rate = COLUMNS.index("rss_growth"), COLUMNS.index("rate")
        rows = [[row.load, row.cells[growth], peers[row.load].cells[growth] if row.load in peers else "—", row.cells[rate],
                 "%.2f" % ratios[row.load] if row.load in ratios else "—"] for row in own.values()]
        parts.append("%s; beside it: %s\n\n%s" % (head, peer_head or "nothing", table(
            ["load", "growth", "the peer's", "a second", "over the peer"], rows)))
    return text + ("\n".join(parts) or table(["load", "growth"], [["*not measured*"] * 2]))


def arguments(driver, seconds, loads):
    limit = ["--max-growth", str(MAX_GROWTH_PERCENT)] if driver == "kobalt" else []
    return ["--seconds", str(seconds), *limit, *(word for load in loads for word in ("--load", load))]


def measure(driver, seconds, loads, scratch):
    """Runs the loads on DRIVER; prints a line for each as it comes. Returns (head, rows)."""
    program = environment.own_program(PROGRAM, with_tests=True)
    # Caches on disk would turn new programs into known ones, and would fill the user's own caches.
    env = environment.for_driver(driver, extra={
        "EGL_PLATFORM": "surfaceless", "MESA_SHADER_CACHE_DISABLE": "true", "KOBALT_CACHE_DIR": scratch,
        "KOBALT_EXPECT_RENDERER": DRIVERS[driver]})
    lines = []
    with subprocess.Popen([str(program), *arguments(driver, seconds, loads)], stdout=subprocess.PIPE, text=True,
                          errors="replace", env=env) as process:
        for line in process.stdout:
            lines.append(line)
            for row in parse(line)[1]:
                ui.note("      %s" % describe(row))
    head, rows = parse("".join(lines))
    if process.returncode not in (0, 1) or not rows:
        raise ui.Stop("%s on %s ended with status %d after %d loads; the lines above say why"
                      % (PROGRAM, driver, process.returncode, len(rows)))
    return head, rows


def describe(row):
    """ROW as a line for the terminal."""
    if row.number("rate") is None:
        return "%-17s %s" % (row.load, row.result)
    return "%-17s %10.0f/s  %6.0f MiB, then %+5.1f %%  %s" % (
        row.load, row.number("rate"), row.number("rss_1s") / 1024, row.number("rss_growth"), row.result)


def run(driver, seconds, loads=(), folder=None):
    """Measures DRIVER and writes its table; returns the rows."""
    with tempfile.TemporaryDirectory(prefix="kobalt-soak-") as scratch:
        head, rows = measure(driver, seconds, loads, scratch)
    write_table(table_path(driver, folder), "%s; %s" % (head, apps.machine()), rows)
    return rows


def command(args):
    drivers = args.driver or ["kobalt", "zink"]
    results = {}
    for driver in drivers:
        ui.note("%s, %d s a load" % (driver, args.seconds))
        results[driver] = run(driver, args.seconds, args.load)
    own = results.get("kobalt", [])
    for driver in drivers:
        if driver != "kobalt" and own:
            ui.note("Kobalt beside %s:" % driver)
            for load, rate, peer, ratio in compare(own, {row.load: row for row in results[driver]}):
                ui.note("      %-17s %10.0f/s %10.0f/s  %5.2f" % (load, rate, peer, ratio))
    bad = [row for row in own if not row.good]
    for row in bad:
        ui.warn("%s: %s" % (row.load, row.result))
    if own:
        ui.note("%d of %d loads stay within %d %% after the first second; the tables are in out/soak"
                % (len(own) - len(bad), len(own), MAX_GROWTH_PERCENT))
    return 1 if bad else 0
