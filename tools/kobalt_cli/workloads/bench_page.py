# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The pages of ./kobalt bench frame, transfer and compute: one HTML file with plots, which matplotlib draws where it is installed."""
import collections
import html
import io

from ..lib import paths, ui
from . import compute_report

# A plot. KIND: "bars" (LABELS down, a bar for each series) or "lines" (LABELS are numbers, both axes logarithmic).
# SERIES: {driver: a number for each label, None where there is none}.
Plot = collections.namedtuple("Plot", "title unit kind labels series")
STYLE = ("body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em auto; max-width: 84em; padding: 0 1em; } "
         "svg { max-width: 100%; height: auto; } section { display: inline-block; vertical-align: top; }")
# What the page of frames shows: {title: (unit, the counters that are summed up)}.
FRAME_PLOTS = {
    "Passes": ("a frame", ("passes",)), "Loads and stores of attachments": ("a frame", (
        "colour_loads", "colour_stores", "depth_loads", "depth_stores")), "Barriers": ("a frame", ("barriers",)),
    "Copies": ("a frame", ("buffer_copies", "image_copies", "uploads", "downloads")), "Submissions": ("a frame", ("submissions",)),
    "Waits": ("a frame", ("waits",)), "GL's calls": ("µs a frame", ("calls",)), "CPU time of the process": ("µs a frame", ("process",))}


def names_of(record):
    return [driver["name"] for driver in record["drivers"]]


def frame_plots(record):
    """A plot for each of FRAME_PLOTS that has a number."""
    values = {(one["case"], one["metric"]): one["values"] for one in record["figures"]}
    scenes = list(dict.fromkeys(case for case, _ in values if case != "process"))
    # Drivers without Vulkan below them have no counts.
    counted = {name for (_, metric), of in values.items() if metric == "draws" for name in of}
    plots = []
    for title, (unit, counters) in FRAME_PLOTS.items():
        of = lambda scene, name: sum(values.get((scene, counter), {}).get(name, 0) for counter in counters)
        shown = [name for name in names_of(record) if unit != "a frame" or name in counted]
        series = {name: [of(scene, name) for scene in scenes] for name in shown}
        if any(any(numbers) for numbers in series.values()):
            plots.append(Plot(title, unit, "bars", scenes, series))
    return plots


def transfer_plots(record):
    """A plot for each direction, format and way, over the sizes."""
    found = {}
    for one in record["figures"]:
        words = one["case"].split()
        if one["unit"] == "MB/s" and len(words) == 3:
            title = "%s, %s, %s" % (words[0], words[1], one["metric"].replace("_", " "))
            found.setdefault(title, {})[int(words[2])] = one["values"]
    return [Plot(title, "MB/s", "lines", sorted(sizes), {name: [sizes[size].get(name) for size in sorted(sizes)] for name in names_of(record)})
            for title, sizes in found.items()]


def compute_plots(record):
    """A plot of the ratios to Vulkan's rates, and one of the rates in each unit."""
    found, units = compute_report.figures_of(record)
    plots = []
    for title, unit, metric in [("Over Vulkan's rate", "ratio", compute_report.RATIO),
                                *(("Rates, %s" % unit, unit, compute_report.RATE) for unit in dict.fromkeys(units.values()))]:
        cases = [case for case in found if metric == compute_report.RATIO or units[case] == unit]
        of = lambda case, name: found[case][metric].get(name, 0)
        shown = [name for name in names_of(record) if metric == compute_report.RATE or name != compute_report.VULKAN]
        plots.append(Plot(title, unit, "bars", cases, {name: [of(case, name) for case in cases] for name in shown}))
    return plots


def svg(plot, figure_class):
    """PLOT as SVG, drawn by matplotlib's FIGURE_CLASS."""
    bars = plot.kind == "bars"
    figure = figure_class(figsize=(8, 1.2 + 0.12 * len(plot.labels) * (1 + len(plot.series))) if bars else (4, 3), layout="constrained")
    axes = figure.subplots()
    for number, (name, values) in enumerate(plot.series.items()):
        if bars:
            width = 0.8 / len(plot.series)
            axes.barh([place + number * width for place in range(len(plot.labels))], values, width, label=name)
        else:
            points = [(label, value) for label, value in zip(plot.labels, values) if value]
            axes.plot([x for x, _ in points], [y for _, y in points], marker="o", label=name)
    if bars:
        axes.set_yticks([place + 0.4 - 0.4 / len(plot.series) for place in range(len(plot.labels))], plot.labels)
        axes.invert_yaxis()
        axes.set_xscale("symlog")  # scenes differ by powers of ten, and zero is a number
        axes.set_xlabel(plot.unit)
    else:
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(plot.labels, plot.labels)
        axes.set_ylabel(plot.unit)
    axes.set_title(plot.title)
    axes.legend()
    text = io.StringIO()
    figure.savefig(text, format="svg")
    return text.getvalue()[text.getvalue().index("<svg"):]


def page(title, about, plots, figure_class):
    body = "".join("<section>%s</section>\n" % svg(plot, figure_class) for plot in plots)
    return ("<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>%s</title>\n<style>%s</style>\n<h1>%s</h1>\n%s\n%s</html>\n"
            % (html.escape(title), STYLE, html.escape(title), "".join("<p>%s</p>" % html.escape(line) for line in about), body))


def write(path, title, record, plots):
    """Writes the page to PATH, or says what it needs."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        ui.note("no page with plots: matplotlib is missing (Debian: python3-matplotlib)")
        return
    head = record["head"]
    about = ["%s, %s, %s" % (head["device"], head["machine"], head["day"])]
    about += ["%s: %s, %s" % (driver["name"], driver["renderer"], driver["version"]) for driver in record["drivers"]]
    path.write_text(page(title, about, plots, Figure), encoding="utf-8")
    ui.note("wrote %s" % path.relative_to(paths.ROOT))
