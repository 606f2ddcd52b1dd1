# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Installs what the enabled apt suites have, and only what is missing."""
import os
import shutil
import subprocess

from . import ui


def missing(names):
    """Those of NAMES that are not installed."""
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    present = {line.split()[0] for line in done.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in present]


def as_root(command, why):
    """COMMAND as a list that runs with root's rights."""
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", *command]
    if os.geteuid() == 0:
        return quiet
    if shutil.which("sudo"):
        ui.note("      sudo may ask for your password (%s)" % why)
        return ["sudo", *quiet]
    raise ui.Stop("not root and no sudo here: as root, run `%s`, then this command again" % " ".join(command))


def have_lists(names):
    """True when apt's lists know every package in NAMES."""
    done = subprocess.run(["apt-cache", "--no-generate", "show", *names], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    known = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("Package: ")}
    return all(name in known for name in names)


def update_lists():
    ui.run(as_root(["apt-get", "-q", "update"], "to refresh apt's lists"), "refreshing apt's lists")


def install(names):
    """Installs the missing ones of NAMES; returns how many there were."""
    wanted = missing(names)
    if not wanted:
        return 0
    command = ["apt-get", "-q", "install", "-y", "--no-install-recommends", *wanted]
    ui.note("      installing %d packages with apt" % len(wanted))
    if not have_lists(wanted):
        update_lists()
    try:
        ui.run(as_root(command, "to install packages"), "installing packages")
    except ui.Stop:
        # The lists may be older than the mirror's files: refresh them, then once more.
        update_lists()
        ui.run(as_root(command, "to install packages"), "installing packages")
    return len(wanted)
