# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench transfer: how fast textures get to the GPU and back, on several drivers in turn.

bench/transfer measures formats × sizes × ways: from and to a pointer, out of and into pixel buffers.
"""
import subprocess
import time

from ..lib import environment, gpu, labels, paths, ui
from . import bench_page, sso, sso_report

PROGRAM = paths.BUILD / "bench/transfer/kobalt-transfer"
RESULT = paths.OUT / "transfer.json"
LIMIT_S = 1800
# For each figure.
SECONDS, QUICK_SECONDS = "0.1", "0.01"


def program():
    if not PROGRAM.exists():
        raise ui.Stop("%s is missing: build with Meson's option tests" % PROGRAM.relative_to(paths.ROOT))
    return PROGRAM


def environment_of(driver, chosen, vulkan):
    """The program's environment on DRIVER; CHOSEN is a GPU without the hardware, or None."""
    extra = {"EGL_PLATFORM": "surfaceless"}
    return gpu.for_driver(chosen, driver, extra) if chosen else environment.for_driver(driver, vulkan, extra)


def options_of(args, chosen):
    """The program's options."""
    formats = [name for name in (args.case or "").split(",") if name]
    return ["--seconds", QUICK_SECONDS if args.quick else SECONDS, *(["--most", "256"] if args.quick else []),
            *(["--no-pictures"] if chosen else []), *formats]


def measure(driver, env, options):
    """One process of the program on DRIVER: what it printed. Stops where it measured nothing."""
    try:
        done = subprocess.run([str(program()), *options], env=env, timeout=LIMIT_S, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        raise ui.Stop("kobalt-transfer on %s still ran after %d s" % (driver, LIMIT_S)) from None
    said = sso_report.parse(done.stdout)
    if done.returncode not in (0, 1) or not said.figures:
        lines = done.stderr.strip().splitlines()
        reason = "ended with status %d%s" % (done.returncode, ": " + lines[-1] if lines else "")
        if not said.figures:
            raise ui.Stop("kobalt-transfer on %s %s" % (driver, reason))
        said.troubles["the rest"] = ("failed", reason)
    return said


def command(args, chosen):
    drivers = sso.chosen_drivers(args.drivers, chosen)
    options = options_of(args, chosen)
    runs = sso_report.Runs(drivers)
    for number in range(args.rounds):
        for driver in drivers[:: -1 if number % 2 else 1]:  # no driver is always the first
            ui.note("round %d of %d: %s" % (number + 1, args.rounds, gpu.title(chosen.name, driver) if chosen else driver))
            said = measure(driver, environment_of(driver, chosen, args.vulkan), options)
            sso.require(driver, said, chosen)
            runs.add(driver, said)
    record = runs.record({"device": sso.device_of(chosen, args.vulkan), "machine": labels.machine(), "day": time.strftime("%Y-%m-%d", time.gmtime()),
                          "rounds": args.rounds})
    for line in sso_report.lines(record):
        ui.note(line)
    path = paths.OUT / "gpus" / ("transfer-%s.json" % chosen.name) if chosen else RESULT
    if args.quick or args.case:
        ui.note("%s stays as it was: it holds whole runs only" % path.relative_to(paths.ROOT))
    else:
        sso_report.write(path, record)
        ui.note("wrote %s" % path.relative_to(paths.ROOT))
        bench_page.write(path.with_suffix(".html"), "How fast textures get to the GPU and back", record, bench_page.transfer_plots(record))
    return 1 if any(t["driver"] == drivers[0] for t in record["troubles"]) else 0
