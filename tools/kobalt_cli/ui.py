# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the user sees: steps with an estimate, progress, and one-line advice when something stops."""
import errno
import os
import shutil
import subprocess
import sys
import time

from . import paths


class Stop(Exception):
    """Ends the command with one line that says what to do. No traceback is shown."""


def note(text):
    print(text, flush=True)


def warn(text):
    print("kobalt: " + text, file=sys.stderr, flush=True)


def spell(seconds):
    """A duration in words: 40 s, 8 min, 1 h 5 min."""
    seconds = int(round(seconds))
    if seconds < 90:
        return "%d s" % seconds
    minutes = (seconds + 30) // 60
    if minutes < 60:
        return "%d min" % minutes
    return "%d h %d min" % divmod(minutes, 60)


class Progress:
    """A counter line `label 12/340 (about 3 min left)`; in place on a terminal, now and then in a log."""

    def __init__(self, label, quiet_s=15.0):
        self.label = label
        self.tty = sys.stdout.isatty()
        self.start = time.monotonic()
        self.last = self.start if not self.tty else 0.0
        self.quiet_s = 0.2 if self.tty else quiet_s
        self.open = False

    def update(self, done, total, extra=""):
        now = time.monotonic()
        if now - self.last < self.quiet_s:
            return
        self.last = now
        left = ""
        if 0 < done < total and now - self.start > 3:
            left = ", about %s left" % spell((now - self.start) / done * (total - done))
        text = "      %s %d/%d%s%s" % (self.label, done, total, left, extra)
        if self.tty:
            width = shutil.get_terminal_size().columns
            print("\r" + text[: width - 1].ljust(width - 1), end="", flush=True)
            self.open = True
        else:
            print(text, flush=True)

    def close(self):
        if self.open:
            print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="", flush=True)
            self.open = False


class Steps:
    """Numbers the parts of a long job: `[2/6] Mesa source (about 40 s)`."""

    def __init__(self, total):
        self.total = total
        self.done = 0

    def begin(self, name, about_s):
        self.done += 1
        note("[%d/%d] %s (about %s)" % (self.done, self.total, name, spell(about_s)))


NETWORK_SIGNS = ("Could not resolve", "Temporary failure", "Could not connect", "Connection timed out",
                 "Network is unreachable", "Connection failed", "Unable to connect", "Failed to fetch",
                 "No route to host", "Connection refused", "Some index files failed")


def advise(output, what):
    """The Stop that fits a failed command's output."""
    if "No space left on device" in output:
        return Stop("the disk is full while %s: make room (about 6 GB are needed), "
                    "then run the same command again" % what)
    if any(sign in output for sign in NETWORK_SIGNS):
        return Stop("no network, or the package mirror does not answer, while %s: "
                    "check the connection, then run the same command again" % what)
    if "NO_PUBKEY" in output or "is not signed" in output:
        return Stop("a package list is not signed by Debian's key while %s: "
                    "update the package debian-archive-keyring, then run the same command again" % what)
    if "dpkg was interrupted" in output or "Unmet dependencies" in output:
        return Stop("dpkg is in a broken state: run `sudo dpkg --configure -a && sudo apt-get -f install`, "
                    "then the same command again")
    if "Could not get lock" in output:
        return Stop("another program uses apt at the moment: wait for it, then run the same command again")
    return None


def run(command, what, log="setup.log", **kwargs):
    """Runs a quiet command; its output goes to out/logs/LOG. Failure becomes one line of advice."""
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    log_path = paths.LOGS / log
    try:
        done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", **kwargs)
    except OSError as error:
        raise Stop("%s is missing (needed while %s): install it, then run the same command again"
                   % (command[0], what)) if error.errno == errno.ENOENT else error
    with open(log_path, "a", encoding="utf-8") as file:
        file.write("$ %s\n%s\n" % (" ".join(str(c) for c in command), done.stdout))
    if done.returncode != 0:
        known = advise(done.stdout, what)
        if known:
            raise known
        tail = "\n".join("      " + line for line in done.stdout.strip().splitlines()[-12:])
        print(tail, file=sys.stderr)
        raise Stop("%s failed while %s; the whole output is in %s"
                   % (os.path.basename(str(command[0])), what, log_path.relative_to(paths.ROOT)))
    return done.stdout


def need_disk(gigabytes):
    """Stops when the project's file system is read-only or has less than GIGABYTES free."""
    free = shutil.disk_usage(paths.ROOT).free / 1e9
    if free < gigabytes:
        raise Stop("%.1f GB are free in %s, %d GB are needed: make room, then run the same command again"
                   % (free, paths.ROOT, gigabytes))
    if not os.access(paths.ROOT, os.W_OK):
        raise Stop("%s can't be written to: put the project where you may write" % paths.ROOT)
