# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt fuzz: inputs from a seed, until a crash, a hang, a message of the validation layer or a wrong result.

The targets are those of tests/fuzz. An input depends on the run's seed and on the input's number alone, and each fault
is told with both."""
import collections
import re
import subprocess
import tempfile

from ..lib import environment, paths, ui, witness

PROGRAM = "kobalt-fuzz"
FOLDER = paths.OUT / "fuzz"
# What GL_RENDERER must be, so that no other driver is fuzzed in silence.
DRIVERS = {"kobalt": "Kobalt", "zink": "zink", "llvmpipe": "llvmpipe"}
FAULT = re.compile(r"^(\w+: seed \d+, (?:in|around) input \d+: .*)$", re.MULTILINE)
SUM = re.compile(r"^\w+: seed (\d+), (\d+) inputs from (\d+) on, ([\d.]+) inputs/s, (\d+) faults$", re.MULTILINE)

# The targets, and whether each is worth a run under the validation layer.
Target = collections.namedtuple("Target", "name validated")
TARGETS = (Target("calls", True), Target("transfers", True), Target("glsl", False), Target("binaries", False))

# INPUTS, RATE a second and FAULTS are the program's own sum; TEXT is its stdout, DOUBT what is wrong with the run itself.
Outcome = collections.namedtuple("Outcome", "inputs rate faults text doubt")


def names():
    return [target.name for target in TARGETS]


def environment_of(driver, validation, scratch):
    """The environment of DRIVER; pipelines and shaders are kept in the folder SCRATCH alone."""
    extra = {"EGL_PLATFORM": "surfaceless", "KOBALT_CACHE_DIR": scratch, "MESA_SHADER_CACHE_DIR": scratch,
             "KOBALT_EXPECT_RENDERER": DRIVERS[driver], "KOBALT_VALIDATION": "0"}
    if validation:
        extra.update(witness.validating(sync=True), KOBALT_DISABLE="descriptor_buffer")
    env = environment.for_driver(driver, extra=extra)
    return witness.announcing(env) if driver == "kobalt" else env


def words_of(name, seed, first, inputs, seconds):
    """The program's arguments; INPUTS and SECONDS may be None."""
    words = [name, "--seed", seed, "--first", first]
    words += ["--inputs", inputs] if inputs is not None else []
    return [str(word) for word in words + (["--seconds", seconds] if seconds is not None else [])]


def judge(done, said, env, driver):
    """The Outcome of a run that ENDED so and SAID that."""
    total = SUM.search(done.stdout)
    doubt = ""
    if not total:
        doubt = "ended with status %d: %s" % (done.returncode, (said.strip().splitlines() or ["it said nothing"])[-1])
    elif driver == "kobalt":
        doubt = witness.doubt(witness.weakest(said), witness.needed(env)) or ""
    if total and not doubt and total[2] == "0":
        doubt = "no input ran"
    inputs, rate, faults = (int(total[2]), float(total[4]), FAULT.findall(done.stdout)) if total else (0, 0.0, [])
    return Outcome(inputs, rate, faults, done.stdout, doubt)


def run(name, driver="kobalt", validation=False, seed=1, first=0, inputs=None, seconds=None):
    """Feeds inputs to the target NAME; what the workers said is in out/fuzz."""
    program = environment.own_program(PROGRAM, with_tests=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = FOLDER / ("%s-%s%s.log" % (name, driver, "-validated" if validation else ""))
    with tempfile.TemporaryDirectory(prefix="kobalt-fuzz-") as scratch, open(log, "w", encoding="utf-8") as output:
        env = environment_of(driver, validation, scratch)
        done = subprocess.run([str(program), *words_of(name, seed, first, inputs, seconds)], stdout=subprocess.PIPE, stderr=output,
                              text=True, errors="replace", env=env, cwd=scratch)
    return judge(done, log.read_text(encoding="utf-8", errors="replace"), env, driver)


def command(args):
    outcome = run(args.target, args.driver, args.validation, args.seed, args.first, args.inputs, args.seconds)
    ui.note(outcome.text.rstrip("\n"))
    if outcome.doubt:
        ui.warn("%s: %s" % (args.target, outcome.doubt))
    return 1 if outcome.faults or outcome.doubt else 0
