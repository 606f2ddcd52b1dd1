# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Measured tables: a line that names the machine, then a line a row, with tabs."""


def write(path, machine, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("%s\n" % line for line in ["# " + machine, *("\t".join(map(str, row)) for row in rows)]),
                    encoding="utf-8")


def read(path, columns):
    """(machine, rows), of the lines that have so many COLUMNS."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return lines[0].removeprefix("# "), [line.split("\t") for line in lines[1:] if line.count("\t") == columns - 1]
