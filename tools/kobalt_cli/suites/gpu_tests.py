# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `gpus`: what Kobalt does on the drivers of GPUs that aren't there."""
import collections
import concurrent.futures
import json
import re
import shutil
import subprocess
import time

from ..lib import gpu, paths, tally, ui
from ..setup import gpu_setup
from ..conformance import corpus_driver, piglit, piglit_batches, piglit_tests
from ..workloads import frame, frame_limits, gpu_bench
from . import gpu_pieces, programs

FOLDER = paths.OUT / "gpus"
# Capabilities that are off, each in a run of its own. If all GPUs share the work, each GPU has one of these runs, with
# half of the tests. The layer follows synchronisation through descriptor sets only, so SHARED_OFF turns descriptor
# buffers off in each.
OFF = ("descriptor_buffer", "graphics_pipeline_library", "extended_dynamic_state3")
SHARED_OFF = tuple(tuple(dict.fromkeys((OFF[0], cap))) for cap in OFF)
CORPUS_A_GPU = 160
SMOKE_BATCH = 30

Task = collections.namedtuple("Task", "gpu piece function")


def info_command():
    return str(paths.PREFIX / "bin/kobalt-info")


def information(chosen):
    """What ./kobalt info says on CHOSEN: (exit status, text)."""
    done = subprocess.run([info_command()], env=gpu.for_driver(chosen), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60)
    return done.returncode, done.stdout


def parse_info(text):
    """What docs/gpus.md shows of a device: GL's versions, the Vulkan driver, and {capability that is off: reason}."""
    def first(pattern):
        found = re.search(pattern, text, re.MULTILINE)
        return found[1] if found else ""
    return {"device": first(r"^\* 0  (.*)$"), "vulkan": first(r"Vulkan ([\d.]+), driver"),
            "gl": first(r"OpenGL core: (\d\.\d)"), "es": first(r"OpenGL ES: OpenGL ES (\d\.\d)"),
            "off": dict(re.findall(r"^  off  (\S+) +(.*)$", text, re.MULTILINE))}


def info(chosen):
    """Kobalt must accept the GPU, and offer OpenGL 3.3."""
    piece = gpu_pieces.Piece()
    code, text = information(chosen)
    piece.info = parse_info(text)
    good = code == 0 and piece.info["gl"] >= "3.3"
    if not good:
        piece.note("error", "no OpenGL 3.3 (kobalt-info ended with status %d)" % code, "kobalt-info")
    piece.count(good)
    return piece


def budget(chosen):
    """Draws must cost what the budget allows."""
    piece = gpu_pieces.Piece()
    for line in gpu_bench.over_budget(gpu_bench.budgeted(gpu_bench.count(chosen)), gpu_bench.read_budget().get(chosen.name, {})):
        piece.note("budget", line, "./kobalt bench --instructions")
    piece.count(not piece.trouble)
    return piece


def frame_costs(chosen):
    """Frames must ask no more of the GPU than bench/frame/limits.tsv says."""
    piece = gpu_pieces.Piece()
    for line in frame_limits.check(frame.environment_of("kobalt", chosen, None), frame.device_names(chosen),
                                   frame_limits.USUAL):
        piece.note("budget", line, "./kobalt bench frame --gpu %s" % chosen.name)
    piece.count(not piece.trouble)
    return piece


def refusal(chosen, reason):
    """A GPU whose Vulkan is too old is refused with the reason, not with a crash."""
    piece = gpu_pieces.Piece()
    code, text = information(chosen)
    good = code in (0, 1) and reason in text
    if not good:
        piece.note("error", "refused without a word about %s (status %d)" % (reason, code), "kobalt-info")
    piece.count(good)
    return piece


def shared_out(things, number, of):
    """Share NUMBER of THINGS in OF shares, spread over the whole."""
    return list(things)[number::of]


def chunks(things, size):
    return [things[i:i + size] for i in range(0, len(things), size)]


def gl_task(chosen, disable, program, number=0, of=1):
    """Share NUMBER in OF shares of the GL tests, with what DISABLE names off."""
    name = "GL tests" + (", %s off" % " and ".join(disable) if disable else "")

    def run():
        with open(FOLDER / ("%s-%s.log" % (chosen.name, "-".join(["gl", *disable]))), "w", encoding="utf-8") as log:
            return gpu_pieces.gl(chosen, str(program), disable, log, lambda names: shared_out(names, number, of))
    return Task(chosen, name, run)


def plan(chosen_gpus, thorough):
    """All tasks, the longest first. THOROUGH: each GPU has all of everything, else the GPUs share smoke and corpus."""
    program = programs.gl_program()
    if program is None:
        raise ui.Stop("kobalt-gl-tests was not built: run ./kobalt build")
    smoke = piglit_tests.find(piglit.names_of("smoke")[1])
    shares = 1 if thorough else max(len(chosen_gpus), 6)
    shaders = corpus_driver.sample_of(corpus_driver.candidates(), CORPUS_A_GPU * max(len(chosen_gpus), 6))
    groups = [[], [], []]
    for number, one in enumerate(chosen_gpus):
        groups[0].append(gl_task(one, (), program))
        if thorough:
            groups[0] += [gl_task(one, (cap,), program) for cap in OFF]
        else:
            groups[0].append(gl_task(one, SHARED_OFF[number % len(OFF)], program, number // len(OFF) % 2, 2))
        for part in chunks(shared_out(smoke, number % shares, shares), SMOKE_BATCH):
            groups[1].append(Task(one, "smoke", lambda one=one, part=part: gpu_pieces.smoke(one, part)))
        own = shared_out(shaders, number, max(len(chosen_gpus), 6))
        for runner, tests in piglit_batches.split(own):
            groups[1].append(Task(one, "corpus", lambda one=one, runner=runner, tests=tests:
                                  gpu_pieces.corpus(one, runner, tests)))
        groups[2] += [Task(one, "demo", lambda one=one: gpu_pieces.demo(one, paths.PREFIX / "bin/kobalt-demo")),
                      Task(one, "info", lambda one=one: info(one))]
        if one.maker is gpu.AMD:
            groups[2].append(Task(one, "imports", lambda one=one: gpu_pieces.imports(one)))
            groups[2].append(Task(one, "GBM's pictures", lambda one=one: gpu_pieces.gbm(one, program)))
        if one.name in gpu_bench.BUDGET_GPUS:
            groups[0].append(Task(one, "instructions of a draw", lambda one=one: budget(one)))
            groups[0].append(Task(one, "what a frame asks for", lambda one=one: frame_costs(one)))
    for one, reason in gpu.REFUSED.values():
        groups[2].append(Task(one, "refused", lambda one=one, reason=reason: refusal(one, reason)))
    return [task for group in groups for task in group]


def merge(pieces):
    """PIECES, which have one name, merged into one."""
    result = gpu_pieces.Piece()
    for piece in pieces:
        result.info = piece.info or result.info
        result.passed += piece.passed
        result.failed += piece.failed
        result.skipped += piece.skipped
        for kind, found in piece.trouble.items():
            for text, where in found.items():
                result.note(kind, text, where)
    return result


def record(chosen, pieces, seconds):
    """Writes out/gpus/NAME.json, which docs/gpus.md is made of."""
    data = {"gpu": chosen.name, "seconds": round(seconds, 1), "day": time.strftime("%Y-%m-%d", time.gmtime()),
            "info": next((piece.info for piece in pieces.values() if piece.info), {}),
            "pieces": {name: piece.as_json() for name, piece in pieces.items()}}
    (FOLDER / (chosen.name + ".json")).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def notes_of(chosen, pieces):
    """A line for each trouble, with the parts that it was seen in."""
    seen = {}
    for name, piece in pieces.items():
        for kind, found in piece.trouble.items():
            for text, where in found.items():
                seen.setdefault((kind, text), (where, []))[1].append(name)
    return ["%s: %s: %s (first in %s; %s)" % (chosen.name, kind, text, where, ", ".join(parts))
            for (kind, text), (where, parts) in sorted(seen.items())]


def run_tasks(tasks, jobs):
    """{gpu: {piece: Piece}} and {gpu: seconds} of TASKS, JOBS at once."""
    found, spent, progress, done = {}, collections.Counter(), ui.Progress("parts"), 0

    def timed(task):
        start = time.monotonic()
        try:
            piece = task.function()
        except Exception as error:  # an exception fails this part; the others still run
            piece = gpu_pieces.Piece()
            piece.note("error", "%s: %s" % (type(error).__name__, error), task.piece)
            piece.count(False)
        return task, piece, time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for future in concurrent.futures.as_completed([pool.submit(timed, task) for task in tasks]):
            task, piece, seconds = future.result()
            found.setdefault(task.gpu, {}).setdefault(task.piece, []).append(piece)
            spent[task.gpu] += seconds
            done += 1
            progress.update(done, len(tasks))
    progress.close()
    return {one: {name: merge(pieces) for name, pieces in parts.items()} for one, parts in found.items()}, spent


def suite(args):
    """Runs on the usual six GPUs, on all of them with --all, or on those that --gpu names."""
    wanted = gpu.names() if args.all else args.gpu or gpu.USUAL
    chosen_gpus = [gpu.find(name) for name in wanted]
    if not gpu_setup.possible():
        return tally.Tally(skipped=1, skips=["GPUs without the hardware"])
    gpu_setup.ensure()
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(gpu_pieces.CACHE, ignore_errors=True)
    for one in chosen_gpus:
        (gpu_pieces.CACHE / one.name).mkdir(parents=True)
    ui.note("      %s: nothing is drawn on them, pictures are not judged" % ", ".join(g.name for g in chosen_gpus))
    found, spent = run_tasks(plan(chosen_gpus, args.all or bool(args.gpu)), args.jobs)
    result = tally.Tally()
    for one, pieces in found.items():
        record(one, pieces, spent[one])
        for piece in pieces.values():
            result.add(tally.Tally(piece.passed, piece.failed, piece.skipped))
        result.notes += notes_of(one, pieces)
    return result
