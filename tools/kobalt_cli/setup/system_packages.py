# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Installs what the enabled apt suites have, and only what is missing."""
import functools
import os
import re
import shutil
import subprocess
import time

from ..lib import paths, ui

# sudo drops these variables, and apt can't reach the network without them.
PROXIES = [name for word in ("http", "https", "ftp", "all", "no") for name in (word + "_proxy", word.upper() + "_PROXY")]
# The packages that the set-up has installed, one a line; ./kobalt uninstall names them.
RECORD = "apt-packages.txt"
BUSY_S, BUSY_TRIES = 3.0, 600  # half an hour: an unattended upgrade of a whole system may take that long


def missing(names):
    """The packages of NAMES that are not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    present = {line.split()[0] for line in done.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in present]


def about_s(names):
    """Seconds that installing NAMES takes, more or less; piglit unpacks 2 GB."""
    return 10 + 2 * len(names) + (60 if "piglit" in names else 0)


@functools.cache
def announce_sudo(why):
    ui.note("      sudo may ask for your password (%s)" % why)


def as_root(command, why):
    """COMMAND as a list that runs with root's rights."""
    words = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"]
    if os.geteuid() == 0:
        return [*words, *command]
    if shutil.which("sudo"):
        announce_sudo(why)
        return ["sudo", *words, *("%s=%s" % (name, os.environ[name]) for name in PROXIES if os.environ.get(name)), *command]
    raise ui.Stop("not root and no sudo here: as root, run `%s`, then this command again" % " ".join(command))


def undisturbed(command):
    """COMMAND in a session of its own that no interrupt from the keyboard reaches, so that dpkg is not broken off."""
    return ["sh", "-c", 'trap "" INT; exec setsid -w "$@"', "sh", *command]


def with_status(command):
    """COMMAND, an apt-get's, whose status lines (APT::Status-Fd=3) come with what it prints. They need a descriptor of
    their own: apt closes it for dpkg, and without a standard output the packages' scripts fail."""
    return ["sh", "-c", 'exec "$@" 3>&1', "sh", *command]


def when_free(action):
    """ACTION's result; while another program holds apt's locks (its lists' too), it is tried again and again."""
    for left in reversed(range(BUSY_TRIES)):
        try:
            return action()
        except ui.AptIsBusy:
            if not left:
                raise
            if left == BUSY_TRIES - 1:
                ui.remark("another program uses apt at the moment: waiting for it")
            time.sleep(BUSY_S)


def recorded(record=None):
    """The packages that the set-up has installed on this machine, as far as it wrote them down."""
    record = record or paths.STATE / RECORD
    return sorted(set(record.read_text(encoding="utf-8").split())) if record.is_file() else []


def write_down(names, record=None):
    """Adds NAMES to the record; before they are installed, so that an interruption leaves none out."""
    record = record or paths.STATE / RECORD
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text("".join(name + "\n" for name in sorted({*recorded(record), *names})), encoding="utf-8")


def have_lists(names):
    """True when apt's lists know every package in NAMES."""
    done = subprocess.run(["apt-cache", "show", *names], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    known = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("Package: ")}
    return all(name in known for name in names)


def update_lists():
    return when_free(lambda: ui.run(as_root(["apt-get", "-q", "update"], "to install packages"), "refreshing apt's lists"))


def require_lists(names, output):
    """Stops when apt's lists, just refreshed with OUTPUT, still don't know NAMES (apt-get update calls that a success)."""
    if not have_lists(names):
        raise ui.advise(output, "refreshing apt's lists") or ui.Stop(
            "apt's sources lack some of the packages %s: enable the distribution's own suites (Debian: component main, "
            "Ubuntu: universe, too), then run the same command again" % " ".join(names))


def watcher(label):
    """Shows what apt reports on its status lines (APT::Status-Fd), as a percentage."""
    progress = ui.Progress(label, one_line=True)

    def watch(line):
        # A package's name may carry its architecture: pmstatus:libc6:amd64:41.2:Unpacking …
        found = re.match(r"(?:dl|pm)status:.+?:([0-9.]+):", line)
        if found:
            progress.update(int(float(found[1])), 100)
        return bool(found)
    return watch, progress


def mend_interrupted(updates="/var/lib/dpkg/updates"):
    """Finishes what an earlier, interrupted dpkg left half done; apt refuses to work before that."""
    if os.path.isdir(updates) and os.listdir(updates):
        ui.note("      finishing an installation that was interrupted")
        when_free(lambda: ui.run(undisturbed_root(["dpkg", "--configure", "-a"]), "finishing an interrupted installation",
                                 patient=True))


def undisturbed_root(command):
    return as_root(undisturbed(command), "to install packages")


def by_hand(names):
    """The command that a user without root's rights has to ask for."""
    return "apt-get update && apt-get install -y --no-install-recommends " + " ".join(names)


def fetch_and_install(names):
    """Downloads, then installs: the first may be interrupted at any time, the second runs to its end."""
    # Without a terminal of its own for dpkg: chroots and containers may lack /dev/pts.
    base = ["apt-get", "-q", "-o", "APT::Status-Fd=3", "-o", "Dpkg::Use-Pty=0", "install", "-y", "--no-install-recommends"]
    for label, more, wrap in (("downloading", ["--download-only"], lambda c: as_root(c, "to install packages")),
                              ("installing", [], undisturbed_root)):
        watch, progress = watcher(label)
        command, patient = wrap(with_status([*base, *more, *names])), not more
        try:
            when_free(functools.partial(ui.run, command, "installing packages", watch=watch, patient=patient))
        finally:
            progress.close()


def install(names):
    """Installs the missing ones of NAMES; returns how many there were."""
    wanted = missing(names)
    if not wanted:
        return 0
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise ui.Stop("you are not root and there is no sudo: as root, run `%s`, then the same command again"
                      % by_hand(wanted))
    try:
        install_as_root(wanted)
    except ui.SudoRefused:
        raise ui.Stop("sudo refuses: as root, run `%s`, then the same command again" % by_hand(wanted)) from None
    return len(wanted)


def install_as_root(wanted):
    mend_interrupted()
    ui.note("      installing %d packages with apt" % len(wanted))
    refreshed = not have_lists(wanted)
    if refreshed:
        require_lists(wanted, update_lists())
    write_down(wanted)
    try:
        fetch_and_install(wanted)
    except ui.SudoRefused:
        raise
    except ui.Stop:
        if refreshed:
            raise
        # The lists may be older than the mirror's files: refresh them, then once more.
        update_lists()
        fetch_and_install(wanted)
