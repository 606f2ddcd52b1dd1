# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a build for arm64 needs: a tree of Debian's arm64 packages, Debian's cross compiler and qemu, and a cross file.

All of it is unpacked below .kobalt: nothing is installed, and no package of a foreign architecture is known to dpkg. The
compiler takes headers and libraries from the tree, as its root; qemu-user runs the programs, with the tree as theirs.
"""
import shutil

from ..lib import lock, paths, stamps, ui
from ..lib.target import ARM64
from . import build, disk, distribution, gpu_setup, host_tree, i386_setup, package_lists, private_apt, setup

TRIPLET = ARM64.multiarch
TOOLS = paths.STATE / "arm64-tools"
EMULATOR = TOOLS / "usr/bin/qemu-aarch64-static"
WRAPPERS = TOOLS / "bin"  # the tools, each with the libraries that it finds only in TOOLS
LOADER = "ld-linux-aarch64.so.1"
PACKAGES = "i386"  # the section whose packages are taken: the same names, of arm64


def write_wrappers(version, tools=TOOLS):
    """Writes scripts that start the compiler and the binutils in TOOLS: binutils' libraries lie beside them."""
    folder = tools / "bin"
    folder.mkdir(exist_ok=True)
    names = {"gcc": "gcc-" + version, "g++": "g++-" + version, "ar": "gcc-ar-" + version, "strip": "strip"}
    for short, name in names.items():
        script = folder / ("%s-%s" % (TRIPLET, short))
        script.write_text('#!/bin/sh\nexport LD_LIBRARY_PATH=%s\nexec %s "$@"\n' % (
            tools / "usr/lib" / paths.MULTIARCH, tools / "usr/bin" / ("%s-%s" % (TRIPLET, name))), encoding="utf-8")
        script.chmod(0o755)


def compiler_version(tools=TOOLS):
    """The release of the cross compiler in TOOLS: "12"."""
    found = sorted((tools / "usr/lib/gcc-cross" / TRIPLET).glob("*/cc1plus"))
    if not found:
        raise ui.Stop("%s has no cross compiler: look at [arm64-tools] in tools/packages-*.txt" % tools)
    return found[0].parent.name


def fetch_tools(system, pairs):
    """Unpacks the cross compiler and qemu, the packages PAIRS."""
    private_apt.prepare(system)
    place_tools(private_apt.download(pairs))
    private_apt.forget()


def place_tools(debs):
    """Unpacks DEBS to TOOLS; of qemu's forty emulators one stays."""
    host_tree.unpack(debs, TOOLS)
    for emulator in TOOLS.glob("usr/bin/qemu-*"):
        if emulator != EMULATOR:
            emulator.unlink()
    write_wrappers(compiler_version(TOOLS), TOOLS)


def fetch(system, pairs):
    """Unpacks the packages PAIRS with lavapipe, and its manifest."""
    private_apt.prepare(system, architecture=ARM64.name)
    place(private_apt.download(pairs, architecture=ARM64.name))
    private_apt.forget()


def place(debs):
    """Unpacks DEBS to the tree, so that the compiler and qemu find everything in it, and writes the cross file."""
    libc = next(deb for deb in debs if deb.name.startswith("libc6_"))
    host_tree.unpack([deb for deb in debs if deb != libc], ARM64.tree)
    i386_setup.merge(ARM64.tree, TRIPLET)
    i386_setup.add_libc(libc, ARM64.tree, TRIPLET, LOADER)
    i386_setup.stay_inside(ARM64.tree, TRIPLET)
    host_tree.relocate_pkgconfig(ARM64.tree)
    host_tree.drop_unused(ARM64.tree, TRIPLET)
    host_tree.write_manifests(ARM64.tree, TRIPLET)
    write_cross_file()


def cross_text(tree=ARM64.tree, tools=TOOLS):
    """Meson's cross file for TREE and the tools in TOOLS."""
    version = compiler_version(tools)
    # The tree has gcc's own libraries too: the compiler's packages for them are copies of these.
    words = ["--sysroot=%s" % tree, "-B%s/usr/lib/gcc/%s/%s/" % (tree, TRIPLET, version), "-B%s/usr/lib/%s/" % (tree, TRIPLET)]
    headers = [tree / "usr/include/c++" / version, tree / "usr/include" / TRIPLET / "c++" / version]
    cache = ["ccache"] if shutil.which("ccache") else []
    folders = [tree / "usr/lib" / TRIPLET / "pkgconfig", tree / "usr/share/pkgconfig", paths.HOST / "usr/share/pkgconfig",
               "/usr/share/pkgconfig"]
    tool = lambda name: tools / "bin" / ("%s-%s" % (TRIPLET, name))
    quote = lambda values: "[%s]" % ", ".join("'%s'" % value for value in values)
    return ("[binaries]\n"
            "c = %s\n" % quote([*cache, tool("gcc"), *words]) +
            "cpp = %s\n" % quote([*cache, tool("g++"), *words, "-nostdinc++", *(w for one in headers for w in ("-isystem", one))]) +
            "ar = '%s'\nstrip = '%s'\npkg-config = 'pkg-config'\n" % (tool("ar"), tool("strip")) +
            "exe_wrapper = %s\n\n" % quote([tools / "usr/bin/qemu-aarch64-static", "-L", tree]) +
            "[built-in options]\npkg_config_path = []\n\n"
            "[properties]\nneeds_exe_wrapper = true\npkg_config_libdir = %s\n\n" % quote(folders) +
            "[host_machine]\nsystem = 'linux'\ncpu_family = '%s'\ncpu = 'armv8-a'\nendian = 'little'\n" % ARM64.family)


def write_cross_file():
    """Writes the cross file unless it is that already: Meson configures anew where its time changed."""
    text = cross_text()
    if not ARM64.machine_file.exists() or ARM64.machine_file.read_text(encoding="utf-8") != text:
        ARM64.machine_file.write_text(text, encoding="utf-8")


def possible():
    """True where the packages can be fetched: on the distributions whose lists have the cross compiler."""
    system = distribution.automatic()
    return bool(system and package_lists.private_pairs("arm64-tools", system))


def prepare():
    """The set-up of a build for arm64, which uses the tools of the machine's own, too."""
    if not possible():
        raise ui.Stop("the build for arm64 is set up on Debian 12 only: its compiler comes from there")
    system = distribution.automatic()
    with lock.held():
        setup.prepare(setup.BUILD)
        due = []
        steps = (("arm64-tools", "arm64-tools", "the compiler for arm64, and qemu", 30, fetch_tools, TOOLS),
                 ("arm64", PACKAGES, "Debian's arm64 packages", 40, fetch, ARM64.tree))
        for stamp, section, title, seconds, function, folder in steps:
            wanted, pairs = setup.pairs_value(system, section), package_lists.private_pairs(section, system)
            if not (stamps.fresh(stamp, wanted) and folder.is_dir()):
                due.append((title, seconds, lambda function=function, pairs=pairs: function(system, pairs), stamp, wanted))
        if due:
            disk.need([(paths.ROOT, disk.ARM64), (paths.compiler_cache(), disk.CACHE)])
        gpu_setup.carry_out(due)
        write_cross_file()


def ensure(tests=False, verbose=False):
    """Set-up and build: after this, build-arm64/prefix holds a current Kobalt. TESTS: with the programs of the tests."""
    with lock.held():
        prepare()
        build.build(verbose, tests, ARM64)
