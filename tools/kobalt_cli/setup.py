# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Everything that must be there before Kobalt can run; each step is skipped while nothing changed."""
import platform
import shutil

from . import build, host_tree, mesa_source, package_lists, paths, private_apt, stamps, system_packages, ui


def other_system():
    """Not Debian 12: nothing is installed, the user is told what is needed."""
    lacking = [tool for tool in ("g++", "ninja", "flex", "bison", "pkg-config") if not shutil.which(tool)]
    if not build.meson_command():
        lacking.append("meson 1.4 or newer")
    if not lacking and mesa_source.present():
        return
    release = paths.os_release()
    advice = []
    if lacking:
        advice.append("install %s" % package_lists.other_distribution(release))
    if not mesa_source.present():
        advice.append("unpack Mesa %s in %s" % (paths.MESA_VERSION, paths.MESA_TREE.relative_to(paths.ROOT)))
    raise ui.Stop("on %s the set-up is yours (it is automatic on Debian 12): %s; then run the same command again"
                  % (release.get("PRETTY_NAME", "this system"), "; ".join(advice)))


def plan(for_tests):
    """The steps that are due, as (name, seconds, function, stamp, stamp value)."""
    names = package_lists.installed_names("build")
    all_names = names + package_lists.installed_names("test")
    due = []
    everything = stamps.fresh("packages-test", stamps.digest(*all_names))
    if for_tests and not everything:
        due.append(("Debian packages", 6 + 3 * len(system_packages.missing(all_names)),
                    lambda: system_packages.install(all_names), "packages-test", stamps.digest(*all_names)))
    elif not everything and not stamps.fresh("packages", stamps.digest(*names)):
        due.append(("Debian packages", 6 + 3 * len(system_packages.missing(names)),
                    lambda: system_packages.install(names), "packages", stamps.digest(*names)))
    value = stamps.digest(paths.TOOLS / "packages-host.txt", paths.ROOT)
    need_host = not stamps.fresh("host", value) or not paths.HOST.is_dir()
    need_mesa = not mesa_source.present()
    if need_host or need_mesa:
        due.append(("package lists of the other suites (private)", 15, private_apt.prepare, None, None))
    if need_host:
        due.append(("build tools and a software Vulkan device", 15,
                    lambda: host_tree.build_host(package_lists.private_pairs("host")), "host", value))
    if need_mesa:
        due.append(("Mesa's source", 40, mesa_source.fetch, None, None))
    return due


def prepare(for_tests=False):
    """The set-up without the build. Fast (no process is started) when nothing is due."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise ui.Stop("Kobalt is built and tested on Linux on x86-64; this is %s on %s"
                      % (platform.system(), platform.machine()))
    if not paths.is_debian12() or not shutil.which("apt-get"):
        other_system()
        return
    due = plan(for_tests)
    if not due:
        return
    ui.need_disk(6 if not mesa_source.present() else 2)
    steps = ui.Steps(len(due))
    for name, about, function, stamp, value in due:
        steps.begin(name, about)
        function()
        if stamp:
            stamps.write(stamp, value)
    private_apt.forget()


def ensure(for_tests=False, verbose=False):
    """Set-up and build: after this, build/prefix holds a current Kobalt."""
    prepare(for_tests)
    build.build(verbose=verbose)


def ensure_peers():
    """Stock Mesa (zink, llvmpipe) below .kobalt/peers, to measure against."""
    value = stamps.digest(paths.TOOLS / "packages-host.txt", paths.ROOT)
    if stamps.fresh("peers", value) and paths.PEERS.is_dir():
        return
    if not paths.is_debian12():
        raise ui.Stop("the peers are fetched on Debian 12 only")
    steps = ui.Steps(1)
    steps.begin("stock Mesa to measure against", 25)
    private_apt.prepare()
    host_tree.unpack(private_apt.download(package_lists.private_pairs("peers")), paths.PEERS)
    host_tree.relocate_pkgconfig(paths.PEERS)
    private_apt.forget()
    stamps.write("peers", value)
