# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Recorded expectations: only what does not pass is written down, each with its reason."""
import re
from pathlib import Path

from . import paths

UNKNOWN = "not looked at yet"
HEAD = "# What does not pass, and why. One line a test: name, result, reason. Written by\n# ./kobalt %s\n"


def profile_path(profile):
    return paths.PROFILES / (profile + ".txt")


def expected_path(profile, vulkan="lavapipe"):
    middle = "" if vulkan == "lavapipe" else "-" + vulkan
    return paths.PROFILES / ("%s%s-expected.txt" % (profile, middle))


# {profile: the profile whose causes apply to it as well, after its own}.
PARENTS = {"full": "gl46", "gl46-windowless": "gl46"}


def read_causes(profile):
    """[(pattern, cause)] of PROFILE-causes.txt, then of PROFILE's parent; a pattern is searched for in
    `RESULT NAME`."""
    path = paths.PROFILES / (profile + "-causes.txt")
    own = [tuple(line.split("\t")[:2]) for line in read_names(path)] if path.exists() else []
    return own + (read_causes(PARENTS[profile]) if profile in PARENTS else [])


def cause_in(line, causes):
    """The cause of the first pattern that matches LINE, or None."""
    return next((text for pattern, text in causes if re.search(pattern, line)), None)


def cause_of(outcome, causes):
    """The cause of OUTCOME, or None."""
    return cause_in("%s %s" % (outcome.result, outcome.name), causes)


def read_names(path):
    """Test names of a profile file, one a line; lines that begin with # are remarks."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line.strip() and not line.startswith("#")]


def read(path):
    """{name: (result, reason)} of an expectations file; empty where there is none."""
    table = {}
    if path.exists():
        for line in read_names(path):
            name, result, reason = (line.split("\t") + ["", ""])[:3]
            table[name] = (result, reason)
    return table


def write(path, profile, outcomes, old, command=None):
    """Writes what did not pass in OUTCOMES; reasons come from OLD, or from the profile's causes."""
    causes = read_causes(path.stem.removesuffix("-expected"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD % (command or "piglit %s --record" % profile))
        for outcome in sorted(outcomes, key=lambda o: o.name):
            if outcome.result != "pass":
                cause = cause_of(outcome, causes)
                reason = cause or old.get(outcome.name, ("", ""))[1] or UNKNOWN
                file.write("%s\t%s\t%s\n" % (outcome.name, outcome.result, reason))


def compare(outcomes, expected):
    """Splits OUTCOMES into (as expected and passing, known not to pass, surprises).

    A surprise is an (Outcome, expected result) pair: a test that began to fail or began to pass."""
    good, known, surprises = [], [], []
    for outcome in outcomes:
        wanted = expected.get(outcome.name, ("pass", ""))[0]
        if outcome.result != wanted:
            surprises.append((outcome, wanted))
        elif wanted == "pass":
            good.append(outcome)
        else:
            known.append(outcome)
    return good, known, surprises


def unexplained(known, expected):
    """[(Outcome, result)] of those KNOWN not to pass for which EXPECTED has no reason."""
    found = ((outcome, *expected[outcome.name]) for outcome in known)
    return [(outcome, result) for outcome, result, reason in found if not reason.strip() or reason == UNKNOWN]
