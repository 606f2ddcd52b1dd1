# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The peers' recorded results, piglit-profiles/NAME-peers.tsv: a test, zink's result, llvmpipe's.

Where nearly all tests have the same pair, it stands in the head as `others` and these tests are not listed.
"""
import collections

from ..lib import expectations, labels

PEERS = ("zink", "llvmpipe")
NOT_RUN = "notrun"


def write(path, table, heads):
    """Writes {test: (zink, llvmpipe)}; the pair that most tests have stands in the head alone, as `others`."""
    others = collections.Counter(table.values()).most_common(1)[0][0] if table else ("pass", "pass")
    head = {driver: heads[driver].get("version", labels.UNKNOWN_VERSION) for driver in PEERS}
    for key in ("device", "machine", "day"):
        value = next((heads[driver][key] for driver in PEERS if key in heads[driver]), None)
        if value:
            head[key] = value
    head["others"] = " ".join(others)
    path.write_text("# Results of stock Mesa: test, zink, llvmpipe; `others` are those of the tests that are not listed, notrun: not run yet.\n"
                    "# Made by ./kobalt profile gl46, gles32 or full\n" + labels.write_head(head)
                    + "".join("%s\t%s\t%s\n" % (name, *pair) for name, pair in sorted(table.items()) if pair != others), encoding="utf-8")


def read(path, names=()):
    """{test: (zink, llvmpipe)} of a file; where it has `others`, of the tests NAMES."""
    others = tuple(labels.read_head(path).get("others", "").split())
    listed = {}
    for line in expectations.read_names(path):
        name, zink, llvmpipe = line.split("\t")
        listed[name] = (zink, llvmpipe)
    return {name: listed.get(name, others) for name in names} if others else listed
