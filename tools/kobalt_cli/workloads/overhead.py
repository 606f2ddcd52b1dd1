# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench --overhead: what a draw costs the CPU, case by case, on Kobalt and on zink.

piglit's drawoverhead runs over lavapipe under a Vulkan layer of ours that swallows every command
(bench/null_draw_layer), so that the drivers' own work is what remains. Each case runs on both drivers one right after the
other: other work on the machine then slows both alike.
"""
import math
import re
import subprocess

from ..lib import environment, labels, paths, ui, witness, xserver

DRIVERS = ("kobalt", "zink")
LAYER = paths.BUILD / "bench/null_draw_layer"
LAYER_LIBRARY = LAYER / "libkobalt-null-draw.so"
PROGRAM = "/usr/lib/%s/piglit/bin/drawoverhead" % paths.MULTIARCH
FOLDER = paths.OUT / "overhead"
# The modes that the drivers run in: {file name: (text of the table's head, environment)}.
MODES = {"one-thread": ("all work in the program's thread", {"GALLIUM_THREAD": "0", "mesa_glthread": "false"}),
         "threaded": ("Mesa's threads as by default", {})}
# The limit for one case, so that a hang in it does not hang the run: a case takes a second and its preparation.
LIMIT_S = 300


def parse(text):
    """{case: thousand draws a second} out of drawoverhead's table."""
    rows = re.findall(r"^ *[0-9]+, (.*?), +([0-9]+)", text, re.MULTILINE)
    return {" ".join(name.split()).replace("( ", "(").replace(" )", ")"): float(rate) for name, rate in rows}


def numbers(text):
    """{case: its number for -test} out of drawoverhead's table."""
    rows = re.findall(r"^ *([0-9]+), .*?, +[0-9]+, ", text, re.MULTILINE)
    return dict(zip(parse(text), map(int, rows)))


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios(rows):
    """{case: Kobalt's rate over zink's} of {case: (Kobalt, zink)}."""
    return {name: own / peer for name, (own, peer) in rows.items() if own and peer}


def environment_of(driver, mode, display):
    """DRIVER's environment with the layer below it. Kobalt pushes descriptors, as it does on NVIDIA's driver: what
    pushes cost lavapipe, where it does without, isn't seen under the layer."""
    if not LAYER_LIBRARY.exists():
        raise ui.Stop("%s is missing: build with Meson's option tests" % LAYER_LIBRARY.relative_to(paths.ROOT))
    return environment.for_driver(driver, extra={
        "DISPLAY": display, "VK_LAYER_PATH": str(LAYER), "VK_INSTANCE_LAYERS": "VK_LAYER_KOBALT_null_draw",
        "PIGLIT_PLATFORM": "mixed_glx_egl", "vblank_mode": "0", "KOBALT_PUSHED_BLOCKS": "1", **MODES[mode][1]})


def measure(driver, mode, display, *more, duration=1):
    """What drawoverhead prints. MORE: its arguments, as -test NUMBER. DURATION: seconds a case."""
    command = [PROGRAM, "-auto", "-fbo", "-compat", "-nocolor", "-duration", str(duration), *more]
    try:
        done = subprocess.run(command, env=environment_of(driver, mode, display), timeout=LIMIT_S, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        raise ui.Stop("drawoverhead on %s still ran after %d s" % (driver, LIMIT_S)) from None
    if done.returncode:
        lines = done.stdout.strip().splitlines()
        raise ui.Stop("drawoverhead on %s ended with status %d after %d cases: %s"
                      % (driver, done.returncode, len(parse(done.stdout)), lines[-1] if lines else "no output"))
    return done.stdout


def rate(driver, mode, display, name, number):
    """Thousand draws a second of a case; None: the case can't run, or zink crashes in it."""
    try:
        return parse(measure(driver, mode, display, "-test", str(number))).get(name)
    except ui.Stop as stop:
        if driver == "kobalt":
            raise
        ui.note("%s is left out: %s" % (name, stop))
        return None


def middle_pair(pairs):
    """The pair of rates whose ratio is the median one."""
    return sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]


def measure_pairs(mode, display, rounds):
    """{case: (Kobalt, zink)}, thousand draws a second."""
    cases = numbers(measure("kobalt", mode, display, duration=0))
    pairs, progress = {}, ui.Progress("measuring")
    for turn in range(rounds):
        for done, (name, number) in enumerate(cases.items()):
            progress.update(turn * len(cases) + done, rounds * len(cases), ", " + name)
            rates = [rate(driver, mode, display, name, number) for driver in DRIVERS]
            if all(rates):
                pairs.setdefault(name, []).append(tuple(rates))
    progress.close()
    return {name: middle_pair(found) for name, found in pairs.items()}


def write_table(path, head, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# %s\n# case\t%s (thousand draws a second)\n" % (head, "\t".join(DRIVERS)))
        for name, rates in rows.items():
            file.write("%s\t%s\n" % (name, "\t".join("%.0f" % rate for rate in rates)))


def read_table(path):
    """(head, {case: (Kobalt, zink)}) of a table."""
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return lines[0].lstrip("# "), {name: (float(own), float(peer)) for name, own, peer in cells}


def status_section(located, measured_on, table, missing):
    """The section of docs/status.md: what draws cost the CPU. LOCATED finds a result's file, MEASURED_ON its day, TABLE
    makes a table, MISSING says that there is none."""
    text = ("## The cost of draws\n\nThousand draws a second in piglit's drawoverhead over a Vulkan device, under a layer "
            "that swallows all commands: what remains is the CPU time of Mesa and the driver, and the device's for objects and "
            "descriptors. Kobalt pushes descriptors here, as it does on NVIDIA's driver. `./kobalt bench --overhead` measures it; "
            "a ratio above 1: Kobalt is faster than zink.\n\n")
    found = [path for path in (located("overhead", mode + ".tsv") for mode in MODES) if path.exists()]
    if not found:
        return text + table(["case", "Kobalt", "zink", "ratio"], [[missing] * 4])
    for path in found:
        head, rows = read_table(path)
        compared = ratios(rows)
        text += "%s, %s\n\n" % (head, measured_on(path))
        text += table(["case", "Kobalt", "zink", "ratio"],
                      [[name.replace("|", r"\|"), *("%.0f" % rate for rate in rows[name]), "%.2f" % ratio] for name, ratio in compared.items()]
                      + [["geometric mean", "", "", "%.2f" % geometric_mean(compared.values())]]) + "\n"
    return text


def command(args):
    mode = "threaded" if args.threaded else "one-thread"
    with xserver.VirtualDisplay() as display:
        for driver in DRIVERS:
            witness.require(driver, environment_of(driver, mode, display.name))
        own_head = labels.head("kobalt", environment_of("kobalt", mode, display.name))
        rows = measure_pairs(mode, display.name, args.rounds)
    head = "%s, without its commands, %s, %s, case by case in turn, %s" % (
        own_head["device"], MODES[mode][0], labels.rounds(args.rounds), own_head["machine"])
    write_table(FOLDER / (mode + ".tsv"), head, rows)
    compared = ratios(rows)
    for name, ratio in compared.items():
        ui.note("%-62s %7.0f %7.0f  %5.2f" % (name, *rows[name], ratio))
    ui.note("Kobalt over zink, geometric mean of %d cases: %.2f" % (len(compared), geometric_mean(compared.values())))
    return 0
