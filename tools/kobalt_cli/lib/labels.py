# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a measurement was made on, as the run itself saw it: nothing of it is written by hand.

Tables of results begin with lines `# key<TAB>value`; read_head gives them back.
"""
import re
import time
from pathlib import Path

from . import paths, witness

UNKNOWN = "a device that was not recorded"
UNKNOWN_VERSION = "not recorded"


def machine():
    """The processor and the number of its cores."""
    text = Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*:\s*(.*)", text)
    return "%d cores of %s" % (len(re.findall(r"^processor", text, re.MULTILINE)),
                               model[1].strip() if model else "an unnamed processor")


def parse_device(report):
    """"NAME, driver DRIVER" of the chosen device in kobalt-info's REPORT; None where it names none."""
    found = re.search(r"^\* \d+  (.*)\n +(.*), driver (.*)$", report, re.MULTILINE)
    return "%s, driver %s" % (found[1].strip(), found[3].strip()) if found else None


def device(env):
    """The Vulkan device that programs in ENV get, and its driver's version, as kobalt-info reports them."""
    program = paths.PREFIX / "bin/kobalt-info"
    if not program.exists():
        return UNKNOWN
    report = witness.output([str(program), "--vulkan"], env)
    return parse_device(report) or UNKNOWN


def head(driver, env, **more):
    """{key: value}: the driver and the device that draw in ENV, which has a display. Stops if DRIVER does not draw
    there."""
    renderer = witness.require(driver, env)
    values = {"driver": driver, "renderer": renderer, "version": witness.version_of(env)}
    if driver in ("kobalt", "zink"):
        values["device"] = device(env)
    values.update(machine=machine(), day=time.strftime("%Y-%m-%d", time.gmtime()))
    values.update({key: str(value) for key, value in more.items()})
    return values


def write_head(values):
    return "".join("# %s\t%s\n" % item for item in values.items())


def read_head(path):
    """{key: value} of the lines at the beginning of a table; empty where there is no such file."""
    values = {}
    if Path(path).exists():
        for line in Path(path).read_text(encoding="utf-8").split("\n"):
            if not line.startswith("#"):
                break
            key, tab, value = line[1:].strip().partition("\t")
            if tab:
                values[key] = value
    return values


def since(before, day):
    """The head entry of a run on DAY that continues one with the head BEFORE: the day when the earlier run began."""
    first = before.get("since", before.get("day", day))
    return {"since": first} if first != day else {}


def days(values):
    """When a table with the head VALUES was measured."""
    return " to ".join(values[key] for key in ("since", "day") if key in values)


def on(values):
    """What a table with the head VALUES was measured on, for a heading."""
    return values.get("device") or values.get("renderer") or UNKNOWN


def rounds(number):
    """How often: "one round", or "median of 3 rounds"."""
    return "one round" if number == 1 else "median of %d rounds" % number
