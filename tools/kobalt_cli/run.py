# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt run, info and peer: programs in the right environment."""
import os
import shutil
import signal
import subprocess

from . import environment, paths, ui


def execute(command, env):
    """Replaces this process by COMMAND, which is looked up in the caller's PATH."""
    found = shutil.which(command[0], path=env.get("PATH"))
    if not found:
        raise ui.Stop("%s is not a program here: give its path, or install it" % command[0])
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.execve(found, [command[0], *command[1:]], env)


def application(command):
    """Runs any GL program on Kobalt."""
    if command[0].startswith("-"):
        raise ui.Stop("put the program after `--`: ./kobalt run -- %s" % " ".join(command))
    execute(command, environment.kobalt())


def program(name, arguments):
    """Runs one of our own programs (kobalt-info, ...) from the prefix."""
    path = paths.PREFIX / "bin" / name
    if not path.exists():
        raise ui.Stop("%s is not in build/prefix/bin: the build does not provide it" % name)
    execute([str(path), *arguments], environment.kobalt())


def demo(args):
    """Renders the demo scene off-screen, writes PNG frames and prints frame times."""
    path = paths.PREFIX / "bin/kobalt-demo"
    if not path.exists():
        raise ui.Stop("kobalt-demo is not in build/prefix/bin: the build does not provide it")
    folder = args.out or str(paths.OUT / "demo")
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run([str(path), "--frames", str(args.frames), "--size", args.size, "--out", folder],
                          env=environment.kobalt())
    if done.returncode == 0:
        ui.note("the frames are in %s" % os.path.relpath(folder))
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def peer(driver, command):
    """Runs a GL program on stock Mesa, to compare with."""
    if not command:
        raise ui.Stop("name a program: ./kobalt peer %s -- APP ARGS" % driver)
    execute(command, environment.peer(driver))
