# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt cost: whether the frames of `./kobalt run --csv FILE` cost no more than a statement says."""
import csv

from ..lib import ui

KEYS = ("process", "seconds", "frame")
MOST_LINES = 5


def statement(words):
    """{counter as in the file: its limit} of words like draw-compiles=0 (hyphens or underscores, kobalt- or not)."""
    stated = {}
    for word in words:
        name, equals, most = word.partition("=")
        if not equals or not most.isdigit():
            raise ui.Stop("%r states no cost: write COUNTER=MOST, for example draw-compiles=0" % word)
        stated[name.removeprefix("kobalt-").replace("-", "_")] = int(most)
    return stated


def rows_of(path):
    """The lines of a file of counters."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ())[:len(KEYS)] != KEYS:
                raise ui.Stop("%s holds no counters: make it with ./kobalt run --csv %s -- PROGRAM" % (path, path))
            rows = list(reader)
    except (OSError, UnicodeDecodeError) as error:
        raise ui.Stop("%s can't be read (%s): make it with ./kobalt run --csv FILE -- PROGRAM" % (path, error)) from None
    if any(None in row or None in row.values() for row in rows):
        raise ui.Stop("%s has lines of another length than its head: it was cut off, or two versions wrote it" % path)
    return rows


def excesses(rows, stated, skip=0, whole=False):
    """(what was checked, one line for each cost that is too high). Each frame is checked by itself, without the first
    SKIP of each process; with WHOLE the sum over each process is checked."""
    known = set(rows[0]) if rows else set()
    for name in stated:
        if rows and name not in known:
            raise ui.Stop("there is no counter %s in the file; there are %s" % (name, ", ".join(sorted(known - set(KEYS)))))
    if whole:
        sums = {}
        for row in rows:
            of = sums.setdefault(row["process"], dict.fromkeys(stated, 0))
            for name in stated:
                of[name] += int(row[name])
        looked = [("process " + process, spent) for process, spent in sums.items()]
    else:
        seen, looked = {}, []
        for row in rows:
            if row["frame"]:
                seen[row["process"]] = seen.get(row["process"], 0) + 1
                if seen[row["process"]] > skip:
                    looked.append(("frame " + row["frame"], {name: int(row[name]) for name in stated}))
    return looked, ["%s: %s is %d, stated is at most %d" % (where, name, spent[name], most)
                    for where, spent in looked for name, most in stated.items() if spent[name] > most]


def command(args):
    stated = statement(args.statement)
    looked, wrong = excesses(rows_of(args.file), stated, args.skip, args.whole)
    what = "processes" if args.whole else "frames"
    if not looked:
        raise ui.Stop("%s has no %s to look at%s" % (args.file, what, "" if args.whole else
                      " behind the first %d (a program that shows none is judged with --whole)" % args.skip))
    for line in wrong[:MOST_LINES]:
        print(line)
    if len(wrong) > MOST_LINES:
        print("… and %d more" % (len(wrong) - MOST_LINES))
    print("%d %s, %d costs above what was stated" % (len(looked), what, len(wrong)))
    return 1 if wrong else 0
