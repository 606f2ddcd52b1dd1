# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suites that are programs of the project's own: the launcher's tests, Meson's, the GL tests, the bundle's."""
import json
import os
import re
import subprocess
import tarfile
import unittest

from ..lib import environment, paths, tally, witness
from ..lib.target import AMD64
from ..setup import build, bundle
from ..conformance import piglit_run
from . import declared

FOLDER = paths.OUT / "test"


def launcher(args):
    """The launcher's own tests, in this process."""
    class Result(unittest.TextTestResult):
        pass

    with open(FOLDER / "launcher.log", "w", encoding="utf-8") as log:
        found = unittest.defaultTestLoader.discover(str(paths.ROOT / "tests/launcher"), pattern="test_*.py")
        result = unittest.TextTestRunner(log, verbosity=2, resultclass=Result).run(found)
    bad = [str(case) for case, _ in result.failures + result.errors]
    skips = [case.id() for case, _ in result.skipped]
    return tally.Tally(result.testsRun - len(bad) - len(skips), len(bad), len(skips), bad, skips=skips)


def meson_tests(target=AMD64):
    """Names and suites of the project's own tests, as meson knows them in TARGET's build."""
    meson = build.meson_command() or ["meson"]
    text = subprocess.run([*meson, "introspect", "--tests", str(target.build)], stdout=subprocess.PIPE, text=True,
                          env=paths.build_environment()).stdout
    return [t for t in json.loads(text or "[]") if any(s.partition(":")[0] == "kobalt" for s in t["suite"])]


def unit(args, target=AMD64):
    """Runs `meson test` in TARGET's build, without the tests that have a suite of their own: the GL tests and the
    launcher's."""
    known = meson_tests(target)
    names = [t["name"] for t in known if t["name"] != "gl" and "kobalt:launcher" not in t["suite"]]
    if not names:
        return tally.Tally(failed=1, notes=["meson knows no unit tests of ours"])
    env = dict(environment.kobalt(vulkan="lavapipe", quiet=True, target=target), KOBALT_CACHE_DIR=str(cache(target)))
    env["PATH"] = paths.build_environment()["PATH"]
    meson = build.meson_command() or ["meson"]
    log = target.build / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    said = FOLDER / ("unit%s.log" % target.suffix)
    with open(said, "w", encoding="utf-8") as output:
        subprocess.run([*meson, "test", "-C", str(target.build), "--no-rebuild", "--num-processes", str(args.jobs), *names],
                       stdout=output, stderr=subprocess.STDOUT, env=env)
    if not log.exists():
        return tally.Tally(failed=1, notes=["meson test did not run: see out/test/" + said.name])
    result = tally.from_meson_log(log)
    for name in declared.missing_programs({t["name"] for t in known}):
        result.fail("the test %s was not built: look in out/logs/build.log for what it needs" % name)
    return result


def cache(target):
    """Where the tests of TARGET's build keep compiled pipelines."""
    return FOLDER / ("cache" + target.suffix)


def gl_program(target=AMD64):
    """The GL test program, wherever TARGET's build put it."""
    for path in (target.prefix / "bin/kobalt-gl-tests", target.prefix / "libexec/kobalt/kobalt-gl-tests",
                 target.build / "tests/gl/kobalt-gl-tests"):
        if path.exists():
            return path
    return None


def gl_environment(tag, disable, validation, sync, target=AMD64):
    """The environment of the GL tests; each test asserts the renderer by itself
    (src/demo/offscreen/expected_renderer.h). Uniform buffers are pushed, as on NVIDIA's driver; piglit's suites run
    without."""
    artifacts = FOLDER / (tag + "-pictures")
    artifacts.mkdir(parents=True, exist_ok=True)
    extra = {"KOBALT_ARTIFACT_DIR": str(artifacts), "KOBALT_VALIDATION": "0", "KOBALT_CACHE_DIR": str(cache(target)),
             "EGL_PLATFORM": "surfaceless", "KOBALT_EXPECT_RENDERER": "Kobalt", "KOBALT_PUSHED_BLOCKS": "1"}
    if validation:
        extra.update(witness.validating(sync))
    reference = paths.ROOT / "tests/gl/reference"
    if reference.is_dir():
        extra["KOBALT_REFERENCE_DIR"] = str(reference)
    if disable:
        extra["KOBALT_DISABLE"] = ",".join(disable)
    return witness.announcing(environment.kobalt(vulkan="lavapipe", quiet=True, extra=extra, target=target))


def judge_gl_output(result, tag, text, env):
    """Adds to RESULT what the output TEXT of a run in ENV says: validation messages, and whether the layer was on."""
    doubt = witness.doubt(witness.weakest(text), witness.needed(env))
    if doubt:
        result.fail("%s: %s" % (tag, doubt))
    for identifier in sorted(set(piglit_run.VALIDATION.findall(text))):
        result.fail("%s: validation: %s" % (tag, identifier))


def without_front():
    """GoogleTest's argument that leaves out the tests of Mesa's front end (those with parameters have a prefix)."""
    return "--gtest_filter=-" + ":".join("%s.*:*/%s.*" % (suite, suite) for suite in declared.front_suites())


def run_gl(program, tag, env, words=(), timeout_s=900):
    """(Tally, output) of the GL tests' PROGRAM with the arguments WORDS in ENV; TAG names the files that it leaves."""
    xml = FOLDER / (tag + ".xml")
    xml.unlink(missing_ok=True)
    try:
        done = subprocess.run([str(program), "--gtest_output=xml:%s" % xml, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=env, timeout=timeout_s)
        text, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, code = (late.stdout or b"").decode("utf-8", "replace"), "timeout"
    (FOLDER / (tag + ".log")).write_text(text, encoding="utf-8")
    return tally.from_gtest_xml(xml, code, tag), text


def gl(disable, validation=True, sync=False, front=True, target=AMD64):
    """The project's GL tests with reference pictures, on lavapipe; those of Mesa's front end only if FRONT."""
    def suite(args):
        program = gl_program(target)
        if program is None:
            return tally.Tally(failed=1, notes=["kobalt-gl-tests was not built"])
        tag = "-".join(["gl" + target.suffix, *("no-" + cap for cap in disable)])
        env = gl_environment(tag, disable, validation, sync, target)
        result, text = run_gl(program, tag, env, [] if front else [without_front()])
        judge_gl_output(result, tag, text, env)
        return result
    return suite


def bundled_windows(place, env):
    """The unpacked bundle's tests of windows, on a virtual X server of their own: a result for GLX and one for EGL."""
    env = {name: value for name, value in env.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([str(place / "kobalt"), "test", "windows"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=600)
    (FOLDER / "bundle-windows.log").write_text(done.stdout, encoding="utf-8")
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", (done.stdout.strip().splitlines() or [""])[-1])
    if not counts:
        return tally.Tally(failed=1, notes=["the bundle's tests of windows ended with status %s: see out/test/bundle-windows.log" % done.returncode])
    notes = ["the bundle's tests of windows: see out/test/bundle-windows.log"] if int(counts[2]) else []
    return tally.Tally(*(int(count) for count in counts.groups()), notes=notes)


def bundled(args):
    """The bundle, unpacked where nothing of the build tree is around it: its own `kobalt test` and `kobalt test windows`,
    on lavapipe."""
    folder = FOLDER / "bundle"
    bundle.make(folder)
    tarball = next(folder.glob("kobalt-*.tar.xz"))
    with tarfile.open(tarball) as archive:
        archive.extractall(folder)
    place = folder / tarball.name.removesuffix(".tar.xz")
    env = environment.without_kobalt()
    env["VK_DRIVER_FILES"] = str(paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json")
    env.pop("LD_LIBRARY_PATH", None)
    done = subprocess.run([str(place / "kobalt"), "test"], cwd=folder, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=900)
    (FOLDER / "bundle.log").write_text(done.stdout, encoding="utf-8")
    result = tally.from_gtest_text(done.stdout, done.returncode == 0)
    if result is None:
        return tally.Tally(failed=1, notes=["the bundle's test ended with status %s: see out/test/bundle.log" % done.returncode])
    result.add(bundled_windows(place, env))
    return result


def sanitizer(kind):
    """Unit tests, GL tests and smoke under a sanitizer: one result."""
    def suite(args):
        with open(FOLDER / ("sanitize-%s.log" % kind), "w", encoding="utf-8") as log:
            code = subprocess.run([str(paths.ROOT / "tests/sanitize.py"), kind], cwd=paths.ROOT, stdout=log,
                                  stderr=subprocess.STDOUT, env=dict(os.environ)).returncode
        if code:
            return tally.Tally(failed=1, notes=["sanitize.py %s ended with status %d: see out/test/sanitize-%s.log"
                                                % (kind, code, kind)])
        return tally.Tally(passed=1)
    return suite
