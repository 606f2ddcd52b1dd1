# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Reads the log that dEQP and the conformance suites write (.qpa), as it grows.

Lines that begin with # are the container: each case stands between `#beginTestCaseResult NAME` and
`#endTestCaseResult`, or `#terminateTestCaseResult CAUSE` where it was cut off. The text between them is XML, which may
be incomplete: only its `<Result StatusCode="…">` is looked for, and its words are kept as the case's output.
"""
import html
import re

BEGIN, END, TERMINATE = "#beginTestCaseResult ", "#endTestCaseResult", "#terminateTestCaseResult"
# dEQP's words for how a case ended, in piglit's.
RESULTS = {"Pass": "pass", "QualityWarning": "warn", "CompatibilityWarning": "warn", "Waiver": "warn", "NotSupported": "skip",
           "Fail": "fail", "ResourceError": "fail", "InternalError": "fail", "Pending": "fail", "Crash": "crash", "Timeout": "timeout"}
RESULT = re.compile(r'<Result\s+StatusCode="(\w+)"\s*(?:/>|>(.*?)(?:</Result>|$))', re.DOTALL)
DURATION = re.compile(r'<Number\s[^>]*Name="TestDuration"[^>]*>\s*([0-9.]+)')
TAG = re.compile(r"<[^>]*>")
KEPT = 3000  # characters of a case's output


class Case:
    """A case that has ended: NAME, RESULT in piglit's words, SECONDS that it says it took, and its OUTPUT."""

    __slots__ = ("name", "result", "seconds", "output")

    def __init__(self, name, result, seconds=0.0, output=""):
        self.name, self.result, self.seconds, self.output = name, result, seconds, output


def words_of(xml):
    """The text of a case's XML, without empty lines."""
    plain = html.unescape(TAG.sub(" ", xml))
    return "\n".join(line.strip() for line in plain.splitlines() if line.strip())[-KEPT:]


def case_of(name, xml, cause=None):
    """The Case NAME whose log is XML; CAUSE is why it was cut off, or None."""
    if cause is not None:
        return Case(name, RESULTS.get(cause, "crash"), output="%s\n%s" % (cause or "cut off", words_of(xml)))
    found = list(RESULT.finditer(xml))
    if not found:
        return Case(name, "fail", output="its log has no result\n" + words_of(xml))
    code, reason = found[-1][1], (found[-1][2] or "").strip()
    duration = DURATION.search(xml)
    return Case(name, RESULTS.get(code, "fail"), float(duration[1]) / 1e6 if duration else 0.0,
                "%s: %s\n%s" % (code, html.unescape(reason), words_of(RESULT.sub("", xml))))


class Reader:
    """Takes the log in pieces. OPEN is the name of the case that has begun and not ended, or None."""

    def __init__(self):
        self.open = None
        self.rest, self.lines = "", []

    def feed(self, text):
        """The Cases that have ended in TEXT, which follows what was fed before."""
        ended = []
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            line = line.rstrip("\r")
            if line.startswith(BEGIN):
                ended += self.cut_off("its log has no end")
                self.open, self.lines = line[len(BEGIN):].strip(), []
            elif self.open is None:
                continue
            elif line.startswith(END):
                ended.append(case_of(self.open, "\n".join(self.lines)))
                self.open = None
            elif line.startswith(TERMINATE):
                ended.append(case_of(self.open, "\n".join(self.lines), line[len(TERMINATE):].strip()))
                self.open = None
            else:
                self.lines.append(line)
        return ended

    def cut_off(self, why, result="crash"):
        """[the open Case] as one that ended with RESULT because of WHY; empty where none is open."""
        if self.open is None:
            return []
        case = Case(self.open, result, output="%s\n%s" % (why, words_of("\n".join(self.lines))))
        self.open = None
        return [case]


def parse(text):
    """All Cases of a whole log."""
    reader = Reader()
    return reader.feed(text + "\n") + reader.cut_off("its log has no end")
