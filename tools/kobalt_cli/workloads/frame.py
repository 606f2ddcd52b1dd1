# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench frame: what a frame asks of the GPU, scene by scene, on several drivers.

bench/frame draws the scenes, a Vulkan layer of ours (bench/counting_layer) counts below the driver: passes, loads,
stores, barriers, copies, submissions, waits. What a scene may cost is in bench/frame/limits.tsv.
"""
import subprocess
import time

from ..lib import environment, gpu, labels, paths, ui
from . import bench_page, sso, sso_report

PROGRAM = paths.BUILD / "bench/frame/kobalt-frame"
LAYER = paths.BUILD / "bench/counting_layer"
KERNEL_CALLS = paths.BUILD / "bench/kernel_calls/libkobalt-kernel-calls.so"
RESULT = paths.OUT / "frame.json"
DRIVERS = ("kobalt", "zink", "llvmpipe", "native", "system")
USUAL = ("kobalt", "zink")
# For all scenes together; a device that draws on the CPU needs most of it.
LIMIT_S = 1800
# A device that draws on the CPU gets smaller frames: the counts are the same.
SIZE, SMALL_SIZE = "1920x1080", "480x270"
# The columns of the table: {title: the counters that it sums up}.
COLUMNS = {
    "draws": ("draws",), "dispatches": ("dispatches",), "passes": ("passes",),
    "loads": ("colour_loads", "depth_loads"), "stores": ("colour_stores", "depth_stores"),
    "barriers": ("barriers",), "full": ("full_barriers",), "transitions": ("transitions",),
    "copies": ("buffer_copies", "image_copies", "uploads", "downloads"), "host": ("host_copies",),
    "blits": ("blits", "resolves"), "clears": ("image_clears", "clears_in_passes"),
    "submits": ("submissions",), "waits": ("waits",), "blocked": ("blocked_waits",), "polls": ("polls",), "busy": ("busy_polls",)}
# The columns of the table of what reaches a GPU that isn't there; the packets are AMD's.
GPU_COLUMNS = {
    "submits": ("kernel_submissions",), "waits": ("kernel_waits",), "queries": ("kernel_queries",), "yields": ("yields",),
    "draws": ("packet_draws",), "dispatches": ("packet_dispatches",), "copies": ("packet_copies",),
    "flushes": ("packet_flushes",), "releases": ("packet_releases",), "acquires": ("packet_acquires",),
    "L2 invalidated": ("l2_invalidations",), "L2 written back": ("l2_writebacks",),
    "metadata invalidated": ("metadata_invalidations",), "words": ("packet_words",), "unread": ("packets_unread",)}


def arguments(one):
    """The words of `./kobalt bench` that are for this benchmark alone."""
    one.add_argument("--late", type=int, default=0, metavar="US", help="frame: each submission appears done so many microseconds later "
                     "(with a pause of 2 ms behind each frame), to see what waits for the GPU")


def program():
    if not PROGRAM.exists():
        raise ui.Stop("%s is missing: build with Meson's option tests" % PROGRAM.relative_to(paths.ROOT))
    return PROGRAM


def counting_calls(env):
    """ENV, of a program on a GPU that isn't there, with what counts the calls to its kernel driver."""
    return dict(env, LD_PRELOAD="%s:%s" % (KERNEL_CALLS, env["LD_PRELOAD"]))


def layered(env, late=0):
    """ENV with the counting layer below the driver; LATE: microseconds by which the device is slower."""
    more = {"VK_LAYER_PATH": str(LAYER), "VK_INSTANCE_LAYERS": "VK_LAYER_KOBALT_counting", "EGL_PLATFORM": "surfaceless"}
    return dict(env, **more, **({"KOBALT_LATE_US": str(late)} if late else {}))


def environment_of(driver, chosen, vulkan, late=0):
    """The program's environment on DRIVER; CHOSEN is a GPU without the hardware, or None."""
    return layered(counting_calls(gpu.for_driver(chosen, driver)) if chosen else environment.for_driver(driver, vulkan), late)


def known_scenes():
    return sso.listed(program())


def chosen_scenes(text):
    """The scenes named in TEXT, in the program's order; all if it names none."""
    return sso.chosen_of(known_scenes(), text, "scene")


def measure(scenes, env, options, limit_s=LIMIT_S):
    """The program's Said for SCENES in ENV. Where it dies, the scene in which it did has failed, and the others go on."""
    whole, rest = sso_report.Said(), list(scenes)
    while rest:
        try:
            done = subprocess.run([str(program()), *options, *rest], env=env, timeout=limit_s, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
            text, end, errors = done.stdout, done.returncode, done.stderr
        except subprocess.TimeoutExpired as late:
            text, end, errors = (late.stdout or b"").decode("utf-8", "replace"), "still running after %d s" % limit_s, ""
        said = sso_report.parse(text)
        whole.head.update(said.head)
        whole.figures.update(said.figures)
        whole.troubles.update(said.troubles)
        left = [scene for scene in rest if not said.measured(scene)]
        if left:
            lines = errors.strip().splitlines()
            whole.troubles[left[0]] = ("failed", "the program ended with status %s%s" % (end, ": " + lines[-1] if lines else ""))
        rest = left[1:]
    return whole


def counts_of(record, driver):
    """{scene: {counter: a frame's number}} of DRIVER in a record."""
    found = {}
    for one in record["figures"]:
        if driver in one["values"]:
            found.setdefault(one["case"], {})[one["metric"]] = one["values"][driver]
    return found


def table(record, columns, more=None):
    """The lines of a table: a row for each scene and driver with COLUMNS and MORE, {title: what a scene's counters make
    of it}. Rows without a number are left out."""
    names = [driver["name"] for driver in record["drivers"]]
    counts = {name: counts_of(record, name) for name in names}
    scenes = list(dict.fromkeys(one["case"] for one in record["figures"] if one["case"] != "process"))
    form = lambda number: "." if not number else "%.0f" % number if number >= 100 else "%.3g" % number
    figures = {title: lambda of, counters=counters: sum(of.get(c, 0) for c in counters) for title, counters in columns.items()}
    figures.update(more or {})
    head = ["scene", "driver", *figures]
    rows = []
    for scene in scenes:
        for name in names:
            row = [figure(counts[name].get(scene, {})) for figure in figures.values()]
            if any(row):
                rows.append([scene, name, *map(form, row)])
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return ["  ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip() for row in [head, *rows]]


def lines(record):
    """The record for a terminal."""
    head = record["head"]
    title = "%s, %s, frames of %s, %s" % (head["device"], head["machine"], head["size"], head["day"])
    about = ["%s: %s, %s" % (d["name"], d["renderer"], d["version"]) for d in record["drivers"]]
    resident = ["%s: %.0f MB resident at the end" % item for one in record["figures"] if one["case"] == "process"
                for item in one["values"].items()]
    more = {"MiB loaded": lambda of: of.get("kib_loaded", 0) / 1024, "stored": lambda of: of.get("kib_stored", 0) / 1024,
            "calls, us": lambda of: of.get("calls", 0), "process, us": lambda of: of.get("process", 0)}
    below = table(record, GPU_COLUMNS)
    return [title, *about, *table(record, COLUMNS, more), *(["what reaches the GPU's kernel driver:", *below] if len(below) > 1 else []),
            *resident, *sso_report.reasons(record)]


def device_names(chosen, vulkan="lavapipe"):
    """The names in limits.tsv that hold for the device."""
    return ("all", *((chosen.name, chosen.maker.name) if chosen else (vulkan,)))


def command(args, chosen):
    from . import frame_limits  # which runs scenes as well, by this module
    drivers = sso.chosen_drivers(args.drivers, chosen)
    scenes = chosen_scenes(args.case)
    size = SMALL_SIZE if args.quick or not chosen and args.vulkan in ("lavapipe", "swiftshader") else SIZE
    options = ["--size", size, *(["--frames", "4"] if args.quick else []), *(["--pause", "2000"] if args.late else [])]
    runs = sso_report.Runs(drivers)
    for driver in drivers:
        ui.note("%s draws %d scenes" % (gpu.title(chosen.name, driver) if chosen else driver, len(scenes)))
        said = measure(scenes, environment_of(driver, chosen, args.vulkan, args.late), options)
        sso.require(driver, said, chosen)
        runs.add(driver, said)
    record = runs.record({"device": sso.device_of(chosen, args.vulkan), "machine": labels.machine(), "day": time.strftime("%Y-%m-%d", time.gmtime()),
                          "size": size, "late_us": args.late})
    for line in lines(record):
        ui.note(line)
    excesses = [] if args.late else frame_limits.excesses(
        counts_of(record, "kobalt"), frame_limits.for_device(frame_limits.read(), device_names(chosen, args.vulkan)))
    for line in excesses:
        ui.note("above its limit: " + line)
    late = "-late" if args.late else ""
    path = paths.OUT / "gpus" / ("frame%s-%s.json" % (late, chosen.name)) if chosen else RESULT.with_stem("frame" + late)
    if args.quick or args.case:
        ui.note("%s stays as it was: it holds whole runs only" % path.relative_to(paths.ROOT))
    else:
        sso_report.write(path, record)
        ui.note("wrote %s" % path.relative_to(paths.ROOT))
        bench_page.write(path.with_suffix(".html"), "What a frame asks of the GPU", record, bench_page.frame_plots(record))
    return 1 if excesses or any(t["driver"] == "kobalt" for t in record["troubles"]) else 0
