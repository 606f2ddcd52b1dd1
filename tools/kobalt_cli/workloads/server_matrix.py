# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bench servers: parts of the window tests on each X server, for both kinds of window, as a table."""
import re

from ..conformance import piglit_run
from ..lib import environment, labels, paths, tables, ui
from .bench import MEASURED

TABLE = MEASURED / "window-servers.tsv"
COLUMNS = 6  # server, kind, api, part, result, messages
FOLDER = paths.OUT / "servers"
LIMIT_S = 300
SCREEN = ["-screen", "0", "1280x1024x"]


def xvfb(depth=24, *options):
    return [*SCREEN[:-1], SCREEN[-1] + str(depth), *options]


# The options of tests/window/with-xserver.sh.
SERVERS = {
    "Xvfb": xvfb(),
    "Xvfb without GLX": xvfb(24, "-extension", "GLX"),
    "Xvfb without MIT-SHM": xvfb(24, "-extension", "MIT-SHM"),
    "Xvfb over TCP": ["--tcp", *xvfb()],
    "Xvfb, 16 bits": xvfb(16),
    "Xvfb, 30 bits": xvfb(30),
    "TigerVNC": ["--server", "Xtigervnc", "-geometry", "1280x1024", "-depth", "24"],
    "Xwayland on Weston": ["--server", "Xwayland"],
}
KINDS = ("swapchain", "cpu")
APIS = ("glx", "egl")
PARTS = {"resizes": "300 random resizes", "threads": "52 windows from 4 threads", "until-killed": "the server killed in mid frame",
         "growth": "2,000 resizes"}
GROWTH = re.compile(r"growth over \d+ resizes: (-?\d+) KiB of \d+, the server's (-?\d+) KiB, (-?\d+) files")
# What a program prints of its own accord: which way frames go, and Xlib's last words.
EXPECTED = re.compile(r"windows are shown by copies through the CPU|X connection to .* broken|^$")


def apis(server):
    return ("egl",) if server == "Xvfb without GLX" else APIS


def command_of(server, api, part):
    """The command line of one part."""
    tests = environment.own_program("kobalt-window-tests", with_tests=True)
    line = [paths.ROOT / "tests/window/with-xserver.sh", *SERVERS[server], "--", tests, api, part]
    if "Weston" in server:
        line.insert(0, paths.ROOT / "tests/window/with-weston.sh")
    return list(map(str, line))


def judged(code, out, err):
    """(result, messages): "passed", or in a word why not, with the growth where OUT has it; lines that nothing explains."""
    growth = GROWTH.search(out)
    messages = sum(not EXPECTED.search(line) for line in err.splitlines())
    if code is None:
        return "hangs", messages
    if code == 77:
        return "skipped", messages
    if code:
        return "failed", messages
    return ("%s KiB, server %s KiB" % growth.groups()[:2] if growth else "passed"), messages


def command(args):
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, bad = [], 0
    for server in SERVERS:
        for kind in KINDS:
            env = environment.kobalt("lavapipe", extra={"KOBALT_WINDOWS": kind, "KOBALT_EXPECT_RENDERER": "Kobalt"}, quiet=True)
            for api in apis(server):
                for part in PARTS:
                    code, out, err = piglit_run.execute(command_of(server, api, part), env, LIMIT_S, str(paths.ROOT))
                    result, messages = judged(code, out, err)
                    bad += result in ("hangs", "failed") or messages > 0
                    name = "-".join((server, kind, api, part)).replace(" ", "-").replace(",", "")
                    (FOLDER / (name + ".log")).write_text(out + err, encoding="utf-8")
                    rows.append((server, kind, api, part, result, messages))
                    ui.note("%s, %s, %s, %s: %s%s" % (server, kind, api, PARTS[part], result,
                                                     ", %d messages" % messages if messages else ""))
    tables.write(TABLE, "%s, %s" % (labels.device(environment.kobalt("lavapipe", quiet=True)), labels.machine()), rows)
    ui.note("%d of %d parts failed or printed something: see out/servers" % (bad, len(rows)))
    return 1 if bad else 0


def status_section(table, missing):
    """The part of docs/status.md's section on windows; TABLE makes a table, MISSING stands where nothing was measured."""
    head = ["server", "windows", "API", *PARTS.values(), "messages"]
    text = "Parts of the window tests on each X server, `./kobalt bench servers`. The last part says what the program and the " \
           "server grow by.\n\n"
    if not TABLE.exists():
        return text + table(head, [[missing] * len(head)])
    machine, cells = tables.read(TABLE, COLUMNS)
    lines = {}
    for server, kind, api, part, result, messages in cells:
        line = lines.setdefault((server, kind, api.upper()), {"messages": 0})
        line[part] = result
        line["messages"] += int(messages)
    return "%s%s\n\n%s" % (text, machine, table(head, [[*key, *(line.get(part, missing) for part in PARTS), str(line["messages"])]
                                                       for key, line in lines.items()]))
