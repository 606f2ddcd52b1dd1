# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The profiles gl46, gles32 and full in docs/status.md: how many tests each driver passes, and what Kobalt is behind in."""
import collections

from ..lib import expectations, labels, witness
from ..conformance import peer_tables, piglit, piglit_tests, profile_rules
from ..workloads import bench

MISSING = "not measured"
UNKNOWN = expectations.UNKNOWN
# Runs on machines that not every developer has: docs/measured/MACHINE-PROFILE.tsv.
ELSEWHERE = "*-gl46.tsv"
# Capabilities through which the layer can't follow synchronisation (suites.BACKENDS, suites.IMAGES_OF_SAMPLES).
UNCHECKED = ("descriptor_buffer", "conditional_rendering", "multisampled_render_to_single_sampled")


def counted(found, peers):
    """The cells of a driver whose results are {test: result}: tests that pass, how many of those that a peer passes,
    the others of those, crashes and timeouts."""
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


def behind(profile, outcomes, table):
    """What a peer passes and Kobalt does not, by cause; "" where there is nothing."""
    peers, causes = piglit.read_peers(profile), expectations.read_causes(profile)
    found = collections.Counter(expectations.cause_of(o, causes) or UNKNOWN for o in outcomes
                                if o.result != "pass" and "pass" in peers.get(o.name, ()))
    return "\n" + table(["what a peer passes and Kobalt does not: the cause", "tests"], found.most_common()) if found else ""


def elsewhere(path, expected, table):
    """A run of gl46 without windows on another machine, against what is EXPECTED of lavapipe ({test: (result, reason)})."""
    head, outcomes = labels.read_head(path), piglit.read_results(path)
    causes = expectations.read_causes("gl46-nvidia")
    others = [(o, expected.get(o.name, ("pass", ""))[0]) for o in outcomes]
    others = [(o, wanted) for o, wanted in others if o.result != wanted]
    counts = collections.Counter(o.result for o in outcomes)
    text = ("gl46 without windows (`./kobalt piglit gl46 --no-window --vulkan auto`) on %s, %s: %d of %d tests were run; %s. "
            "%d (%.2f %%) go otherwise than on lavapipe without windows:\n\n"
            % (labels.on(head), labels.days(head), len(outcomes), len(piglit.names_of("gl46")[1]),
               ", ".join("%d %s" % (counts[r], r) for r in reversed(piglit_tests.ORDER) if counts[r]),
               len(others), 100.0 * len(others) / max(1, len(outcomes))))
    rows = [[o.name, wanted, o.result, expectations.cause_of(o, causes) or UNKNOWN] for o, wanted in others]
    return text + table(["test", "on lavapipe", "there", "cause"], rows)


def validated_name(profile):
    """The name of PROFILE's result under the validation layer, which follows synchronisation through sets and images
    alone."""
    return piglit.result_name(profile, "kobalt", "lavapipe", list(UNCHECKED)) + "-sync"


def said_by_cause(profile, outcomes, table):
    """What the validation layer said over OUTCOMES, by cause; "" where it said nothing."""
    causes = expectations.read_causes(profile + "-messages")
    messages, tests = collections.Counter(), collections.defaultdict(set)
    for outcome in outcomes:
        for said in outcome.validation:
            cause = expectations.cause_in("%s %s" % (said, outcome.name), causes) or UNKNOWN
            messages[cause] += 1
            tests[cause].add(outcome.name)
    rows = [[cause, len(tests[cause]), count] for cause, count in messages.most_common()]
    return table(["what the layer complains of", "tests", "messages"], rows) + "\n" if rows else ""


def validated(profile, results, head_of, table):
    """What the validation layer said over PROFILE, where it was seen to be on (`./kobalt piglit PROFILE --sync`)."""
    name = validated_name(profile)
    outcomes, head = results(name), head_of(name)
    if not outcomes or head.get("layer") != witness.SYNCHRONISED:
        return ""
    counts = collections.Counter(o.result for o in outcomes)
    return ("With the validation layer, synchronisation checked (`./kobalt piglit %s --sync --together %s`), %s: %d of %d "
            "tests were run, %s; %d messages.\n\n"
            % (profile, " ".join("--disable " + one for one in UNCHECKED), labels.days(head) or "at an unknown time",
               len(outcomes), len(piglit.names_of(profile)[1]),
               ", ".join("%d %s" % (counts[r], r) for r in reversed(piglit_tests.ORDER) if counts[r]),
               sum(len(o.validation) for o in outcomes))) + said_by_cause(profile, outcomes, table)


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
                      rows_of(profile, outcomes, head)) + behind(profile, outcomes, table) + "\n"
        text += validated(profile, results, head_of, table)
    expected = expectations.read(expectations.expected_path("gl46-windowless"))
    for path in sorted(bench.MEASURED.glob(ELSEWHERE)):
        text += elsewhere(path, expected, table) + "\n"
    return text.rstrip("\n") + "\n"
