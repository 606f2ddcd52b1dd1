# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The table of environment variables in docs/debugging.md: the driver has it, and `kobalt-info --variables` prints it."""
import re
import subprocess

from ..lib import paths, ui

DOCUMENT = paths.ROOT / "docs/debugging.md"
# The table, and the line below it.
TABLE = re.compile(r"^\| variable \| value \|.*?\n\n.*?\n", re.MULTILINE | re.DOTALL)


def with_table(text, table):
    """The document TEXT with TABLE in the place of the one that it has."""
    if not TABLE.search(text):
        raise ui.Stop("%s has no table of variables" % DOCUMENT.relative_to(paths.ROOT))
    return TABLE.sub(lambda _: table, text, count=1)


def command(write):
    """Prints the table that the built driver has, or writes it into the document."""
    table = subprocess.run([str(paths.PREFIX / "bin/kobalt-info"), "--variables"], stdout=subprocess.PIPE, text=True,
                           encoding="utf-8", check=True).stdout
    if not write:
        print(table, end="")
        return 0
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0
