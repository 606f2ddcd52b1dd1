# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The SPIR-V corpus through the whole driver: piglit's shader tests are compiled, linked and drawn by Kobalt, and
spirv-val checks each module that the driver writes into the folder named by KOBALT_SPIRV_DUMP.

This is slower than the probe (corpus.py) and sees what the driver offers only, but it sees what Mesa's state tracker
and the driver's own variants make of a shader.
"""
import concurrent.futures
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import environment, paths, piglit_run, piglit_tests, tally, ui, xserver

TARGET = "vulkan1.3"
BATCH = 40                     # shader tests a process: starting a process costs more than most tests
LAST_GLSL = 3.30
LAST_GLSL_ES = 3.00
# Extensions past OpenGL 3.3: those tests come with the versions that bring them.
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


def batches(tests):
    """Groups for one process each: same program, at most BATCH files."""
    by_program = {}
    for test in tests:
        by_program.setdefault(test.command[0], []).append(test)
    for program, group in by_program.items():
        for start in range(0, len(group), BATCH):
            yield program, group[start:start + BATCH]


def compile_batch(program, tests, env, dump):
    """Runs TESTS; a crash or a hang is laid at the door of the test it happened in. Returns its notes."""
    notes, rest = [], list(tests)
    with tempfile.TemporaryDirectory(prefix="kobalt-corpus-") as folder:
        while rest:
            own = dict(env, KOBALT_SPIRV_DUMP=str(dump))
            command = [program, *(t.file for t in rest), "-auto", "-fbo", "-report-subtests"]
            code, out, err = piglit_run.execute(command, own, 30.0 + 5.0 * len(rest), folder)
            if code is not None and code >= 0:
                break
            begun = re.findall(r"^PIGLIT TEST: (\d+) - ", out, re.MULTILINE)
            index = min(max(int(begun[-1]) - 1 if begun else 0, 0), len(rest) - 1)
            notes.append("%s: %s" % (rest[index].name, "hangs" if code is None else "crashes (signal %d)" % -code))
            rest = rest[index + 1:]
    return notes


def compile_all(tests, env, dump, jobs):
    """Compiles every test's shaders into DUMP; returns notes on crashes."""
    progress, notes, done = ui.Progress("compiling shader tests"), [], 0
    with xserver.VirtualDisplay() as display:
        own = dict(env, DISPLAY=display.name, PIGLIT_PLATFORM=piglit_tests.PLATFORM,
                   PIGLIT_SOURCE_DIR=str(piglit_tests.root()), MESA_SHADER_CACHE_DISABLE="true")
        own.pop("WAYLAND_DISPLAY", None)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            waiting = {pool.submit(compile_batch, p, group, own, dump): len(group) for p, group in batches(tests)}
            for future in concurrent.futures.as_completed(waiting):
                notes += future.result()
                done += waiting[future]
                progress.update(done, len(tests))
    progress.close()
    return notes


def validate(module):
    """None, or spirv-val's first complaint about the file MODULE."""
    # Vulkan 1.2 makes uniformBufferStandardLayout mandatory, and Kobalt switches it on.
    done = subprocess.run(["spirv-val", "--target-env", TARGET, "--uniform-buffer-standard-layout", str(module)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode == 0:
        return None
    lines = done.stdout.strip().splitlines()
    return lines[0] if lines else "spirv-val ended with status %d" % done.returncode


def run(count, jobs, pattern=None):
    """A Tally over all modules that COUNT tests (0: all) wrote."""
    if not shutil.which("spirv-val"):
        raise ui.Stop("spirv-val is missing: install the package spirv-tools")
    tests = candidates()
    if pattern:
        tests = [t for t in tests if re.search(pattern, t.name)]
    tests = sample_of(tests, count)
    dump = paths.OUT / "spirv"
    shutil.rmtree(dump, ignore_errors=True)
    dump.mkdir(parents=True)
    ui.note("      %d shader tests" % len(tests))
    notes = compile_all(tests, environment.kobalt(vulkan="lavapipe", quiet=True), dump, jobs)
    result = tally.Tally(failed=len(notes), notes=notes)
    modules = sorted(dump.rglob("*.spv"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for module, complaint in zip(modules, pool.map(validate, modules)):
            if complaint is None:
                result.passed += 1
            else:
                result.failed += 1
                result.notes.append("%s: %s" % (module.relative_to(paths.OUT), complaint))
    if not modules:
        result.failed += 1
        result.notes.append("the driver wrote no SPIR-V (KOBALT_SPIRV_DUMP)")
    (paths.OUT / "corpus-driver.json").write_text(json.dumps(
        {"shader_tests": len(tests), "modules": len(modules), "passed": result.passed, "failed": result.failed,
         "crashes": len(notes), "target": TARGET}) + "\n")
    return result

