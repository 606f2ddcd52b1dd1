# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt profile: makes the lists of piglit-profiles/ anew.

gl33 and gl33-peers.tsv come from runs of stock zink and llvmpipe over the whole of piglit's quick_gl, which take about
an hour on two cores; an interrupted one goes on where it stopped. smoke follows from these and from gl33's times on
Kobalt, within seconds. gl46, gles32 and full come from the same and from quick_shader (profile_rules.py says which
tests they take), where the peers take hours: these may be run in parts, or imported (profile_peers.py).
"""
import math

from ..lib import environment, expectations, labels, paths, ui
from ..conformance import corpus_driver, peer_tables, piglit, piglit_tests, profile_peers, profile_rules
from . import status

LATER = paths.PROFILES / "later-groups.txt"
PEERS = ("zink", "llvmpipe")
TIMEOUT_S = 60.0
# The smoke profile: of each group of gl33 one test in SHARE, and some shader tests.
SHARE = 14
SLOW_S = 1.0  # on Kobalt, two tests at once: slower tests are left to gl33
SHADER_TESTS = 50
GL33_HEAD = "# Every test of piglit quick_gl that needs no more than OpenGL 3.3 and passes on stock zink (gl33-peers.tsv).\n"
SMOKE_HEAD = ("# A few hundred fast piglit tests that touch every feature of OpenGL 3.3. First one in %d of each group of gl33,\n"
              "# those that pass on stock zink and llvmpipe and within %g s on Kobalt, then shader tests of quick_shader.\n"
              % (SHARE, SLOW_S))
MADE = "# Made by ./kobalt profile %s\n"


def in_class(name, later):
    return piglit_tests.group_of(name) not in later


def class_33(zink, llvmpipe, later):
    """{test: (zink's result, llvmpipe's)} of the class OpenGL 3.3: the tests that ZINK passes, outside of the groups
    LATER."""
    return {name: (result, llvmpipe[name]) for name, result in sorted(zink.items())
            if result == "pass" and in_class(name, later)}


def peer_results(driver, jobs):
    """({test: result}, head) of DRIVER over quick_gl; only what out/piglit lacks of it is run."""
    names = sorted(piglit_tests.load("quick_gl"))
    label = piglit.result_name("quick_gl", driver, "lavapipe", [])
    path = piglit.FOLDER / (label + ".tsv")
    if {o.name for o in piglit.read_results(path)} != set(names):
        piglit.run(names, label, environment.peer(driver), jobs, TIMEOUT_S, resume=True, label=label, driver=driver)
    return {o.name: o.result for o in piglit.read_results(path)}, labels.read_head(path)


def make_gl33(jobs):
    (zink, zink_head), (llvmpipe, llvmpipe_head) = (peer_results(driver, jobs) for driver in PEERS)
    chosen = class_33(zink, llvmpipe, set(expectations.read_names(LATER)))
    expectations.profile_path("gl33").write_text(GL33_HEAD + MADE % "gl33" + "".join(n + "\n" for n in chosen), encoding="utf-8")
    head = {"zink": zink_head["version"], "llvmpipe": llvmpipe_head["version"], "device": zink_head.get("device", labels.UNKNOWN),
            "machine": zink_head["machine"], "day": zink_head["day"]}
    piglit.peers_path("gl33").write_text(
        "# Results of stock Mesa: test, zink, llvmpipe.\n" + MADE % "gl33" + labels.write_head(head)
        + "".join("%s\t%s\t%s\n" % (name, *pair) for name, pair in chosen.items()), encoding="utf-8")
    return chosen


def spread(names, count):
    """COUNT of NAMES, evenly over the sorted list, the first among them."""
    names = sorted(names)
    return [names[i * len(names) // count] for i in range(min(count, len(names)))]


def smoke_programs(peers, seconds):
    """One in SHARE of each group of {test: (zink, llvmpipe)}, at least one: those that both pass, and that took at most
    SLOW_S of {test: SECONDS}."""
    groups = {}
    for name, pair in peers.items():
        if pair == ("pass", "pass") and seconds.get(name, 0.0) <= SLOW_S:
            groups.setdefault(piglit_tests.group_of(name), []).append(name)
    return [name for _, names in sorted(groups.items()) for name in spread(names, math.ceil(len(names) / SHARE))]


def make_smoke():
    table = status.located("piglit", "gl33.tsv")
    if not table.exists():
        raise ui.Stop("the tests' times are missing: run ./kobalt piglit gl33 first")
    seconds = {o.name: o.seconds for o in piglit.read_results(table)}
    chosen = smoke_programs(piglit.read_peers("gl33"), seconds)
    chosen += [t.name for t in corpus_driver.sample_of(corpus_driver.candidates(), SHADER_TESTS)]
    expectations.profile_path("smoke").write_text(SMOKE_HEAD + MADE % "smoke" + "".join(n + "\n" for n in chosen), encoding="utf-8")
    return chosen


HEADS = {
    "gl46": "# piglit up to OpenGL 4.6: all of quick_gl, and what quick_shader has for GLSL 4.00 and later, without the tests\n"
            "# that both stock zink and llvmpipe were tried on and neither passes (full-peers.tsv).\n",
    "gles32": "# piglit's tests of OpenGL ES, of quick_gl and quick_shader, without the tests that both stock zink and llvmpipe were\n"
              "# tried on and neither passes (full-peers.tsv).\n",
}


def show_missing(table):
    """Prints how many tests lack a peer's result; True if any does."""
    lacking = {driver: len(profile_peers.missing(table, place)) for place, driver in enumerate(PEERS)}
    for driver, number in lacking.items():
        if number:
            ui.note("%s has no result of %d of %d tests yet: ./kobalt profile runs them, --part I/N a part of them" % (driver, number, len(table)))
    return any(lacking.values())


def make_ruled(args):
    """Runs or imports what is asked for of args.name, then writes all that follows: the peers' results of both lists, and the
    profiles that they decide on."""
    lists = {source: piglit_tests.load(source) for source in piglit_tests.LISTS}
    for path in args.take or []:
        profile_peers.import_file(path, lists)
    whole, wanted = (profile_rules.selected(name, lists) for name in ("full", args.name))
    table, heads = profile_peers.pairs(whole)
    if not (args.no_run or args.take):
        profile_peers.run_missing(wanted, table, args.driver or PEERS, args.jobs, profile_peers.parse_part(args.part) if args.part else None)
        table, heads = profile_peers.pairs(whole)
    show_missing({name: table[name] for name in wanted})
    peer_tables.write(piglit.peers_path("full"), table, heads)
    for name in HEADS:
        chosen = profile_rules.members(name, profile_rules.selected(name, lists), table)
        expectations.profile_path(name).write_text(HEADS[name] + MADE % name + "".join(n + "\n" for n in chosen), encoding="utf-8")
    return profile_rules.members(args.name, wanted, table)


def command(args):
    if args.name in profile_rules.NAMES:
        chosen = make_ruled(args)
    elif args.part or args.take or args.no_run or args.driver:
        raise ui.Stop("--part, --import, --driver and --no-run are for the profiles %s" % ", ".join(profile_rules.NAMES))
    else:
        chosen = make_gl33(args.jobs) if args.name == "gl33" else make_smoke()
    where = "piglit-profiles/%s.txt" % args.name if expectations.profile_path(args.name).exists() else "the profile " + args.name
    ui.note("%d tests are in %s" % (len(chosen), where))
    return 0
