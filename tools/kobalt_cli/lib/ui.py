# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the user sees: steps with an estimate, progress, and one-line advice when something stops."""
import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import time

from . import paths


class Stop(Exception):
    """Ends the command with one line that says what to do. No traceback is shown."""


class SudoRefused(Stop):
    """This user may not use sudo, or there is nobody to type the password."""


class AptIsBusy(Stop):
    """Another program holds a lock of apt's or dpkg's; it will be free again."""


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


def spell_size(gigabytes):
    """A size in words: 80 MB, 1.6 GB."""
    return "%.1f GB" % gigabytes if gigabytes >= 1 else "%.0f MB" % (1000 * gigabytes)


def remark(text):
    """Prints something good to know that is no error; KOBALT_QUIET=1 leaves it out."""
    if os.environ.get("KOBALT_QUIET", "0") != "1":
        warn(text)


class Progress:
    """A counter line `label 12/340 (about 3 min left)`; in place on a terminal, now and then in a log, or with ONE_LINE in
    a single line there that grows by each tenth."""

    def __init__(self, label, quiet_s=15.0, one_line=False):
        self.label = label
        self.one_line, self.tenths = one_line, 0
        self.tty = sys.stdout.isatty()
        self.start = time.monotonic()
        self.last = self.start if not self.tty else 0.0
        self.quiet_s = 0.2 if self.tty else quiet_s
        self.open = False

    def update(self, done, total, extra=""):
        now = time.monotonic()
        if now - self.last < self.quiet_s:
            return
        if self.one_line and not self.tty:
            self.grow(done, total)
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

    def grow(self, done, total):
        """Adds the per cents in tens, where there are more than before."""
        if done * 10 // max(total, 1) > self.tenths:
            self.tenths = done * 10 // total
            print("%s %d" % ("" if self.open else "      %s, per cent:" % self.label, 10 * self.tenths), end="", flush=True)
            self.open = True

    def close(self):
        if self.open and self.one_line and not self.tty:
            print(flush=True)
        elif self.open:
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


def in_english(env=None):
    """ENV (this process's, unless given) for programs whose messages are read here: advice knows them in English."""
    env = dict(os.environ if env is None else env, LC_ALL="C.UTF-8")
    env.pop("LANGUAGE", None)  # it would win over LC_ALL
    return env


def without_passwords(text):
    """TEXT without what stands before the @ of an address (a proxy's name and password)."""
    return re.sub(r"(\w://)[^/\s@'\"]+@", r"\1***@", text)


# The last lines of apt and dpkg when they give up; while apt waits for a lock by itself it says so without `E:`.
BUSY = re.compile(r"^(E: (Could not get lock|Unable to lock|Unable to acquire)|dpkg: error: .*lock was locked by )",
                  re.MULTILINE)
NETWORK_SIGNS = ("Could not resolve", "Temporary failure", "Could not connect", "Connection timed out",
                 "Network is unreachable", "Connection failed", "Unable to connect", "Failed to fetch",
                 "No route to host", "Connection refused", "Some index files failed")


def advise(output, what):
    """The Stop that fits a failed command's output."""
    if "No space left on device" in output or "enough free space" in output:
        return Stop("the disk is full while %s: make room, then run the same command again" % what)
    if "Read-only file system" in output:
        return Stop("a read-only disk while %s: put the project where you may write" % what)
    if any(sign in output for sign in NETWORK_SIGNS):
        return Stop("no network, or the package mirror does not answer, while %s: "
                    "check the connection, then run the same command again" % what)
    if "unable to allocate pty" in output or "Is /dev/pts mounted" in output:
        return Stop("/dev/pts is missing while %s: as root, run `mount -t devpts devpts /dev/pts`, then the same command again"
                    % what)
    if "NO_PUBKEY" in output or "is not signed" in output:
        return Stop("a package list is not signed by Debian's key while %s: "
                    "update the package debian-archive-keyring, then run the same command again" % what)
    if "dpkg was interrupted" in output or "Unmet dependencies" in output:
        return Stop("dpkg is in a broken state: run `sudo dpkg --configure -a && sudo apt-get -f install`, "
                    "then the same command again")
    if "sudo: a password is required" in output or "sudo: a terminal is required" in output or "sudoers" in output:
        return SudoRefused("sudo refuses while %s: run the same command as root, or give this user sudo rights" % what)
    if BUSY.search(output):
        return AptIsBusy("another program uses apt at the moment: wait for it, then run the same command again")
    return None


def advise_file(error):
    """The Stop that fits an OSError, or None."""
    name = error.filename or paths.ROOT
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Stop("the disk is full (writing %s): make room, then run the same command again" % name)
    if error.errno == errno.EROFS:
        return Stop("%s is on a read-only disk: put the project where you may write" % name)
    if error.errno in (errno.EACCES, errno.EPERM):
        return Stop("%s can't be written to, it may belong to another user (was Kobalt built with sudo?): "
                    "`sudo chown -R \"$USER\" %s` gives it to you" % (name, paths.ROOT))
    return None


# Programs that start another one, which is the one to name.
STARTERS = ("sudo", "env", "sh", "setsid", "python3")


def named(command):
    """The name of the program that COMMAND is about: not that of env, sudo or a shell in front of it."""
    names = [os.path.basename(word) for word in command if not re.match(r"-|\w+=", word) and " " not in word]
    return next((name for name in names if name not in STARTERS), os.path.basename(command[0]))


def cause(output):
    """The line of OUTPUT that says what went wrong, in brackets behind a space; empty without one. dpkg's own errors come
    before apt's, which only say that dpkg failed."""
    for pattern in (r"^dpkg: error.*(?:\n .*)?", r"^E: .*", r"^.*\bERROR: .*"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return " (%s)" % re.sub(r"\s+", " ", found[0])
    return ""


def drain(process, watch):
    """The lines that PROCESS prints until it ends; WATCH sees each, and a line for which it returns True is left
    out."""
    for line in process.stdout:
        if not (watch and watch(line)):
            yield line


def run(command, what, log="setup.log", watch=None, patient=False, **kwargs):
    """Runs a quiet command; its output goes to out/logs/LOG. Failure becomes one line of advice.

    WATCH(line) is called as lines come. PATIENT: an interrupt waits until the command has ended by itself;
    the caller sees to it that the interrupt doesn't reach it. The command speaks English.
    """
    kwargs["env"] = in_english(kwargs.get("env"))
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    log_path, lines, interrupted = paths.LOGS / log, [], False
    command = [str(c) for c in command]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, text=True, errors="replace", **kwargs)
    except OSError as error:
        raise Stop("%s is missing (needed while %s): install it, then run the same command again"
                   % (command[0], what)) if error.errno == errno.ENOENT else error
    with process:
        while True:
            try:
                lines.extend(drain(process, watch))
                process.wait()
                break
            except KeyboardInterrupt:
                if not patient:
                    with contextlib.suppress(PermissionError):  # a program under sudo got the interrupt itself
                        process.terminate()
                    raise
                interrupted = True
                warn("interrupted: stopping as soon as %s is done (a torn installation would be yours to mend)" % what)
    output = "".join(lines)
    with open(log_path, "a", encoding="utf-8") as file:
        file.write(without_passwords("$ %s\n%s\n" % (" ".join(command), output)))
    if interrupted:
        raise KeyboardInterrupt
    if process.returncode != 0:
        known = advise(output, what)
        if known:
            raise known
        tail = "\n".join("      " + line for line in output.strip().splitlines()[-12:])
        print(tail, file=sys.stderr)
        raise Stop("%s failed while %s%s; the whole output is in %s"
                   % (named(command), what, cause(output), log_path.relative_to(paths.ROOT)))
    return output
