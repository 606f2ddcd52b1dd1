# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `lax`: what Kobalt accepts beyond the letter of the specification, stock zink and llvmpipe accept, too."""
from ..lib import environment, tally, ui
from ..setup import setup
from . import programs

PEERS = ("zink", "llvmpipe")
# The suites of tests/gl/mesa/lax_test.cpp and lax_shader_test.cpp; Debian builds Mesa without OpenGL ES 1.
FILTER = "*Lax*-*LaxEs1*"


def suite(args):
    """The Lax tests of the GL tests on both peers; on Kobalt they run with all GL tests."""
    program, total = programs.gl_program(), tally.Tally()
    if program is None:
        return tally.Tally(failed=1, notes=["kobalt-gl-tests was not built"])
    try:
        setup.ensure_peers()
    except ui.Stop as stop:  # they are Debian's packages
        return tally.Tally(skipped=1, skips=["the peers"], notes=[str(stop)])
    for driver in PEERS:
        env = environment.for_driver(driver, extra={"EGL_PLATFORM": "surfaceless"})
        env.pop("KOBALT_EXPECT_RENDERER", None)
        own, _ = programs.run_gl(program, "lax-" + driver, env, ["--gtest_filter=" + FILTER], 300)
        # What the same test does on Kobalt counts there; here it is another test.
        own.seen, own.skips = set(), []
        total.add(own)
    return total
