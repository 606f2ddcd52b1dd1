# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The tests that the sources declare: a test that is not built, or not run, is reported as a failure."""
import re

from ..lib import paths

TEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
# The first words of a call of Meson's test(): a name, and what follows it.
PROGRAM = re.compile(r"^\s*test\(\s*'([^']+)'\s*([,+])", re.MULTILINE)

# The GL tests of errors, of what compiles and links, and of state: none reads pixels or what a shader computed.
FRONT = paths.ROOT / "tests/gl/mesa"


def cases(folder=paths.ROOT / "tests"):
    """{"Suite.Name": its source file} of all GoogleTest cases below FOLDER."""
    found = {}
    for path in sorted(folder.rglob("*.cpp")):
        for suite, name in TEST.findall(path.read_text(encoding="utf-8", errors="replace")):
            found.setdefault("%s.%s" % (suite, name), path)
    return found


def front_suites(folder=FRONT):
    """The suites that judge Mesa's front end alone: what they find doesn't depend on the device or on the driver's paths."""
    return sorted({name.partition(".")[0] for name in cases(folder)})


def plain(name):
    """GoogleTest's NAME of a case that ran ("Sizes/Suite.Name/3", "Suite/0.Name") as its source spells it."""
    suite, _, case = name.partition(".")
    parts = suite.split("/")
    suite = next((part for part in reversed(parts) if not part.isdigit()), suite)
    return "%s.%s" % (suite, case.partition("/")[0])


def missing_cases(seen, folder=paths.ROOT / "tests"):
    """["Suite.Name (file)"] of the cases that gave no result among SEEN."""
    ran = {plain(name) for name in seen if "." in name}
    return ["%s (%s)" % (name, path.relative_to(folder.parent)) for name, path in cases(folder).items() if name not in ran]


def programs(folder=paths.ROOT / "tests"):
    """{name: (is it only the beginning of names, meson.build)} of what is given to Meson's test() below FOLDER."""
    found = {}
    for path in sorted(folder.rglob("meson.build")):
        for name, after in PROGRAM.findall(path.read_text(encoding="utf-8")):
            found[name] = (after == "+", path)
    return found


def missing_programs(known, folder=paths.ROOT / "tests"):
    """["name (file)"] of the test programs that Meson does not know: KNOWN are the names that Meson knows."""
    return ["%s (%s)" % (name, path.relative_to(folder.parent)) for name, (begins, path) in programs(folder).items()
            if not any(other == name or begins and other.startswith(name) for other in known)]
