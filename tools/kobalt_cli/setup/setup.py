# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Everything that must be there before Kobalt can run; each step is skipped while nothing changed."""
import importlib.util
import os
import platform
import re
import shutil

from ..lib import lock, paths, stamps, ui
from . import build, disk, distribution, host_tree, mesa_source, package_lists, private_apt, system_packages


NEEDED_TOOLS = ("g++", "ninja", "flex", "bison", "pkg-config", "glslangValidator")
NEEDED_MODULES = ("mako", "yaml", "packaging")


def other_system():
    """Handles a distribution that the set-up doesn't know, or one without apt: installs nothing, and says what is
    needed."""
    lacking = [tool for tool in NEEDED_TOOLS if not shutil.which(tool)]
    lacking += ["Python's " + name for name in NEEDED_MODULES if not importlib.util.find_spec(name)]
    if not build.meson_command():
        lacking.append("meson 1.4 or newer")
    if not lacking:
        return
    release = paths.os_release()
    why = ("there is no apt-get here" if distribution.here() else
           "on %s the set-up is yours (it is automatic on %s)" % (release.get("PRETTY_NAME", "this system"),
                                                                  distribution.titles()))
    raise ui.Stop("%s: install %s (missing now: %s); then run the same command again"
                  % (why, package_lists.other_distribution(release), ", ".join(lacking)))


# Groups of the lists in tools/packages-*.txt; a command asks for some of them.
GROUPS = ("build", "test", "apps")
BUILD, TESTS, APPS = GROUPS[:1], GROUPS[:2], GROUPS


def packages_due(groups, system):
    """(names, stamp, stamp value) of the groups whose packages were not seen to be installed yet."""
    for group in groups:
        names = package_lists.installed_names(group, system)
        stamp, value = "packages-" + group, stamps.digest(*names)
        if not stamps.fresh(stamp, value):
            yield names, stamp, value


def plan(groups, system):
    """The steps that are due on SYSTEM, as (name, seconds, function, [(stamp, value)])."""
    due, packages = [], list(packages_due(groups, system))
    if packages:
        names = [name for group_names, _, _ in packages for name in group_names]
        due.append(("packages of %s" % system.title, system_packages.about_s(system_packages.missing(names)),
                    lambda: system_packages.install(names), [(stamp, value) for _, stamp, value in packages]))
    value = pairs_value(system, "host")
    pairs = package_lists.private_pairs("host", system)
    need_host = bool(pairs) and (not stamps.fresh("host", value) or not paths.HOST.is_dir() or not paths.NATIVE_FILE.exists())
    need_mesa = not mesa_source.present()
    if need_host or (need_mesa and system.suites):
        due.append(("package lists of the other suites (private)", 15, lambda: private_apt.prepare(system), []))
    if need_host:
        due.append(("build tools and a software Vulkan device", 15, lambda: host_tree.build_host(pairs, system),
                    [("host", value)]))
    if need_mesa:
        due.append(("Mesa's source", 20, lambda: mesa_source.fetch(system), []))
    return due


def pairs_value(system, section):
    """The stamp's value for the packages that SYSTEM's list has in SECTION."""
    return stamps.digest(system.name, *(" ".join(pair) for pair in package_lists.private_pairs(section, system)), paths.ROOT)


def check_path(root):
    """Stops where the project's path has characters that pkg-config, make-like tools or search paths split at."""
    if re.search(r"[\s:;,'\"\\$]", str(root)):
        raise ui.Stop("the build can't live in a path with spaces or one of : ; , ' \" $ \\ (%s): move the project, "
                      "then run the same command again" % root)


def need_disk(groups, system, with_build):
    """Stops when what is still to be fetched, installed and built would not fit."""
    packages = [name for names, _, _ in packages_due(groups, system) for name in names] if system else []
    wants = [("/usr", disk.packages(system_packages.missing(packages)) if packages else 0.0)]
    if not mesa_source.present():
        wants.append((paths.ROOT, disk.SOURCES))
    if with_build and paths.library_dir() is None:
        wants += [(paths.ROOT, disk.BUILD), (paths.compiler_cache(), disk.CACHE)]
    disk.need(wants)


def prepare(groups=BUILD, with_build=False):
    """The set-up without the build. Fast (no process is started) when nothing is due."""
    with lock.held():
        prepare_alone(groups, with_build)


def prepare_alone(groups, with_build):
    """prepare() for the process that holds the lock."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise ui.Stop("Kobalt is built and tested on Linux on x86-64; this is %s on %s"
                      % (platform.system(), platform.machine()))
    check_path(paths.ROOT)
    system = distribution.automatic()
    if system:
        due = plan(groups, system)
    else:
        other_system()
        due = [] if mesa_source.present() else [("Mesa's source", 20, mesa_source.fetch, [])]
    if due or with_build:
        need_disk(groups, system, with_build)
    if not due:
        if system:
            host_tree.write_native_file()
        return
    steps = ui.Steps(len(due))
    for name, about, function, written in due:
        steps.begin(name, about)
        function()
        for stamp, value in written:
            stamps.write(stamp, value)
    private_apt.forget()
    host_tree.place_protocols()
    if system:
        host_tree.write_native_file()


def settled(groups, tests):
    """True when there is nothing to set up and nothing to build; reads only."""
    system = distribution.automatic()
    return not (system and plan(groups, system)) and mesa_source.present() and build.up_to_date(tests)


def ensure(groups=BUILD, verbose=False, only_use=False, tests=True):
    """Set-up and build: after this, build/prefix holds a current Kobalt.

    ONLY_USE: to start programs. If the tree can't be written to, an earlier build there is used; and nothing is waited
    for where nothing is to be done. TESTS: with the programs of the tests and the benchmarks.
    """
    if only_use and paths.library_dir() is not None and not os.access(paths.ROOT, os.W_OK):
        ui.remark("%s can't be written to: what was built there last is used as it is" % paths.ROOT)
        return
    if only_use:
        with lock.shared() as free:
            if free and settled(groups, tests):
                return
    with lock.held():
        prepare(groups, with_build=True)
        build.build(verbose=verbose, tests=tests)


def ensure_peers():
    """Stock Mesa (zink, llvmpipe) below .kobalt/peers, to measure against."""
    system = distribution.automatic()
    pairs = package_lists.private_pairs("peers", system) if system else []
    if not pairs:
        raise ui.Stop("the peers (stock Mesa %s) are fetched on Debian 12 and 13 only" % paths.MESA_VERSION)
    with lock.held():
        value = pairs_value(system, "peers")
        if stamps.fresh("peers", value) and paths.PEERS.is_dir():
            return
        steps = ui.Steps(1)
        steps.begin("stock Mesa to measure against", 25)
        private_apt.prepare(system)
        host_tree.unpack(private_apt.download(pairs), paths.PEERS)
        host_tree.relocate_pkgconfig(paths.PEERS)
        private_apt.forget()
        stamps.write("peers", value)


def compile_current():
    """Set-up and build without the installation."""
    with lock.held():
        prepare(with_build=True)
        build.compile_current()
