# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs piglit tests: one process a test, several at once, each worker with its own X server."""
import contextlib
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

from ..lib import ui, witness, xserver
from . import piglit_tests

VALIDATION = re.compile(r"^(?:MESA: \w+: )?kobalt: validation: ([^\s:]+)", re.MULTILINE)

RUNNING = set()  # test processes of this moment, so that an interrupt can end them


class Outcome:
    """What a test did: RESULT, SECONDS, ids of validation messages, and its output."""

    __slots__ = ("name", "result", "seconds", "validation", "output")

    def __init__(self, name, result, seconds=0.0, validation=(), output=""):
        self.name = name
        self.result = result
        self.seconds = seconds
        self.validation = list(validation)
        self.output = output

    def row(self):
        return "%s\t%s\t%.2f\t%s\n" % (self.name, self.result, self.seconds, ",".join(self.validation))


def parse_row(line):
    name, result, seconds, validation = (line.rstrip("\n").split("\t") + ["", "", ""])[:4]
    return Outcome(name, result, float(seconds or 0), [v for v in validation.split(",") if v])


def end_group(process):
    """Ends a test and what it started."""
    for sign, patience in ((signal.SIGTERM, 2), (signal.SIGKILL, 5)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        try:
            process.wait(patience)
            return
        except subprocess.TimeoutExpired:
            continue


def execute(command, env, timeout_s, folder):
    """(return code or None after a timeout, stdout, stderr). Output goes through files: a test that
    leaves a child behind can't block the run."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env,
                                   cwd=folder, start_new_session=True)
        RUNNING.add(process)
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            end_group(process)
            code = None
        finally:
            RUNNING.discard(process)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(4 << 20).decode("utf-8", "replace"))
    return code, texts[0], texts[1]


def doubt_of(test, result, env, err):
    """Why the RESULT of TEST, which wrote ERR, does not count; None if it counts, or if Kobalt was not asked for."""
    if result not in ("pass", "warn") or not witness.is_announcing(env) or test.name in piglit_tests.without_driver():
        return None
    return witness.doubt(witness.weakest(err), witness.needed(env))


def needs_another_try(test, code, out):
    """Whether the output of TEST points at the machine rather than at the driver: a window manager resized its window,
    or the program was not scheduled when it read the clock."""
    if "Got spurious window resize" in out:
        return True
    return test.name in piglit_tests.by_the_clock() and code is not None and \
        piglit_tests.interpret(code, out) == "fail"


def run_one(test, env, timeout_s, folder):
    """Runs TEST once (again, up to five times, where needs_another_try says so)."""
    if test.skip:
        return Outcome(test.name, "skip")
    if "KOBALT_STATS" in env:  # a folder for each test, so that its processes' counters can be told apart
        env = dict(env, KOBALT_STATS=os.path.join(env["KOBALT_STATS"], re.sub(r"[^\w@.-]+", "_", test.name)))
        os.makedirs(env["KOBALT_STATS"], exist_ok=True)
    start = time.monotonic()
    for _ in range(5):
        try:
            code, out, err = execute(test.command, env, timeout_s, folder)
        except FileNotFoundError:
            return Outcome(test.name, "skip", 0.0, (), "the program is not there")
        if not needs_another_try(test, code, out):
            break
    result = "timeout" if code is None else piglit_tests.interpret(code, out)
    text = "exit %s\n%s\n%s" % (code, out[-3000:], err[-3000:])
    doubt = doubt_of(test, result, env, err)
    if doubt:
        result, text = "unseen", "%s\n%s" % (doubt, text)
    return Outcome(test.name, result, time.monotonic() - start, VALIDATION.findall(err), text)


def wait_for(threads):
    """Waits for all THREADS; an interrupt is passed on."""
    for thread in threads:
        while thread.is_alive():
            thread.join(0.5)


def run_all(tests, env, jobs=2, timeout_s=60.0, done=lambda outcome: None, label="piglit", batches=(), total=None,
            platform=piglit_tests.PLATFORM):
    """Runs TESTS, and the BATCHES (piglit_batches.jobs) before them, TOTAL in all; DONE is called with each Outcome as
    it comes (one call at a time). Tests that compare with the machine's clock run last, one after another. PLATFORM is
    piglit's: with windows or without."""
    work, alone = queue.SimpleQueue(), queue.SimpleQueue()
    for batch in batches:
        work.put(batch)
    for test in tests:
        (alone if test.name in piglit_tests.by_the_clock() else work).put(test)
    lock = threading.Lock()
    progress = ui.Progress(label)
    counts, errors = {}, []

    def worker(work):
        try:
            with xserver.display_for(platform != piglit_tests.NO_WINDOW) as display, tempfile.TemporaryDirectory(prefix="kobalt-piglit-") as folder:
                own = dict(xserver.environment(display, env), PIGLIT_PLATFORM=platform, HOME=folder,
                           PIGLIT_SOURCE_DIR=str(piglit_tests.root()), PIGLIT_BUILD_DIR=str(piglit_tests.root()),
                           MESA_SHADER_CACHE_DIR=env.get("MESA_SHADER_CACHE_DIR", folder))
                while not errors:
                    try:
                        item = work.get_nowait()
                    except queue.Empty:
                        return
                    outcomes = item(own, folder) if callable(item) else [run_one(item, own, timeout_s, folder)]
                    with lock:
                        for outcome in outcomes:
                            counts[outcome.result] = counts.get(outcome.result, 0) + 1
                            done(outcome)
                        text = ", ".join("%d %s" % (counts[r], r) for r in ("pass", "fail", "skip", "timeout", "crash")
                                         if r in counts)
                        progress.update(sum(counts.values()), total or len(tests), " (%s)" % text)
        except BaseException as error:  # shown by the main thread
            errors.append(error)

    def start(work, count):
        threads = [threading.Thread(target=worker, args=(work,), daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        return threads

    threads = start(work, min(jobs, work.qsize()))
    try:
        wait_for(threads)
        if not alone.empty() and not errors:
            threads = start(alone, 1)
            wait_for(threads)
    except KeyboardInterrupt:
        errors.append(KeyboardInterrupt())
        for process in list(RUNNING):
            end_group(process)
        for thread in threads:  # each ends its X server
            thread.join(15)
        raise
    progress.close()
    if errors:
        raise errors[0]
