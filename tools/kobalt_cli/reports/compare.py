# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt compare: what differs between two runs of piglit or dEQP, as text or as one page that needs nothing else."""
import collections
import re
from pathlib import Path

from ..lib import labels, paths, ui
from ..conformance import deqp, peer_tables, piglit, piglit_tests, profile_rules
from . import compare_page, status

SECTION = re.compile(r"^=== (.*): (\w+)$")
KEPT_LINES = 12  # of a test's output
# Results that count as good, when two are compared: piglit's and dEQP's warnings are no failures.
GOOD = ("pass", "warn")
WORSE, BETTER, OTHER, GONE, NEW = "worse", "better", "other", "only in A", "only in B"
KINDS = (WORSE, BETTER, OTHER, GONE, NEW)
MOST_LINES = 200  # changes that --text lists of each kind


class Run:
    """One side: what it is called, its HEAD, RESULTS {test: result}, and the logs that hold output."""

    def __init__(self, name, head, results, logs):
        self.name, self.head, self.results, self.logs = name, head, results, logs

    def about(self):
        parts = [self.head.get(key) for key in ("renderer", "version", "device", "machine", "day")]
        return ", ".join(dict.fromkeys(part for part in parts if part)) or labels.UNKNOWN

    def outputs(self, wanted):
        """{test: the first lines it said} of the tests WANTED, as far as the logs have them."""
        found = {}
        for log in self.logs:
            if not log.exists():
                continue
            name, lines = None, []
            with open(log, encoding="utf-8", errors="replace") as file:
                for line in file:
                    section = SECTION.match(line.rstrip("\n"))
                    if section:
                        name, lines = (section[1] if section[1] in wanted else None), []
                        if name:
                            found[name] = lines
                    elif name and len(lines) < KEPT_LINES and line.strip():
                        lines.append(line.rstrip()[:300])
        return {name: "\n".join(lines) for name, lines in found.items()}


def table_of(path):
    """{test: result} of one results file."""
    return {o.name: o.result for o in piglit.read_results(path)}


def from_files(name, files):
    """A Run of one results file or of several; a test that is in more than one has the worst of its results."""
    results = {}
    for path in files:
        for test, result in table_of(path).items():
            results[test] = piglit_tests.worst((results[test], result)) if test in results else result
    return Run(name, labels.read_head(files[0]), results, [path.with_suffix(".log") for path in files])


def from_peers(word):
    """A Run of PROFILE@zink or PROFILE@llvmpipe: the peers' recorded results; None where WORD is none of these."""
    profile, _, driver = word.partition("@")
    found = piglit.read_peers(profile) if driver in peer_tables.PEERS else {}
    if not found:
        return None
    place = peer_tables.PEERS.index(driver)
    head = labels.read_head(piglit.peers_path("full" if profile in profile_rules.NAMES else profile))
    return Run(word, {"renderer": driver, "version": head.get(driver), "device": head.get("device"), "machine": head.get("machine"), "day": head.get("day")},
               {name: pair[place] for name, pair in found.items() if pair[place] != peer_tables.NOT_RUN}, [])


def files_of(word):
    """The results files that WORD stands for: a file, all of a folder, or a run's name in out/ (or its tracked copy)."""
    path = Path(word)
    if path.is_dir():
        return sorted(path.glob("*.tsv"))
    if path.is_file():
        return [path]
    for candidate in (piglit.FOLDER / (word + ".tsv"), deqp.FOLDER / (word + ".tsv"), status.KEPT / "piglit" / (word + ".tsv")):
        if candidate.is_file():
            return [candidate]
    return []


def load(first, second):
    """The two Runs. Two folders are compared by the tables that both have; a folder and a file, by the table with the
    file's name."""
    words, runs = (first, second), [from_peers(first), from_peers(second)]
    files = [[] if run else files_of(word) for run, word in zip(runs, words)]
    for run, word, found in zip(runs, words, files):
        if not run and not found:
            raise ui.Stop("%s is no run: name a results file, a folder of them, a run in out/piglit or out/deqp, or "
                          "PROFILE@zink or PROFILE@llvmpipe for the peers' recorded results" % word)
    if all(files) and any(Path(word).is_dir() for word in words):
        common = {p.name for p in files[0]} & {p.name for p in files[1]}
        if not common:
            raise ui.Stop("%s and %s have no results file of the same name: name two files" % words)
        files = [[p for p in found if p.name in common] for found in files]
    return [run or from_files(word, found) for run, word, found in zip(runs, words, files)]


Change = collections.namedtuple("Change", "name group kind a b")


def kind_of(a, b):
    """The kind of a test's change from result A to result B, each a result or None; None if nothing changed."""
    if a == b:
        return None
    if a is None or b is None:
        return NEW if a is None else GONE
    if (a in GOOD) != (b in GOOD):
        return BETTER if b in GOOD else WORSE
    # From a failure to a crash is worse, from a failure to a skip is not.
    bad = ("fail", "unseen", "timeout", "crash")
    if a in bad and b in bad and {a, b} & {"timeout", "crash"}:
        return WORSE if piglit_tests.ORDER.index(b) > piglit_tests.ORDER.index(a) else BETTER
    return OTHER


class Difference:
    """What differs between the Runs A and B: CHANGES by name, and COUNTS {group: {"a": Counter, "b": Counter}} of all tests."""

    def __init__(self, a, b, pattern=None):
        wanted = re.compile(pattern) if pattern else None
        self.a, self.b, self.changes, self.counts = a, b, [], {}
        for name in sorted(set(a.results) | set(b.results)):
            if wanted and not wanted.search(name):
                continue
            group = piglit_tests.group_of(name)
            pair = a.results.get(name), b.results.get(name)
            sides = self.counts.setdefault(group, (collections.Counter(), collections.Counter()))
            for side, result in zip(sides, pair):
                side.update([result] if result else [])
            kind = kind_of(*pair)
            if kind:
                self.changes.append(Change(name, group, kind, *(result or "—" for result in pair)))

    def total(self):
        """(Counter of A, Counter of B) over all groups."""
        sums = collections.Counter(), collections.Counter()
        for sides in self.counts.values():
            for total, side in zip(sums, sides):
                total.update(side)
        return sums

    def kinds(self):
        return collections.Counter(change.kind for change in self.changes)

    def groups(self):
        """[(group, A's Counter, B's Counter, Counter of kinds)] of the groups that differ, those with most changes first."""
        kinds = {}
        for change in self.changes:
            kinds.setdefault(change.group, collections.Counter())[change.kind] += 1
        return [(group, *self.counts[group], of) for group, of in sorted(kinds.items(), key=lambda item: (-sum(item[1].values()), item[0]))]

    def outputs(self):
        """({test: A's first lines}, {test: B's}) of what changed."""
        names = {change.name for change in self.changes}
        return self.a.outputs(names), self.b.outputs(names)


def counts_text(counter):
    return ", ".join("%d %s" % (counter[r], r) for r in reversed(piglit_tests.ORDER) if counter[r]) or "nothing"


def text(difference):
    """The lines of --text."""
    sums, kinds = difference.total(), difference.kinds()
    lines = ["%s: %s (%s)\n   %s" % (side, run.name, run.about(), counts_text(total))
             for side, run, total in zip("AB", (difference.a, difference.b), sums)]
    lines.append("%d of %d tests differ: %s" % (len(difference.changes), sum(1 for _ in set(difference.a.results) | set(difference.b.results)),
                                               ", ".join("%d %s" % (kinds[k], k) for k in KINDS if kinds[k]) or "none"))
    lines += ["  %5d %s (A passes %d of %d, B %d of %d)" % (sum(of.values()), group, sum(a[r] for r in GOOD), sum(a.values()),
                                                          sum(b[r] for r in GOOD), sum(b.values()))
              for group, a, b, of in difference.groups()[:40]]
    for kind in KINDS:
        of = [change for change in difference.changes if change.kind == kind]
        if of:
            lines.append("%s:" % kind)
            lines += ["  %s: %s -> %s" % (change.name, change.a, change.b) for change in of[:MOST_LINES]]
            lines += ["  … and %d more" % (len(of) - MOST_LINES)] if len(of) > MOST_LINES else []
    return lines


def command(args):
    difference = Difference(*load(args.a, args.b), args.filter)
    if args.text:
        for line in text(difference):
            ui.note(line)
        return 0
    path = Path(args.out)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(compare_page.page(difference), encoding="utf-8")
    except OSError as error:
        raise ui.Stop("no page can be written to %s (%s): name another file with --out" % (path, error.strerror)) from None
    kinds = difference.kinds()
    ui.note("%s: %s" % (path if not path.is_relative_to(paths.ROOT) else path.relative_to(paths.ROOT),
                        ", ".join("%d %s" % (kinds[k], k) for k in KINDS if kinds[k]) or "no test differs"))
    return 0
