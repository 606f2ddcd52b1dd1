# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The SPIR-V corpus: every shader of piglit's shader tests goes through Mesa's compiler and Kobalt's translator, for
several devices, and spirv-val checks each module.

The work is done by tests/spirv (kobalt-spirv-probe), which needs neither GL nor a Vulkan device. What is not
translated is counted by reason.
"""
import collections
import json
import re
import subprocess
import time

from . import corpus_driver, paths, piglit_tests, tally, ui

PROBE = paths.BUILD / "tests/spirv/kobalt-spirv-probe"
FOLDER = paths.OUT / "corpus"
RESULT = paths.OUT / "corpus.json"
# The environment that the probe validates for: the version that Kobalt asks Vulkan instances for.
TARGET = "vulkan1.3"
STAGES = {"VS": "vertex", "TCS": "tessellation control", "TES": "tessellation evaluation", "GS": "geometry",
          "FS": "fragment", "CS": "compute"}
# What the translator has no words for yet: (pattern in its message, what that is). None of it is in OpenGL 4.6's
# core. A refusal that is not of these is a failure.
NOT_YET = (
    (r"atomic operation on floats", "atomic operations on floats (GL_NV_shader_atomic_float, GL_INTEL_shader_atomic_float_minmax)"),
    (r"64-bit atomic", "64-bit atomic operations (GL_NV_shader_atomic_int64)"),
    (r"shader_clock", "GL_ARB_shader_clock"),
    (r"known only at the dispatch", "GL_ARB_compute_variable_group_size"),
    (r"bindless|with a handle", "GL_ARB_bindless_texture"),
    (r"shuffle|reduce|inclusive_scan|exclusive_scan|quad_|inverse_ballot|ballot_", "GL_KHR_shader_subgroup"),
    (r"VIEWPORT_MASK", "GL_NV_viewport_array2"),
)
# A device that lacks a feature is right to be refused what needs it, where the full device is not.
LACKS = "which the device does not have"
# Complaints of spirv-val that are its own mistakes: (pattern, what is wrong with it).
WRONG_COMPLAINTS = (
    (r"conflicting (input|output) location assignment.*OpEntryPoint Tessellation",
     "spirv-val before 2024 takes patch varyings' Locations for the vertices' (SPIRV-Tools pull request 5654)"),
)

class Row:
    """One line of the probe's report."""

    __slots__ = ("result", "stage", "device", "milliseconds", "words", "file", "reason")

    def __init__(self, line):
        fields = line.rstrip("\n").split("\t", 6)
        self.result, self.stage, self.device, milliseconds, words, self.file, self.reason = fields
        self.milliseconds, self.words = float(milliseconds), int(words)


def wrong_complaint(reason):
    """What is wrong with spirv-val's complaint REASON, or None where it is right."""
    return next((text for pattern, text in WRONG_COMPLAINTS if re.search(pattern, reason)), None)


def not_yet(reason):
    """What the refusal REASON lacks, or None where it should have been translated."""
    return next((text for pattern, text in NOT_YET if re.search(pattern, reason)), None)


def skip_kind(reason):
    """REASON without what differs from file to file."""
    if reason.startswith("Mesa refuses it, as the test expects"):
        return "Mesa refuses it, as the test expects"
    if reason.startswith("Mesa refuses it: "):
        text = re.sub(r"^Mesa refuses it: (\d+:\d+\(\d+\): )?", "", reason)
        return "Mesa refuses it: " + re.sub(r"[`'][^`']*'", "'…'", text)
    return reason


def summary(rows):
    """What docs/status.md shows, and the failures as (file, text)."""
    rows = list(rows)
    full = {(r.file, r.stage) for r in rows if r.device == "full"}
    rows = [r for r in rows if not (r.result == "refused" and LACKS in r.reason and r.device != "full"
                                    and (r.file, r.stage) in full)]
    skipped, lacking, wrong, failures = collections.Counter(), collections.Counter(), collections.Counter(), []
    shaders = {}  # (file, stage) -> worst result
    modules = collections.Counter()
    worse = ("valid", "disputed", "refused", "invalid")
    for row in rows:
        if row.result == "skipped":
            skipped[skip_kind(row.reason)] += 1
            continue
        if row.result == "died":
            # Mesa's compiler is not ours to mend: glsl-{vs,fs}-inline-explosion make it inline 2^64 calls.
            if row.reason.startswith("Mesa's compiler"):
                skipped["Mesa's compiler runs out of time or memory"] += 1
            else:
                failures.append((row.file, row.reason))
            continue
        result = row.result
        if result == "invalid" and wrong_complaint(row.reason):
            wrong[wrong_complaint(row.reason)] += 1
            result = "disputed"
        modules[row.result] += 1
        key = row.file, row.stage
        if result == "refused" and shaders.get(key) != "refused":
            lacking[not_yet(row.reason) or row.reason] += 1
        if result == "invalid":
            failures.append((row.file, "%s, device %s: invalid: %s" % (row.stage, row.device, row.reason)))
        elif result == "refused" and not not_yet(row.reason):
            failures.append((row.file, "%s, device %s: %s" % (row.stage, row.device, row.reason)))
        shaders[key] = max(shaders.get(key, "valid"), result, key=worse.index)
    by_stage = {stage: collections.Counter() for stage in STAGES}
    for (_, stage), result in shaders.items():
        by_stage[stage][result] += 1
    data = {"target": TARGET, "files": len({row.file for row in rows}), "shaders": len(shaders),
            "modules": modules["valid"] + modules["invalid"], "valid": modules["valid"],
            "invalid": modules["invalid"] - sum(wrong.values()), "wrong_complaints": dict(wrong.most_common()),
            "failures": len(failures), "stages": {s: dict(c) for s, c in by_stage.items() if c},
            "not_translated": dict(lacking.most_common()), "not_compiled": dict(skipped.most_common())}
    return data, failures


def files(pattern=None):
    """piglit's shader tests, sorted."""
    found = sorted(piglit_tests.root().rglob("*.shader_test"))
    return [f for f in found if not pattern or re.search(pattern, str(f))]


def probe(tests, jobs):
    """Runs the probe over TESTS in JOBS processes; returns the rows of its reports."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    jobs = max(1, min(jobs, len(tests)))
    running = []
    for job in range(jobs):
        names = FOLDER / ("files-%d" % job)
        names.write_text("".join("%s\n" % f for f in tests[job::jobs]))
        report = FOLDER / ("report-%d.tsv" % job)
        report.unlink(missing_ok=True)
        with open(names) as source, open(FOLDER / ("output-%d.log" % job), "w") as log:
            running.append((subprocess.Popen([str(PROBE), "--report", str(report), "-"], stdin=source, stdout=log,
                                             stderr=log), report))
    rows = []
    try:
        for process, report in running:
            # 1: something failed, which the report tells better.
            if process.wait() not in (0, 1):
                raise ui.Stop("the SPIR-V probe ended with status %d: see %s" % (process.returncode, FOLDER))
            rows += [Row(line) for line in report.read_text(errors="replace").splitlines()]
    finally:
        for process, _ in running:
            if process.poll() is None:
                process.kill()
    return rows


def validator():
    """Name and version of the spirv-val that the probe is linked with (Debian ships both in one package)."""
    try:
        text = subprocess.run(["spirv-val", "--version"], stdout=subprocess.PIPE, text=True).stdout
    except OSError:
        return "SPIRV-Tools"
    return (text.splitlines() or ["SPIRV-Tools"])[0].split(" unknown")[0]


def run(jobs, count=0, pattern=None):
    """The corpus test over COUNT files (0: all): a Tally of modules, with files and shaders left out as skipped."""
    if not PROBE.exists():
        raise ui.Stop("the SPIR-V probe was not built: install the package spirv-tools, then ./kobalt build")
    tests = corpus_driver.sample_of(files(pattern), count)
    if not tests:
        raise ui.Stop("no shader test of piglit fits %s" % pattern)
    ui.note("      %d shader tests" % len(tests))
    start = time.monotonic()
    data, failures = summary(probe(tests, jobs))
    data.update(seconds=round(time.monotonic() - start, 1), jobs=jobs, validator=validator())
    if len(tests) == len(files()):  # what docs/status.md shows is the whole
        RESULT.write_text(json.dumps(data, indent=1) + "\n")
    result = tally.Tally(data["valid"], len(failures),
                         sum(data["not_translated"].values()) + sum(data["not_compiled"].values()))
    result.notes = ["%s: %s" % (str(file).rpartition("piglit/")[2], text) for file, text in failures]
    result.data = data
    return result


def command(args):
    if args.driver:
        result = corpus_driver.run(args.sample, args.jobs, args.filter)
    else:
        result = run(args.jobs, args.sample, args.filter)
        for title, counts in (("not translated", result.data["not_translated"]),
                              ("not compiled", result.data["not_compiled"])):
            for text, number in counts.items():
                ui.note("  %s: %6d  %s" % (title, number, text))
    for note in result.notes[:60]:
        ui.note("  FAILED " + note)
    ui.note(result.line())
    return 1 if result.failed else 0
