# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The SPIR-V corpus: every shader of piglit's shader tests goes through Mesa's compiler and Kobalt's translator, for
several devices, and spirv-val checks each module.

The work is done by tests/spirv (kobalt-spirv-probe), which needs neither GL nor a Vulkan device. Shaders that
are not translated are counted by reason.
"""
import collections
import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

from ..lib import paths, stamps, tally, ui
from . import corpus_driver, piglit_tests, spirv_val

PROBE = paths.BUILD / "tests/spirv/kobalt-spirv-probe"
FOLDER = paths.OUT / "corpus"
RESULT = paths.OUT / "corpus.json"
RECORD = paths.ROOT / "docs/measured/results/corpus.json"  # a tracked copy: ./kobalt status keeps it
# The environment that the probe validates for: the version that Kobalt asks Vulkan instances for.
TARGET = spirv_val.TARGET
STAGES = {"VS": "vertex", "TCS": "tessellation control", "TES": "tessellation evaluation", "GS": "geometry",
          "FS": "fragment", "CS": "compute"}
# What the translator does not support yet: (pattern in its message, name of the feature). None of it is in OpenGL 4.6's
# core. Any other refusal is a failure.
NOT_YET = (
    (r"atomic operation on floats", "atomic operations on floats (GL_NV_shader_atomic_float, GL_INTEL_shader_atomic_float_minmax)"),
    (r"64-bit atomic", "64-bit atomic operations (GL_NV_shader_atomic_int64)"),
    (r"shader_clock", "GL_ARB_shader_clock"),
    (r"shuffle|reduce|inclusive_scan|exclusive_scan|quad_|inverse_ballot|ballot_", "GL_KHR_shader_subgroup"),
)
# Text of a refusal that is right: the device lacks a feature that the shader needs. The full device lacks none.
LACKS = "which the device does not have"
# Results of modules that spirv-val refuses, or that declare other bindings, types or sizes than the translator says.
WRONG = ("invalid", "misreported")


class Row:
    """One line of the probe's report."""

    __slots__ = ("result", "stage", "device", "milliseconds", "words", "file", "reason")

    def __init__(self, line):
        fields = line.rstrip("\n").split("\t", 6)
        self.result, self.stage, self.device, milliseconds, words, self.file, self.reason = fields
        self.milliseconds, self.words = float(milliseconds), int(words)


def not_yet(reason):
    """The unsupported feature that the refusal REASON names, or None if the shader should have been translated."""
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
    worse = ("valid", "disputed", "refused", "misreported", "invalid")
    cells = collections.defaultdict(collections.Counter)  # (stage, device) -> results of modules
    for row in rows:
        if row.result == "skipped":
            skipped[skip_kind(row.reason)] += 1
            continue
        if row.result == "died":
            # A fault of Mesa's compiler, not of Kobalt: glsl-{vs,fs}-inline-explosion make it inline 2^64 calls.
            if row.reason.startswith("Mesa's compiler"):
                skipped["Mesa's compiler runs out of time or memory"] += 1
            else:
                failures.append((row.file, row.reason))
                cells["files", "read to their end"]["bad"] += 1
            continue
        result = row.result
        wrong[spirv_val.FAULT] += result == "disputed"
        modules[result] += 1
        bad = result in WRONG or result == "refused" and not not_yet(row.reason)
        cells[STAGES[row.stage], row.device]["bad" if bad else "good"] += 1
        key = row.file, row.stage
        if result == "refused" and shaders.get(key) != "refused":
            lacking[not_yet(row.reason) or row.reason] += 1
        if result in WRONG:
            failures.append((row.file, "%s, device %s: %s: %s" % (row.stage, row.device, result, row.reason)))
        elif result == "refused" and not not_yet(row.reason):
            failures.append((row.file, "%s, device %s: %s" % (row.stage, row.device, row.reason)))
        shaders[key] = max(shaders.get(key, "valid"), result, key=worse.index)
    by_stage = {stage: collections.Counter() for stage in STAGES}
    for (_, stage), result in shaders.items():
        by_stage[stage][result] += 1
    data = {"target": TARGET, "files": len({row.file for row in rows}), "shaders": len(shaders),
            "modules": sum(modules[r] for r in ("valid", "disputed", *WRONG)), "valid": modules["valid"],
            "invalid": modules["invalid"], "misreported": modules["misreported"], "wrong_complaints": {k: n for k, n in wrong.items() if n},
            "cells": {" shaders, ".join(cell): dict(c) for cell, c in cells.items()},
            "failures": len(failures), "stages": {s: dict(c) for s, c in by_stage.items() if c},
            "not_translated": dict(lacking.most_common()), "not_compiled": dict(skipped.most_common())}
    return data, failures


def compared(data):
    """How the modules compare with the translator's reports, for docs/status.md; "" for records without it."""
    if "misreported" not in data:
        return ""
    return ("What each valid module declares (sets and bindings, kinds, lengths of arrays, shapes of images, sizes of blocks, outputs) "
            "was read out of it and compared with what the translator tells the driver: %s.\n\n"
            % ("%d differ" % data["misreported"] if data["misreported"] else "none differs"))


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
            # Status 1: something failed, and the report has the details.
            if process.wait() not in (0, 1):
                raise ui.Stop("the SPIR-V probe ended with status %d: see %s" % (process.returncode, FOLDER))
            rows += [Row(line) for line in report.read_text(errors="replace").splitlines()]
    finally:
        for process, _ in running:
            if process.poll() is None:
                process.kill()
    return rows


def settle(rows):
    """Marks each complaint of spirv-val that is proven to be its own mistake: the row's result becomes "disputed"."""
    for row in rows:
        if row.result != "invalid" or not spirv_val.may_be_its_fault(row.reason):
            continue
        with tempfile.TemporaryDirectory(prefix="kobalt-spirv-") as folder:
            subprocess.run([str(PROBE), "--dump", folder, row.file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            module = Path(folder) / ("%s.%s.%s.spv" % (Path(row.file).name, row.stage, row.device))
            left = spirv_val.complaint_without_fault(module) if module.exists() else "the probe did not write it again"
        if left is None:
            row.result = "disputed"
        else:
            row.reason += " (with the patch's Locations apart: %s)" % left


def digest():
    """What the corpus's result depends on: the translator, its test, Mesa, spirv-val and piglit."""
    sources = sorted(p for folder in ("src/spirv", "tests/spirv", "subprojects/packagefiles")
                     for p in (paths.ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    parts = [part for p in sources for part in (str(p.relative_to(paths.ROOT)), p)]
    return stamps.digest(*parts, paths.ROOT / "subprojects/mesa.wrap", paths.MESA_VERSION, paths.MESA_SHA256,
                         paths.TOOLS / "kobalt_cli/conformance/corpus.py", spirv_val.version(), len(files()))


def whole_is_due():
    """Why the whole corpus has to run, or None if a clean run of the whole in exactly this state is on record."""
    for path in (RESULT, RECORD):
        if path.exists():
            data = json.loads(path.read_text())
            if data.get("digest") == digest() and not data["failures"]:
                return None
    return "the translator, Mesa, piglit or spirv-val are not those of the last clean run on record"


def run(jobs, count=0, pattern=None):
    """The corpus test over COUNT files (0: all): a Tally with a result for each stage on each device."""
    if not PROBE.exists():
        raise ui.Stop("the SPIR-V probe was not built: install the package spirv-tools, then ./kobalt build")
    tests = corpus_driver.sample_of(files(pattern), count)
    if not tests:
        raise ui.Stop("no shader test of piglit fits %s" % pattern)
    ui.note("      %d shader tests" % len(tests))
    start = time.monotonic()
    rows = probe(tests, jobs)
    settle(rows)
    data, failures = summary(rows)
    data.update(seconds=round(time.monotonic() - start, 1), jobs=jobs, validator=spirv_val.version(), digest=digest())
    if len(tests) == len(files()):  # docs/status.md shows whole runs only
        RESULT.write_text(json.dumps(data, indent=1) + "\n")
    bad = sum(bool(cell.get("bad")) for cell in data["cells"].values())
    # Each feature that is not translated yet counts as one known failure. Files without a shader of ours are no tests.
    result = tally.Tally(len(data["cells"]) - bad, bad, known=len(data["not_translated"]) + len(data["wrong_complaints"]))
    result.notes = ["%s: %s" % (str(file).rpartition("piglit/")[2], text) for file, text in failures]
    result.data = data
    return result


def command(args):
    if args.driver:
        if args.record and (args.sample or args.filter):
            raise ui.Stop("--record wants the whole corpus, not a part of it")
        result = corpus_driver.run(args.sample, args.jobs, args.filter, args.record)
    else:
        result = run(args.jobs, args.sample, args.filter)
        for title, counts in (("not translated", result.data["not_translated"]),
                              ("not compiled", result.data["not_compiled"])):
            for text, number in counts.items():
                ui.note("  %s: %6d  %s" % (title, number, text))
    for note in result.notes[:60]:
        ui.note("  FAILED " + note)
    ui.note(result.full_line())
    return 1 if result.failed else 0
