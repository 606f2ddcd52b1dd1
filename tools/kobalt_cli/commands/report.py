# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt report: one text file to send along with a bug report, with nothing private in it."""
import glob
import json
import os
import platform
import pwd
import re
import subprocess
import time
from pathlib import Path

from ..lib import environment, paths, ui

FILE = paths.OUT / "kobalt-report.txt"
LOG_LINES = 40
INFO_S = 60
PREFIXES = ("KOBALT_", "MESA_", "VK_")
LOADERS = ("/usr/lib/%s/libvulkan.so.1" % paths.MULTIARCH, "/usr/lib64/libvulkan.so.1", "/usr/lib/libvulkan.so.1")
MANIFESTS = ("/etc/vulkan/icd.d", "/usr/local/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d",
             str(paths.HOST / "usr/share/vulkan/icd.d"))


def user_name():
    """This user's name, or "" where the system knows none."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return os.environ.get("USER", "")


# Package mirrors and proxies may be a company's own, and apt names the addresses behind them, too.
ADDRESSES = ((re.compile(r"\b(\w+://)[^/\s'\"]+"), r"\1ADDRESS"),
             (re.compile(r"\[IP: [^\]]*\]"), "[IP: ADDRESS]"),
             (re.compile(r"\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b"), "ADDRESS"),
             (re.compile(r"(resolve|resolving|onnect to|onnected to|headers from) '?[\w.:-]+'?"), r"\1 ADDRESS"))


def without_addresses(text):
    for pattern, instead in ADDRESSES:
        text = pattern.sub(instead, text)
    return text


class Scrubber:
    """Takes out of a text what tells who and where the user is."""

    def __init__(self, home, user, host, root):
        self.words = []
        for folder, instead in ((root, "."), (home, "~")):
            if folder and folder != "/":
                self.words.append((re.compile(re.escape(str(folder).rstrip("/")) + r"(?![\w-])"), instead))
        self.words.append((re.compile(r"/(home|Users|media|run/user)/[^/\s:;,'\"]+"), r"/\1/USER"))
        # "root" identifies nobody, and one-letter names occur inside other words.
        for name, instead in ((user, "USER"), (host, "HOST"), (host.partition(".")[0], "HOST")):
            if len(name) > 1 and name not in ("root", "localhost"):
                self.words.append((re.compile(r"(?<![\w-])%s(?![\w-])" % re.escape(name), re.IGNORECASE), instead))
        # A GPU's UUID.
        self.words.append((re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b", re.IGNORECASE),
                           "UUID"))

    def __call__(self, text):
        for pattern, instead in self.words:
            text = pattern.sub(instead, text)
        return text


def scrubber():
    return Scrubber(os.path.expanduser("~"), user_name(), platform.node(), paths.ROOT)


def processor():
    """The CPU's name, as Linux tells it."""
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def first_line(path):
    try:
        return Path(path).read_text(errors="replace").splitlines()[0]
    except (OSError, IndexError):
        return None


def loader():
    """The Vulkan loader's file, whose name ends with its version."""
    found = next((path for path in LOADERS if os.path.exists(path)), None)
    return os.path.realpath(found) if found else "none is installed"


def commit():
    """The commit that the project is at, where it is a git checkout."""
    try:
        done = subprocess.run(["git", "-C", str(paths.ROOT), "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return ""
    return ", commit " + done.stdout.strip() if done.returncode == 0 else ""


def versions():
    """(what, version) of everything that matters."""
    system = os.uname()
    yield "kobalt", paths.version() + commit()
    yield "Mesa", paths.MESA_VERSION
    yield "distribution", paths.os_release().get("PRETTY_NAME", "unknown")
    yield "kernel", "%s %s %s" % (system.sysname, system.release, system.machine)
    yield "CPU", "%s, %d cores" % (processor(), os.cpu_count() or 1)
    yield "C library", " ".join(platform.libc_ver()).strip() or "unknown"
    yield "Vulkan loader", loader()
    nvidia = first_line("/proc/driver/nvidia/version")
    if nvidia:
        yield "NVIDIA's kernel module", nvidia
    nodes = sorted(os.path.basename(node) for node in glob.glob("/dev/dri/renderD*") + glob.glob("/dev/nvidia[0-9]*"))
    yield "GPU nodes", ", ".join(nodes) or "none"
    for what, name in (("X11 display", "DISPLAY"), ("Wayland display", "WAYLAND_DISPLAY")):
        yield what, "set" if os.environ.get(name) else "not set"


def drivers():
    """A line for each Vulkan driver manifest."""
    for folder in MANIFESTS:
        for path in sorted(glob.glob(folder + "/*.json")):
            try:
                icd = json.loads(Path(path).read_text())["ICD"]
                yield "%s: %s, Vulkan %s" % (path, icd.get("library_path"), icd.get("api_version"))
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                yield "%s: can't be read" % path


def switches(env):
    """NAME=VALUE of the variables that steer Kobalt, Mesa and Vulkan; no others."""
    return ["%s=%s" % (name, env[name]) for name in sorted(env) if name.startswith(PREFIXES)]


def info():
    """What kobalt-info says; the report goes on when it fails, for that may be the bug."""
    program = paths.PREFIX / "bin/kobalt-info"
    if not program.exists():
        return "Kobalt is not built here"
    try:
        done = subprocess.run([str(program)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", env=environment.kobalt(), timeout=INFO_S)
    except ui.Stop as stop:
        return str(stop)
    except subprocess.TimeoutExpired:
        return "kobalt-info did not end within %d s" % INFO_S
    except OSError as error:
        return "kobalt-info does not start: %s" % error.strerror
    return done.stdout.rstrip() + ("" if done.returncode == 0 else "\n(exit status %d)" % done.returncode)


def last_lines(path):
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return [without_addresses(line[:400]) for line in text.splitlines() if line.strip()][-LOG_LINES:]


def lost_device():
    """What the driver wrote when a program lost the device last (DeviceStatus); empty: none did."""
    folder = os.environ.get("KOBALT_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kobalt")
    path = Path(folder) / "device-lost.txt"
    try:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
        return [when] + last_lines(path)
    except OSError:
        return []


def sections():
    """(title, lines) of the report."""
    yield "versions", ["%s: %s" % pair for pair in versions()]
    yield "Vulkan drivers", list(drivers()) or ["none"]
    yield "switches", switches(os.environ) or ["none is set"]
    yield "kobalt-info", info().splitlines()
    lost = lost_device()
    if lost:
        yield "the last lost device", lost
    for log in sorted(paths.LOGS.glob("*.log")):
        yield "the end of out/logs/%s" % log.name, last_lines(log) or ["(empty)"]


def text():
    blocks = ["== %s\n%s\n" % (title, "\n".join(lines)) for title, lines in sections()]
    return scrubber()(ui.without_passwords("\n".join(blocks)))


def write(out):
    path = Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Kobalt: report of a problem. Names, addresses and the home folder were taken out; look it over "
                    "before you send it.\n\n" + text(), encoding="utf-8")
    ui.note("%s holds the report: look it over, and send it with what you did and what you saw" % os.path.relpath(path))
    return 0
