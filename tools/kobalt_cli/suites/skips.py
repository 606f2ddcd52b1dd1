# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The tests that may be skipped, each with its reason: tests/expected-skips.tsv. Any other skip is a failure."""
from ..lib import paths

TABLE = paths.ROOT / "tests/expected-skips.tsv"
ALWAYS, SOMETIMES = "always", "sometimes"


def read(path=TABLE):
    """{(suite, test): (ALWAYS or SOMETIMES, reason)}."""
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            suites, test, when, reason = line.split("\t")
            if when not in (ALWAYS, SOMETIMES) or not reason.strip():
                raise ValueError("%s: %s is skipped %s: %s" % (path.name, test, when, reason))
            for suite in suites.split():
                table[suite, test] = (when, reason)
    return table


def check(suite, result, table, whole=True):
    """Adds a failure to the Tally RESULT for each skip that TABLE does not allow, and, where the WHOLE suite ran, for
    each test that TABLE says is always skipped and that was not skipped. A suite that is not possible here ran nothing."""
    whole = whole and result.results() > result.skipped
    for name in result.skips:
        if (suite, name) not in table:
            result.fail("%s: %s is skipped: tests/expected-skips.tsv has no reason for it" % (suite, name))
    for (owner, name), (when, _) in table.items():
        if whole and owner == suite and when == ALWAYS and name not in result.skips:
            result.fail("%s: %s is no longer skipped: take it out of tests/expected-skips.tsv" % (suite, name))
