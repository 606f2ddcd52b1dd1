# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt enable, disable and list: which programs always run on Kobalt. A script does it that the bundle has as well."""
import os
import subprocess

from ..lib import paths, ui

SCRIPT = paths.TOOLS / "enable/enable.sh"


def script(words, **kwargs):
    """Runs the script with WORDS; a subprocess.CompletedProcess."""
    return subprocess.run(["/bin/sh", str(SCRIPT), *words], env=dict(os.environ, KOBALT_LAUNCHER=str(paths.ROOT / "kobalt")),
                          stdin=subprocess.DEVNULL, check=False, **kwargs)


def command(args):
    """The exit status of the script. Programs that are enabled start without a build, so there should be one."""
    words = [args.command, *(option for option, given in (("--all", args.all), ("--mine", args.mine),
                                                          ("--command", args.typed)) if given), *args.programs]
    code = script(words).returncode
    if args.command == "enable" and not code and paths.library_dir() is None:
        ui.remark("Kobalt isn't built yet, and programs don't start without it: ./kobalt build")
    return code


def mine():
    """A line for each program that this Kobalt has enabled for this user."""
    return script(["list", "--mine"], stdout=subprocess.PIPE, text=True).stdout.splitlines() if os.environ.get("HOME") else []


def disable_mine():
    """Undoes all of them, and says so; false where something stays."""
    return script(["disable", "--mine"]).returncode == 0
