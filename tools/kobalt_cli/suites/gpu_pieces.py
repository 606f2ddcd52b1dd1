# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The parts of the suite `gpus`: programs that run on a GPU without the hardware, and what counts against them.

Pictures are empty there and are not judged. A crash, a hang, a GL error, a message of the validation layer (which
checks synchronisation, too), a shader that the driver refuses and an error that Kobalt logs all count.
"""
import os
import re
import sys
import tempfile

from ..lib import environment, gpu, paths, witness, xserver
from ..conformance import piglit, piglit_run, piglit_tests
from . import declared

# Kinds of trouble, and how a program's output shows them.
KINDS = ("crash", "hang", "GL error", "validation", "refused shader", "error")
SIGNS = (("validation", piglit_run.VALIDATION),
         ("refused shader", re.compile(r"kobalt: (shader .*; draws with it do nothing)")),
         ("GL error", re.compile(r"^(Unexpected GL error: .*)", re.MULTILINE)),
         ("error", re.compile(r"^MESA: error: kobalt: (?!validation: |shader )(.*)", re.MULTILINE)))
GL_EVENT = re.compile(r"^\[ +(RUN|OK|SKIPPED|FAILED) +\] ([\w/]+\.[\w/]+)(?:, where .*| \(\d+ ms\))?$")
GL_LIMIT_S = 600
TEST_LIMIT_S = 60
CACHE = paths.OUT / "gpus/cache"
# Gives the tests of GBM dma-bufs, which the no-op kernels lack.
PRIME = paths.BUILD / "tests/support/libkobalt-stand-in-prime.so"
# lavapipe exports memory as dma-bufs where there is /dev/udmabuf.
UDMABUF = paths.BUILD / "tests/support/libkobalt-stand-in-udmabuf.so"


class Piece:
    """What one part found on one GPU: tests that ran, and trouble as {kind: {text: the test it was first seen in}}.

    INFO is what the part learned of the device."""

    def __init__(self, passed=0, skipped=0):
        self.passed, self.skipped, self.failed = passed, skipped, 0
        self.trouble = {}
        self.info = {}

    def note(self, kind, text, where):
        self.trouble.setdefault(kind, {}).setdefault(text, where)

    def read(self, text, where):
        """Notes the trouble in TEXT, the output of the test WHERE; returns whether there was any."""
        found = [(kind, match) for kind, sign in SIGNS for match in sign.findall(text)]
        for kind, match in found:
            self.note(kind, match, where)
        return bool(found)

    def doubt(self, text, env, where):
        """Notes when the output TEXT doesn't show that Kobalt ran with the layer that ENV asks for."""
        doubt = witness.doubt(witness.weakest(text), witness.needed(env))
        if doubt:
            self.note("error", doubt, where)
        return bool(doubt)

    def count(self, good):
        self.passed += bool(good)
        self.failed += not good

    def as_json(self):
        return {"passed": self.passed, "failed": self.failed, "skipped": self.skipped, "trouble": self.trouble}


def environment_of(chosen, disable=(), extra=None):
    """Kobalt's environment on CHOSEN with validation, synchronisation included. The driver announces itself, so that
    the output shows that it draws there, and with the layer."""
    return witness.announcing(gpu.for_driver(chosen, extra={
        "KOBALT_VALIDATION": "1", "KOBALT_DEBUG": "sync", "KOBALT_DISABLE": ",".join(disable),
        "KOBALT_CACHE_DIR": str(CACHE / chosen.name), "MESA_SHADER_CACHE_DISABLE": "true", **(extra or {})}))


def gl_names(program, env, folder):
    """The GL tests' names, as the program lists them."""
    _, out, _ = piglit_run.execute([program, "--gtest_list_tests"], env, TEST_LIMIT_S, folder)
    names, suite = [], ""
    for line in out.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return names


def read_gl(text, piece):
    """Counts the tests in TEXT into PIECE; returns (the tests that ended, the one that did not)."""
    ended, running, lines, failed = [], None, [], set()
    for line in text.splitlines():
        event = GL_EVENT.match(line)
        if not event:
            lines.append(line)
            continue
        what, name = event[1], event[2]
        if what == "RUN":
            running, lines = name, []
        elif name == running:
            said = piece.read("\n".join(lines), name)
            if what == "SKIPPED":
                piece.skipped += 1
            else:
                piece.count(what == "OK" and not said)
                if what == "FAILED":
                    piece.note("GL error" if "GL_NO_ERROR" in "".join(lines) else "error",
                               next((s.strip() for s in lines if s.strip()), "failed"), name)
            ended.append(name)
            running = None
    if running:
        piece.read("\n".join(lines), running)
    elif lines:
        piece.read("\n".join(lines), "the program's end")
    return ended, running


def without_front(names):
    """NAMES without the tests of Mesa's front end, which run once, in the suite `gl`."""
    front = set(declared.front_suites())
    return [name for name in names if declared.plain(name).partition(".")[0] not in front]


def gl(chosen, program, disable=(), log=None, share=list):
    """Runs the GL tests of the driver, or the SHARE of them, as recordings. After a crash or a hang the remaining tests run in a new
    process."""
    piece = Piece()
    env = environment_of(chosen, disable, {"KOBALT_TEST_RECORDING": "1", "EGL_PLATFORM": "surfaceless",
                                           "KOBALT_REFERENCE_DIR": str(paths.ROOT / "tests/gl/reference")})
    env["LD_PRELOAD"] = "%s:%s" % (PRIME, env["LD_PRELOAD"])
    with tempfile.TemporaryDirectory(prefix="kobalt-gpus-") as folder:
        rest = share(without_front(gl_names(program, env, folder)))
        while rest:
            # Both outputs go into one stream, which shows the test that printed each line. The shell that joins them
            # gets no shim.
            shell = dict(env, KOBALT_SHIM=env["LD_PRELOAD"])
            del shell["LD_PRELOAD"]
            command = ["/bin/sh", "-c", 'LD_PRELOAD=$KOBALT_SHIM exec "$0" "$@" 2>&1', program,
                       "--gtest_filter=" + ":".join(rest)]
            code, text, _ = piglit_run.execute(command, shell, GL_LIMIT_S, folder)
            if log:
                log.write(text)
            ended, running = read_gl(text, piece)
            if piece.doubt(text, env, rest[0]):
                piece.count(False)
            if code in (0, 1) and running is None:
                break
            kind = "hang" if code is None else "crash"
            where = running or "the program's end"
            piece.note(kind, where if code is None else "%s (status %d)" % (where, code), where)
            piece.count(False)
            if not running:
                break
            rest = rest[rest.index(running) + 1:]
    return piece


def gbm(chosen, program):
    """The tests of GBM on CHOSEN's render node, drawn by lavapipe: there the pictures are judged."""
    piece = Piece()
    env = witness.announcing(environment.kobalt("lavapipe", quiet=True))
    env.update({chosen.maker.key: chosen.name, "EGL_PLATFORM": "surfaceless"})
    shims = ":".join(str(library) for library in (PRIME, chosen.maker.shim, UDMABUF))
    command = ["/bin/sh", "-c", 'LD_PRELOAD=%s exec "$0" --gtest_filter="Gbm*" 2>&1' % shims, str(program)]
    code, text, _ = piglit_run.execute(command, env, TEST_LIMIT_S, str(paths.ROOT))
    # One of the tests is about what is refused, which the log tells.
    ended, _ = read_gl("\n".join(line for line in text.splitlines() if "to share:" not in line), piece)
    if code or piece.skipped or not ended:
        piece.note("error", "%d tests ended, %d were skipped, status %s" % (len(ended), piece.skipped, code), "GBM")
        piece.count(False)
    if piece.doubt(text, env, "GBM"):
        piece.count(False)
    return piece


def judge(piece, outcome):
    """Counts a piglit test's OUTCOME; its verdict on pictures doesn't matter."""
    said = piece.read(outcome.output, outcome.name)
    bad = {"crash": "crash", "timeout": "hang", "unseen": "error"}.get(outcome.result)
    if bad:
        piece.note(bad, outcome.output.splitlines()[0] if bad == "error" else outcome.name, outcome.name)
    if outcome.result == "skip" and not said:
        piece.skipped += 1
    else:
        piece.count(not bad and not said)


def leaving_environment(chosen, disable=()):
    """environment_of() for programs that call exit() while they draw: the layer must survive that."""
    at_exit = piglit.exit_under_validation()
    env = environment_of(chosen, disable, {k: v for k, v in at_exit.items() if k != "LD_PRELOAD"})
    if "LD_PRELOAD" in at_exit:
        env["LD_PRELOAD"] += ":" + at_exit["LD_PRELOAD"]
    return env


def piglit_environment(env, display, folder):
    own = dict(env, DISPLAY=display.name, PIGLIT_PLATFORM=piglit_tests.PLATFORM, HOME=folder,
               PIGLIT_SOURCE_DIR=str(piglit_tests.root()), PIGLIT_BUILD_DIR=str(piglit_tests.root()))
    own.pop("WAYLAND_DISPLAY", None)
    return own


def smoke(chosen, tests, disable=()):
    """Runs TESTS of piglit's smoke profile."""
    piece = Piece()
    env = leaving_environment(chosen, disable)
    with xserver.VirtualDisplay() as display, tempfile.TemporaryDirectory(prefix="kobalt-gpus-") as folder:
        own = piglit_environment(env, display, folder)
        for test in tests:
            judge(piece, piglit_run.run_one(test, own, TEST_LIMIT_S, folder))
    return piece


def corpus(chosen, program, tests):
    """Runs shader tests through the whole driver, with the pipelines that the GPU's own compiler makes of them.

    Many share a process: starting one costs more than most tests."""
    piece, rest = Piece(), list(tests)
    env = leaving_environment(chosen)
    with xserver.VirtualDisplay() as display, tempfile.TemporaryDirectory(prefix="kobalt-gpus-") as folder:
        own = piglit_environment(env, display, folder)
        while rest:
            command = [program, *(t.file for t in rest), "-auto", "-fbo", "-report-subtests"]
            code, out, err = piglit_run.execute(command, own, 30.0 + 5.0 * len(rest), folder)
            begun = [int(n) for n in re.findall(r"^PIGLIT TEST: (\d+) - ", out + "\n" + err, re.MULTILINE)]
            ended = code is not None and code >= 0
            last = len(rest) if ended else max(begun or [1])
            where = rest[min(last, len(rest)) - 1].name
            said = piece.read(err, "one of %d from %s on" % (last, rest[0].name)) | piece.doubt(err, env, rest[0].name)
            if not ended:
                piece.note("hang" if code is None else "crash", where, where)
            piece.passed += last - (said or not ended)
            piece.failed += bool(said or not ended)
            rest = [] if ended else rest[last:]
    return piece


def demo(chosen, program):
    """Runs the demo scene: all its effects in three frames."""
    piece = Piece()
    with tempfile.TemporaryDirectory(prefix="kobalt-gpus-") as folder:
        env = environment_of(chosen, extra={"EGL_PLATFORM": "surfaceless"})
        code, out, err = piglit_run.execute([str(program), "--frames", "3", "--size", "320x180"], env, TEST_LIMIT_S, folder)
    said = piece.read(out + "\n" + err, "the demo") | piece.doubt(err, env, "the demo")
    if code != 0:
        lines = (err.strip() or out.strip() or "no output").splitlines()
        piece.note("hang" if code is None else "crash" if code < 0 else "error", lines[-1], "the demo")
    piece.count(code == 0 and not said)
    return piece


def imports(chosen):
    """Imports host memory on AMD's no-op kernel; no driver is in it."""
    piece = Piece()
    command = [sys.executable, str(paths.ROOT / "tests/gpus/import_memory.py")]
    code, out, err = piglit_run.execute(command, gpu.put_on(os.environ, chosen), TEST_LIMIT_S, str(paths.ROOT))
    if code != 0:
        lines = (err.strip() or out.strip() or "no output").splitlines()
        piece.note("hang" if code is None else "crash" if code < 0 else "error", lines[-1], "the no-op kernel")
    piece.count(code == 0)
    return piece
