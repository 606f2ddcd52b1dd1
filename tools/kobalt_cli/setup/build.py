# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Configures, compiles and installs into build/prefix; shows the steps and the time left."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from ..lib import lock, paths, stamps, ui
from ..lib.target import AMD64
from . import host_tree, installation, mesa_source

LEFT_OVER = "left-over-steps"  # the stamp of what ninja would still do after a build
STEP = re.compile(r"^\[(\d+)/(\d+)\]")


def packaged_mesons():
    """The meson programs of packages that stand beside the usual one (Ubuntu 24.04 has meson-1.7)."""
    for package in sorted(Path("/var/lib/dpkg/info").glob("meson-*.list"), reverse=True):
        for line in package.read_text(errors="replace").splitlines():
            if re.search(r"/bin/meson[-0-9.]*$", line) and os.access(line, os.X_OK):
                yield line


def meson_command():
    """The meson to use (a list), or None: the fetched one, else the system's when it is 1.4 or newer."""
    fetched = paths.HOST / "usr/bin/meson"
    if fetched.exists():
        return [str(paths.SYSTEM_PYTHON), str(fetched)]
    for found in [shutil.which("meson"), *packaged_mesons()]:
        if not found:
            continue
        done = subprocess.run([found, "--version"], stdout=subprocess.PIPE, text=True)
        if [int(n) for n in re.findall(r"\d+", done.stdout)[:2]] >= [1, 4]:
            return [found]
    return None


def configured(option, target=AMD64):
    """The value of a Meson option that TARGET's build folder was set up with; None without one."""
    try:
        options = json.loads((target.build / "meson-info/intro-buildoptions.json").read_text())
    except (OSError, ValueError):
        return None
    return next((o["value"] for o in options if o["name"] == option), None)


def configured_prefix(target=AMD64):
    """The prefix that TARGET's build folder was set up with."""
    return configured("prefix", target)


def configured_source(target=AMD64):
    """The source folder that TARGET's build folder was set up for."""
    try:
        return json.loads((target.build / "meson-info/meson-info.json").read_text())["directories"]["source"]
    except (OSError, ValueError, KeyError):
        return None


def drop_if_moved(target=AMD64):
    """Drops TARGET's build folder if the project's folder was moved or renamed, since the build names the old path
    throughout."""
    source = configured_source(target)
    if source and source != str(paths.ROOT):
        ui.note("the project has moved here from %s: building anew" % source)
        shutil.rmtree(target.build)


def changed_options(tests, target=AMD64):
    """Meson's words for the options of TARGET's build folder that have to change. TESTS: as for configure()."""
    changed = ["-Dprefix=%s" % target.prefix] if configured_prefix(target) != str(target.prefix) else []  # made by hand
    if tests and configured("tests", target) is False:
        changed.append("-Dtests=true")
    if configured("mesa:gbm", target) == "disabled":  # set up before GBM was built; Meson keeps a subproject's options
        changed.append("-Dmesa:gbm=enabled")
    return changed


def configure(tests=True, target=AMD64):
    """Runs meson setup for TARGET once; later changes are noticed by ninja itself. TESTS: also builds the programs of the
    tests and the benchmarks, which stay enabled once they were asked for."""
    meson = meson_command()
    if meson:
        mesa_source.unpack(meson)
    host_tree.place_protocols()
    if (target.build / "build.ninja").exists():
        changed = changed_options(tests, target)
        if changed:
            ui.run([*(meson or ["meson"]), "configure", target.build, *changed], "changing the build's options", log="build.log",
                   env=paths.build_environment())
        return
    if not meson:
        raise ui.Stop("meson 1.4 or newer is missing: install it, then run the same command again")
    env = paths.build_environment()
    ui.note("      configuring (about 30 s)")
    foreign = ["--cross-file=%s" % target.machine_file, "--libdir=lib/" + target.multiarch] if target is not AMD64 else []
    ui.run([*meson, "setup", target.build, paths.ROOT, "--buildtype=release", "--prefix=%s" % target.prefix, *foreign,
            "-Dtests=%s" % ("true" if tests else "false")],
           "configuring the build", log="build.log", env=env)


def ninja_command(status, target=AMD64):
    """(ninja for TARGET's build folder, as a list; its environment, in which each of its lines begins with STATUS)."""
    env = dict(ui.in_english(paths.build_environment()), NINJA_STATUS=status)
    ninja = shutil.which("ninja", path=env["PATH"]) or shutil.which("ninja-build") or "ninja"
    return [ninja, "-C", str(target.build)], env


def outstanding():
    """What ninja would do now, without doing it. After a build that isn't nothing: Mesa has a step that ninja takes every
    time, and before it has taken that it can't tell that the few files which depend on it stay the same. A change in one
    of these alone, which are in Mesa's tree, makes no difference here."""
    command, env = ninja_command("")
    done = subprocess.run([*command, "-n"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=env)
    return "\n".join(sorted(done.stdout.splitlines()))


def up_to_date(tests):
    """True when build/prefix holds what a build would make now, as far as ninja can tell without working; reads only.
    TESTS: as for configure()."""
    return ((paths.BUILD / "build.ninja").exists() and configured_source() == str(paths.ROOT) and not changed_options(tests)
            and mesa_source.unpacked() and paths.library_dir() is not None
            and stamps.fresh("installed", installation.state()) and stamps.fresh(LEFT_OVER, stamps.digest(outstanding())))


def compile_all(verbose=False, target=AMD64):
    """Runs ninja in TARGET's build folder, with progress."""
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    command, env = ninja_command("[%f/%t] ", target)
    progress = ui.Progress("building", one_line=True)
    tail = []
    log_path = paths.LOGS / "build.log"
    with open(log_path, "w", encoding="utf-8") as log:
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", env=env)
        except FileNotFoundError:
            raise ui.Stop("ninja is missing: install the package ninja-build") from None
        try:
            for line in process.stdout:
                log.write(line)
                if verbose:
                    print(line, end="")
                found = STEP.match(line)
                if found and not verbose:
                    progress.update(int(found.group(1)), int(found.group(2)))
                tail.append(line.rstrip())
                del tail[:-400]
        except KeyboardInterrupt:  # ninja ends its compilers and drops half-written files; the rest stays built
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        finally:
            progress.close()
    if process.wait() != 0:
        report_failure(tail)
        for group in ("build", "test"):  # a package may have been removed: look again next time
            stamps.drop("packages-" + group)
        known = ui.advise("\n".join(tail), "building")
        raise known or ui.Stop("the build failed; the whole output is in %s" % log_path.relative_to(paths.ROOT))
    if target == AMD64:
        stamps.write(LEFT_OVER, stamps.digest(outstanding()))


def report_failure(tail):
    """Prints the part of ninja's output that belongs to the first failed step."""
    start = next((i for i, line in enumerate(tail) if line.startswith("FAILED:")), max(0, len(tail) - 20))
    for line in tail[start:start + 40]:
        print(line[:400], file=sys.stderr)


def install_into(root, log="build.log", target=AMD64):
    """Installs TARGET's build below the folder ROOT, as if that were the whole system; returns where the prefix is there."""
    meson = meson_command() or ["meson"]
    ui.run([*meson, "install", "-C", target.build, "--no-rebuild", "--quiet", "--destdir", root],
           "installing into %s" % os.path.relpath(root, paths.ROOT), log=log, env=paths.build_environment())
    return root / str(configured_prefix(target)).lstrip("/")


def install(target=AMD64):
    """Installs into TARGET's prefix what changed since the last time; programs that run on it go on undisturbed."""
    stamp, value = "installed" + target.suffix, installation.state(target.build)
    if stamps.fresh(stamp, value) and paths.library_dir(target.prefix) is not None:
        return
    stage = target.build / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    try:
        staged = install_into(stage, target=target)
        installation.bring(staged, target.prefix)
        installation.drop_left_over(staged, target.prefix, target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    stamps.write(stamp, value)


def compile_current(verbose=False, tests=True, target=AMD64):
    """Configures and compiles what changed, without installing it. TESTS: as for configure()."""
    with lock.held():
        drop_if_moved(target)
        if not (target.build / "build.ninja").exists():
            ui.note("building Kobalt and its Mesa (about 15 min on 2 cores the first time, seconds later)")
        configure(tests, target)
        compile_all(verbose, target)


def build(verbose=False, tests=True, target=AMD64):
    """Brings TARGET's prefix up to date. TESTS: as for configure()."""
    with lock.held():
        compile_current(verbose, tests, target)
        install(target)
    if paths.library_dir(target.prefix) is None:
        raise ui.Stop("the build installed no libEGL_kobalt.so.0 below %s: see out/logs/build.log"
                      % target.prefix.relative_to(paths.ROOT))
