# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Roots of Debian's releases, for the packages: one that builds them, and a bare one that they are installed in.

mmdebstrap makes them from the machine's own mirror. It needs the rights of root, and so does chroot."""
import dataclasses
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from ..lib import paths, stamps, ui
from . import distribution, host_tree, private_apt

FOLDER = paths.STATE / "roots"
TOOL = paths.STATE / "mmdebstrap"
RELEASES = {system.suite: system for system in distribution.KNOWN.values() if system.suite}
LOG = "packages.log"
# Mounts go with the process; the network is the machine's. /dev is the machine's, too, since X servers need its sockets'
# neighbours, shared memory and null.
ENTER = """set -e
root=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for file in /etc/resolv.conf /etc/hosts; do [ ! -e "$file" ] || { touch "$root$file"; mount --bind "$file" "$root$file"; }; done
while [ "$1" != -- ]; do mkdir -p "$root$2"; mount --bind "$1" "$root$2"; shift 2; done
shift
exec chroot "$root" "$@"
"""


@dataclasses.dataclass(frozen=True)
class Root:
    """The root at PATH, of the release SUITE."""

    path: Path
    suite: str

    def start(self, words, binds=(), env=None, **kwargs):
        """A subprocess.Popen of WORDS inside. BINDS: (folder of the machine, folder inside); ENV: added to a bare
        environment."""
        mounts = [str(part) for pair in binds for part in pair]
        bare = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive"}
        bare.update({name: os.environ[name] for name in os.environ if name.lower().endswith("_proxy")})
        return subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", str(self.path), *mounts,
                                 "--", *map(str, words)], env={**bare, **(env or {})}, stdin=subprocess.DEVNULL, **kwargs)

    def run(self, words, binds=(), env=None):
        """(exit status, output) of WORDS inside."""
        process = self.start(words, binds, env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        said = process.communicate()[0]
        paths.LOGS.mkdir(parents=True, exist_ok=True)
        with open(paths.LOGS / LOG, "a", encoding="utf-8") as log:
            log.write("\n%s$ %s\n%s" % (self.path.name, shlex.join(map(str, words)), said))
        return process.returncode, said

    def must(self, words, what, binds=(), env=None):
        """The output of WORDS inside; stops where they fail at WHAT."""
        code, said = self.run(words, binds, env)
        if code:
            last = next((line for line in reversed(said.splitlines()) if line.strip()), "it said nothing")
            raise ui.Stop("%s failed (%s): see %s" % (what, last.strip(), (paths.LOGS / LOG).relative_to(paths.ROOT)))
        return said


def possible():
    """True where roots can be made: on Debian, as root."""
    system = distribution.automatic()
    return bool(system and system.suite) and os.geteuid() == 0


def tool():
    """The words that start mmdebstrap: the machine's, or one that is unpacked from its package."""
    if shutil.which("mmdebstrap"):
        return ["mmdebstrap"]
    program = TOOL / "usr/bin/mmdebstrap"
    if not program.exists():
        system = distribution.here()
        private_apt.prepare(system)
        host_tree.unpack(private_apt.download([("mmdebstrap", system.suite)]), TOOL)
        private_apt.forget()
    return ["perl", str(program)]


def sources(system, own):
    """The lines of the root's sources.list, of the machine's own mirror: SYSTEM's suites that have programs; OWN: without
    those of newer releases, as a user has them."""
    mirror = private_apt.mirror(private_apt.sources(), distribution.here())
    return ["deb [signed-by=%s] %s %s main" % (private_apt.KEYRING, mirror, suite) for kind, suite in system.suites
            if kind == "deb" and (not own or suite.startswith(system.suite))]


def make(suite, name, packages, variant, own=False):
    """The root NAME of the release SUITE with PACKAGES (`name` or `name/suite`), as mmdebstrap's VARIANT has it; as it was
    made, where that has been done. OWN: as for sources()."""
    if not possible():
        raise ui.Stop("packages are built and tried in roots of Debian: that needs Debian, and the rights of root")
    system, root = RELEASES[suite], Root(FOLDER / ("%s-%s" % (suite, name)), suite)
    value = stamps.digest(suite, variant, *packages, *sources(system, own))
    if stamps.fresh("root-" + root.path.name, value) and root.path.is_dir():
        return root
    stamps.drop("root-" + root.path.name)
    shutil.rmtree(root.path, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    options = {"APT::Default-Release": suite, "APT::Install-Recommends": "false", "Acquire::Languages": "none",
               "Acquire::Retries": "3"}
    ui.note("      making %s (a few minutes)" % root.path.relative_to(paths.ROOT))
    ui.run([*tool(), "--mode=root", "--variant=" + variant, *('--aptopt=%s "%s"' % pair for pair in options.items()),
            "--include=" + " ".join(packages), suite, root.path, *sources(system, own)], "making a root of " + system.title, log=LOG)
    stamps.write("root-" + root.path.name, value)
    return root


def copy(root, name):
    """A fresh copy of ROOT under another NAME."""
    target = root.path.with_name(name)
    shutil.rmtree(target, ignore_errors=True)
    ui.run(["cp", "-a", "--reflink=auto", root.path, target], "copying " + root.path.name, log=LOG)
    return Root(target, root.suite)
