# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The profiles gl46, gles32 and full in docs/status.md: how many tests each driver passes, and what Kobalt is behind in."""
from . import labels, peer_tables, piglit, profile_rules

MISSING = "not measured"


def counted(found, peers):
    """The cells of a driver whose results are {test: result}: passing, of what a peer passes, failures there, crashes and timeouts."""
    reached = [found[name] for name, pair in peers.items() if "pass" in pair and name in found]
    passing = sum(result == "pass" for result in reached)
    return [sum(result == "pass" for result in found.values()), "%d of %d" % (passing, len(reached)), len(reached) - passing,
            sum(result in ("crash", "timeout") for result in found.values())]


def rows_of(profile, outcomes, head):
    """Kobalt's row, and the peers', over the same tests."""
    peers = piglit.read_peers(profile)
    own = {o.name: o.result for o in outcomes}
    rows = [["Kobalt", head.get("version", labels.UNKNOWN_VERSION), *counted(own, peers)]]
    for place, driver in enumerate(peer_tables.PEERS):
        found = {name: pair[place] for name, pair in peers.items() if name in own and pair[place] != peer_tables.NOT_RUN}
        rows.append([driver, "%d of %d tests run" % (len(found), len(own)), *counted(found, peers)])
    return rows


def section(results, head_of, table):
    """RESULTS and HEAD_OF give the outcomes and the head of a run by its name; TABLE makes a table of rows."""
    text = ("## piglit up to OpenGL 4.6 and ES 3.2\n\nThe profiles gl46, gles32 and full (`./kobalt piglit gl46`; "
            "`./kobalt profile gl46` makes the lists). A peer's row counts only tests that it was run on.\n\n")
    for profile in profile_rules.NAMES:
        outcomes = results(profile)
        if not outcomes:
            text += "%s: %s\n\n" % (profile, MISSING)
            continue
        head = head_of(profile)
        text += "%s, %d tests on %s, %s\n\n" % (profile, len(outcomes), labels.on(head), labels.days(head) or "at an unknown time")
        text += table(["driver", "version", "pass", "of those that zink or llvmpipe passes", "of these not", "crashes, timeouts"],
                      rows_of(profile, outcomes, head)) + "\n"
    return text.rstrip("\n") + "\n"
