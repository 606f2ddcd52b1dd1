# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Where things lie, and the versions that are pinned."""
import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ROOT / "tools"
STATE = ROOT / ".kobalt"          # what the set-up fetched; safe to delete
APT = STATE / "apt"
HOST = STATE / "host"             # unpacked packages that the build and the tests use
SYSTEM_PYTHON = Path("/usr/bin/python3")  # Debian's: the one that Mesa's Python modules are installed for
NATIVE_FILE = STATE / "meson.ini"  # for those who call meson themselves
PEERS = STATE / "peers"           # unpacked stock Mesa: what Kobalt is measured against
STAMPS = STATE / "stamps"
BUILD = ROOT / "build"
PREFIX = BUILD / "prefix"
OUT = ROOT / "out"
LOGS = OUT / "logs"
PROFILES = ROOT / "piglit-profiles"
MESA_VERSION = "25.0.7"
MESA_TREE = ROOT / "subprojects" / ("mesa-" + MESA_VERSION)
MESA_TARBALL = ROOT / "subprojects/packagecache" / ("mesa-%s.tar.xz" % MESA_VERSION)
MESA_DEBIAN_TARBALL = "mesa_%s.orig.tar.xz" % MESA_VERSION  # Debian's name of the same file
MESA_WRAP = ROOT / "subprojects/mesa.wrap"  # says where Mesa's release lies
MESA_SHA256 = "592272df3cf01e85e7db300c449df5061092574d099da275d19e97ef0510f8a6"
MULTIARCH = "x86_64-linux-gnu"
MULTIARCH_32 = "i386-linux-gnu"
MULTIARCH_ARM = "aarch64-linux-gnu"
ENVIRONMENT = TOOLS / "environment.sh"


def version():
    """The project's version, from meson.build."""
    try:
        text = (ROOT / "meson.build").read_text()
    except OSError:
        return "0"
    found = re.search(r"\bversion\s*:\s*'([^']+)'", text)
    return found.group(1) if found else "0"


def os_release():
    """/etc/os-release as a dictionary (empty where there is none)."""
    values = {}
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        if os.path.exists(path):
            for line in Path(path).read_text().splitlines():
                key, eq, value = line.strip().partition("=")
                if eq:
                    values[key] = value.strip("\"'")
            break
    return values


def library_dir(prefix=PREFIX):
    """The folder below PREFIX that holds the driver's vendor libraries, or None."""
    for name in ("lib/" + MULTIARCH, "lib/" + MULTIARCH_32, "lib/" + MULTIARCH_ARM, "lib64", "lib"):
        if (prefix / name / "libEGL_kobalt.so.0").exists():
            return prefix / name
    return None


def existing(path):
    """PATH, or the nearest folder above it that exists."""
    path = Path(path)
    while not path.exists():
        path = path.parent
    return path


def compiler_cache():
    """Where ccache keeps what was compiled: its usual place, or the project's where there is no home to write to."""
    if os.environ.get("CCACHE_DIR"):
        return Path(os.environ["CCACHE_DIR"])
    usual = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")).absolute() / "ccache"
    return usual if os.access(existing(usual), os.W_OK) else STATE / "ccache"


def compiler_environment(given=None):
    """Variables that make all build folders of the project share ccache's results; to be added to GIVEN (this
    process's environment). Otherwise ccache hashes the folder and the locale: the launcher builds in English, and a
    user who types Meson's commands may use another language."""
    given = os.environ if given is None else given
    env = {"CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(ROOT)}
    sloppiness = given.get("CCACHE_SLOPPINESS", "")
    env["CCACHE_SLOPPINESS"] = sloppiness + ",locale" if sloppiness else "locale"
    if compiler_cache() == STATE / "ccache":
        env["CCACHE_DIR"] = str(compiler_cache())
    if shutil.which("ccache"):
        env["CC"] = given.get("CC", "ccache gcc")
        env["CXX"] = given.get("CXX", "ccache g++")
    return env


def build_environment():
    """The environment for meson, ninja and compilers: Debian's own tools before any other."""
    env = {**os.environ, **compiler_environment()}
    env["PATH"] = "/usr/bin:/bin:" + env.get("PATH", "")
    pkgconfig = [HOST / "usr/lib" / MULTIARCH / "pkgconfig", HOST / "usr/share/pkgconfig"]
    present = [str(p) for p in pkgconfig if p.is_dir()]
    if env.get("PKG_CONFIG_PATH"):
        present.append(env["PKG_CONFIG_PATH"])
    if present:
        env["PKG_CONFIG_PATH"] = ":".join(present)
    return env
