#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs Kobalt under a sanitizer, on lavapipe: the whole driver, with its unit tests, GL tests and piglit's smoke; where it
is asked for, piglit's gl46 as well, many tests in a process.

    tests/sanitize.py address                 AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer
    tests/sanitize.py thread                  ThreadSanitizer
    tests/sanitize.py address gl smoke        only these parts
    tests/sanitize.py address gl46            hours on two cores
    tests/sanitize.py address gl46 --sample 2000 --seed WORD
                                              so many of its tests, which the word picks
    tests/sanitize.py thread unit --filter '*TwoRecorders*'
                                              only some tests: GoogleTest's filter, or a regular expression for smoke

Each has a build folder of its own (build-address, build-thread). Kobalt is instrumented in it, Mesa is not: its objects
come out of ccache where build/ was compiled before. Reports are in out/sanitize/KIND/PART, a file for each process; the
last line says how it went, and the exit status is 0 when nothing was found and every test did what it does elsewhere.
"""
import argparse
import collections
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from kobalt_cli.lib import environment, expectations, paths, tally, ui  # noqa: E402
from kobalt_cli.setup import build  # noqa: E402
from kobalt_cli.conformance import piglit, profile_rules  # noqa: E402
from kobalt_cli.reports import sanitizers  # noqa: E402
from kobalt_cli.suites import suites  # noqa: E402

SUPPRESSIONS = ROOT / "tests/sanitizers"
# Mesa's own threads (glthread, the threaded context, its queues) meet in locks and counters that ThreadSanitizer can't
# see, since Mesa isn't instrumented: under it a context's calls stay on the thread that made them.
ONE_THREAD = {"mesa_glthread": "false", "GALLIUM_THREAD": "0"}
KINDS = {
    "address": (("libasan.so", "libubsan.so"), {}, {
        "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1",
        "LSAN_OPTIONS": "exitcode=0:print_suppressions=0:suppressions=%s" % (SUPPRESSIONS / "leak.txt"),
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }),
    "thread": (("libtsan.so",), ONE_THREAD, {
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:history_size=4:suppressions=%s" % (SUPPRESSIONS / "thread.txt"),
    }),
}
PARTS = ("unit", "gl", "smoke")
LONG_PARTS = ("gl46",)
# Flags, and the mistakes of tests/sanitizers/planted.cpp that have to be noticed.
PLANTED = {"address": ("address,undefined", ("overflow", "leak", "undefined")), "thread": ("thread", ("race",))}
# What an instrumented driver refers to.
MARKS = {"address": (b"__asan_report_load8", b"__ubsan_handle_"), "thread": (b"__tsan_read8",)}
# Where a report says in one line what it is about.
HEADLINE = re.compile(r"^.*(?:SUMMARY: \w+Sanitizer: |runtime error: ).*$", re.MULTILINE)


@functools.cache
def leaving():
    """Names of piglit's programs that end without giving up their contexts: their leaks are their own."""
    lines = (SUPPRESSIONS / "leaving.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.split("\t")[0] for line in lines if line and not line.startswith("#"))


def compile_all(kind, folder):
    """Brings the build folder of KIND up to date."""
    env = paths.build_environment()
    if not (folder / "build.ninja").exists():
        meson = build.meson_command()
        if not meson:
            raise ui.Stop("meson 1.4 or newer is missing: run ./kobalt build first")
        subprocess.run([*meson, "setup", folder, ROOT, "--buildtype=release", "-Dsanitize=" + kind], check=True, env=env)
    # An object that is compiled while a header changes is newer than the header: ninja would keep it, and the program
    # mixes two versions of a type.
    while True:
        began = time.time()
        subprocess.run(["ninja", "-C", folder], check=True, env=env)
        edited = [path for room in ("src", "include", "tests", "bench") for path in (ROOT / room).rglob("*")
                  if path.suffix != ".pyc" and path.is_file() and path.stat().st_mtime > began]
        if not edited:
            return
        for path in edited:
            path.touch()


def runtime(name):
    """The path of a sanitizer's runtime library."""
    return subprocess.run(["gcc", "-print-file-name=" + name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


class Run:
    """One part under one sanitizer: where its reports go, and the environment of its programs."""

    def __init__(self, kind, folder, part):
        self.folder = folder
        self.reports = paths.OUT / "sanitize" / kind / part
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir(parents=True)
        self.libraries, more, options = KINDS[kind]
        script = [str(ROOT / "tools/on_build.sh"), str(folder), "env", "-0"]
        selected = subprocess.run(["/bin/sh", *script], stdout=subprocess.PIPE, check=True,
                                  env=dict(environment.without_kobalt(), KOBALT_VULKAN="lavapipe", KOBALT_QUIET="1"))
        self.env = dict(environment.parse(selected.stdout), **more)
        for name, value in options.items():
            self.env[name] = "%s:log_exe_name=1:log_path=%s" % (value, self.reports / "report")
        self.env["KOBALT_CACHE_DIR"] = str(self.reports / "cache")

    def preloading(self):
        """The environment for programs that are not instrumented. The C++ library is named as well: the sanitizer
        looks for its functions as it starts, and a program in C has none."""
        names = [*self.libraries, "libstdc++.so.6"]
        return dict(self.env, LD_PRELOAD=" ".join(runtime(name) for name in names))

    def found(self, *outputs):
        """{headline: how often} of all reports, and of OUTPUTS: UndefinedBehaviorSanitizer writes to stderr only. What
        programs lose that end in the midst of their contexts doesn't count."""
        heads = collections.Counter()
        for path in (*self.reports.glob("*.log"), *outputs):
            if path.exists():
                heads.update(HEADLINE.findall(path.read_text(encoding="utf-8", errors="replace")))
        for path in sorted(self.reports.glob("report*")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if path.name.split(".")[1] in leaving() and "ERROR: AddressSanitizer" not in text and "runtime error" not in text:
                continue
            heads.update(set(HEADLINE.findall(text)) or {"a report without a summary: %s" % path.name})
        return heads


def require_eyes(kind, folder):
    """Stops where the driver is not instrumented, or where a planted mistake goes unnoticed."""
    driver = folder / ("subprojects/mesa-%s/src/gallium/targets/dri/libgallium-kobalt.so" % paths.MESA_VERSION)
    if not all(mark in driver.read_bytes() for mark in MARKS[kind]):
        raise ui.Stop("%s in %s is not instrumented: that folder was set up without -Dsanitize=%s"
                      % (driver.name, folder, kind))
    run = Run(kind, folder, "planted")
    flags, mistakes = PLANTED[kind]
    program = run.reports / "program"
    subprocess.run(["g++", "-std=c++20", "-g", "-O0", "-pthread", "-fsanitize=" + flags, SUPPRESSIONS / "planted.cpp",
                    "-o", program], check=True)
    for mistake in mistakes:
        with open(run.reports / "planted.log", "w", encoding="utf-8") as log:
            subprocess.run([program, mistake], env=run.env, stdout=log, stderr=subprocess.STDOUT)
        if not run.found():
            raise ui.Stop("the planted mistake %s was not noticed" % mistake)
        for path in run.reports.glob("report*"):
            path.unlink()


def unit(run, pattern, sample):
    """Everything that `meson test` knows but the GL tests and soak. SAMPLE: only piglit's parts have one."""
    meson = build.meson_command() or ["meson"]
    listed = subprocess.run([*meson, "test", "-C", str(run.folder), "--list"], stdout=subprocess.PIPE, text=True,
                            check=True, env=paths.build_environment()).stdout
    names = [line.split(" / ")[-1].strip() for line in listed.splitlines() if line.startswith("kobalt:")]
    # soak judges the memory of the process, which the sanitizers' own bookkeeping makes grow.
    names = [name for name in names if name not in ("gl", "gl-without-stencil-export", "gl-without-alpha-to-one", "soak")]
    env = dict(run.env, PATH="%s:%s" % (SUPPRESSIONS, paths.build_environment()["PATH"]))
    if pattern:
        env["GTEST_FILTER"] = pattern
    with open(run.reports / "unit.log", "w", encoding="utf-8") as log:
        subprocess.run([*meson, "test", "-C", str(run.folder), "--no-rebuild", "--num-processes", "2", "--print-errorlogs",
                        "--timeout-multiplier", "10", *names], env=env, stdout=log, stderr=subprocess.STDOUT)
    return tally.from_meson_log(run.folder / "meson-logs/testlog.json")


def gl(run, pattern, sample):
    """The GL tests, on each of the ways to hand descriptors to Vulkan."""
    result = tally.Tally()
    for _, disable, sync in (*suites.BACKENDS, (*suites.PUSHED[:1], suites.PUSHED[1], False)):
        disable = disable + suites.IMAGES_OF_SAMPLES * sync
        label = "-".join(["gl", *("no-" + cap for cap in disable)])
        xml = run.reports / (label + ".xml")
        env = dict(run.env, EGL_PLATFORM="surfaceless", KOBALT_DISABLE=",".join(disable),
                   KOBALT_ARTIFACT_DIR=str(run.reports / "pictures"))
        with open(run.reports / (label + ".log"), "w", encoding="utf-8") as log:
            code = subprocess.run([run.folder / "tests/gl/kobalt-gl-tests", "--gtest_output=xml:%s" % xml,
                                   "--gtest_filter=" + (pattern or "*")],
                                  stdout=log, stderr=subprocess.STDOUT, env=env).returncode
        result.add(tally.from_gtest_xml(xml, code, label))
    return result


def piglit_name(kind, profile):
    """Of the results in out/piglit."""
    return "sanitize-%s-%s" % (kind, profile)


def profile_of(profile, together):
    """One of piglit's profiles against its expectations; TOGETHER: many shader tests in a process."""
    def part(run, pattern, sample):
        _, names = piglit.names_of(profile)
        names = [name for name in names if re.search(pattern or "", name)]
        if sample:
            names = profile_rules.sample(names, *sample)
        outcomes = piglit.run(names, piglit_name(run.reports.parent.name, profile), run.preloading(), 2, 300.0,
                              together=together)
        return suites.piglit_result(profile, outcomes, expectations.read(expectations.expected_path(profile, "lavapipe")))
    return part


smoke, gl46 = profile_of("smoke", False), profile_of("gl46", True)


def record(kind, part, reports, result):
    """Notes what a whole part gave, for `./kobalt status`: out/sanitize-KIND.json, {part: figures}."""
    path = paths.OUT / sanitizers.file_of(kind)
    parts = json.loads(path.read_text()) if path.exists() else {}
    parts[part] = {"reports": reports, "passed": result.passed, "failed": result.failed, "skipped": result.skipped,
                   "day": time.strftime("%Y-%m-%d", time.gmtime())}
    path.write_text(json.dumps(parts, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, *LONG_PARTS, []],
                        help="unit, gl, smoke (default: these three), gl46")
    parser.add_argument("--filter", help="only the tests of this name")
    parser.add_argument("--sample", type=int, metavar="N", help="only N of piglit's tests, which --seed picks")
    parser.add_argument("--seed", default=time.strftime("%Y-%m-%d", time.gmtime()), help="with --sample: any word (default: today's date)")
    parser.add_argument("--build", type=Path, help="the build folder (default: build-KIND)")
    parser.add_argument("--no-rebuild", action="store_true", help="take the build folder as it is")
    chosen = parser.parse_args()
    folder = (chosen.build or ROOT / ("build-" + chosen.kind)).resolve()
    bad = []
    try:
        if not chosen.no_rebuild:
            compile_all(chosen.kind, folder)
        require_eyes(chosen.kind, folder)
        for part in chosen.parts or PARTS:
            run = Run(chosen.kind, folder, part)
            result = globals()[part](run, chosen.filter, (chosen.sample, chosen.seed) if chosen.sample else None)
            heads = run.found(paths.OUT / "piglit" / (piglit_name(chosen.kind, part) + ".log"))
            print("sanitize: %s %s: %s" % (chosen.kind, part, result.full_line()))
            if not chosen.filter:
                record(chosen.kind, "%s, %d tests" % (part, chosen.sample) if chosen.sample else part, sum(heads.values()), result)
            for note in result.notes:
                print("  FAILED %s" % note)
            for head, number in heads.most_common():
                print("  %4d × %s" % (number, head.strip()))
            if heads or result.failed or not result.passed:
                bad.append("%s (out/sanitize/%s/%s)" % (part, chosen.kind, part))
    except ui.Stop as stop:
        sys.exit("sanitize: %s" % stop)
    except subprocess.CalledProcessError as error:
        sys.exit("sanitize: %s failed (see above)" % " ".join(str(word) for word in error.cmd[:3]))
    print("sanitize: %s: %s" % (chosen.kind, "found something in " + ", ".join(bad) if bad else "nothing found"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
