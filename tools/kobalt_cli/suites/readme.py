# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `readme`: types every command of README.md, in its order, as a newcomer would."""
import os
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

from ..lib import environment, paths, tally, witness, xserver

DOCUMENT = paths.ROOT / "README.md"
LOG = paths.OUT / "test/readme.log"
WATCHED_S = 6  # a program in a window is fine when it still runs, or has ended well, after so many seconds
LIMIT_S = 1500
MOST_LINES = 8  # of a command that failed


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


def skipped(line, quick):
    """Why LINE isn't run here, or None."""
    if line == "./kobalt test":
        return "this is it"
    if quick and by_hand(line):
        return "left out by --quick"
    return None


def last_lines(path, offset):
    """The end of what stands in the file PATH from OFFSET on, in one line."""
    said = path.read_bytes()[offset:].decode(errors="replace").splitlines()
    return " | ".join([line.strip() for line in said if line.strip()][-MOST_LINES:])


def run_line(line, env, log):
    """None, or what is wrong with the command LINE, with the end of its output."""
    log.write("\n$ %s\n" % line)
    log.flush()
    offset = os.path.getsize(log.name)
    start = time.monotonic()
    process = subprocess.Popen(["sh", "-c", "exec env " + line if is_window(line) else line], cwd=paths.ROOT, env=env,
                               stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        code = process.wait(WATCHED_S if is_window(line) else LIMIT_S)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait()
        code = None
    except KeyboardInterrupt:
        process.terminate()
        raise
    said = last_lines(Path(log.name), offset) or "it said nothing"
    log.write("exit status %s after %.1f s\n" % (code, time.monotonic() - start))
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
    if line.startswith("./kobalt run"):
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


def suite(args):
    """A Tally over README.md's commands."""
    lines = commands(DOCUMENT.read_text(encoding="utf-8"))
    result = tally.Tally()
    shutil.rmtree(paths.ROOT / "build-mine", ignore_errors=True)
    with open(LOG, "w", encoding="utf-8") as log, xserver.VirtualDisplay() as display:
        env = typed_environment(display.name)
        for line in lines:
            why = skipped(line, args.quick)
            if why:
                log.write("\n$ %s\n(%s)\n" % (line, why))
                result.skipped += line != "./kobalt test"
                continue
            wrong = run_line(line, env, log)
            result.passed += wrong is None
            if wrong:
                result.failed += 1
                result.notes.append(wrong)
    if not result.failed:
        shutil.rmtree(paths.ROOT / "build-mine", ignore_errors=True)
    return result
