# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench sso: what picking shader stages between draws costs a program, on several drivers in turn.

bench/sso measures; each of its cases runs in a process of its own, on one driver after the other, with the same
shaders. Each round makes other shaders, and gives each driver an empty cache folder.
"""
import os
import subprocess
import tempfile
import time

from ..lib import environment, gpu, labels, paths, ui, witness
from . import sso_report

PROGRAM = "kobalt-sso"
RESULT = paths.OUT / "sso.json"
DRIVERS = ("kobalt", "zink", "llvmpipe", "native", "system")
USUAL = ("kobalt", "zink")
# Starts of a process that only clears: one with an empty cache folder, then this many.
STARTS = 5
# The program ends each case by itself after 600 s.
LIMIT_S = 660


def arguments(one):
    """The words of `./kobalt bench` that are for this benchmark."""
    one.add_argument("--drivers", metavar="NAME,NAME", help="sso, frame, transfer, compute: %s (default %s, compute: kobalt; native is the machine's own GL, with --gpu "
                     "the GPU's); ratios are the first one's over each other" % (", ".join(DRIVERS), ",".join(USUAL)))
    one.add_argument("--case", metavar="NAME,NAME", help="sso: only these cases; frame: only these scenes; transfer: only these formats; "
                     "compute: only these kernels")
    one.add_argument("--quick", action="store_true", help="sso, frame, transfer, compute: a test of the cases, its numbers mean little")
    one.add_argument("--second-start", action="store_true", help="sso: each case has run before with the same shaders and caches")
    one.add_argument("--vulkan", default="lavapipe", choices=["lavapipe", "swiftshader", "auto", "system"], help="sso, frame, transfer, compute: for Kobalt")
    one.add_argument("--read", metavar="FILE", help="sso, frame, transfer, compute: show what the bundle's `kobalt bench` wrote for it, measure nothing")


def chosen_drivers(text, on_gpu):
    """The drivers named in TEXT, or the usual ones."""
    names = [name for name in (text or "").split(",") if name] or list(gpu.DRIVERS if on_gpu else USUAL)
    known = gpu.DRIVERS if on_gpu else DRIVERS
    for name in names:
        if name not in known:
            raise ui.Stop("there is no driver %s to measure here; there are %s" % (name, ", ".join(known)))
    return list(dict.fromkeys(names))


def caches(folder):
    """The variables that put the drivers' caches on disk into FOLDER."""
    return dict.fromkeys(("KOBALT_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH"), str(folder))


def environment_of(driver, chosen, vulkan, folder):
    """The program's environment on DRIVER, with its caches in FOLDER; CHOSEN is a GPU without the hardware, or None."""
    extra = caches(folder)
    if chosen:
        return gpu.for_driver(chosen, driver, dict(extra, EGL_PLATFORM="surfaceless"))
    if driver == "native":
        return dict(environment.without_kobalt(), **extra)
    if driver == "zink" and vulkan != "lavapipe":
        raise ui.Stop("stock zink is measured on lavapipe only: leave --vulkan out, or name other --drivers")
    return environment.for_driver(driver, vulkan, dict(extra, EGL_PLATFORM="surfaceless"))


def program():
    return environment.own_program(PROGRAM, with_tests=True)


def listed(benchmark):
    """The names that BENCHMARK prints for --list."""
    listing = subprocess.run([str(benchmark), "--list"], stdout=subprocess.PIPE, text=True).stdout
    return [line.split("\t")[0] for line in listing.splitlines()]


def chosen_of(known, text, kind):
    """Those of KNOWN that TEXT names, in their order; all if it names none. KIND: what they are, for the message."""
    wanted = [name for name in (text or "").split(",") if name]
    for name in wanted:
        if name not in known:
            raise ui.Stop("there is no %s %s; there are %s" % (kind, name, ", ".join(known)))
    return [name for name in known if not wanted or name in wanted]


def cases(text):
    """The names of the cases in TEXT, in the program's order; all if it names none."""
    return chosen_of(listed(program()), text, "case")


def device_of(chosen, vulkan):
    """What Kobalt draws on: CHOSEN, a GPU without the hardware, or else the device of VULKAN."""
    return "%s without the hardware" % chosen.name if chosen else labels.device(environment.for_driver("kobalt", vulkan))


def run(case, seed, env, options):
    """One process of the program: what it printed, and how many milliseconds it ran."""
    command = [str(program()), "--case", case, "--seed", str(seed), *options]
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, env=env, timeout=LIMIT_S, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "%s\tfailed\t-\tdid not end within %d s\n" % (case, LIMIT_S), 0.0
    spent = 1000 * (time.perf_counter() - begin)
    text = done.stdout
    if done.returncode not in (0, 1) or not sso_report.parse(text).measured(case):
        said = (done.stderr.strip() or "no output").splitlines()[-1]
        end = "died of signal %d" % -done.returncode if done.returncode < 0 else "ended with status %d" % done.returncode
        text += "%s\tfailed\t-\t%s: %s\n" % (case, end, said)
    return text, spent


def starts(seed, env, options):
    """The times of processes that only clear: of the first one in a cache folder, and the median of some more."""
    text, first = run("start", seed, env, options)
    lives = [run("start", seed, env, options)[1] for _ in range(STARTS if "--quick" not in options else 1)]
    if not sso_report.parse(text).troubles:
        text += "start\tprocess_first\t%.1f\tms\nstart\tprocess\t%.1f\tms\n" % (first, sso_report.median(lives))
    return text


def measure(case, seed, env, options, second_start):
    if second_start:
        run(case, seed, env, options)
    return starts(seed, env, options) if case == "start" else run(case, seed, env, options)[0]


def require(driver, said, chosen):
    """Stops where another driver than DRIVER drew."""
    renderer = said.head.get("renderer", "")
    # GPUs' own drivers share no beginning of GL_RENDERER, but theirs must not be one of the other drivers'.
    wrong = any(witness.is_of(renderer, other) for other in witness.DRIVERS) if chosen and driver == "native" \
        else not witness.is_of(renderer, driver)
    if renderer and wrong:
        raise ui.Stop("%s should draw here, but the renderer is %s" % (driver, renderer))


def rounds(drivers, names, args, chosen):
    """Runs all rounds; the output as a sso_report.Runs."""
    options = [*(["--quick"] if args.quick else []), *(["--no-pictures"] if chosen else [])]
    runs, progress = sso_report.Runs(drivers), ui.Progress("measuring")
    total = args.rounds * len(names) * len(drivers)
    with tempfile.TemporaryDirectory(prefix="kobalt-sso-") as scratch:
        for number in range(args.rounds):
            seed = time.time_ns()
            envs = {}
            for driver in drivers:
                folder = os.path.join(scratch, "%d-%s" % (number, driver))
                os.mkdir(folder)
                envs[driver] = environment_of(driver, chosen, args.vulkan, folder)
            for case in names:
                for driver in drivers[:: -1 if number % 2 else 1]:  # no driver is always the first
                    progress.update(runs.count, total, " %s on %s" % (case, driver))
                    said = sso_report.parse(measure(case, seed, envs[driver], options, args.second_start))
                    require(driver, said, chosen)
                    runs.add(driver, said)
    progress.close()
    return runs


def head_of(args, chosen, drivers):
    """{key: value}: what the figures were measured on."""
    device = {"device": device_of(chosen, args.vulkan)} if chosen or "kobalt" in drivers else {}
    return {**device, "machine": labels.machine(), "day": time.strftime("%Y-%m-%d", time.gmtime()),
            "rounds": args.rounds, "caches": "filled by a run before" if args.second_start else "empty at each round's beginning"}


def show(record):
    for line in sso_report.lines(record):
        ui.note(line)
    own = record["drivers"][0]["name"]
    return 1 if any(t["driver"] == own and t["kind"] == "failed" for t in record["troubles"]) else 0


def command(args, chosen):
    if args.read:
        return show(sso_report.read_bundle(args.read))
    drivers, names = chosen_drivers(args.drivers, chosen), cases(args.case)
    runs = rounds(drivers, names, args, chosen)
    record = runs.record(head_of(args, chosen, drivers))
    status = show(record)
    path = paths.OUT / "gpus" / ("sso-%s.json" % chosen.name) if chosen else RESULT
    if args.quick or args.case:
        ui.note("%s stays as it was: it holds whole runs only" % path.relative_to(paths.OUT.parent))
    else:
        sso_report.write(path, record)
        ui.note("wrote %s" % path.relative_to(paths.OUT.parent))
    return status
