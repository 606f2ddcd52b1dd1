# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the suite `venus` needs: Venus's server out of Debian 13's packages, and the client's driver.

The server is newer than Debian 12's libc. So its tree has a libc of its own, and its programs are started by that
libc's ld.so: no chroot, no rights of root.
"""
import os
import shlex
import subprocess

from ..lib import lock, paths, stamps, ui, venus
from . import distribution, gpu_setup, host_tree, package_lists, private_apt, setup

LIBRARIES = venus.TREE / "usr/lib" / paths.MULTIARCH
LOADER = venus.TREE / "usr/lib64/ld-linux-x86-64.so.2"
PROGRAMS = {venus.STARTER: venus.TREE / "usr/bin/virgl_test_server",
            venus.RENDERER: venus.TREE / "usr/libexec/virgl_render_server"}
LAVAPIPE = LIBRARIES / "libvulkan_lvp.so"
DEVICE = "/dev/udmabuf"
STAND_IN = paths.ROOT / "tests/venus/stand_in_udmabuf.c"
BUILT_STAND_IN = venus.TREE / "stand_in_udmabuf.so"


def has_device():
    """True where lavapipe can make dma-bufs of its own memory."""
    return os.access(DEVICE, os.R_OK | os.W_OK)


def starter_text(program, preload=None):
    """A script that starts PROGRAM of the tree with the tree's libraries, and the library PRELOAD in front of them."""
    words = [LOADER, *(["--preload", preload] if preload else []), "--library-path", LIBRARIES, program]
    return '#!/bin/sh\nexec %s "$@"\n' % " ".join(shlex.quote(str(word)) for word in words)


def lacking(library):
    """Names of libraries that LIBRARY, a file of the tree, needs and the tree lacks."""
    command = [LOADER, "--library-path", LIBRARIES, "--list", library]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=ui.in_english())
    missing = [line.split()[0] for line in done.stdout.splitlines() if "not found" in line]
    return missing or ([done.stdout.strip() or "an executable ld.so"] if done.returncode else [])


def fetch(system, pairs):
    """Unpacks the packages PAIRS, with the scripts that start the programs, and manifests for both sides."""
    private_apt.prepare(system)
    host_tree.unpack(private_apt.download(pairs), venus.TREE)
    private_apt.forget()
    for file in (*PROGRAMS.values(), LIBRARIES / "libvulkan.so.1", LAVAPIPE):
        missing = lacking(file) if file.exists() else ["the file itself"]
        if missing:
            raise ui.Stop("Venus's server can't be started, %s lacks %s: add the package that has it to [venus] in %s"
                          % (file.name, ", ".join(missing), "tools/packages-%s.txt" % system.name))
    stand_in = None
    if not has_device():
        stand_in = BUILT_STAND_IN
        ui.run(["cc", "-O1", "-shared", "-fPIC", "-o", stand_in, STAND_IN], "building the stand-in for " + DEVICE)
    for starter, program in PROGRAMS.items():
        starter.write_text(starter_text(program, stand_in))
        starter.chmod(0o755)
    host_tree.write_icd(venus.SERVED, LAVAPIPE, "1.4.305")
    host_tree.write_icd(venus.CLIENT, venus.LIBRARY, "1.4.305")


def server_value(system):
    """What the tree is made from."""
    return stamps.digest(setup.pairs_value(system, "venus"), has_device(), STAND_IN)


def possible():
    """True where server and client can be fetched: on the distributions whose lists have them."""
    system = distribution.automatic()
    return bool(system and package_lists.private_pairs("venus", system) and package_lists.private_pairs("gpus", system))


def ensure():
    """Brings the server and the client's driver here."""
    if not possible():
        raise ui.Stop("Venus is set up on Debian 12 and 13 only: its packages come from there")
    system = distribution.automatic()
    with lock.held():
        due = gpu_setup.drivers_due(system, package_lists.private_pairs("gpus", system))
        wanted = server_value(system)
        if not (stamps.fresh("venus", wanted) and venus.STARTER.exists()):
            pairs = package_lists.private_pairs("venus", system)
            due.append(("Venus's server", 30, lambda: fetch(system, pairs), "venus", wanted))
        gpu_setup.carry_out(due)
    if host_tree.unresolved(venus.LIBRARY) or not venus.LIBRARY.exists():
        raise ui.Stop("%s can't be loaded (ldd says what is missing): install the package that has it, then run the "
                      "same command again" % venus.LIBRARY)
