# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suites `format` and `tidy`: clang-format over every file, clang-tidy over the folders that are clean under it."""
import re
import shutil
import subprocess

from ..lib import paths, tally, ui
from ..setup import package_lists

FOLDERS = ("src", "subprojects/packagefiles", "tests", "bench")
ENDINGS = (".cpp", ".h", ".c")
VERSION = 14  # Debian 12's: other versions break lines differently
TIDY = "run-clang-tidy-16"
TIDIED = "src/(vulkan|render|present)/"
LOG = paths.OUT / "test/tidy.log"


def files():
    """The sources that clang-format formats."""
    return sorted(p for folder in FOLDERS for p in (paths.ROOT / folder).rglob("*") if p.suffix in ENDINGS and p.is_file())


def formatter():
    """The clang-format to ask, or None where there is none of the right version."""
    for name in ("clang-format-%d" % VERSION, "clang-format"):
        if shutil.which(name):
            text = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True).stdout
            found = re.search(r"version (\d+)\.", text)
            if found and int(found[1]) == VERSION:
                return name
    return None


def out_of_form(name, paths_of):
    """The files among PATHS_OF that the clang-format called NAME would change."""
    done = subprocess.run([name, "--dry-run", *map(str, paths_of)], cwd=paths.ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    bad = {line.partition(":")[0] for line in done.stdout.splitlines() if "code should be clang-formatted" in line}
    if done.returncode and not bad:
        raise ui.Stop("clang-format ended with status %d: %s" % (done.returncode, done.stdout.strip()[-200:]))
    return sorted(bad)


def format_suite(args):
    name = formatter()
    if name is None and "clang-format" in package_lists.installed_names("test"):  # its version is right here
        raise ui.Stop("clang-format %d is missing: install the package clang-format" % VERSION)
    if name is None:
        return tally.Tally(skipped=1, skips=["clang-format"])
    bad = out_of_form(name, files())
    return tally.Tally(passed=not bad, failed=bool(bad),
                       notes=["clang-format -i %s" % name.removeprefix(str(paths.ROOT) + "/") for name in bad])


def tidy_suite(args):
    if not shutil.which(TIDY):
        raise ui.Stop("%s is missing: install the package clang-tidy-16" % TIDY)
    with open(LOG, "w", encoding="utf-8") as log:
        code = subprocess.run([TIDY, "-quiet", "-j", str(args.jobs), "-p", str(paths.BUILD), "%s/%s" % (paths.ROOT, TIDIED)],
                              cwd=paths.ROOT, stdout=log, stderr=subprocess.DEVNULL).returncode
    found = sorted(set(re.findall(r"^(\S+:\d+):\d+: (?:warning|error): .*(\[[\w.,-]+\])$", LOG.read_text(errors="replace"),
                                  re.MULTILINE)))
    notes = ["%s %s" % (place.removeprefix(str(paths.ROOT) + "/"), check) for place, check in found]
    if code and not notes:
        notes = ["%s ended with status %d: see out/test/tidy.log" % (TIDY, code)]
    return tally.Tally(passed=not notes, failed=bool(notes), notes=notes)
