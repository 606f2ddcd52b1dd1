# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `arm64`: the build for arm64 under qemu-user, on lavapipe of that architecture."""
import re
import subprocess
import time

from ..lib import tally, ui
from ..lib.target import ARM64
from ..setup import arm64_setup
from . import programs, skips

# GoogleTest's programs below the build folder: qemu takes thirty times as long as a processor.
UNIT = ("tests/unit/vulkan/kobalt_vulkan_tests", "tests/unit/render/render-tests", "tests/spirv/spirv-module-builder-test",
        "tests/spirv/spirv-translator-test")
GL_SUITES = 25  # of the GL tests, evenly chosen; with --all, all of them
LIMIT_S = 3600


def run(program, *words, env=None):
    """(exit status, output) of an arm64 PROGRAM."""
    command = [str(arm64_setup.EMULATOR), "-L", str(ARM64.tree), str(program), *words]
    try:
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        raise ui.Stop("%s still ran after %d s" % (program.name, LIMIT_S)) from None
    return done.returncode, done.stdout


def judged(name, code, said):
    """The Tally of a program of GoogleTest that ended with CODE and SAID that."""
    result = tally.from_gtest_text(said, code == 0)
    if result is None:
        last = (said.strip().splitlines() or ["it said nothing"])[-1]
        return tally.Tally(failed=1, notes=["%s ended with status %d: %s" % (name, code, last)])
    result.notes = ["%s: %s" % (name, note) for note in result.notes] or ([name] if code else [])
    return result


def chosen(listed, count):
    """COUNT of the suites that GoogleTest has LISTED, as its filter."""
    names = re.findall(r"^(\S+\.)", listed, re.MULTILINE)
    return ":".join(name + "*" for name in names[::max(1, len(names) // count)])


def gl(args):
    """A sample of the GL tests. What is skipped on the machine's own architecture may be skipped here."""
    program = programs.gl_program(ARM64)
    env = programs.gl_environment("gl-arm64", [], False, False, target=ARM64)
    words = [] if args.all else ["--gtest_filter=" + chosen(run(program, "--gtest_list_tests", env=env)[1], GL_SUITES)]
    result = judged("GL tests", *run(program, *words, env=env))
    known = skips.read()
    result.skips = [name for name in result.skips if ("gl", name) not in known]
    return result


def unit(args):
    """The unit tests of the Vulkan core and the engine, and the translator's."""
    result = tally.Tally()
    env = programs.gl_environment("unit-arm64", [], False, False, target=ARM64)
    for name in UNIT:
        found = judged(name.rpartition("/")[2], *run(ARM64.build / name, env=env))
        found.skips = []  # on a device without the hardware they are the same as on the machine's own architecture
        result.add(found)
    return result


def suite(args):
    """A Tally over all parts."""
    if not arm64_setup.possible():
        return tally.Tally(skipped=1, skips=["arm64"])
    arm64_setup.ensure(tests=True)
    result = tally.Tally()
    for title, part in (("unit tests", unit), ("GL tests, a sample", gl)):
        begun, found = time.monotonic(), part(args)
        ui.note("      %s: %s (%s)" % (title, found.full_line(), ui.spell(time.monotonic() - begun)))
        result.add(found)
    return result
