# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `i386`: the build for 32-bit programs, on lavapipe of that architecture."""
import time

from ..lib import environment, expectations, tally, ui
from ..lib.target import I386
from ..setup import i386_setup
from ..conformance import piglit
from . import both_widths, programs

SMOKE_SAMPLE = 80
SMOKE_LIMIT_S = 120.0
# The second way to hand descriptors to Vulkan, as in the suite `gl`.
PORTABLE = ["descriptor_buffer", "conditional_rendering"]


def smoke_environment():
    """The environment of piglit's programs of that architecture: their own libraries, and a glxinfo that GLX loads the
    driver into."""
    env = environment.kobalt(vulkan="lavapipe", quiet=True, target=I386)
    more = [str(i386_setup.PROGRAMS.parent / "lib"), str(i386_setup.TESTS / "usr/lib" / I386.multiarch)]
    return dict(env, LD_LIBRARY_PATH=":".join([env["LD_LIBRARY_PATH"], *more]),
                PATH="%s:%s" % (i386_setup.TESTS / "usr/bin", env["PATH"]))


def smoke(args):
    """A sample of piglit's smoke profile; with --all the whole of it. What is expected not to pass is the same as on the
    machine's own architecture."""
    _, names = piglit.names_of("smoke")
    sample = names if args.all else names[:: max(1, len(names) // SMOKE_SAMPLE)]
    outcomes = piglit.run(sample, "smoke-i386", smoke_environment(), args.jobs, SMOKE_LIMIT_S, programs=i386_setup.PROGRAMS)
    good, known, surprises = expectations.compare(outcomes, expectations.read(expectations.expected_path("smoke")))
    skipped = sum(o.result == "skip" for o in known)
    notes = ["smoke: %s: %s (expected %s)" % (o.name, o.result, wanted) for o, wanted in surprises]
    return tally.Tally(len(good), len(surprises), skipped, notes, known=len(known) - skipped)


def suite(args):
    """A Tally over all parts."""
    if not i386_setup.possible():
        return tally.Tally(skipped=1, skips=["i386"])
    i386_setup.ensure(tests=True)
    result = tally.Tally()
    parts = [("unit tests", lambda args: programs.unit(args, I386)), ("GL tests", programs.gl([], target=I386))]
    if not args.quick:
        parts.append(("GL tests, portable descriptors", programs.gl(PORTABLE, front=False, target=I386)))
    parts.append(("bundle for both widths", both_widths.bundled))
    for title, part in (*parts, ("piglit smoke", smoke)):
        begun, found = time.monotonic(), part(args)
        ui.note("      %s: %s (%s)" % (title, found.full_line(), ui.spell(time.monotonic() - begun)))
        result.add(found)
    return result
