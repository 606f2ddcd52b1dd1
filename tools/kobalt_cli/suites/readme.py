# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `readme`: types every command of README.md, docs/servers.md and docs/remote.md, in their order, as a newcomer would."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

from ..lib import environment, paths, tally, witness, xserver

DOCUMENTS = tuple(paths.ROOT / name for name in ("README.md", "docs/servers.md", "docs/remote.md"))
LOG = paths.OUT / "test/readme.log"
WATCHED_S = 6  # a program in a window is fine when it still runs, or has ended well, after so many seconds
LIMIT_S = 1500
SERVER_S = 2  # a server in the background is fine when it still runs after so many seconds
MOST_LINES = 8  # of a command that failed
# What is not typed here: a beginning of the line, and why.
ELSEWHERE = (("docker ", "needs Docker and a GPU"), ("sudo ", "changes the machine"), ("ssh ", "needs another machine"))
# Programs that the set-up doesn't install: a part of the line, and what has to be there for it.
PROGRAMS = (("blender ", "/usr/bin/blender"), ("vtk_scene.py", "/usr/lib/python3/dist-packages/vtkmodules"),
            ("pvpython ", "/usr/bin/pvpython"), ("mujoco-record ", "/usr/bin/mujoco-record"),
            ("chromium ", "/usr/bin/chromium"), ("out/desktop", "/usr/bin/tigervncpasswd"),
            (":70", "/usr/bin/tigervncpasswd"), ("websockify ", "/usr/bin/websockify"))


def commands(text):
    """The lines of TEXT's sh blocks; a line that ends with a backslash goes on."""
    return [line.strip() for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
            for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def is_window(line):
    """True for programs on Kobalt, with or without variables in front."""
    return re.match(r"(\w+=\S+ )*\./kobalt run -- ", line) is not None


def by_hand(line):
    """True for commands that call Meson directly: they make another whole build."""
    return "build-mine" in line


def is_server(line):
    """True for what goes on in the background."""
    return line.endswith(" &")


def skipped(line, quick):
    """Why LINE isn't run here, or None."""
    if line == "./kobalt test":
        return "this is it"
    if quick and by_hand(line):
        return "left out by --quick"
    for beginning, why in ELSEWHERE:
        if line.startswith(beginning):
            return why
    return next(("%s is missing" % path for part, path in PROGRAMS if part in line and not os.path.exists(path)), None)


def last_lines(path, offset):
    """The end of what stands in the file PATH from OFFSET on, in one line."""
    said = path.read_bytes()[offset:].decode(errors="replace").splitlines()
    return " | ".join([line.strip() for line in said if line.strip()][-MOST_LINES:])


def end(process):
    """Ends PROCESS with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass
    process.wait()


def start(line, env, log):
    """Starts LINE in a process group of its own."""
    alone = "exec env " + line.removesuffix(" &") if is_window(line) or is_server(line) else line
    return subprocess.Popen(["sh", "-c", alone], cwd=paths.ROOT, env=env, stdin=subprocess.DEVNULL, stdout=log,
                            stderr=subprocess.STDOUT, start_new_session=True)


def serve(line, env, log, servers):
    """Starts LINE in the background, and adds it to SERVERS. None, or what is wrong with it."""
    log.write("\n$ %s\n" % line)
    log.flush()
    offset = os.path.getsize(log.name)
    server = start(line, env, log)
    servers.append(server)
    try:
        code = server.wait(SERVER_S)
    except subprocess.TimeoutExpired:
        return None
    return "%s: ended with exit status %d (%s)" % (line, code, last_lines(Path(log.name), offset) or "it said nothing")


def run_line(line, env, log):
    """None, or what is wrong with the command LINE, with the end of its output."""
    log.write("\n$ %s\n" % line)
    log.flush()
    offset = os.path.getsize(log.name)
    begun = time.monotonic()
    process = start(line, env, log)
    try:
        code = process.wait(WATCHED_S if is_window(line) else LIMIT_S)
    except subprocess.TimeoutExpired:
        end(process)
        code = None
    except KeyboardInterrupt:
        end(process)
        raise
    said = last_lines(Path(log.name), offset) or "it said nothing"
    log.write("exit status %s after %.1f s\n" % (code, time.monotonic() - begun))
    log.flush()
    if code is None and not is_window(line):
        return "%s: not done after %d s (%s)" % (line, LIMIT_S, said)
    if code:
        return "%s: exit status %d (%s)" % (line, code, said)
    doubt = doubt_of(line, Path(log.name).read_bytes()[offset:].decode(errors="replace"))
    return "%s: %s (%s)" % (line, doubt, said) if doubt else None


def doubt_of(line, text):
    """Why TEXT, which the command LINE wrote, does not show that Kobalt drew; None where it does, or need not."""
    words = line.split()
    if is_window(line) or line.startswith("./kobalt run"):
        return witness.doubt(witness.weakest(text), witness.PLAIN)
    kobalts = re.search(r"GLSL [^,\n]*, .* \((?:.*, )?Kobalt\) \(", text)
    if words[-1] == "info" and words[-2].endswith("kobalt") and not kobalts:
        return "no version of OpenGL is Kobalt's"
    return None


def typed_environment(display):
    """A newcomer's environment with a virtual screen, in which Kobalt announces itself. The build by hand shares
    ccache's results with the launcher's build."""
    env = witness.announcing(dict(environment.without_kobalt(), DISPLAY=display))
    env.pop("WAYLAND_DISPLAY", None)
    return {**env, **paths.compiler_environment(env)}


def type_document(path, args, env, log, servers):
    """A Tally over the commands of the document PATH. What stays in the background is added to SERVERS."""
    result = tally.Tally()
    for line in commands(path.read_text(encoding="utf-8")):
        why = skipped(line, args.quick)
        if why:
            log.write("\n$ %s\n(%s)\n" % (line, why))
            result.skipped += line != "./kobalt test"
            continue
        wrong = serve(line, env, log, servers) if is_server(line) else run_line(line, env, log)
        result.passed += wrong is None
        if wrong:
            result.fail("%s: %s" % (path.name, wrong))
    return result


def suite(args):
    """A Tally over the documents' commands."""
    result = tally.Tally()
    shutil.rmtree(paths.ROOT / "build-mine", ignore_errors=True)
    servers = []
    with open(LOG, "w", encoding="utf-8") as log, xserver.VirtualDisplay() as display:
        try:
            for document in DOCUMENTS:
                result.add(type_document(document, args, typed_environment(display.name), log, servers))
        finally:
            for server in reversed(servers):
                end(server)
    if not result.failed:
        shutil.rmtree(paths.ROOT / "build-mine", ignore_errors=True)
    return result
