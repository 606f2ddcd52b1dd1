# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench: the demo scene on Kobalt and on its peers, in turn, in one run."""
import re
import subprocess
from pathlib import Path

from ..lib import environment, labels, paths, ui, witness

KEYS = ("p50", "p95", "p99", "max")
FOLDER = paths.OUT / "bench"
# Tables from machines that not every developer has, written there by the bundle's `./kobalt bench`.
MEASURED = paths.ROOT / "docs/measured"


def parse_times(text):
    """{p50, p95, p99, max} in milliseconds out of the demo's report, or None."""
    found = {}
    for key in KEYS:
        match = re.search(r"\b%s\b[^0-9\n]*([0-9]+(?:\.[0-9]+)?)" % key, text)
        if match:
            found[key] = float(match.group(1))
    return found if len(found) == len(KEYS) else None


def measure(driver, frames, size):
    """Runs the demo once on DRIVER: returns its times and the driver that it reports, or None if it can't run there.
    Stops if another driver drew."""
    program = environment.own_program("kobalt-demo")
    done = subprocess.run([str(program), "--frames", str(frames), "--size", size],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=environment.for_driver(driver, "lavapipe"))
    times = parse_times(done.stdout)
    if done.returncode != 0 or times is None:
        lines = done.stdout.strip().splitlines()
        ui.warn("the demo does not run on %s: %s" % (driver, lines[-1] if lines else "no output"))
        return None
    renderer, version = drew(done.stdout)
    if not witness.is_of(renderer, driver):
        raise ui.Stop("%s should draw the demo, but the renderer is %s" % (driver, renderer))
    return times, "%s (%s)" % (driver, version)


def drew(text):
    """(renderer, the GL driver's version) of the demo's report."""
    renderer = re.search(r"^renderer: (.*)", text, re.MULTILINE)
    version = re.search(r"^version: .*?((?:Mesa|NVIDIA) .*)", text, re.MULTILINE)
    return renderer[1] if renderer else "none", version[1] if version else "an unknown version"


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def write_table(path, machine, rows):
    """Writes {driver: times} as the table that ./kobalt status and the bundle share."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# %s\n# driver\t%s (milliseconds)\n" % (machine, "\t".join(KEYS)))
        for driver, times in rows.items():
            file.write("%s\t%s\n" % (driver, "\t".join("%.3f" % times[k] for k in KEYS)))


def read_table(path):
    """(machine, {driver: times}) of a table."""
    machine, rows = "", {}
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if line.startswith("#"):
            machine = machine or line[1:].strip()
            continue
        words = line.rstrip("\n").split("\t")
        if len(words) == 5:
            rows[words[0]] = dict(zip(KEYS, map(float, words[1:])))
    return machine, rows


def command(args):
    drivers, samples = ["kobalt", "zink", "llvmpipe"], {}
    device = labels.device(environment.for_driver("kobalt", "lavapipe"))
    for round_number in range(args.rounds):
        for driver in drivers:
            ui.note("round %d of %d: %s" % (round_number + 1, args.rounds, driver))
            measured = measure(driver, args.frames, args.size)
            if measured:
                samples.setdefault(measured[1], []).append(measured[0])
    rows = {d: {k: median([t[k] for t in group]) for k in KEYS} for d, group in samples.items()}
    if not rows:
        raise ui.Stop("the demo ran on no driver; see the lines above")
    write_table(FOLDER / "lavapipe.tsv", "%s, demo %s, %d frames, %s, %s"
                % (device, args.size, args.frames, labels.rounds(args.rounds), labels.machine()), rows)
    for driver, times in rows.items():
        ui.note("%-10s %s" % (driver, "  ".join("%s %.2f ms" % (k, times[k]) for k in KEYS)))
    return 0
