# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt test: every suite in order, one sum at the end.

One result is one thing that a person would call a test. What is recorded not to pass counts as known, never as passed
or skipped; a skip, a test or a program that nobody expects to be missing is a failure (skips.py, declared.py).
"""
import collections
import datetime
import shutil
import sys
import time

from ..lib import expectations, paths, tally, ui
from ..conformance import corpus, corpus_driver, piglit, profile_rules
from ..reports import recorded
from . import arm64_tests, declared, fuzz_tests, gpu_tests, i386_tests, lax, package_tests, programs, readme, skips, style, venus_tests

FOLDER, gl_program = programs.FOLDER, programs.gl_program
# The two ways to hand descriptors to Vulkan, and to obey a render condition (by the device, by the CPU). The layer
# follows synchronisation through descriptor sets only, so the run that uses sets checks it. Under validation no sets
# are pushed (docs/debugging.md), so the GL tests run once more without validation, and without stencil export, as on
# NVIDIA's drivers.
BACKENDS = (("descriptor buffers", [], False),
            ("portable descriptors, synchronisation checked", ["descriptor_buffer", "conditional_rendering"], True))
# The GL tests of samples beside a texture run both ways: with the samples inside passes, and, in the run that checks
# synchronisation, with the samples in images.
IMAGES_OF_SAMPLES = ["multisampled_render_to_single_sampled"]
PUSHED = ("pushed descriptors, no validation, no stencil export", ["descriptor_buffer", "shader_stencil_export"])
SHORT_SAMPLE = 80
SWIFTSHADER_SAMPLE = 20
CORPUS_SAMPLE = 400
GL33_PARTS = 5  # the whole takes half an hour on two cores
RULED_SAMPLE = 300  # tests of gl46, which take a minute
CORPUS_PART = 10  # divides the whole corpus if nothing that it depends on changed
MOST_FAILURES = 40

# NAME may be given to --suite. MORE: why the suite runs only with --all; if empty, it runs for each change.
Suite = collections.namedtuple("Suite", "name text seconds function more")


def corpus_suite(args):
    count = 10 * SHORT_SAMPLE
    if not args.quick:
        why = "--all asks for it" if args.all else corpus.whole_is_due()
        count = 0 if why else len(corpus.files()) // CORPUS_PART
        ui.note("      the whole: %s" % why if why else "      a sample: the whole was clean in just this state")
    return corpus.run(args.jobs, count)


def corpus_driver_suite(args):
    return corpus_driver.run(SHORT_SAMPLE if args.quick else 0 if args.all else CORPUS_SAMPLE, args.jobs)


def piglit_result(label, outcomes, expected):
    """A Tally of OUTCOMES against what is EXPECTED of them; validation messages fail, each kind once."""
    good, known, surprises = expectations.compare(outcomes, expected)
    skipped = sum(o.result == "skip" for o in known)
    result = tally.Tally(len(good), len(surprises), skipped,
                         ["%s: %s: %s (expected %s)" % (label, o.name, o.result, w) for o, w in surprises],
                         known=len(known) - skipped)
    for outcome, wanted in expectations.unexplained(known, expected):
        result.fail("%s: %s: %s, without a reason in the expectations" % (label, outcome.name, wanted))
    for identifier in sorted({v for o in outcomes for v in o.validation}):
        first = next(o.name for o in outcomes if identifier in o.validation)
        result.fail("%s: validation: %s (first in %s)" % (label, identifier, first))
    return result


def smoke_suite(disable, sync=False, vulkan="lavapipe"):
    """piglit's smoke profile with the validation layer on, against its expectations; SwiftShader runs a sample without
    --all."""
    def suite(args):
        _, names = piglit.names_of("smoke")
        sample = SWIFTSHADER_SAMPLE if vulkan == "swiftshader" and not args.all else SHORT_SAMPLE if args.quick else 0
        if sample:
            names = names[:: max(1, len(names) // sample)]
        env = piglit.test_environment("kobalt", vulkan, disable, vulkan == "lavapipe", [], sync)
        label = piglit.result_name("smoke-quick" if sample else "smoke", "kobalt", vulkan, disable)
        outcomes = piglit.run(names, label, env, args.jobs, 60.0 if vulkan == "lavapipe" else 240.0)
        return piglit_result(label, outcomes, expectations.read(expectations.expected_path("smoke", vulkan)))
    return suite


def gl33_suite(args):
    """piglit's class OpenGL 3.3 against its expectations: a part of it, another one each day; with --all the whole."""
    _, names = piglit.names_of("gl33")
    label, about = "gl33", {}
    if not args.all:
        part = profile_rules.part_of_day(names, GL33_PARTS, datetime.date.today())
        label, about = "gl33-part", {"sample": "%d of %d tests" % (len(part), len(names))}
        names = part
        ui.note("      %s" % about["sample"])
    # ext_texture_swizzle-swizzle has lavapipe compile for minutes where its cache is cold.
    outcomes = piglit.run(names, label, piglit.test_environment("kobalt", "lavapipe", [], False, []), args.jobs, 420.0, about=about)
    return piglit_result("gl33", outcomes, expectations.read(expectations.expected_path("gl33")))


def ruled_suite(profile):
    """A sample of a profile that takes hours, other tests each day; with --all the whole of it."""
    def suite(args):
        _, names = piglit.names_of(profile)
        label, about = profile, {}
        if not args.all:
            seed = time.strftime("%Y-%m-%d", time.gmtime())
            label, about = profile + "-sample", {"sample": "%d of %d tests, --seed %s" % (min(RULED_SAMPLE, len(names)), len(names), seed)}
            names = profile_rules.sample(names, RULED_SAMPLE, seed)
            ui.note("      %s" % about["sample"])
        outcomes = piglit.run(names, label, piglit.test_environment("kobalt", "lavapipe", [], False, []), args.jobs, 420.0, about=about)
        return piglit_result(label, outcomes, expectations.read(expectations.expected_path(profile)))
    return suite


def apps_suite(args):
    """Real programs in windows: one result, since ./kobalt apps names what failed by itself."""
    from ..setup import setup
    from ..workloads import apps
    setup.ensure(setup.APPS)
    setup.ensure_peers()
    code = apps.write()
    return tally.Tally(passed=not code, failed=bool(code), notes=["a program failed: see docs/apps.md"] if code else [])


def all_suites(args):
    """The suites in the order they run: the quickest to fail come first."""
    quick = args.quick
    backends = BACKENDS[:1] if quick else BACKENDS
    suites = [Suite("format", "clang-format changes no file", 5, style.format_suite, ""),
              Suite("launcher", "the launcher's own tests", 10, programs.launcher, ""),
              Suite("unit", "unit tests", 90, programs.unit, "")]
    # The first run has the tests of Mesa's front end, which don't depend on what the others change.
    suites += [Suite("gl", "GL tests, " + text, 60, programs.gl(disable + IMAGES_OF_SAMPLES * sync, sync=sync, front=not i), "")
               for i, (text, disable, sync) in enumerate(backends)]
    if not quick:
        suites.append(Suite("gl", "GL tests, " + PUSHED[0], 60, programs.gl(PUSHED[1], validation=False, front=False), ""))
    suites.append(Suite("lax", "what stock zink and llvmpipe accept as well", 10, lax.suite, ""))
    suites.append(Suite("corpus", "SPIR-V corpus", 10 if quick else 210, corpus_suite, ""))
    suites.append(Suite("corpus", "piglit's shader tests through the driver", 30, corpus_driver_suite, ""))
    suites.append(Suite("readme", "every command of README.md, docs/servers.md and docs/remote.md", 100 if quick else 280, readme.suite, ""))
    suites += [Suite("smoke", "piglit smoke with validation, " + text, 60 if quick else 90, smoke_suite(disable, sync), "")
               for text, disable, sync in backends]
    if not quick:
        suites.append(Suite("gl33", "piglit, class OpenGL 3.3%s" % ("" if args.all else ", a part"), 1500 if args.all else 300, gl33_suite, ""))
        # A run of the whole records what to expect (./kobalt piglit gl46 --record); before that there is nothing to compare with.
        suites += [Suite(profile, "piglit, profile %s%s" % (profile, "" if args.all else ", a sample"), 3600 if args.all else 150,
                         ruled_suite(profile), "") for profile in ("gl46", "gles32") if expectations.expected_path(profile).exists()]
        suites.append(Suite("gpus", "recordings on GPUs without the hardware", 1200 if args.all else 480, gpu_tests.suite, ""))
        suites.append(Suite("bundle", "the bundle's own test", 120, programs.bundled, ""))
        # Shows that Kobalt starts and draws on SwiftShader. Some of the tests take minutes, hence the sample.
        suites.append(Suite("swiftshader", "piglit smoke on SwiftShader" + ("" if args.all else ", a sample"), 900 if args.all else 30,
                            smoke_suite([], vulkan="swiftshader"), ""))
    suites += [
        Suite("tidy", "clang-tidy", 600, style.tidy_suite, "needs the package clang-tidy-16, 800 MB with its LLVM"),
        Suite("sanitizers", "the whole driver under AddressSanitizer", 1200, programs.sanitizer("address"),
              "a build of its own, ten minutes the first time"),
        Suite("sanitizers", "the whole driver under ThreadSanitizer", 1200, programs.sanitizer("thread"),
              "a build of its own, ten minutes the first time"),
        Suite("i386", "the build for 32-bit programs", 900, i386_tests.suite,
              "fetches i386 packages, 200 MB, and has a build of its own, a quarter of an hour the first time"),
        Suite("arm64", "the build for arm64, under qemu", 3000, arm64_tests.suite,
              "fetches arm64 packages and a compiler, 400 MB, and has a build of its own, half an hour the first time"),
        Suite("packages", "Debian's packages, built and installed", 600 if quick else 1200, package_tests.suite,
              "makes roots of Debian 12 and 13, 3 GB, and builds in them, a quarter of an hour each the first time"),
        Suite("venus", "Kobalt on Mesa's Vulkan over virtio-gpu", 600 if args.all else 150 if quick else 300, venus_tests.suite,
              "fetches a server and its libc, 70 MB"),
        Suite("fuzz", "fuzzers", 10800 if args.all else 120, fuzz_tests.suite, "finds faults that nobody has mended yet"),
        Suite("apps", "real programs in windows", 1200, apps_suite, "installs games and other programs, 2.3 GB"),
    ]
    return suites


def chosen(args):
    suites = all_suites(args)
    if args.gpu:
        return [s for s in suites if s.name == "gpus"]
    if not args.suite:
        return [s for s in suites if args.all or not s.more]
    unknown = set(args.suite) - {s.name for s in suites}
    if unknown:
        raise ui.Stop("there is no suite %s; ./kobalt test --list names them" % ", ".join(sorted(unknown)))
    return [s for s in suites if s.name in args.suite]


def run_suite(suite, args, allowed):
    """SUITE's Tally. A suite that raises an exception or has no result fails; the others still run."""
    try:
        result = suite.function(args)
        skips.check(suite.name, result, allowed, whole=not args.quick)
    except ui.Stop as stop:
        result = tally.Tally(failed=1, notes=["%s: %s" % (suite.name, stop)])
    except Exception as error:
        result = tally.Tally(failed=1, notes=["%s: %s: %s" % (suite.name, type(error).__name__, error)])
    if not result.results():
        result.fail("%s: no test ran" % suite.name)
    return result


def show(result, seconds):
    ui.note("      %s (%s)" % (result.full_line(), ui.spell(seconds)))
    for note in result.notes[:MOST_FAILURES]:
        ui.note("      FAILED %s" % note)
    if len(result.notes) > MOST_FAILURES:
        ui.note("      … and %d more" % (len(result.notes) - MOST_FAILURES))


def completeness(seen):
    """A Tally with one result: whether every test case of the sources ran in some suite."""
    missing = declared.missing_cases(seen)
    return tally.Tally(passed=not missing, failed=len(missing), notes=["did not run in any suite: " + name for name in missing])


def summary(report, total):
    """The lines in front of the last one: what each suite took, and what is known not to pass."""
    lines = ["%-52s %9.0f s  %s" % (s["text"], s["seconds"], tally.Tally(s["passed"], s["failed"], s["skipped"],
                                                                        known=s["known"]).full_line()) for s in report]
    lines.append("%-52s %9.0f s" % ("all suites", sum(s["seconds"] for s in report)))
    # Repeated here for readers who look only at the end of a long log.
    lines += ["FAILED %s" % note for note in total.notes[:MOST_FAILURES]]
    if total.known:
        lines.append("%d known not to pass: piglit-profiles/*-expected.txt and ./kobalt corpus say why" % total.known)
    return lines


def run(args):
    suites = chosen(args)
    if args.list:
        for suite in all_suites(args):
            ui.note("%-11s %s%s" % (suite.name, suite.text, " (with --all: %s)" % suite.more if suite.more else ""))
        return 0
    begun = recorded.state()
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / "cache", ignore_errors=True)
    allowed = skips.read()
    total, steps, report = tally.Tally(), ui.Steps(len(suites)), []

    def add(name, text, result, start):
        seconds = time.monotonic() - start
        show(result, seconds)
        report.append({"suite": name, "text": text, "passed": result.passed, "failed": result.failed,
                       "skipped": result.skipped, "known": result.known, "seconds": round(seconds, 1)})
        total.add(result)

    for suite in suites:
        steps.begin(suite.text, suite.seconds)
        start = time.monotonic()
        add(suite.name, suite.text, run_suite(suite, args, allowed), start)
    if not args.suite and not args.gpu and not args.quick:  # docs/status.md shows whole runs only
        add("complete", "every test of the sources has run", completeness(total.seen), time.monotonic())
        recorded.save(report, paths.OUT / "test.json", begun)
    for line in summary(report, total):
        ui.note(line)
    sys.stdout.flush()
    print(total.line(), flush=True)
    return 1 if total.failed else 0
