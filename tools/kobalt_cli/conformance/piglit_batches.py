# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs many of piglit's shader tests in one process, as shader_runner allows: starting a process costs more than most
tests. A test that does not pass is run once more alone, and the second result counts: a result must not depend on the
tests that happen to run before it.
"""
import json
import re

from ..lib import witness
from . import piglit_run

BATCH = 40  # shader tests a process


def split(tests):
    """Groups for one process each: same program, at most BATCH files."""
    by_program = {}
    for test in tests:
        by_program.setdefault(test.command[0], []).append(test)
    for program, group in by_program.items():
        for start in range(0, len(group), BATCH):
            yield program, group[start:start + BATCH]


def read(out):
    """{number: result} out of what shader_runner wrote about several tests: 1 is the first; a test that began and
    did not end is None."""
    results, current = {}, None
    for line in out.splitlines():
        begun = re.match(r"PIGLIT TEST: (\d+) - ", line)
        if begun:
            current = int(begun[1])
            results[current] = None
        elif line.startswith("PIGLIT: ") and current:
            try:
                data = json.loads(line[len("PIGLIT: "):])
            except ValueError:
                continue
            # The whole program's own result, at the end, belongs to no test.
            results[current] = next(iter(data.get("subtest", {}).values()), results[current])
    return results


def run(program, tests, env, folder):
    """Outcomes of TESTS, run in one process; after a crash or a hang the rest runs in a new process."""
    outcomes, rest = [], list(tests)
    while rest:
        command = [program, *(t.file for t in rest), "-auto", "-fbo", "-report-subtests"]
        code, out, err = piglit_run.execute(command, env, 30.0 + 5.0 * len(rest), folder)
        results = read(out)
        last = max(results, default=1)
        ended = code is not None and code >= 0
        doubt = witness.doubt(witness.weakest(err), witness.needed(env)) if witness.is_announcing(env) else None
        for number, test in enumerate(rest[:len(rest) if ended else last], 1):
            result, text = results.get(number), ""
            if not ended and number == last:
                result, text = ("timeout", "hangs") if code is None else ("crash", "signal %d" % -code)
            elif result is None:
                result, text = "notrun", "shader_runner said nothing about it"
            elif result in ("pass", "warn") and doubt:
                result, text = "unseen", doubt
            outcomes.append(piglit_run.Outcome(test.name, result, 0.0, piglit_run.VALIDATION.findall(err) if number == 1 else (),
                                               text))
        rest = [] if ended else rest[last:]
    return outcomes


def judge(program, tests, env, folder, dump=None):
    """Outcomes of TESTS, run in FOLDER, by their own probes; their shaders are written into DUMP, where one is named."""
    by_name = {test.name: test for test in tests}
    own = dict(env, KOBALT_SPIRV_DUMP=str(dump)) if dump else env
    outcomes = run(program, tests, own, folder)
    for place, outcome in enumerate(outcomes):
        if outcome.result in ("fail", "warn", "notrun"):
            alone = piglit_run.run_one(by_name[outcome.name], own, 60.0, folder)
            alone.output = "in a batch: %s; alone: %s\n%s" % (outcome.result, alone.result, alone.output)
            outcomes[place] = alone
    return outcomes


def jobs(tests, dump=None):
    """([a function of an environment and a folder that runs a batch of TESTS and gives its Outcomes, …], the tests that
    have to run alone). DUMP is as for judge()."""
    shaders = [test for test in tests if test.file and not test.skip]
    batched = {test.name for test in shaders}
    return ([lambda env, folder, program=program, group=group: judge(program, group, env, folder, dump)
             for program, group in split(shaders)], [test for test in tests if test.name not in batched])
