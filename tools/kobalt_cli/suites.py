# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt test: every suite in order, one sum at the end."""
import json
import re
import shutil
import subprocess
import sys
import time
import unittest

from . import build, corpus, corpus_driver, environment, expectations, paths, piglit, piglit_run, readme, tally, ui

FOLDER = paths.OUT / "test"
# The two ways to hand descriptors to Vulkan, and to obey a render condition (by the device, by the CPU).
# Under validation no sets are pushed (docs/debugging.md), so the GL tests run once more without it.
BACKENDS = (("descriptor buffers", []), ("portable descriptors", ["descriptor_buffer", "conditional_rendering"]))
PUSHED = ("pushed descriptors, no validation", ["descriptor_buffer"])
SHORT_SAMPLE = 80
CORPUS_SAMPLE = 400


def launcher_suite(args):
    """The launcher's own tests, in this process."""
    class Result(unittest.TextTestResult):
        pass

    with open(FOLDER / "launcher.log", "w", encoding="utf-8") as log:
        found = unittest.defaultTestLoader.discover(str(paths.ROOT / "tests/launcher"), pattern="test_*.py")
        result = unittest.TextTestRunner(log, verbosity=2, resultclass=Result).run(found)
    bad = [str(case) for case, _ in result.failures + result.errors]
    skipped = len(result.skipped)
    return tally.Tally(result.testsRun - len(bad) - skipped, len(bad), skipped, bad)


def meson_tests():
    """Names and suites of the project's own tests, as meson knows them."""
    meson = build.meson_command() or ["meson"]
    text = subprocess.run([*meson, "introspect", "--tests", str(paths.BUILD)], stdout=subprocess.PIPE, text=True,
                          env=paths.build_environment()).stdout
    return [t for t in json.loads(text or "[]") if any(s.partition(":")[0] == "kobalt" for s in t["suite"])]


def unit_suite(args):
    """What `meson test` runs, without the GL tests (they have a suite of their own, on both backends)."""
    names = [t["name"] for t in meson_tests()
             if not any(s in ("kobalt:gl", "kobalt:launcher") for s in t["suite"])]
    if not names:
        return tally.Tally(failed=1, notes=["meson knows no unit tests of ours"])
    env = dict(environment.kobalt(vulkan="lavapipe", quiet=True), KOBALT_CACHE_DIR=str(FOLDER / "cache"))
    env["PATH"] = paths.build_environment()["PATH"]
    meson = build.meson_command() or ["meson"]
    log = paths.BUILD / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    with open(FOLDER / "unit.log", "w", encoding="utf-8") as output:
        subprocess.run([*meson, "test", "-C", str(paths.BUILD), "--no-rebuild", "--num-processes", str(args.jobs), *names],
                       stdout=output, stderr=subprocess.STDOUT, env=env)
    if not log.exists():
        return tally.Tally(failed=1, notes=["meson test did not run: see out/test/unit.log"])
    return tally.from_meson_log(log)


def gl_program():
    """The GL test program, wherever the build put it."""
    for path in (paths.PREFIX / "bin/kobalt-gl-tests", paths.PREFIX / "libexec/kobalt/kobalt-gl-tests",
                 paths.BUILD / "tests/gl/kobalt-gl-tests"):
        if path.exists():
            return path
    return None


def gl_suite(disable, validation=True):
    """The project's GL tests with reference pictures, on lavapipe."""
    def suite(args):
        program = gl_program()
        if program is None:
            return tally.Tally(failed=1, notes=["kobalt-gl-tests was not built"])
        tag = "-".join(["gl", *("no-" + cap for cap in disable)])
        artifacts = FOLDER / (tag + "-pictures")
        artifacts.mkdir(parents=True, exist_ok=True)
        extra = {"KOBALT_ARTIFACT_DIR": str(artifacts), "KOBALT_VALIDATION": "1" if validation else "0",
                 "KOBALT_CACHE_DIR": str(FOLDER / "cache"), "EGL_PLATFORM": "surfaceless"}
        reference = paths.ROOT / "tests/gl/reference"
        if reference.is_dir():
            extra["KOBALT_REFERENCE_DIR"] = str(reference)
        if disable:
            extra["KOBALT_DISABLE"] = ",".join(disable)
        xml = FOLDER / (tag + ".xml")
        xml.unlink(missing_ok=True)
        env = environment.kobalt(vulkan="lavapipe", quiet=True, extra=extra)
        text, code = "", None
        try:
            done = subprocess.run([str(program), "--gtest_output=xml:%s" % xml], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", env=env, timeout=900)
            text, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            text, code = (late.stdout or b"").decode("utf-8", "replace"), "timeout"
        (FOLDER / (tag + ".log")).write_text(text, encoding="utf-8")
        result = tally.from_gtest_xml(xml, code, tag)
        for identifier in sorted(set(piglit_run.VALIDATION.findall(text))):
            result.failed += 1
            result.notes.append("%s: validation: %s" % (tag, identifier))
        return result
    return suite


def corpus_suite(args):
    return corpus.run(args.jobs, 10 * SHORT_SAMPLE if args.quick else 0)


def corpus_driver_suite(args):
    return corpus_driver.run(SHORT_SAMPLE if args.quick else CORPUS_SAMPLE, args.jobs)


def smoke_suite(disable):
    """piglit's smoke profile with the validation layer on, against its expectations."""
    def suite(args):
        _, names = piglit.names_of("smoke")
        if args.quick:
            names = names[:: max(1, len(names) // SHORT_SAMPLE)]
        env = piglit.test_environment("kobalt", "lavapipe", disable, True, [])
        label = piglit.result_name("smoke-quick" if args.quick else "smoke", "kobalt", "lavapipe", disable)
        outcomes = piglit.run(names, label, env, args.jobs, 60.0)
        good, known, surprises = expectations.compare(outcomes, expectations.read(expectations.expected_path("smoke")))
        result = tally.Tally(len(good), len(surprises), len(known),
                             ["%s: %s: %s (expected %s)" % (label, o.name, o.result, w) for o, w in surprises])
        for identifier in sorted({v for o in outcomes for v in o.validation}):
            result.failed += 1
            first = next(o.name for o in outcomes if identifier in o.validation)
            result.notes.append("%s: validation: %s (first in %s)" % (label, identifier, first))
        return result
    return suite


def all_suites(quick):
    """(name, what it is, seconds, function) in the order they run: the quickest to fail come first."""
    backends = BACKENDS[:1] if quick else BACKENDS
    suites = [("launcher", "the launcher's own tests", 10, launcher_suite),
              ("unit", "unit tests", 60, unit_suite)]
    for text, disable in backends:
        suites.append(("gl", "GL tests, " + text, 60, gl_suite(disable)))
    if not quick:
        suites.append(("gl", "GL tests, " + PUSHED[0], 60, gl_suite(PUSHED[1], validation=False)))
    suites.append(("corpus", "SPIR-V corpus", 10 if quick else 180, corpus_suite))
    suites.append(("corpus", "SPIR-V corpus through the driver, a sample", 60, corpus_driver_suite))
    suites.append(("readme", "every command of README.md", 60 if quick else 240, readme.suite))
    for text, disable in backends:
        suites.append(("smoke", "piglit smoke with validation, " + text, 60 if quick else 480, smoke_suite(disable)))
    return suites


def run(args):
    suites = all_suites(args.quick)
    if args.list:
        for name, text, _, _ in suites:
            ui.note("%-9s %s" % (name, text))
        return 0
    if args.suite:
        unknown = set(args.suite) - {s[0] for s in suites}
        if unknown:
            raise ui.Stop("there is no suite %s; ./kobalt test --list names them" % ", ".join(sorted(unknown)))
        suites = [s for s in suites if s[0] in args.suite]
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / "cache", ignore_errors=True)
    total, steps, report = tally.Tally(), ui.Steps(len(suites)), []
    for name, text, about, function in suites:
        steps.begin(text, about)
        start = time.monotonic()
        try:
            one = function(args)
        except ui.Stop as stop:
            one = tally.Tally(failed=1, notes=["%s: %s" % (name, stop)])
        except Exception as error:  # a broken suite is a failed one; the others still run
            one = tally.Tally(failed=1, notes=["%s: %s: %s" % (name, type(error).__name__, error)])
        seconds = time.monotonic() - start
        ui.note("      %s (%s)" % (one.line(), ui.spell(seconds)))
        for note in one.notes[:40]:
            ui.note("      FAILED %s" % note)
        if len(one.notes) > 40:
            ui.note("      … and %d more" % (len(one.notes) - 40))
        report.append({"suite": name, "text": text, "passed": one.passed, "failed": one.failed,
                       "skipped": one.skipped, "seconds": round(seconds, 1)})
        total.add(one)
    if not args.suite and not args.quick:  # what docs/status.md shows is a whole run
        (paths.OUT / "test.json").write_text(json.dumps(report, indent=1) + "\n")
    sys.stdout.flush()
    print(total.line(), flush=True)
    return 1 if total.failed else 0
