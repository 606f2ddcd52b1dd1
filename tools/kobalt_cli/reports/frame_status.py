# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The part of docs/status.md about frames and transfers: what bundles wrote on machines that not every developer has."""
import statistics

from ..workloads import bench, sso_report

# Metrics whose ratios are shown: the whole frame, GL's calls in the program's thread, the CPU's time of all threads.
FRAME_RATIOS = ("frame", "calls", "process")


def values_of(record):
    """{case: {metric: {driver: value}}} of a record, and the names of its drivers."""
    found = {}
    for one in record["figures"]:
        found.setdefault(one["case"], {})[one["metric"]] = one["values"]
    return found, [driver["name"] for driver in record["drivers"]]


def ratio(values, drivers, unit):
    """How many times better the first of two DRIVERS is than the second, as text. VALUES: {driver: value}."""
    better = sso_report.ratio(*((values or {}).get(driver) for driver in drivers), unit)
    return "—" if better is None else "%.2f" % better


def frame_rows(record):
    """(head, rows): for each scene a frame's microseconds, the GPU's work included, and how the CPU's times compare. Below
    them the geometric means."""
    found, drivers = values_of(record)
    rows, ratios = [], {metric: [] for metric in FRAME_RATIOS}
    for scene, metrics in found.items():
        if "frame" not in metrics:
            continue
        frame = metrics["frame"]
        rows.append([scene, *("%.0f" % frame[d] if d in frame else "—" for d in drivers),
                     *(ratio(metrics.get(metric), drivers, "us") for metric in FRAME_RATIOS)])
        for metric, all_scenes in ratios.items():
            better = sso_report.ratio(*(metrics.get(metric, {}).get(driver) for driver in drivers), "us")
            all_scenes += [better] if better else []
    if rows:
        rows.append(["geometric mean", "", "", *("%.2f" % statistics.geometric_mean(all_scenes) if all_scenes else "—"
                                                 for all_scenes in ratios.values())])
    return ["scene", "frame, µs, " + drivers[0], drivers[1], "ratio", "calls, ratio", "all threads, ratio"], rows


def transfer_rows(record):
    """(head, rows): for each direction, format and size the ratios by way."""
    found, drivers = values_of(record)
    ways = list(dict.fromkeys(way for case, metrics in found.items() for way in metrics if case.startswith(("up ", "down "))))
    rows = [[case, *(ratio(metrics.get(way), drivers, "MB/s") for way in ways)]
            for case, metrics in found.items() if case.startswith(("up ", "down "))]
    return ["texels", *(way.replace("_", " ") for way in ways)], rows


def parts(pattern, rows, table):
    """A titled table for each record of a bundle that PATTERN names."""
    records = [sso_report.read_bundle(path) for path in sorted(bench.MEASURED.glob(pattern))]
    return ["%s\n\n%s" % (sso_report.title(record), table(*rows(record))) for record in records if len(record["drivers"]) == 2]


def section(table, missing):
    """The section's text; MISSING stands where nothing was measured."""
    frames, transfers = parts("*-frame.tsv", frame_rows, table), parts("*-transfer.tsv", transfer_rows, table)
    return "\n".join(
        ["## Frames and transfers\n\nThe bundle's `./kobalt bench frame` and `bench transfer`, Kobalt and the machine's own GL in turn "
         "([what they measure](benchmarks.md)); a ratio above 1: Kobalt is better.\n",
         *(frames or [table(["scene", "ratio"], [[missing] * 2])]), *(transfers or [table(["texels", "ratio"], [[missing] * 2])])])
