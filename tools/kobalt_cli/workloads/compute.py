# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench compute: the rates of SPIR-V kernels through OpenGL, and straight through Vulkan with push descriptors.

bench/compute runs both ways in one process, in turn, on the same device.
"""
import subprocess
import time

from ..lib import environment, gpu, labels, paths, ui
from . import bench_page, compute_report, sso, sso_report

PROGRAM = paths.BUILD / "bench/compute/kobalt-compute"
RESULT = paths.OUT / "compute.json"
LIMIT_S = 1800
USUAL = "kobalt"


def program():
    if not PROGRAM.exists():
        raise ui.Stop("%s is missing: build with Meson's option tests" % PROGRAM.relative_to(paths.ROOT))
    return PROGRAM


def environment_of(driver, chosen, vulkan):
    """The program's environment on DRIVER; CHOSEN is a GPU without the hardware, or None."""
    extra = {"EGL_PLATFORM": "surfaceless"}
    if chosen:
        return gpu.for_driver(chosen, driver, extra)
    if driver == "llvmpipe":  # what is beside it in Vulkan
        extra["VK_DRIVER_FILES"] = str(paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json")
    return environment.for_driver(driver, vulkan, extra)


def options_of(args, chosen):
    """The program's options without the kernels."""
    return [*(["--quick"] if args.quick else []), *(["--no-check"] if chosen else [])]


def measure(driver, env, words):
    """What one process of the program printed on DRIVER. Stops where it measured nothing."""
    try:
        done = subprocess.run([str(program()), *words], env=env, timeout=LIMIT_S, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        raise ui.Stop("kobalt-compute on %s still ran after %d s" % (driver, LIMIT_S)) from None
    said = compute_report.parse(done.stdout)[0]
    lines = done.stderr.strip().splitlines()
    reason = "ended with status %d%s" % (done.returncode, ": " + lines[-1] if lines else "")
    if not said.figures and not said.troubles:
        raise ui.Stop("kobalt-compute on %s %s" % (driver, reason))
    return done.stdout + ("the rest\tfailed\t-\t%s\n" % reason if done.returncode not in (0, 1) else "")


def show(record):
    """Prints a record; 1 where a kernel failed on the first driver."""
    for line in compute_report.lines(record):
        ui.note(line)
    own = record["drivers"][0]["name"]
    return 1 if any(t["driver"] == own and t["kind"] == "failed" for t in record["troubles"]) else 0


def command(args, chosen):
    if args.read:
        return show(compute_report.read_bundle(args.read))
    drivers = sso.chosen_drivers(args.drivers or USUAL, chosen)
    kernels = sso.chosen_of(sso.listed(program()), args.case, "kernel")
    runs = compute_report.Runs(drivers)
    for number in range(args.rounds):
        for driver in drivers[:: -1 if number % 2 else 1]:  # no driver is always the first
            ui.note("round %d of %d: %s" % (number + 1, args.rounds, gpu.title(chosen.name, driver) if chosen else driver))
            text = measure(driver, environment_of(driver, chosen, args.vulkan), [*options_of(args, chosen), *kernels])
            sso.require(driver, compute_report.parse(text)[0], chosen)
            runs.add(driver, text)
    record = runs.record({"device": sso.device_of(chosen, args.vulkan), "machine": labels.machine(),
                          "day": time.strftime("%Y-%m-%d", time.gmtime()), "rounds": args.rounds})
    status = show(record)
    path = paths.OUT / "gpus" / ("compute-%s.json" % chosen.name) if chosen else RESULT
    if args.quick or args.case:
        ui.note("%s stays as it was: it holds whole runs only" % path.relative_to(paths.ROOT))
    else:
        sso_report.write(path, record)
        ui.note("wrote %s" % path.relative_to(paths.ROOT))
        bench_page.write(path.with_suffix(".html"), "Kernels through OpenGL and through Vulkan", record, bench_page.compute_plots(record))
    return status
