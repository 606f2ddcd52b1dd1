# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The run of `./kobalt test` that docs/status.md shows: its commit, and whether the code is still the same."""
import json
import subprocess

from ..lib import paths, tally, ui

# Files that may change after a recorded run, since none of them is compiled or executed.
DOCUMENTS = (":(exclude)docs", ":(exclude)*.md", ":(exclude).ci")


def git(*words):
    """What git prints in the project, or None if it fails, or if there is no git or no history."""
    try:
        done = subprocess.run(["git", "-C", str(paths.ROOT), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def state():
    """{commit, changed}: the commit that is checked out, and whether files differ from it; None without a history."""
    commit = git("rev-parse", "HEAD")
    return commit and {"commit": commit, "changed": bool(git("status", "--porcelain", "--untracked-files=no"))}


def save(suites, path, begun):
    """Writes the results of all SUITES to PATH. BEGUN: state() before the run."""
    tested = begun if begun == state() else None  # None: the code changed during the run
    path.write_text(json.dumps({**(tested or {"commit": None, "changed": True}), "suites": suites}, indent=1) + "\n")


def refuse(run):
    """Stops if RUN, the contents of test.json, must not be recorded: it has failures, or isn't a commit's."""
    failed = [suite for suite in run["suites"] if suite["failed"]]
    if failed:
        raise ui.Stop("the last `./kobalt test` has failures (%s): docs/status.md shows none; mend them, then run it again"
                      % ", ".join("%s: %d" % (suite["text"], suite["failed"]) for suite in failed))
    if not run["commit"] or run["changed"]:
        raise ui.Stop("the last `./kobalt test` was not of a commit as it stands: commit, then run it again")


def check(run):
    """Why RUN isn't a run of the checked-out code; None if it is, or if there is no history to tell by."""
    if git("rev-parse", "--is-shallow-repository") != "false":
        return None
    if any(suite["failed"] for suite in run["suites"]):
        return "it has failures"
    commit = run["commit"]
    if not commit or git("merge-base", "--is-ancestor", commit, "HEAD") is None:
        return "it is of %s, which is no commit before this one" % (commit or "no commit")
    behind = git("diff", "--name-only", commit, "HEAD", "--", ".", *DOCUMENTS)
    if behind is None or behind:
        return "code changed since %s, for instance %s" % (commit[:12], (behind or "?").splitlines()[0])
    return None


def section(path, table, missing):
    """The run of PATH as a part of docs/status.md; MISSING stands in its cells where there is none."""
    rows, of = [["all"] + [missing] * 5], ""
    if path.exists():
        run, rows = json.loads(path.read_text()), []
        of = "Of commit %s. " % run["commit"][:12] if run["commit"] else ""
        for suite in run["suites"]:
            sum_of = tally.Tally(suite["passed"], suite["failed"], suite["skipped"], known=suite.get("known", 0))
            rows.append([suite["text"], sum_of.passed, sum_of.failed, sum_of.skipped, sum_of.known, "%.0f" % suite["seconds"]])
    return ("## The last `./kobalt test`\n\n%s*Known* are tests that are recorded not to pass, each with its reason.\n\n" % of
            + table(["suite", "passed", "failed", "skipped", "known", "seconds"], rows))


def command(path):
    """0 where the run of PATH is one of the code that is checked out, without a failure; else stops with the reason."""
    why = check(json.loads(path.read_text())) if path.exists() else "none is recorded"
    if why:
        raise ui.Stop("docs/status.md shows another run of `./kobalt test` than one of this code: %s. Run `./kobalt test`, "
                      "`./kobalt status`, then commit what it wrote" % why)
    ui.note("docs/status.md shows a run of this code without a failure")
    return 0
