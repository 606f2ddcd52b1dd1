# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Debian's piglit as data: which tests there are, their commands, and how an outcome is read."""
import ast
import functools
import gzip
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from ..lib import paths, ui

# Values of PIGLIT_PLATFORM: with an X server, or without any window system.
PLATFORM, NO_WINDOW = "mixed_glx_egl", "surfaceless_egl"
LISTS = ("quick_gl", "quick_shader")
# Results from best to worst. A test with sub-tests has the worst of their results.
# "unseen" is Kobalt's own: the test would pass, but nothing shows that Kobalt drew, or that the validation layer was
# on (witness.py).
ORDER = ("notrun", "skip", "pass", "warn", "fail", "unseen", "timeout", "crash")


def root():
    """The folder that piglit's programs and tests lie in."""
    for path in ("/usr/lib/x86_64-linux-gnu/piglit", "/usr/lib64/piglit", "/usr/lib/piglit"):
        if (Path(path) / "tests").is_dir():
            return Path(path)
    raise ui.Stop("piglit is missing: install the package piglit")


class Test:
    """One piglit test: NAME, the COMMAND to run and the folder's ROOT it refers to; its program is in PROGRAMS, piglit's
    own unless given."""

    __slots__ = ("name", "command", "skip", "file", "needs")

    def __init__(self, name, kind, options, base, platform=PLATFORM, programs=None):
        words = ast.literal_eval(options["command"])
        self.name = name
        self.file = None
        # What a shader test declares: (GLSL version, is it GLSL ES, extensions).
        self.needs = (float(options.get("shader_version", "0")), options.get("api") == "'gles2'",
                      ast.literal_eval(options["extensions"]) if "extensions" in options else set())
        # Without a window system each test draws into a framebuffer object: piglit has no other surface there.
        concurrent = options.get("run_concurrent") == "True" or platform == NO_WINDOW
        program = str((programs or base / "bin") / words[0])
        if kind == "shader":
            self.file = str(base / words[1])
            self.command = [program, self.file, "-auto", "-fbo"]
        elif kind == "gl_builtin":
            self.command = [program, str(base / "tests" / words[1]), *words[2:]]
        else:
            rest = [w for w in words[1:] if w not in ("-auto", "-fbo")]
            self.command = [program, *rest, "-auto"] + (["-fbo"] if concurrent else [])
        wanted = ast.literal_eval(options.get("require_platforms", "[]"))
        unwanted = ast.literal_eval(options.get("exclude_platforms", "[]"))
        self.skip = bool((wanted and platform not in wanted) or platform in unwanted)


def names_in(file):
    """The tests that FILE of the profiles' folder names: one a line, its reason behind a tab."""
    lines = (paths.PROFILES / file).read_text(encoding="utf-8").splitlines()
    return frozenset(line.split("\t")[0] for line in lines if line and not line.startswith("#"))


@functools.cache
def without_driver():
    """Names of the tests that start no GL driver at all, so that none can announce itself."""
    return names_in("without-driver.txt")


@functools.cache
def by_the_clock():
    """Names of the tests that compare with the machine's own clock: other load on the machine can make them fail."""
    return names_in("by-the-clock.txt")


def load(profile, base=None, platform=PLATFORM, programs=None):
    """{name: Test} of one of piglit's own lists (quick_gl, quick_shader), as they run on PLATFORM, with the test programs
    of the folder PROGRAMS where that is given."""
    base = base or root()
    tests = {}
    path = base / "tests" / (profile + ".xml.gz")
    with gzip.open(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag != "Test":
                continue
            options = {o.get("name"): o.get("value") for o in element.iter("option")}
            name = element.get("name")
            tests[name] = Test(name, element.get("type"), options, base, platform, programs)
            element.clear()
    return tests


def find(names, platform=PLATFORM, programs=None):
    """The tests called NAMES as load() has them, in that order; stops when piglit has none of that name."""
    known = load("quick_gl", platform=platform, programs=programs)
    if any(name not in known for name in names):
        known.update(load("quick_shader", platform=platform, programs=programs))
    lost = [name for name in names if name not in known]
    if lost:
        raise ui.Stop("piglit has no test called %s (%d such names): the profile does not fit this piglit"
                      % (lost[0], len(lost)))
    return [known[name] for name in names]


def group_of(name):
    """The group a test is listed under: spec@<name>, or its first part; of dEQP's cases the first three words."""
    if "@" not in name:
        return ".".join(name.split(".")[:3])
    parts = name.split("@")
    return "@".join(parts[:2]) if parts[0] == "spec" and len(parts) > 2 else parts[0]


def worst(results):
    return max(results, key=ORDER.index)


def interpret(returncode, stdout):
    """The result of a finished test, by piglit's own rules: its last `PIGLIT:` lines and exit status."""
    result, subtests = "notrun", {}
    for line in stdout.splitlines():
        if not line.startswith("PIGLIT:"):
            continue
        try:
            data = json.loads(line[len("PIGLIT:"):])
        except ValueError:
            continue
        if "enumerate subtests" in data:
            for name in data["enumerate subtests"]:
                subtests.setdefault(name, "notrun")
        elif "result" in data:
            result = data["result"]
        elif "subtest" in data:
            subtests.update(data["subtest"])
    if result == "skip":
        subtests = {k: "skip" if v == "notrun" else v for k, v in subtests.items()}
    if returncode < 0:
        return "crash"
    if returncode != 0:
        result = "warn" if result == "pass" else "fail"
    if subtests:
        result = worst(subtests.values())
    return "fail" if result not in ORDER or result == "notrun" else result
