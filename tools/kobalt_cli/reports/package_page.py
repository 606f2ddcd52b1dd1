# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The table of docs/packages.md: sizes, lintian's counts and times, as the suite `packages` has measured them."""
import re

from ..lib import paths, ui
from ..setup import debian_package

DOCUMENT = paths.ROOT / "docs/packages.md"
NUMBERS = debian_package.OUT / "numbers.tsv"
TABLE = re.compile(r"^\| measured \|.*\n(?:\|.*\n)+", re.MULTILINE)


def record(numbers, file=NUMBERS):
    """Writes what was measured, {release: [(what, value, unit)]}, beside what other releases have on record."""
    lines = file.read_text().splitlines() if file.exists() else []
    kept = [line for line in lines if line.partition("\t")[0] not in numbers]
    kept += ["%s\t%s\t%.4g\t%s" % (suite, *row) for suite, rows in numbers.items() for row in rows]
    file.write_text("".join(line + "\n" for line in sorted(kept, key=lambda line: line.partition("\t")[0])))


def table(lines):
    """The table of the record's LINES: a row for each thing that was measured, a column for each release."""
    cells, suites = {}, []
    for line in lines:
        suite, what, value, unit = line.split("\t")
        if suite not in suites:
            suites.append(suite)
        cells.setdefault(what, {})[suite] = ("%s %s" % (value, unit)).strip()
    rows = ["| %s | %s |\n" % (what, " | ".join(found.get(suite, "") for suite in suites)) for what, found in cells.items()]
    return "| measured | %s |\n|%s\n%s" % (" | ".join(suites), "---|" * (len(suites) + 1), "".join(rows))


def write():
    """Writes the table into the page."""
    if not NUMBERS.exists():
        raise ui.Stop("nothing is measured yet: run ./kobalt test --suite packages, as root")
    text = DOCUMENT.read_text(encoding="utf-8")
    if not TABLE.search(text):
        raise ui.Stop("%s has no table of what was measured" % DOCUMENT.relative_to(paths.ROOT))
    made = table(NUMBERS.read_text().splitlines())
    DOCUMENT.write_text(TABLE.sub(lambda _: made, text, count=1), encoding="utf-8")
    return 0
