# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench faults: each Vulkan call that can fail does, off screen and in windows, under Kobalt and zink, as a table by
command and answer."""
import subprocess
import sys
from collections import Counter

from ..lib import environment, labels, paths, tables, ui, xserver
from .bench import MEASURED

TABLE = MEASURED / "faults.tsv"
COLUMNS = 4  # driver, command, answer, cases
FOLDER = paths.OUT / "faults"
WALK = paths.ROOT / "tests/fault/walk.py"
LAYER = paths.BUILD / "bench/fault_layer"
FRAMES = paths.BUILD / "tests/fault/kobalt-fault-frames"
DRIVERS = ("kobalt", "zink")
MOST = 4  # single calls of a command that fail with each result, beside those for ever
# What a wrong answer begins with, in the words of walk.py, and its column.
KINDS = {"crashes": "crashes", "hangs": "hangs", "frame": "wrong frames", "after a loss": "no next display", "ends early": "ends early",
         "window": "windows"}
# Without MIT-SHM Kobalt's windows on lavapipe have swapchains unless one fails (src/present/window_choice.cpp).
SERVER = ("-extension", "MIT-SHM")


def environment_of(driver):
    if driver == "kobalt":
        return environment.kobalt("lavapipe", quiet=True)
    return dict(environment.peer(driver), KOBALT_EXPECT_RENDERER=driver)


def kind_of(answer):
    """The column that an answer counts in; "right" where nothing is wrong."""
    return next((column for sign, column in KINDS.items() if answer.startswith(sign)), answer)


def summed(text):
    """{command: Counter of answers} from what walk.py wrote: a case, its moment and its answer a line."""
    found = {}
    for line in text.splitlines():
        case, _, answer = line.split("\t", 2)
        found.setdefault(case.split(":")[0], Counter())[kind_of(answer)] += 1
    return found


def walked(driver, env, words=()):
    """What walk.py writes of DRIVER in ENV; empty where it writes nothing."""
    written = FOLDER / ("-".join([driver, *(word.strip("-") for word in words)]) + ".tsv")
    written.unlink(missing_ok=True)
    code = subprocess.run([sys.executable, str(WALK), "--frames", str(FRAMES), "--layer", str(LAYER), "--most", str(MOST), "--table",
                           str(written), *words], env=env, check=False).returncode
    if not written.exists():
        ui.note("%s: no table %s(exit status %d)" % (driver, "of %s " % " ".join(words) if words else "", code))
        return ""
    return written.read_text(encoding="utf-8")


def command(args):
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, wrong = [], 0
    for driver in DRIVERS:
        ui.note("%s: calls that fail" % driver)
        env = environment_of(driver)
        with xserver.VirtualDisplay(options=SERVER) as display:
            texts = walked(driver, env), walked(driver, xserver.environment(display, env), ["--windows"])
        wrong += texts.count("") if driver == "kobalt" else 0
        for name, answers in sorted(summed("".join(texts)).items()):
            rows += [(driver, name, answer, count) for answer, count in sorted(answers.items())]
            wrong += driver == "kobalt" and sum(count for answer, count in answers.items() if answer != "right")
    tables.write(TABLE, "%s, %s" % (labels.device(environment.kobalt("lavapipe", quiet=True)), labels.machine()), rows)
    ui.note("%d cases are wrong with Kobalt: see out/faults" % wrong)
    return 1 if wrong else 0


def status_section(table, missing):
    """The section of docs/status.md; TABLE makes a table, MISSING stands where nothing was measured."""
    head = ["driver", "commands", "cases", "right", *KINDS.values()]
    text = "## Calls that fail\n\n`./kobalt bench faults`: frames are drawn, off screen and in windows, while a Vulkan call returns an " \
           "error, once or from then on ([what is right then](reliability.md)).\n\n"
    if not TABLE.exists():
        return text + table(head, [[missing] * len(head)])
    machine, cells = tables.read(TABLE, COLUMNS)
    rows = []
    for driver in dict.fromkeys(cell[0] for cell in cells):
        answers = Counter()
        for _, _, answer, count in (cell for cell in cells if cell[0] == driver):
            answers[answer] += int(count)
        commands = len({cell[1] for cell in cells if cell[0] == driver})
        rows.append([driver, str(commands), str(sum(answers.values())), str(answers["right"]),
                     *(str(answers[column]) for column in KINDS.values())])
    return "%s%s\n\n%s" % (text, machine, table(head, rows))
