# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Counts of passed, failed and skipped tests, and how to read them out of test programs."""
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path


class Tally:
    """Passed, failed, skipped, and a line for each failure."""

    def __init__(self, passed=0, failed=0, skipped=0, notes=()):
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
        self.notes = list(notes)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += other.notes

    def line(self):
        """The form that CI reads."""
        return "%d passed, %d failed, %d skipped" % (self.passed, self.failed, self.skipped)


def from_gtest_xml(path, returncode, label):
    """Reads GoogleTest's XML. A program that died wrote none, or an incomplete one: that is a failure."""
    tally = Tally()
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return Tally(failed=1, notes=["%s ended with status %s before it reported" % (label, returncode)])
    for case in cases:
        name = "%s.%s" % (case.get("classname"), case.get("name"))
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
            tally.notes.append("%s: %s" % (label, name))
        elif case.find("skipped") is not None or case.get("status") == "notrun" or case.get("result") == "skipped":
            tally.skipped += 1
        else:
            tally.passed += 1
    if returncode != 0 and not tally.failed:
        tally.failed += 1
        tally.notes.append("%s ended with status %s" % (label, returncode))
    return tally


RAN = re.compile(r"^\[==========\] (\d+) tests? from .* ran\.", re.MULTILINE)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE)
SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] (\w+\.\S+)$", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)


def from_gtest_text(text, ok):
    """Reads GoogleTest's console output; None when it is not GoogleTest's."""
    ran = RAN.search(text)
    if not ran:
        return None
    number = lambda pattern: int((pattern.search(text) or [0, 0])[1])
    passed, skipped = number(PASSED), number(SKIPPED)
    failed = max(0, int(ran.group(1)) - passed - skipped)
    if not ok and not failed:
        failed = 1
    return Tally(passed, failed, skipped, sorted(set(re.sub(r",.*", "", n) for n in FAILED.findall(text))))


def from_meson_log(path):
    """Reads meson's testlog.json: GoogleTest programs count by their tests, others as one."""
    tally = Tally()
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            continue
        entry = json.loads(line)
        name, result = entry.get("name", "?").split(" / ")[-1], entry.get("result", "")
        ok = result in ("OK", "EXPECTEDFAIL")
        inner = from_gtest_text(entry.get("stdout") or "", ok)
        if result == "SKIP":
            tally.skipped += 1
        elif inner is not None and result != "TIMEOUT":
            inner.notes = ["%s: %s" % (name, note) for note in inner.notes] or ([] if ok else [name])
            tally.add(inner)
        elif ok:
            tally.passed += 1
        else:
            tally.failed += 1
            tally.notes.append("%s: %s" % (name, result.lower() or "no result"))
    return tally
