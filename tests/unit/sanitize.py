#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs the unit tests of the Vulkan core, the engine and presentation under a sanitizer, on lavapipe.

    tests/unit/sanitize.py address            AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer
    tests/unit/sanitize.py thread             ThreadSanitizer
    tests/unit/sanitize.py thread 'Two*'      only some of the tests (GoogleTest's --gtest_filter)

Each has a build folder of its own (build-address, build-thread); Mesa is configured in it but not built. The first run
takes some ten minutes. The last line says how it went; the exit status is 0 when nothing was found.
"""
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from kobalt_cli import build, paths  # noqa: E402

SUPPRESSIONS = ROOT / "tests/unit/sanitizers"
KINDS = {
    "address": ("address,undefined", {
        "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1",
        "LSAN_OPTIONS": "print_suppressions=0:suppressions=%s" % (SUPPRESSIONS / "leak.txt"),
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }),
    "thread": ("thread", {
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:history_size=4:suppressions=%s" % (SUPPRESSIONS / "thread.txt"),
    }),
}
PROGRAMS = ("tests/unit/vulkan/kobalt_vulkan_tests", "tests/unit/render/render-tests",
            "tests/unit/present/unit-present")


def compile_tests(folder, sanitizers):
    env = paths.build_environment()
    if not (folder / "build.ninja").exists():
        meson = build.meson_command()
        if not meson:
            sys.exit("sanitize: meson 1.4 or newer is missing: run ./kobalt build first")
        if shutil.which("ccache"):
            env.setdefault("CC", "ccache gcc")
            env.setdefault("CXX", "ccache g++")
        subprocess.run([*meson, "setup", folder, ROOT, "--buildtype=debugoptimized", "-Db_ndebug=false",
                        "-Db_sanitize=" + sanitizers, "-Db_lundef=false"], check=True, env=env)
    subprocess.run(["ninja", "-C", folder, *PROGRAMS], check=True, env=env)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("filter", nargs="?", default="*", help="GoogleTest's filter")
    parser.add_argument("--build", type=Path, help="the build folder (default: build-KIND)")
    chosen = parser.parse_args()
    sanitizers, options = KINDS[chosen.kind]
    folder = (chosen.build or ROOT / ("build-" + chosen.kind)).resolve()
    try:
        compile_tests(folder, sanitizers)
    except subprocess.CalledProcessError:
        sys.exit("sanitize: the tests could not be built (see above)")
    env = dict(os.environ, **options)
    env.setdefault("VK_DRIVER_FILES", str(paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json"))
    failed = [program for program in PROGRAMS
              if subprocess.run([folder / program, "--gtest_brief=1", "--gtest_filter=" + chosen.filter], env=env).returncode]
    print("sanitize: %s: %s" % (chosen.kind, "found something in " + ", ".join(failed) if failed else "nothing found"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
