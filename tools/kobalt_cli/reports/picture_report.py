# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""How far the GL tests' pictures are from their references, for docs/status.md."""

# What the GL tests wrote in their last run with descriptor buffers (tests/gl/support/pictures.cpp), below out/.
FILE = "test/gl-pictures/pictures.tsv"


def status_section(located, measured_on, table, missing):
    """The section of docs/status.md; LOCATED finds a result's file, MEASURED_ON its day, TABLE makes a table, MISSING
    says that there is none."""
    path = located(FILE)
    about, columns, rows = missing, ["case"], []
    if path.exists():
        head, names, *lines = path.read_text(encoding="utf-8").splitlines()
        about = "Measured %s on %s" % (measured_on(path), head[2:])
        columns, rows = names[2:].split("\t"), [line.split("\t") for line in lines]
    return ("## Pictures of the GL tests\n\nHow much of the drawn pixels differs from llvmpipe's picture, and the limits of each "
            "kind of device. The tests want the empty picture to be off by at least three times the limit, and the pictures "
            "without one feature by more than the limit. Real programs' pictures, Blender's Eevee among them, are in "
            "[programs](apps.md).\n\n%s\n\n" % about + table(columns, rows))
