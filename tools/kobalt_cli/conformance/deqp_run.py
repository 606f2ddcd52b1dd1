# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs the cases of a dEQP or CTS program: batches of many cases in one process, several processes at once.

A process that crashes or hangs loses only the case that was open; the rest of its batch runs in a new process.
"""
import os
import queue
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from ..lib import ui, witness, xserver
from . import deqp_log, piglit_run
from .piglit_run import Outcome

POLL_S = 0.05
# While no case has run yet, the run stops at this many processes that exited (with one case to run) or were silent
# before their first case: then no single case is to blame.
HOPELESS = 3


class Program:
    """What is run: COMMAND (the program and its options), ENV, and how long it may be silent."""

    def __init__(self, command, env, timeout_s):
        self.command, self.env, self.timeout_s = list(command), dict(env), timeout_s
        self.folder = str(Path(command[0]).parent)  # the program's data lies beside it


class Process:
    """One process over a list of cases. After run(): the CASES that ended, how it ended (CODE; None: it was killed for
    being silent), and what it wrote to ERRORS."""

    def __init__(self, program, names, scratch, env):
        self.program, self.names, self.env = program, names, env
        self.list, self.log = Path(scratch) / "cases.txt", Path(scratch) / "log.qpa"
        self.cases, self.reader = [], deqp_log.Reader()
        self.code, self.errors = None, ""

    def read(self, file):
        """True where the log has grown."""
        text = file.read()
        self.cases += self.reader.feed(text)
        return bool(text)

    def wait(self, process, file):
        """Follows the log until the process ends, or is silent for too long."""
        last = time.monotonic()
        while True:
            try:
                self.code = process.wait(POLL_S)
                return
            except subprocess.TimeoutExpired:
                pass
            if self.read(file):
                last = time.monotonic()
            elif time.monotonic() - last > self.program.timeout_s:
                piglit_run.end_group(process)
                self.code = None
                return

    def run(self):
        self.list.write_text("".join(name + "\n" for name in self.names), encoding="utf-8")
        self.log.write_text("")
        words = ["--deqp-caselist-file=%s" % self.list, "--deqp-log-filename=%s" % self.log]
        with tempfile.TemporaryFile() as said, open(self.log, encoding="utf-8", errors="replace") as file:
            process = subprocess.Popen([*self.program.command, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                       env=self.env, cwd=self.program.folder, start_new_session=True)
            piglit_run.RUNNING.add(process)
            try:
                self.wait(process, file)
            finally:
                piglit_run.RUNNING.discard(process)
            self.read(file)
            said.seek(0)
            self.errors = said.read(4 << 20).decode("utf-8", "replace")
        self.cases += self.reader.cut_off(self.end(), "timeout" if self.code is None else "crash")
        return self

    def end(self):
        """How the process ended, and its last words."""
        if self.code is None:
            how = "no sign of life for %g s" % self.program.timeout_s
        else:
            how = "died of signal %d" % -self.code if self.code < 0 else "ended with status %d" % self.code
        return "%s\n%s" % (how, self.errors[-1500:])


def outcomes_of(process):
    """The Outcomes of the cases that PROCESS was asked for and ended. Without Kobalt's announcement, a pass becomes
    "unseen"."""
    doubt = witness.doubt(witness.weakest(process.errors), witness.needed(process.env)) if witness.is_announcing(process.env) else None
    wanted, outcomes = set(process.names), {}
    for case in process.cases:
        if case.name in wanted:
            result, text = case.result, case.output
            if doubt and result in ("pass", "warn"):
                result, text = "unseen", "%s\n%s" % (doubt, text)
            outcomes[case.name] = Outcome(case.name, result, case.seconds, (), text)
    return list(outcomes.values())


class Run:
    """All cases of a run, in batches that workers take from a queue."""

    def __init__(self, program, done, total, display=False):
        self.program, self.done, self.total, self.display = program, done, total, display
        self.lock, self.errors, self.counts = threading.Lock(), [], {}
        self.work, self.progress = queue.Queue(), ui.Progress("cases")
        self.started, self.failed_starts = False, 0

    def report(self, outcome):
        with self.lock:
            self.counts[outcome.result] = self.counts.get(outcome.result, 0) + 1
            self.done(outcome)
            text = ", ".join("%d %s" % (self.counts[r], r) for r in ("pass", "warn", "fail", "skip", "timeout", "crash", "unseen") if r in self.counts)
            self.progress.update(sum(self.counts.values()), self.total, " (%s)" % text)

    def never_began(self, name, process):
        """Reports NAME, the only case of PROCESS, which did not even begin."""
        if process.code == 0:
            self.report(Outcome(name, "notrun", 0.0, (), "the program has no such case"))
            return
        if process.code is not None:
            self.failed_start(process)
        self.report(Outcome(name, "timeout" if process.code is None else "crash", 0.0, (), "before it began: " + process.end()))

    def failed_start(self, process):
        """Counts PROCESS, which came to no case; stops the run at HOPELESS of them if no case has run."""
        self.failed_starts += 1
        if not self.started and self.failed_starts >= HOPELESS:
            lines = [line for line in process.errors.splitlines() if line.strip()]
            raise ui.Stop("%s runs no case here: %s (%s)" % (self.program.command[0], process.end().splitlines()[0],
                                                             lines[-1] if lines else "it said nothing"))

    def batch(self, names, scratch, env):
        """Runs NAMES, in as many processes as that takes."""
        pending = [names]
        while pending and not self.errors:
            names = pending.pop()
            process = Process(self.program, names, scratch, env).run()
            outcomes = outcomes_of(process)
            for outcome in outcomes:
                self.report(outcome)
            self.started |= bool(outcomes)
            if process.code is None and not outcomes:
                self.failed_start(process)
            ended = {outcome.name for outcome in outcomes}
            rest = [name for name in names if name not in ended]
            if not rest:
                continue
            if outcomes and process.code != 0:
                pending.append(rest)
            elif len(rest) > 1 and not outcomes and process.code != 0:
                # The process did not reach its first case, and any case may be the reason: try each half.
                pending += [rest[len(rest) // 2:], rest[:len(rest) // 2]]
            else:
                for name in rest:  # a clean exit without them, or a single case
                    self.never_began(name, process)

    def worker(self):
        try:
            with tempfile.TemporaryDirectory(prefix="kobalt-deqp-") as scratch:
                env = dict(self.program.env)
                env.setdefault("MESA_SHADER_CACHE_DIR", scratch)
                if not self.display:
                    self.take(scratch, env)
                    return
                with xserver.VirtualDisplay() as display:
                    self.take(scratch, dict(env, DISPLAY=display.name))
        except BaseException as error:  # shown by the main thread
            self.errors.append(error)

    def take(self, scratch, env):
        while not self.errors:
            try:
                names = self.work.get_nowait()
            except queue.Empty:
                return
            self.batch(names, scratch, env)

    def all(self, names, jobs, size):
        for start in range(0, len(names), size):
            self.work.put(names[start:start + size])
        threads = [threading.Thread(target=self.worker, daemon=True) for _ in range(max(1, min(jobs, self.work.qsize())))]
        for thread in threads:
            thread.start()
        try:
            piglit_run.wait_for(threads)
        except KeyboardInterrupt:
            self.errors.append(KeyboardInterrupt())
            for process in list(piglit_run.RUNNING):
                piglit_run.end_group(process)
            for thread in threads:
                thread.join(15)
            raise
        self.progress.close()
        if self.errors:
            raise self.errors[0]


def batch_size(count, jobs):
    """Cases a process: few enough that all workers stay busy to the end, at most 200."""
    return max(1, min(200, -(-count // (4 * max(1, jobs)))))


def runnable(binary):
    """The absolute path of BINARY; stops where that is no program."""
    path = Path(binary).resolve()
    if not path.is_file() or not os.access(path, os.X_OK):
        raise ui.Stop("%s is not a program here: name a dEQP or CTS build's, as deqp-gles31 or glcts" % binary)
    return path
