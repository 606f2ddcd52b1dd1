# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt run, info and peer: programs in the right environment."""
import os
import shutil
import signal
import subprocess

from ..lib import environment, gpu, paths, ui
from ..lib.target import AMD64


# Debian's packages of the programs that the documents name.
PACKAGES = {"glxgears": "mesa-utils", "glxinfo": "mesa-utils", "es2gears_x11": "mesa-utils", "eglinfo": "mesa-utils",
            "glmark2": "glmark2-x11", "glmark2-es2": "glmark2-es2-x11", "openarena": "openarena",
            "xvfb-run": "xvfb xauth"}
# Programs that bring a display of their own.
DISPLAYS = ("xvfb-run", "Xvfb", "weston", "startx", "xinit")


# What the first ./kobalt run ends with.
NEXT = ("next: ./kobalt run -- PROGRAM runs any program that uses OpenGL (glxgears is a small one), ./kobalt enable PROGRAM "
        "lets it\nalways start so, ./kobalt info says what your GPU offers; more is in README.md")


def execute(command, env):
    """Replaces this process by COMMAND, which is looked up in the caller's PATH."""
    found = shutil.which(command[0], path=env.get("PATH"))
    if not found:
        package = PACKAGES.get(command[0])
        raise ui.Stop("%s is not a program here: %s" % (command[0], "install it (Debian: apt-get install %s)" % package
                                                        if package else "give its path, or install it"))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.execve(found, [command[0], *command[1:]], env)


def kobalt_on(chosen, target=AMD64):
    """Kobalt's environment on the GPU CHOSEN, or on this machine's device where it is None; for programs of TARGET."""
    return gpu.for_driver(chosen) if chosen else environment.kobalt(target=target)


def counting(env, csv):
    """ENV in which the driver writes its counters to the file CSV (none where it is None), which begins empty."""
    if csv is None:
        return env
    path = os.path.abspath(csv)
    try:
        with open(path, "w", encoding="utf-8"):
            pass
    except OSError as error:
        raise ui.Stop("no counters can be written to %s (%s): name another file with --csv" % (csv, error.strerror)) from None
    return dict(env, KOBALT_CSV=path)


def application(command, chosen=None, csv=None, target=AMD64):
    """Runs any GL program of TARGET on Kobalt; of 32 bits as well where build-i386/prefix has the driver."""
    if command[0].startswith("-"):
        raise ui.Stop("put the program after `--`: ./kobalt run -- %s" % " ".join(command))
    both = target is AMD64 and not chosen
    env = counting(environment.both_widths() if both else kobalt_on(chosen, target), csv)
    if not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")) and os.path.basename(command[0]) not in DISPLAYS:
        ui.remark("there is no display here (DISPLAY is not set); a program that opens a window runs in a virtual one "
                  "with: ./kobalt run -- xvfb-run -a %s" % " ".join(command))
    execute(command, env)


def program(name, arguments, chosen=None, target=AMD64):
    """Runs one of our own programs (kobalt-info, ...) from TARGET's prefix."""
    execute([str(environment.own_program(name, target=target)), *arguments], kobalt_on(chosen, target))


def demo(args, chosen=None, csv=None, target=AMD64):
    """Renders the demo scene off-screen, writes PNG frames and prints frame times."""
    path = environment.own_program("kobalt-demo", target=target)
    folder = args.out or str(paths.OUT / "demo")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ui.Stop("no frames can be written to %s (%s): name another folder with --out" % (folder, error.strerror)) from None
    done = subprocess.run([str(path), "--frames", str(args.frames), "--size", args.size, "--out", folder],
                          env=counting(kobalt_on(chosen, target), csv))
    if done.returncode == 0:
        near = os.path.relpath(folder)
        ui.note("the frames are in %s" % (folder if near.startswith("..") else near))
        if os.environ.get("KOBALT_QUIET", "0") != "1":
            ui.note(NEXT)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def peer(driver, command, chosen=None):
    """Runs a GL program on stock Mesa, to compare with; `native` is the own GL driver of the GPU CHOSEN."""
    if not command:
        raise ui.Stop("name a program: ./kobalt peer %s -- APP ARGS" % driver)
    if (driver == "native" and not chosen) or (driver == "llvmpipe" and chosen):
        raise ui.Stop("`native` is a GPU's own GL driver and llvmpipe draws on the CPU: with --gpu choose zink or native, "
                      "without it zink or llvmpipe")
    execute(command, gpu.for_driver(chosen, driver) if chosen else environment.peer(driver))
