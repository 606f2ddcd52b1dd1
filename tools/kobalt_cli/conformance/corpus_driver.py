# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The SPIR-V corpus through the whole driver: piglit's shader tests are compiled, linked and drawn by Kobalt and judged
by their own probes, against piglit-profiles/corpus-expected.txt; spirv-val checks each module that the driver writes
into the folder named by KOBALT_SPIRV_DUMP.

This is slower than the probe (corpus.py) and covers only what the driver offers, but it covers what Mesa's state
tracker and the driver's own variants make of a shader.
"""
import collections
import concurrent.futures
import json
import re
import shutil

from ..lib import environment, expectations, paths, tally, ui, witness, xserver
from . import piglit_batches, piglit_run, piglit_tests, spirv_val
from .piglit_tests import group_of

PROFILE = "corpus"             # the name of its expectations in piglit-profiles/
TABLE = paths.OUT / "piglit/corpus.tsv"
LAST_GLSL = 3.30
LAST_GLSL_ES = 3.00
# Extensions beyond OpenGL 3.3: their tests are out of scope.
LATER = re.compile(r"fp64|64bit|int64|gpu_shader5|tessellation|compute|image_|_images|storage_buffer|atomic|subroutine|"
                   r"enhanced_layouts|viewport_array|ballot|group_vote|shader_clock|stencil_export|bindless|"
                   r"cull_distance|interlock|framebuffer_fetch|texture_gather|gl_spirv|sample_shading|"
                   r"cube_map_array|query_lod|query_levels|derivative_control|sparse|indirect|vertex_attrib_64")


def in_scope(test):
    """True for shader tests that need no more than GLSL 3.30 or GLSL ES 3.00."""
    version, es, extensions = test.needs
    return version <= (LAST_GLSL_ES if es else LAST_GLSL) and not any(LATER.search(e) for e in [test.name, *extensions])


def candidates():
    """Shader tests in scope, sorted by name."""
    tests = (t for t in piglit_tests.load("quick_shader").values() if t.file and not t.skip and in_scope(t))
    return sorted(tests, key=lambda t: t.name)


def sample_of(tests, count):
    """COUNT of TESTS spread evenly over the sorted list, so over all groups; 0 takes all."""
    if count <= 0 or count >= len(tests):
        return tests
    step = len(tests) / count
    return [tests[int(i * step)] for i in range(count)]


def run_tests(tests, env, dump, jobs):
    """Compiles, draws and judges every test; their shaders are written into DUMP. Returns Outcomes in TESTS' order."""
    own, outcomes = dict(env, MESA_SHADER_CACHE_DISABLE="true"), {}
    if witness.is_announcing(own):
        with xserver.VirtualDisplay() as display:
            witness.require("kobalt", dict(own, DISPLAY=display.name))
    batches, alone = piglit_batches.jobs(tests, dump)
    piglit_run.run_all(alone, own, jobs, done=lambda outcome: outcomes.update({outcome.name: outcome}),
                       label="shader tests", batches=batches, total=len(tests))
    return [outcomes[t.name] for t in tests]


def chosen(count, pattern=None):
    """COUNT (0: all) of the tests in scope, of those whose names match PATTERN."""
    return sample_of([t for t in candidates() if not pattern or re.search(pattern, t.name)], count)


def judged(outcomes, expected):
    """A Tally with one result for each group of shader tests: a test that differs from EXPECTED fails its group; a test
    that is known not to pass is counted separately."""
    result = tally.Tally()
    _, known, surprises = expectations.compare(outcomes, expected)
    failed = {group_of(o.name) for o, _ in surprises}
    for group in sorted({group_of(o.name) for o in outcomes}):
        result.passed += group not in failed
        result.failed += group in failed
    for outcome, wanted in surprises:
        result.notes.append("%s: %s (expected %s)" % (outcome.name, outcome.result, wanted))
    for outcome, wanted in expectations.unexplained(known, expected):
        result.fail("%s: %s, without a reason in the expectations" % (outcome.name, wanted))
    result.skipped = sum(o.result == "skip" for o in known)
    result.known = len(known) - result.skipped
    return result


def run(count, jobs, pattern=None, record=False):
    """A Tally over COUNT tests (0: all) and over the modules that they wrote."""
    if not shutil.which("spirv-val"):
        raise ui.Stop("spirv-val is missing: install the package spirv-tools")
    tests = chosen(count, pattern)
    dump = paths.OUT / "spirv"
    shutil.rmtree(dump, ignore_errors=True)
    dump.mkdir(parents=True)
    ui.note("      %d shader tests" % len(tests))
    outcomes = run_tests(tests, witness.announcing(environment.kobalt(vulkan="lavapipe", quiet=True)), dump, jobs)
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text("".join(o.row() for o in outcomes), encoding="utf-8")
    path = expectations.expected_path(PROFILE)
    expected = expectations.read(path)
    if record:
        expectations.write(path, PROFILE, outcomes, expected, command="corpus --driver --record")
        expected = expectations.read(path)
    result = judged(outcomes, expected)
    modules = sorted(dump.rglob("*.spv"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        complaints = [(m, text) for m, text in zip(modules, pool.map(spirv_val.complaint, modules)) if text]
    for module, text in complaints:
        result.notes.append("%s: %s" % (module.relative_to(paths.OUT), text))
    if not modules:
        result.notes.append("the driver wrote no SPIR-V (KOBALT_SPIRV_DUMP)")
    result.failed += bool(complaints or not modules)
    result.passed += not (complaints or not modules)
    counts = collections.Counter(o.result for o in outcomes)
    (paths.OUT / "corpus-driver.json").write_text(json.dumps(
        {"shader_tests": len(tests), "results": dict(counts), "surprises": len(result.notes) - len(complaints),
         "modules": len(modules), "passed": len(modules) - len(complaints), "failed": len(complaints),
         "crashes": counts["crash"] + counts["timeout"], "target": spirv_val.TARGET}) + "\n")
    return result
