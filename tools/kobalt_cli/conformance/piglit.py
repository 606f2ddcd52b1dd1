# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt piglit: runs a profile, keeps the results, compares with expectations and with the peers."""
import collections
import re
import time
from pathlib import Path

from ..lib import environment, expectations, labels, paths, ui, witness, xserver
from . import peer_tables, piglit_batches, piglit_run, piglit_tests, profile_rules
from .piglit_tests import group_of

FOLDER = paths.OUT / "piglit"


def names_of(profile):
    """(name, tests) of a profile: one of piglit-profiles/, a file, or one of piglit's own whole lists."""
    if profile in piglit_tests.LISTS:
        return profile, sorted(piglit_tests.load(profile))
    if profile == "full":
        return profile, sorted({name for one in piglit_tests.LISTS for name in piglit_tests.load(one)})
    path = Path(profile)
    if not (path.suffix and path.is_file()):
        path = expectations.profile_path(profile)
    if not path.is_file():
        known = sorted(["full", *(p.stem for p in paths.PROFILES.glob("*.txt")
                                  if not p.stem.endswith(("-expected", "-causes", "-groups")) and p.stem not in ("without-driver", "by-the-clock"))])
        raise ui.Stop("there is no profile %s; there are: %s" % (profile, ", ".join(known)))
    return path.stem, expectations.read_names(path)


def result_name(profile, driver, vulkan, disable):
    """The name of a run's result files: the profile and whatever differs from the usual."""
    parts = [profile]
    if driver != "kobalt":
        parts.append(driver)
    elif vulkan != "lavapipe":
        parts.append(vulkan)
    return "-".join(parts + ["no-" + cap for cap in disable])


def read_results(path):
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [piglit_run.parse_row(line) for line in lines if line.strip() and not line.startswith("#")]


def run(names, name, env, jobs, timeout_s, resume=False, label="piglit", driver="kobalt", about=None, together=False,
        platform=piglit_tests.PLATFORM, programs=None):
    """Runs the tests NAMES; results go to out/piglit/NAME.tsv as they come, after a head with the driver and the
    device. Stops if another driver than DRIVER draws in ENV; ABOUT has more entries for the head. TOGETHER: many shader
    tests share a process (piglit_batches.py). PLATFORM: piglit's, with windows or without. PROGRAMS: the folder of the
    test programs, unless they are piglit's own. Returns all Outcomes."""
    if driver == "kobalt":
        env = witness.announcing(env)
    if platform == piglit_tests.NO_WINDOW:
        env = dict(env, EGL_PLATFORM="surfaceless")
    with xserver.display_for(platform != piglit_tests.NO_WINDOW) as display:
        seen = {"layer": witness.needed(env)} if driver == "kobalt" else {}  # without it the results are "unseen"
        values = labels.head(driver, xserver.environment(display, env), **seen, **(about or {}))
    FOLDER.mkdir(parents=True, exist_ok=True)
    table, log = FOLDER / (name + ".tsv"), FOLDER / (name + ".log")
    if resume:
        values.update(labels.since(labels.read_head(table), values["day"]))
    head, kept = labels.write_head(values), {}
    if resume:
        wanted = set(names)
        kept = {o.name: o for o in read_results(table) if o.name in wanted}
    outcomes = list(kept.values())
    tests = piglit_tests.find([n for n in names if n not in kept], platform, programs)
    with open(table, "w", encoding="utf-8") as rows, \
            open(log, "a" if resume else "w", encoding="utf-8") as details:
        rows.write(head)
        rows.writelines(o.row() for o in outcomes)

        def done(outcome):
            outcomes.append(outcome)
            rows.write(outcome.row())
            rows.flush()
            if outcome.result not in ("pass", "skip") or outcome.validation:
                details.write("=== %s: %s\n%s\n" % (outcome.name, outcome.result, outcome.output))
                details.flush()
            outcome.output = ""

        if tests:
            batches, alone = piglit_batches.jobs(tests) if together else ((), tests)
            piglit_run.run_all(alone, env, jobs, timeout_s, done, label, batches, len(tests), platform)
    place = {n: i for i, n in enumerate(names)}
    outcomes.sort(key=lambda o: place[o.name])
    table.write_text(head + "".join(o.row() for o in outcomes), encoding="utf-8")
    return outcomes


def counts_text(outcomes):
    counts = collections.Counter(o.result for o in outcomes)
    return ", ".join("%d %s" % (counts[r], r) for r in reversed(piglit_tests.ORDER) if counts[r])


def peers_path(profile):
    return paths.PROFILES / (profile + "-peers.tsv")


def read_peers(profile):
    """{test: (zink, llvmpipe)} where the profile has a table of peers; those of profile_rules.NAMES share one."""
    path = peers_path("full" if profile in profile_rules.NAMES else profile)
    if not path.exists():
        return {}
    return peer_tables.read(path, names_of(profile)[1] if profile in profile_rules.NAMES else ())


def print_groups(outcomes, limit=25):
    """The groups with most tests that do not pass."""
    total, bad = collections.Counter(), collections.Counter()
    for outcome in outcomes:
        total[group_of(outcome.name)] += 1
        bad[group_of(outcome.name)] += outcome.result != "pass"
    for group, number in bad.most_common(limit):
        if number:
            ui.note("  %4d of %4d do not pass  %s" % (number, total[group], group))


def print_surprises(surprises, limit=60):
    for outcome, wanted in surprises[:limit]:
        ui.note("  %s: %s (expected %s)" % (outcome.name, outcome.result, wanted))
    if len(surprises) > limit:
        ui.note("  … and %d more" % (len(surprises) - limit))


def exit_under_validation():
    """Piglit calls GL in exit handlers, which the validation layer does not survive: see
    tests/support/validation_exit.c."""
    library = paths.BUILD / "tests/support/libkobalt-validation-exit.so"
    if not library.exists():
        return {}
    layer = paths.HOST / "usr/lib/chromium/libVkLayer_khronos_validation.so"
    return {"LD_PRELOAD": str(library), "KOBALT_VALIDATION_LIBRARY": str(layer)}


def test_environment(driver, vulkan, disable, validation, assignments, sync=False):
    """The environment of piglit's tests; SYNC: the validation layer checks synchronisation as well."""
    extra = {}
    if disable:
        extra["KOBALT_DISABLE"] = ",".join(disable)
    if validation or sync:
        extra.update(witness.validating(sync))
        extra.update(exit_under_validation())
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise ui.Stop("--env wants NAME=VALUE, not %s" % assignment)
        extra[key] = value
    return environment.for_driver(driver, vulkan, extra)


def platform_of(args):
    """The platform for piglit: with windows or without."""
    return piglit_tests.NO_WINDOW if args.no_window else piglit_tests.PLATFORM


def command(args):
    profile, names = names_of(args.profile)
    if args.stats and args.together:
        raise ui.Stop("--stats counts test by test, each in a process of its own: not with --together")
    if args.filter:
        names = [n for n in names if re.search(args.filter, n)]
        if not names:
            raise ui.Stop("no test of %s matches %s" % (profile, args.filter))
    about = {}
    if args.sample:
        seed = args.seed or time.strftime("%Y-%m-%d", time.gmtime())
        whole, names = len(names), profile_rules.sample(names, args.sample, seed)
        about["sample"] = "%d of %d tests, --seed %s" % (len(names), whole, seed)
        ui.note("a sample: " + about["sample"])
    if args.timeout is None:
        # On two slow cores lavapipe takes a minute to compile ext_texture_swizzle-swizzle, under zink as well.
        args.timeout = 240 if args.vulkan == "swiftshader" else 120
    if args.stats:
        from . import stats
        return stats.measure(profile, names, args)
    name = args.name or result_name(profile, args.driver, args.vulkan, args.disable)
    if args.filter and not args.name:
        name += "-filtered"
    if args.sample and not args.name:
        name += "-sample"
    if args.sync and not args.name:
        name += "-sync"
    if args.no_window and not args.name:
        name += "-windowless"
    env = test_environment(args.driver, args.vulkan, args.disable, args.validation, args.env, args.sync)
    ui.note("%s: %d tests, %d at once, on %s" % (name, len(names), args.jobs, args.driver))
    outcomes = run(names, name, env, args.jobs, args.timeout, args.resume, driver=args.driver, about=about,
                   together=args.together, platform=platform_of(args))
    path = expectations.expected_path(profile + ("-windowless" if args.no_window else ""), args.vulkan)
    expected = expectations.read(path)
    print_groups(outcomes)
    ui.note("%s; results in out/piglit/%s.tsv, output of what does not pass in out/piglit/%s.log"
            % (counts_text(outcomes), name, name))
    peers = read_peers(profile)
    for who, counts in (("zink", lambda pair: pair[0] == "pass"), ("zink or llvmpipe", lambda pair: "pass" in pair)):
        reached = [o for o in outcomes if counts(peers.get(o.name, ("", "")))]
        if reached:
            passing = sum(o.result == "pass" for o in reached)
            ui.note("of %d that %s passes, %d pass here: %.2f%%" % (len(reached), who, passing, 100.0 * passing / len(reached)))
    messages = collections.Counter(v for o in outcomes for v in o.validation)
    for identifier, number in messages.most_common():
        ui.note("  validation: %s × %d" % (identifier, number))
    if args.record:
        if args.filter or args.sample or args.driver != "kobalt":
            raise ui.Stop("--record wants the whole profile on Kobalt")
        expectations.write(path, profile, outcomes, expected)
        ui.note("expectations written to %s" % path.relative_to(paths.ROOT))
        return 0
    if args.driver != "kobalt":
        return 0
    good, known, surprises = expectations.compare(outcomes, expected)
    print_surprises(surprises)
    ui.note("%d as expected, %d known not to pass, %d surprises" % (len(good), len(known), len(surprises)))
    return 1 if surprises or messages else 0
