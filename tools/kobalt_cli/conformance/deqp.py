# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt deqp: the cases of a dEQP or CTS program that you bring, on Kobalt or another driver.

Results lie in out/deqp as piglit's do in out/piglit, so ./kobalt compare reads them.
"""
import os
import re
import shlex
import time
from pathlib import Path

from ..lib import environment, expectations, gpu, labels, paths, ui, witness
from . import deqp_run, features, piglit

FOLDER = paths.OUT / "deqp"
PEERS = ("zink", "llvmpipe", "native", "system")
# Options for builds that draw off-screen. The words of --options follow them, and the last option of a kind counts.
OPTIONS = ("--deqp-log-images=disable", "--deqp-log-shader-sources=disable", "--deqp-surface-type=pbuffer",
           "--deqp-surface-width=256", "--deqp-surface-height=256", "--deqp-gl-config-name=rgba8888d24s8ms0",
           "--deqp-visibility=hidden")


def arguments(one):
    one.add_argument("binary", help="the program of a dEQP or CTS build, as deqp-gles31 or glcts")
    one.add_argument("list", help="a file with a case's name in each line")
    one.add_argument("--peer", choices=PEERS, help="on this driver (default: Kobalt); native and system are the machine's own GL, "
                     "native with --gpu that GPU's, system on the CPU")
    one.add_argument("--vulkan", default="lavapipe", choices=["lavapipe", "swiftshader", "auto", "system"], help="for Kobalt")
    one.add_argument("--filter", metavar="REGEX", help="only cases whose name matches")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16), help="processes at once (default: all cores)")
    one.add_argument("--batch", type=int, metavar="N", help="cases a process (default: by their number, at most 200)")
    one.add_argument("--timeout", type=float, help="seconds without a sign of life that a case may take (default 60, on SwiftShader 240)")
    one.add_argument("--options", default="", metavar="WORDS", help="more options for the program, in one word: --options='--deqp-surface-type=fbo'")
    one.add_argument("--display", action="store_true", help="give each process a virtual X server, for builds that open windows")
    one.add_argument("--env", action="append", default=[], metavar="K=V", help="set a variable for the program")
    one.add_argument("--disable", action="append", default=[], metavar="CAP", help="switch a capability off (KOBALT_DISABLE)")
    one.add_argument("--record", action="store_true", help="write the outcome as the new expectations (piglit-profiles/deqp-LIST-expected.txt)")
    one.add_argument("--resume", action="store_true", help="keep the results of an interrupted run")
    one.add_argument("--name", help="name of the result files below out/deqp (default: the list and what differs)")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")


def read_list(path):
    """The cases that the file PATH names, one a line; lists that the program wrote itself have `TEST: ` in front."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ui.Stop("the list %s can't be read (%s): name a file with a case's name in each line" % (path, error.strerror)) from None
    found = {}
    for line in lines:
        line = line.strip()
        if line and not line.startswith(("#", "GROUP: ")):
            found[line.removeprefix("TEST: ")] = None
    if not found:
        raise ui.Stop("the list %s names no case" % path)
    return list(found)


def result_name(stem, args):
    parts = [stem] + ([args.peer] if args.peer else []) + ([args.gpu] if args.gpu else [])
    if not args.peer and not args.gpu and args.vulkan != "lavapipe":
        parts.append(args.vulkan)
    return "-".join(parts + ["no-" + cap for cap in args.disable] + (["filtered"] if args.filter else []))


def environment_of(args, chosen):
    """The environment that the program runs in."""
    driver = args.peer or "kobalt"
    if chosen:
        if driver not in gpu.DRIVERS:
            raise ui.Stop("with --gpu the drivers are Kobalt, zink and native, not %s" % driver)
        env = gpu.for_driver(chosen, driver)
    elif driver == "native":
        env = environment.without_kobalt()
    else:
        env = environment.for_driver(driver, args.vulkan)
    if chosen or not (args.display or driver == "native"):
        env["EGL_PLATFORM"] = "surfaceless"
    for assignment in args.env:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise ui.Stop("--env wants NAME=VALUE, not %s" % assignment)
        env[key] = value
    if args.disable:
        env["KOBALT_DISABLE"] = ",".join(args.disable)
    return witness.announcing(env) if driver == "kobalt" else env


def head_of(args, env, binary):
    """{key: value}: the driver that draws, and its device; stops if another driver draws than the one asked for."""
    driver = args.peer or "kobalt"
    said, trouble = features.ask(env)
    if not said.renderer():
        raise ui.Stop("%s makes no GL context here without a window%s" % (driver, ": " + trouble if trouble else ""))
    features.require("native" if driver == "system" else driver, said, args.gpu)
    release = said.head(driver)["%s release" % driver]
    values = {"driver": driver, "renderer": said.renderer(), "version": release}
    if args.gpu:
        values["device"] = args.gpu + " without the hardware"
    elif driver in ("kobalt", "zink"):
        values["device"] = labels.device(env)
    return {**values, "program": binary.name, "machine": labels.machine(), "day": time.strftime("%Y-%m-%d", time.gmtime())}


def run(program, names, name, head, jobs, size=None, resume=False, display=False):
    """Runs the cases NAMES; results go to out/deqp/NAME.tsv as they come. Returns all Outcomes, in that order."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    table, log = FOLDER / (name + ".tsv"), FOLDER / (name + ".log")
    wanted = set(names)
    outcomes = [o for o in piglit.read_results(table) if o.name in wanted] if resume else []
    kept = {o.name for o in outcomes}
    left = [one for one in names if one not in kept]
    with open(table, "w", encoding="utf-8") as rows, open(log, "a" if resume else "w", encoding="utf-8") as details:
        rows.write(labels.write_head(head))
        rows.writelines(o.row() for o in outcomes)

        def done(outcome):
            outcomes.append(outcome)
            rows.write(outcome.row())
            rows.flush()
            if outcome.result not in ("pass", "skip"):
                details.write("=== %s: %s\n%s\n" % (outcome.name, outcome.result, outcome.output))
                details.flush()
            outcome.output = ""

        if left:
            deqp_run.Run(program, done, len(left), display).all(left, jobs, size or deqp_run.batch_size(len(left), jobs))
    place = {one: i for i, one in enumerate(names)}
    outcomes.sort(key=lambda o: place[o.name])
    table.write_text(labels.write_head(head) + "".join(o.row() for o in outcomes), encoding="utf-8")
    return outcomes


def judge(args, stem, outcomes):
    """Records or compares with what is expected; the exit status."""
    path = expectations.expected_path("deqp-" + stem, args.gpu or args.vulkan)
    expected = expectations.read(path)
    if args.record:
        if args.filter or args.peer:
            raise ui.Stop("--record wants the whole list on Kobalt")
        expectations.write(path, stem, outcomes, expected, "deqp BINARY %s --record" % stem)
        ui.note("expectations written to %s" % path.relative_to(paths.ROOT))
        return 0
    if args.peer:
        return 0
    good, known, surprises = expectations.compare(outcomes, expected)
    # A skip or a warning is the program's own answer on what the device can't do. It is a surprise only if another
    # result is on record.
    surprises = [(o, wanted) for o, wanted in surprises if not (o.result in ("skip", "warn") and o.name not in expected)]
    piglit.print_surprises(surprises)
    ui.note("%d as expected, %d known not to pass, %d surprises" % (len(good), len(known), len(surprises)))
    return 1 if surprises else 0


def command(args, chosen):
    binary, names, stem = deqp_run.runnable(args.binary), read_list(args.list), Path(args.list).stem
    if args.filter:
        names = [name for name in names if re.search(args.filter, name)]
        if not names:
            raise ui.Stop("no case of %s matches %s" % (args.list, args.filter))
    if args.timeout is None:
        args.timeout = 240 if args.vulkan == "swiftshader" else 60
    env = environment_of(args, chosen)
    name = args.name or result_name(stem, args)
    head = head_of(args, env, binary)
    ui.note("%s: %d cases, %d processes at once, on %s" % (name, len(names), args.jobs, head["renderer"]))
    program = deqp_run.Program([str(binary), *OPTIONS, *shlex.split(args.options)], env, args.timeout)
    outcomes = run(program, names, name, head, args.jobs, args.batch, args.resume, args.display)
    piglit.print_groups(outcomes)
    ui.note("%s; results in out/deqp/%s.tsv, output of what does not pass in out/deqp/%s.log" % (piglit.counts_text(outcomes), name, name))
    return judge(args, stem, outcomes)
