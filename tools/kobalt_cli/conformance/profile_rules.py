# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the profiles gl46, gles32 and full take of piglit, as rules: their lists follow from piglit's own and from the
peers' results (profile_peers.py).

gl46    of quick_gl everything; of quick_shader what needs GLSL 4.00 or later, and the groups of gl46-groups.txt
gles32  of both what runs in OpenGL ES contexts: by the program, by what the shader test declares, and the groups of
        gles32-groups.txt
full    all of both

A test that both peers were tried on and neither passes is left out of gl46 and gles32: nothing shows that it can pass.
"""
import fnmatch
import hashlib
import re

from ..lib import expectations, paths
from . import piglit_tests

NAMES = ("gl46", "gles32", "full")
# A program of piglit's that is built once for each API says so at the end of its name.
ES_PROGRAM = re.compile(r"_gles[123]$|[-_]gles[-_]|^(gles|es[23])-|-gles$")


def patterns(profile):
    """The patterns of PROFILE-groups.txt."""
    path = paths.PROFILES / (profile + "-groups.txt")
    return expectations.read_names(path)


def in_groups(name, wanted):
    return any(fnmatch.fnmatchcase(piglit_tests.group_of(name), pattern) for pattern in wanted)


def is_es(test):
    """True where TEST runs in an OpenGL ES context, as its program's name or its shader file says."""
    return bool(test.needs[1] or ES_PROGRAM.search(test.command[0].rsplit("/", 1)[-1]))


def takes(profile, source, test, groups):
    """True where PROFILE takes TEST of piglit's list SOURCE; GROUPS are its patterns."""
    if profile == "full":
        return True
    if profile == "gles32":
        return is_es(test) or in_groups(test.name, groups)
    if is_es(test):
        return source == "quick_gl"
    return source == "quick_gl" or test.needs[0] >= 4.0 or in_groups(test.name, groups)


def selected(profile, lists):
    """{test: its list} of what PROFILE takes of LISTS, {name of piglit's list: {name: Test}}."""
    groups = patterns(profile) if profile != "full" else []
    return {name: source for source, tests in lists.items() for name, test in sorted(tests.items())
            if takes(profile, source, test, groups)}


def members(profile, names, peers):
    """NAMES, sorted, without those that {test: (zink, llvmpipe)} shows to pass on neither; full keeps all."""
    hopeless = set() if profile == "full" else {name for name, pair in peers.items() if "pass" not in pair and "notrun" not in pair}
    return sorted(set(names) - hopeless)


def sample(names, count, seed):
    """COUNT of NAMES that SEED picks, in their order. A test that comes or goes changes nothing for the others."""
    ranked = sorted(names, key=lambda name: hashlib.sha256(("%s\n%s" % (seed, name)).encode()).digest())
    chosen = set(ranked[:count])
    return [name for name in names if name in chosen]


def part_of_day(names, parts, day):
    """Every PARTS-th of NAMES. PARTS days in a row, DAY among them, take all of them."""
    return names[day.toordinal() % parts::parts]
