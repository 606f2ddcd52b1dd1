# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Everything that must be there before Kobalt can run; each step is skipped while nothing changed."""
import importlib.util
import os
import platform
import re
import shutil

from . import build, disk, host_tree, mesa_source, package_lists, paths, private_apt, stamps, system_packages, ui


NEEDED_TOOLS = ("g++", "ninja", "flex", "bison", "pkg-config", "glslangValidator")
NEEDED_MODULES = ("mako", "yaml", "packaging")


def other_system():
    """Not Debian 12, or no apt: nothing is installed, the user is told what is needed."""
    lacking = [tool for tool in NEEDED_TOOLS if not shutil.which(tool)]
    lacking += ["Python's " + name for name in NEEDED_MODULES if not importlib.util.find_spec(name)]
    if not build.meson_command():
        lacking.append("meson 1.4 or newer")
    if not lacking and mesa_source.present():
        return
    release = paths.os_release()
    why = ("there is no apt-get here" if paths.is_debian12() else
           "on %s the set-up is yours (it is automatic on Debian 12)" % release.get("PRETTY_NAME", "this system"))
    advice = []
    if lacking:
        advice.append("install %s (missing now: %s)" % (package_lists.other_distribution(release), ", ".join(lacking)))
    if not mesa_source.present():
        advice.append("unpack Mesa's release %s in %s" % (paths.MESA_VERSION, paths.MESA_TREE.relative_to(paths.ROOT)))
    raise ui.Stop("%s: %s; then run the same command again" % (why, "; ".join(advice)))


# Groups of packages-debian.txt; a command asks for some of them.
GROUPS = ("build", "test", "apps")
BUILD, TESTS, APPS = GROUPS[:1], GROUPS[:2], GROUPS


def packages_due(groups):
    """(names, stamp, stamp value) of the groups whose packages were not seen to be installed yet."""
    for group in groups:
        names = package_lists.installed_names(group)
        stamp, value = "packages-" + group, stamps.digest(*names)
        if not stamps.fresh(stamp, value):
            yield names, stamp, value


def plan(groups):
    """The steps that are due, as (name, seconds, function, [(stamp, value)])."""
    due, packages = [], list(packages_due(groups))
    if packages:
        names = [name for group_names, _, _ in packages for name in group_names]
        due.append(("Debian packages", system_packages.about_s(system_packages.missing(names)),
                    lambda: system_packages.install(names), [(stamp, value) for _, stamp, value in packages]))
    value = stamps.digest(paths.TOOLS / "packages-host.txt", paths.ROOT)
    need_host = not stamps.fresh("host", value) or not paths.HOST.is_dir() or not paths.NATIVE_FILE.exists()
    need_mesa = not mesa_source.present()
    if need_host or need_mesa:
        due.append(("package lists of the other suites (private)", 15, private_apt.prepare, []))
    if need_host:
        due.append(("build tools and a software Vulkan device", 15,
                    lambda: host_tree.build_host(package_lists.private_pairs("host")), [("host", value)]))
    if need_mesa:
        due.append(("Mesa's source", 40, mesa_source.fetch, []))
    return due


def check_path(root):
    """Stops where the project's path has characters that pkg-config, make-like tools or search paths split at."""
    if re.search(r"[\s:;,'\"\\$]", str(root)):
        raise ui.Stop("the build can't live in a path with spaces or one of : ; , ' \" $ \\ (%s): move the project, "
                      "then run the same command again" % root)


def need_disk(groups, with_build):
    """Stops when what is still to be fetched, installed and built would not fit."""
    packages = [name for names, _, _ in packages_due(groups) for name in names]
    wants = [("/usr", disk.packages(system_packages.missing(packages)) if packages else 0.0)]
    if not mesa_source.present():
        wants.append((paths.ROOT, disk.SOURCES))
    if with_build and paths.library_dir() is None:
        wants += [(paths.ROOT, disk.BUILD), (paths.compiler_cache(), disk.CACHE)]
    disk.need(wants)


def prepare(groups=BUILD, with_build=False):
    """The set-up without the build. Fast (no process is started) when nothing is due."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise ui.Stop("Kobalt is built and tested on Linux on x86-64; this is %s on %s"
                      % (platform.system(), platform.machine()))
    check_path(paths.ROOT)
    automatic = paths.is_debian12() and shutil.which("apt-get")
    if not automatic:
        other_system()
    due = plan(groups) if automatic else []
    if due or with_build:
        need_disk(groups if automatic else (), with_build)
    if not due:
        if automatic:
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
    host_tree.write_native_file()


def ensure(groups=BUILD, verbose=False, only_use=False):
    """Set-up and build: after this, build/prefix holds a current Kobalt.

    ONLY_USE: where the tree can't be written to, what was built there before will do.
    """
    if only_use and paths.library_dir() is not None and not os.access(paths.ROOT, os.W_OK):
        ui.remark("%s can't be written to: what was built there last is used as it is" % paths.ROOT)
        return
    prepare(groups, with_build=True)
    build.build(verbose=verbose)


def ensure_peers():
    """Stock Mesa (zink, llvmpipe) below .kobalt/peers, to measure against."""
    value = stamps.digest(paths.TOOLS / "packages-host.txt", paths.ROOT)
    if stamps.fresh("peers", value) and paths.PEERS.is_dir():
        return
    if not paths.is_debian12() or not shutil.which("apt-get"):
        raise ui.Stop("the peers (stock Mesa %s) are fetched on Debian 12 only" % paths.MESA_VERSION)
    steps = ui.Steps(1)
    steps.begin("stock Mesa to measure against", 25)
    private_apt.prepare()
    host_tree.unpack(private_apt.download(package_lists.private_pairs("peers")), paths.PEERS)
    host_tree.relocate_pkgconfig(paths.PEERS)
    private_apt.forget()
    stamps.write("peers", value)
