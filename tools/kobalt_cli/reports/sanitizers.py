# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What tests/sanitize.py found, for docs/status.md."""
import json

# The kinds of tests/sanitize.py, which writes a file of {part: figures} for each.
TITLES = {"address": "AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer", "thread": "ThreadSanitizer"}
COLUMNS = ("reports", "passed", "failed", "skipped", "day")


def file_of(kind):
    return "sanitize-%s.json" % kind


FILES = [file_of(kind) for kind in TITLES]


def status_section(located, table, missing):
    """The section of docs/status.md; LOCATED finds a result's file, TABLE makes one, MISSING says that none was run."""
    rows = []
    for kind, title in TITLES.items():
        path = located(file_of(kind))
        parts = json.loads(path.read_text()) if path.exists() else {"all": {}}
        rows += [[title, part] + [figures.get(key, missing) for key in COLUMNS] for part, figures in parts.items()]
    return ("## Sanitizers\n\nAll of Kobalt instrumented, on lavapipe (`tests/sanitize.py address`, `tests/sanitize.py thread`).\n\n"
            + table(["sanitizer", "tests", *COLUMNS], rows))
