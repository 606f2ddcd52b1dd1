# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench --gpu NAME: what a draw costs the CPU on a GPU that isn't there, beside zink and the GPU's own GL driver.

Nothing is drawn, so the drivers' own work is all that takes time. --overhead: piglit's drawoverhead, case by case.
--instructions: kobalt-draw-cost under callgrind; what a draw of Kobalt costs there has a budget that CI holds.
"""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..lib import gpu, paths, ui
from ..setup import gpu_setup
from . import apps, bench, overhead

FOLDER = paths.OUT / "gpus"
PROGRAM = paths.BUILD / "bench/draw_cost/kobalt-draw-cost"
BUDGET = paths.ROOT / "bench/draw_cost/budget.tsv"
BUDGET_GPUS = ("navi31", "tgl")
TOLERANCE = 0.05
COUNTED_OPERATIONS, TIMED_OPERATIONS = 2000, 100000
ALL_IN_ONE_THREAD = dict(overhead.MODES["one-thread"][1], EGL_PLATFORM="surfaceless", PIGLIT_PLATFORM="surfaceless_egl")
COUNT_LIMIT_S, TIME_LIMIT_S = 300, 120
# The cases of kobalt-draw-cost that do a hundredth of the operations (kDrawsPerWait).
RARE = {"flush_finish": 100}
# How often a wait polls depends on the time it takes, so its cost is not a fixed number.
WAITS = ("flush_finish",)


def write_table(path, head, unit, rows):
    """{case: {driver: number}} as a table with a column for each driver."""
    drivers = [d for d in gpu.DRIVERS if any(d in row for row in rows.values())]
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["# %s" % head, "# case\t%s\t(%s)" % ("\t".join(drivers), unit)]
    lines += ["%s\t%s" % (case, "\t".join("%.1f" % row.get(d, 0) for d in drivers)) for case, row in rows.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_table(path):
    """(head, unit, {case: {driver: number}}) of a table."""
    head, columns, *lines = path.read_text(encoding="utf-8").splitlines()
    *drivers, unit = columns.split("\t")[1:]
    cells = [line.split("\t") for line in lines if line]
    return head[2:], unit.strip("()"), {case: {d: float(n) for d, n in zip(drivers, numbers) if float(n)}
                                        for case, *numbers in cells}


def run(command, env, seconds, what):
    """The standard output of COMMAND, which must succeed."""
    try:
        done = subprocess.run([str(word) for word in command], env=env, timeout=seconds, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        raise ui.Stop("%s still ran after %d s" % (what, seconds)) from None
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()
        raise ui.Stop("%s ended with status %d: %s" % (what, done.returncode, lines[-1]))
    return done


def program():
    if not PROGRAM.exists():
        raise ui.Stop("%s is missing: build with Meson's option tests" % PROGRAM.relative_to(paths.ROOT))
    return PROGRAM


def environment_of(chosen, driver, extra=ALL_IN_ONE_THREAD):
    wanted = {"kobalt": "Kobalt", "zink": "zink", "native": chosen.maker.native}[driver]
    return gpu.for_driver(chosen, driver, {**extra, "KOBALT_EXPECT_RENDERER": wanted})


def parse_counts(texts):
    """{case: instructions} out of callgrind's dumps, in the order in which they were written: the dump before
    measured_end holds the work of the case before it. Each case runs twice, and the second time counts."""
    counts, before = {}, None
    for text in texts:
        trigger = re.search(r"^desc: Trigger: --dump-before=measured_(\w+)", text, re.MULTILINE)
        total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
        if trigger and total:
            if trigger[1] == "end" and before:
                counts[before] = int(total[1])
            before = trigger[1]
    return counts


def counted(words, env, what):
    """{case: instructions a draw} of kobalt-draw-cost, by the command WORDS, in the program's thread."""
    if not shutil.which("valgrind"):
        raise ui.Stop("valgrind is missing: install the package valgrind")
    with tempfile.TemporaryDirectory(prefix="kobalt-count-") as folder:
        run(["valgrind", "--tool=callgrind", "--separate-threads=yes", "--dump-before=measured_*",
             "--callgrind-out-file=%s/counts" % folder, *words, COUNTED_OPERATIONS], env, COUNT_LIMIT_S, what)
        dumps = sorted(Path(folder).glob("counts.*-01"), key=lambda path: int(re.search(r"\.(\d+)-01$", path.name)[1]))
        counts = parse_counts(path.read_text(errors="replace") for path in dumps)
    if not counts:
        raise ui.Stop("callgrind wrote no counts for %s" % what)
    return {case: total / (COUNTED_OPERATIONS // RARE.get(case, 1)) for case, total in counts.items()}


def count(chosen, driver="kobalt"):
    """The same on the GPU CHOSEN."""
    return counted([program()], environment_of(chosen, driver), "kobalt-draw-cost on %s, %s" % (chosen.name, driver))


def times(chosen, driver):
    """{case: nanoseconds a draw}."""
    text = run([program(), TIMED_OPERATIONS], environment_of(chosen, driver), TIME_LIMIT_S,
               "kobalt-draw-cost on %s, %s" % (chosen.name, driver)).stdout
    return {case: float(number) for case, number in re.findall(r"^(\w+)\t([0-9.]+)$", text, re.MULTILINE)}


def read_budget(path=BUDGET):
    """{GPU: {case: instructions}}."""
    result = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        if line and not line.startswith("#"):
            name, case, number = line.split("\t")
            result.setdefault(name, {})[case] = int(number)
    return result


def write_budget(budget, path=BUDGET):
    text = ("# Instructions that a draw of Kobalt's takes after each kind of change, all work in the program's thread.\n"
            "# `./kobalt bench --instructions` compares, with --record it writes this file. CI allows %d %%.\n"
            "# GPU\tcase\tinstructions\n" % round(100 * TOLERANCE))
    path.write_text(text + "".join("%s\t%s\t%d\n" % (name, case, number) for name, cases in sorted(budget.items())
                                   for case, number in cases.items()), encoding="utf-8")


def budgeted(counts):
    """The cases of COUNTS that have a budget."""
    return {case: number for case, number in counts.items() if case not in WAITS}


def over_budget(counts, budget):
    """A line for each case that is not within the tolerance of its budget. A count below it gets a line, too: a budget
    far above the need catches no regression."""
    lines = []
    for case in sorted({*counts, *budget}):
        have, allowed = counts.get(case), budget.get(case)
        if have is None or allowed is None:
            lines.append("%s: %s" % (case, "has no budget" if allowed is None else "was not counted"))
        elif abs(have - allowed) > TOLERANCE * allowed:
            lines.append("%s: %.0f instructions, the budget is %d (%+.1f %%)" % (case, have, allowed, 100 * (have / allowed - 1)))
    return lines


def instructions(args, chosen):
    """Counts on CHOSEN, or on the GPUs with a budget; with a GPU named, zink and the native driver as well."""
    gpu_setup.ensure(peers=True)
    budget, complaints = read_budget(), []
    for one in [chosen] if chosen else [gpu.find(name) for name in BUDGET_GPUS]:
        rows = {}
        for driver in gpu.DRIVERS if chosen else gpu.DRIVERS[:1]:
            ui.note("%s, %s: counting, about %d s" % (one.name, gpu.title(one.name, driver), 30))
            for case, number in count(one, driver).items():
                rows.setdefault(case, {})[driver] = number
        if chosen:
            write_table(FOLDER / ("instructions-%s.tsv" % one.name), "kobalt-draw-cost on %s under callgrind" % one.name,
                        "instructions a draw", rows)
        for case, row in rows.items():
            ui.note("%-14s %s" % (case, "  ".join("%s %7.0f" % (gpu.title(one.name, d), n) for d, n in row.items())))
        counts = budgeted({case: row["kobalt"] for case, row in rows.items()})
        if args.record:
            budget[one.name] = {case: round(number) for case, number in counts.items()}
        else:
            complaints += ["%s: %s" % (one.name, line) for line in over_budget(counts, budget.get(one.name, {}))]
    if args.record:
        write_budget(budget)
        ui.note("wrote %s" % BUDGET.relative_to(paths.ROOT))
    for line in complaints:
        ui.note(line)
    if complaints:
        ui.note("if the change is right, record it: ./kobalt bench --instructions --record")
    return 1 if complaints else 0


def all_cases(chosen, driver, env, numbers):
    """{case: thousand draws a second} of drawoverhead. If DRIVER doesn't reach the end, the cases that it left
    out run one by one, by their NUMBERS in Kobalt's list; zink runs out of memory on GPUs that free none."""
    command = [overhead.PROGRAM, "-auto", "-fbo", "-compat", "-nocolor", "-duration", "1"]

    def measured(*more):
        try:
            return subprocess.run([*command, *more], env=env, timeout=overhead.LIMIT_S, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            raise ui.Stop("drawoverhead on %s, %s still ran after %d s" % (chosen.name, driver, overhead.LIMIT_S)) from None
    done = measured()
    rows = overhead.parse(done.stdout)
    if driver == "kobalt":
        numbers.update(overhead.numbers(done.stdout))
        if done.returncode or not rows:
            raise ui.Stop("drawoverhead on %s, Kobalt ended with status %d" % (chosen.name, done.returncode))
    elif done.returncode:
        ui.note("it ended with status %d after %d cases; the others one by one" % (done.returncode, len(rows)))
        for case in [case for case in numbers if case not in rows]:
            rows.update(overhead.parse(measured("-test", str(numbers[case])).stdout))
    return rows


def draw_overhead(args, chosen):
    """drawoverhead on the three drivers in turn; kobalt-draw-cost's times beside it."""
    mode = "threaded" if args.threaded else "one-thread"
    extra = dict(overhead.MODES[mode][1], PIGLIT_PLATFORM="surfaceless_egl", EGL_PLATFORM="surfaceless")
    samples, own, numbers = {}, {}, {}
    for number in range(args.rounds):
        for driver in gpu.DRIVERS:
            ui.note("round %d of %d: %s, about a minute" % (number + 1, args.rounds, gpu.title(chosen.name, driver)))
            env = environment_of(chosen, driver, extra)
            for case, spent in times(chosen, driver).items():
                own.setdefault(case, {}).setdefault(driver, []).append(spent)
            rows = all_cases(chosen, driver, env, numbers)
            for case, rate in rows.items():
                samples.setdefault(case, {}).setdefault(driver, []).append(rate)
    rows = {case: {d: bench.median(rates) for d, rates in row.items()} for case, row in samples.items()}
    head = "%s, Mesa %s without the hardware, %s, median of %d rounds in turn, %s" % (
        chosen.name, paths.MESA_VERSION, overhead.MODES[mode][0], args.rounds, apps.machine())
    write_table(FOLDER / ("overhead-%s-%s.tsv" % (chosen.name, mode)), head, "thousand draws a second", rows)
    write_table(FOLDER / ("times-%s.tsv" % chosen.name), head, "nanoseconds a draw",
                {case: {d: bench.median(n) for d, n in row.items()} for case, row in own.items()})
    for case, row in rows.items():
        ui.note("%-62s %s" % (case, " ".join("%8.0f" % row.get(d, 0) for d in gpu.DRIVERS)))
    for peer in gpu.DRIVERS[1:]:
        both = [row["kobalt"] / row[peer] for row in rows.values() if row.get("kobalt") and row.get(peer)]
        ui.note("Kobalt over %s, geometric mean of %d cases: %.2f"
                % (gpu.title(chosen.name, peer), len(both), overhead.geometric_mean(both)))
    return 0


def frames(args, chosen):
    """Frame times of the demo on the three drivers."""
    samples = {}
    for _ in range(args.rounds):
        for driver in gpu.DRIVERS:
            env = gpu.for_driver(chosen, driver, {"EGL_PLATFORM": "surfaceless"})
            text = run([paths.PREFIX / "bin/kobalt-demo", "--frames", args.frames, "--size", args.size], env, TIME_LIMIT_S,
                       "the demo on %s, %s" % (chosen.name, driver)).stdout
            found = bench.parse_times(text)
            if found:
                samples.setdefault(driver, []).append(found)
    for driver, runs in samples.items():
        ui.note("%-10s %s" % (gpu.title(chosen.name, driver),
                              "  ".join("%s %.2f ms" % (k, bench.median([t[k] for t in runs])) for k in bench.KEYS)))
    return 0 if samples else 1


def command(args, chosen):
    if args.instructions:
        return instructions(args, chosen)
    return draw_overhead(args, chosen) if args.overhead else frames(args, chosen)
