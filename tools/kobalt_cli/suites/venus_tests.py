# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `venus`: Kobalt on Mesa's Vulkan over virtio-gpu, with virglrenderer's server (docs/remote.md)."""
import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

from ..lib import environment, expectations, paths, tally, ui, venus, witness
from ..setup import venus_setup
from ..conformance import piglit, piglit_run
from . import declared, programs

FOLDER = paths.OUT / "venus"
KNOWN = paths.ROOT / "tests/venus/known-failures.tsv"
QUICK_FILTER = "--gtest_filter=Buffer*:Clear*:Framebuffer*:Texture*"
GL_LIMIT_S = 1500
SMOKE_SAMPLE = 60
SMOKE_LIMIT_S = 120.0
WINDOW_LIMIT_S = 300
# When the server is killed, in seconds after the program's start: while it starts, and while it draws.
KILLED_AFTER_S = (0.3, 2.0, 4.0)
# Venus looks every few seconds whether its server is alive; its waits grow longer, up to 20 s.
ENDS_IN_S = 60
# What Venus's client says before it aborts.
SIGNS = ("MESA-VIRTIO", "kobalt: ")


def read_known(path=KNOWN):
    """{the test's name in the sources: why it fails on Venus}."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line.strip() and not line.startswith("#"))


def judge_known(result, known):
    """Changes the Tally RESULT of the GL tests: failures that are KNOWN count as such, and a known one that no test of
    its name shows any more is a failure. Which tests skip is the device's matter, so no skip is looked up."""
    label = lambda note: declared.plain(note.rpartition(": ")[2])
    failed = {label(note) for note in result.notes}
    expected = [note for note in result.notes if label(note) in known]
    others = [note for note in result.notes if note not in expected]
    changed = tally.Tally(result.passed, result.failed - len(expected), result.skipped, others, known=len(expected))
    ran = {declared.plain(name) for name in result.seen} - {declared.plain(name) for name in result.skips}
    for name in sorted(ran & (set(known) - failed)):
        changed.fail("%s passes on Venus: take it out of %s" % (name, KNOWN.relative_to(paths.ROOT)))
    return changed


def client(server):
    """The environment of programs that are on Kobalt on SERVER, without a window."""
    extra = {"EGL_PLATFORM": "surfaceless", "KOBALT_VALIDATION": "0", "KOBALT_CACHE_DIR": str(FOLDER / "cache")}
    env = witness.announcing(environment.kobalt(vulkan="lavapipe", quiet=True, extra=extra))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        env.pop(name, None)
    return venus.put_on(env, server)


def gl(args, server):
    """The GL tests; with --quick some of them."""
    env = venus.put_on(programs.gl_environment("venus", [], validation=False, sync=False), server)
    env["KOBALT_ALLOW_LOW_GL"] = "1"  # ES 3.2 needs more than Mesa 25.0.7's Venus has; its tests are skipped
    program = programs.gl_program()
    if program is None:
        return tally.Tally(failed=1, notes=["kobalt-gl-tests was not built"])
    words = [QUICK_FILTER] if args.quick else [programs.without_front()]
    result, text = programs.run_gl(program, "venus", env, words, GL_LIMIT_S)
    programs.judge_gl_output(result, "venus", text, env)
    return judge_known(result, read_known())


def smoke(args, server):
    """A sample of piglit's smoke profile; with --all the whole of it."""
    _, names = piglit.names_of("smoke")
    sample = names if args.all else names[:: max(1, len(names) // SMOKE_SAMPLE)]
    env = venus.put_on(piglit.test_environment("kobalt", "lavapipe", [], False, []), server)
    outcomes = piglit.run(sample, "smoke-venus", env, args.jobs, SMOKE_LIMIT_S)
    good, known, surprises = expectations.compare(outcomes, expectations.read(expectations.expected_path("smoke")))
    skipped = sum(o.result == "skip" for o in known)
    notes = ["smoke: %s: %s (expected %s)" % (o.name, o.result, wanted) for o, wanted in surprises]
    return tally.Tally(len(good), len(surprises), skipped, notes, known=len(known) - skipped)


def finished(code, wanted, text, what):
    """A Tally with one result: did the program WHAT end with the status 0 and say WANTED in TEXT?"""
    if code == 0 and wanted in text:
        return tally.Tally(passed=1)
    last = " | ".join(text.strip().splitlines()[-4:]) or "it said nothing"
    end = "hangs" if code is None else "ended with status %d" % code
    return tally.Tally(failed=1, notes=["%s %s (%s)" % (what, end, last)])


def windows(args, server):
    """The window tests, on an X server of their own."""
    result = tally.Tally()
    for api in ("egl", "glx"):
        env = {k: v for k, v in client(server).items() if k != "EGL_PLATFORM"}
        command = [paths.ROOT / "tests/window/with-xserver.sh", "-screen", "0", "1280x1024x24", "--",
                   environment.own_program("kobalt-window-tests", with_tests=True), api]
        code, out, err = piglit_run.execute(list(map(str, command)), env, WINDOW_LIMIT_S, str(paths.ROOT))
        (FOLDER / ("windows-%s.log" % api)).write_text(out + err, encoding="utf-8")
        result.add(finished(code, "window tests passed", out + err, "kobalt-window-tests " + api))
    return result


def judge_end(code, text, what):
    """A Tally with one result for a program that lost its server: it must end with an error, and say why."""
    if code is None:
        return tally.Tally(failed=1, notes=["%s: the program hangs" % what])
    if code == 0:
        return tally.Tally(failed=1, notes=["%s: the program ended as if nothing had happened" % what])
    if code != -signal.SIGPIPE and not any(sign in text for sign in SIGNS):
        return tally.Tally(failed=1, notes=["%s: status %d without a word" % (what, code)])
    return tally.Tally(passed=1)


def demo(frames):
    return [str(environment.own_program("kobalt-demo")), "--frames", str(frames), "--size", "320x180"]


def killed(after_s):
    """A Tally with one result: how the demo ends when its server is killed AFTER_S seconds after its start."""
    what, log = "the server is killed after %.1f s" % after_s, FOLDER / ("killed-%.1f.log" % after_s)
    with venus.Server(FOLDER / "server-killed.log") as server, open(log, "w", encoding="utf-8") as said:
        process = subprocess.Popen(demo(1000000), env=client(server.socket), cwd=FOLDER, stdin=subprocess.DEVNULL,
                                   stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(after_s)
            return tally.Tally(failed=1, notes=["%s: the demo had ended before, see out/venus/%s" % (what, log.name)])
        except subprocess.TimeoutExpired:
            server.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDS_IN_S)
        finally:
            code = process.poll()
            piglit_run.end_group(process)
    return judge_end(code, log.read_text(encoding="utf-8", errors="replace"), what)


@contextlib.contextmanager
def relay(server, folder):
    """A socket in FOLDER that passes bytes to SERVER and back, and no descriptors, as ssh does."""
    place = os.path.join(folder, "relay")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen()

    def pump(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                one, other = listener.accept()[0], socket.socket(socket.AF_UNIX)
                other.connect(str(server))
                for ends in ((one, other), (other, one)):
                    threading.Thread(target=pump, args=ends, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield place
    finally:
        listener.close()


def without_server(server, folder):
    """A Tally: programs end with an error where there is no server, and where descriptors don't get through."""
    result = tally.Tally()
    with relay(server, folder) as relayed:
        places = {"there is no server": os.path.join(folder, "nowhere"), "the socket passes no descriptors": relayed}
        for what, place in places.items():
            code, out, err = piglit_run.execute(demo(1), client(place), ENDS_IN_S, folder)
            result.add(judge_end(code, out + err, what))
    return result


def suite(args):
    """A Tally over all parts. The server of the tests must still run after them, and ends here in every case."""
    if not venus_setup.possible():
        return tally.Tally(skipped=1, skips=["Venus"])
    venus_setup.ensure()
    FOLDER.mkdir(parents=True, exist_ok=True)
    result = tally.Tally()
    with venus.Server(FOLDER / "server.log") as server:
        name = witness.renderer_of(client(server.socket))
        if not name.startswith(venus.NAME):
            raise ui.Stop("the renderer should be Venus's, but it is %s: see out/venus/server.log" % name)
        for title, part in (("GL tests", gl), ("piglit smoke", smoke), ("windows", windows)):
            begun, found = time.monotonic(), part(args, server.socket)
            ui.note("      %s: %s (%s)" % (title, found.full_line(), ui.spell(time.monotonic() - begun)))
            result.add(found)
            if not server.runs():
                result.fail("Venus's server ended during %s: see out/venus/server.log" % title)
                return result
        result.add(without_server(server.socket, server.folder.name))
    for after_s in KILLED_AFTER_S:
        result.add(killed(after_s))
    return result
