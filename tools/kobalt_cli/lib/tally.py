# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Counts of passed, failed and skipped tests, and how to read them out of test programs."""
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path


class Tally:
    """Passed, failed, skipped, and a line for each failure.

    KNOWN counts the tests that are recorded not to pass, with reasons: they are neither passes nor skips. SKIPS names
    the skipped tests, SEEN every GoogleTest case and every program that gave a result. A caller with one result may
    pass a bool, which is stored as a number, since records and tables show counts as they are."""

    def __init__(self, passed=0, failed=0, skipped=0, notes=(), known=0, skips=(), seen=()):
        self.passed, self.failed, self.skipped, self.known = int(passed), int(failed), int(skipped), int(known)
        self.notes = list(notes)
        self.skips = list(skips)
        self.seen = set(seen)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.known += other.known
        self.notes += other.notes
        self.skips += other.skips
        self.seen |= other.seen

    def fail(self, note):
        self.failed += 1
        self.notes.append(note)

    def results(self):
        return self.passed + self.failed + self.skipped + self.known

    def line(self):
        """The form that CI reads."""
        return "%d passed, %d failed, %d skipped" % (self.passed, self.failed, self.skipped)

    def full_line(self):
        return self.line() + (", %d known not to pass" % self.known if self.known else "")


def from_gtest_xml(path, returncode, label):
    """Reads GoogleTest's XML. A program that crashed wrote none, or an incomplete one, which is a failure."""
    tally = Tally()
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return Tally(failed=1, notes=["%s ended with status %s before it reported" % (label, returncode)])
    for case in cases:
        name = "%s.%s" % (case.get("classname"), case.get("name"))
        tally.seen.add(name)
        if case.find("failure") is not None or case.find("error") is not None:
            tally.fail("%s: %s" % (label, name))
        elif case.find("skipped") is not None or case.get("status") == "notrun" or case.get("result") == "skipped":
            tally.skipped += 1
            tally.skips.append(name)
        else:
            tally.passed += 1
    if returncode != 0 and not tally.failed:
        tally.fail("%s ended with status %s" % (label, returncode))
    return tally


RAN = re.compile(r"^\[==========\] (\d+) tests? from .* ran\.", re.MULTILINE)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE)
SKIPPED = re.compile(r"^\[  SKIPPED \] (\d+) tests?, listed below", re.MULTILINE)
CASE = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\w\S*\.[^\s,]+)", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_CASE = re.compile(r"^(\w+) \([\w.]+\)(?:\n.*)?? \.\.\. (ok|FAIL|ERROR|skipped)", re.MULTILINE)


def from_gtest_text(text, ok):
    """Reads GoogleTest's console output; None when it is not GoogleTest's."""
    ran = RAN.search(text)
    if not ran:
        return None
    number = lambda pattern: int((pattern.search(text) or [0, 0])[1])
    verdicts = dict(reversed(pair) for pair in CASE.findall(text))
    passed, skipped = number(PASSED), number(SKIPPED)
    failed = max(0, int(ran.group(1)) - passed - skipped)
    if not ok and not failed:
        failed = 1
    of = lambda word: sorted(name for name, verdict in verdicts.items() if verdict == word)
    return Tally(passed, failed, skipped, of("FAILED"), skips=of("SKIPPED"), seen=verdicts)


def from_unittest_text(text, ok):
    """Reads the output of Python's unittest; None when it is not that."""
    ran = UNITTEST.search(text)
    if not ran:
        return None
    cases = UNITTEST_CASE.findall(text)
    failed = [name for name, verdict in cases if verdict in ("FAIL", "ERROR")]
    skips = [name for name, verdict in cases if verdict == "skipped"]
    number = len(failed) if failed or ok else 1
    return Tally(max(0, int(ran.group(1)) - number - len(skips)), number, len(skips), failed, skips=skips)


def from_meson_log(path):
    """Reads meson's testlog.json: programs of GoogleTest and unittest count by their tests, others as one."""
    tally = Tally()
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            continue
        entry = json.loads(line)
        name, result = entry.get("name", "?").split(" / ")[-1], entry.get("result", "")
        ok = result in ("OK", "EXPECTEDFAIL")
        inner = from_gtest_text(entry.get("stdout") or "", ok) or \
            from_unittest_text("%s\n%s" % (entry.get("stdout") or "", entry.get("stderr") or ""), ok)
        tally.seen.add(name)
        if result == "SKIP":
            tally.skipped += 1
            tally.skips.append(name)
        elif inner is not None and result != "TIMEOUT":
            inner.notes = ["%s: %s" % (name, note) for note in inner.notes] or ([] if ok else [name])
            tally.add(inner)
        elif ok:
            tally.passed += 1
        else:
            tally.fail("%s: %s%s" % (name, result.lower() or "no result", last_lines(entry)))
    return tally


def last_lines(entry, most=200):
    """The end of what a test of meson's log printed, indented: where CI keeps no files, it is all that there is."""
    lines = "\n".join(entry.get(stream) or "" for stream in ("stdout", "stderr")).strip().splitlines()[-most:]
    return "".join("\n          " + line for line in lines)
