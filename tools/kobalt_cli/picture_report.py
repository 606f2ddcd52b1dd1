# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How far the GL tests' pictures are from their references, for docs/status.md."""

# What the GL tests wrote in their last run with descriptor buffers (tests/gl/pictures.cpp), below out/.
FILE = "test/gl-pictures/pictures.tsv"


def status_section(located, table, missing):
    """The section of docs/status.md; LOCATED finds a result's file, TABLE makes one, MISSING says that there is none."""
    path = located(FILE)
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    about, columns = (lines[0][0][2:], [lines[1][0][2:], *lines[1][1:]]) if lines else (missing, ["case"])
    return ("## Pictures of the GL tests\n\nHow much of the drawn pixels differs from llvmpipe's picture, for the limits of each "
            "kind of device; what the empty picture and those without a feature would differ by, which the tests want to be at "
            "least three times the limit. Real programs' pictures, Blender's Eevee among them, are in [programs](apps.md).\n\n"
            "%s\n\n" % about + table(columns, lines[2:]))
