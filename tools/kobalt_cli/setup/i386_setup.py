# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a build for i386 needs: a tree of Debian's i386 packages, and a cross file for Meson.

The machine's own gcc compiles, with -m32 and the tree as its root: no package of a foreign architecture is installed.
The programs run by themselves, on the libc of the machine's package libc6-i386 and on the libraries of the tree.
"""
import os
import shutil
import subprocess

from ..lib import environment, lock, paths, stamps, ui
from ..lib.target import I386
from . import build, disk, distribution, gpu_setup, host_tree, package_lists, private_apt, setup, system_packages

LIBRARIES = I386.tree / "usr/lib" / I386.multiarch  # what programs load, besides libc
LOADERS = ("/lib/ld-linux.so.2", "/usr/lib/ld-linux.so.2")  # what starts 32-bit programs
STARTER = "libc6-i386"
# Programs of the tests: piglit's, and glxinfo. The files that piglit reads are the machine's own piglit's.
TESTS = paths.STATE / "i386-test"
PROGRAMS = TESTS / "usr/lib" / I386.multiarch / "piglit/bin"


def merge(tree, multiarch=I386.multiarch):
    """Moves what packages put below TREE's lib/ to usr/lib/, where programs are let look for libraries."""
    source, target = tree / "lib" / multiarch, tree / "usr/lib" / multiarch
    for path in sorted(source.iterdir()) if source.is_dir() else []:
        path.rename(target / path.name)


def add_libc(deb, tree, multiarch=I386.multiarch, loader="ld-linux.so.2"):
    """Unpacks libc's package into lib/ of TREE: the linker finds it there, programs run on the machine's own. Two
    releases of libc can't serve one program, so ld.so and libc must come from one package. LOADER: what starts programs."""
    apart, target = tree / "libc", tree / "lib" / multiarch
    host_tree.unpack([deb], apart)
    target.mkdir(parents=True, exist_ok=True)
    for folder in (apart / "lib" / multiarch, apart / "usr/lib" / multiarch):
        for path in sorted(folder.glob("*.so*")) if folder.is_dir() else []:
            path.rename(target / path.name)
    (target.parent / loader).symlink_to("%s/%s" % (multiarch, loader))  # libc.so, a linker script, names it
    shutil.rmtree(apart)


def stay_inside(tree, multiarch=I386.multiarch):
    """Makes the absolute links of TREE lead into it; those that lead nowhere go."""
    for link in [path for path in tree.rglob("*") if path.is_symlink()]:
        place = os.readlink(link)
        if not place.startswith("/"):
            continue
        moved = tree / "usr/lib" / multiarch / place.rpartition("/")[2]
        found = [path for path in (tree / place.lstrip("/"), moved) if path.exists()]
        link.unlink()
        if found:
            link.symlink_to(os.path.relpath(found[0], link.parent))


def lacking(library):
    """Names of libraries that LIBRARY needs and neither the tree nor the machine has."""
    env = dict(environment.without_kobalt(), LD_LIBRARY_PATH=str(LIBRARIES))
    done = subprocess.run(["ldd", str(library)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=ui.in_english(env))
    missing = [line.split()[0] for line in done.stdout.splitlines() if "not found" in line]
    return missing or ([done.stdout.strip()] if done.returncode else [])


def fetch(system, pairs):
    """Unpacks the packages PAIRS with lavapipe, SwiftShader and the validation layer, and their manifests."""
    private_apt.prepare(system, architecture=I386.name)
    debs = private_apt.download(pairs, architecture=I386.name)
    libc = next(deb for deb in debs if deb.name.startswith("libc6_"))
    host_tree.unpack([deb for deb in debs if deb != libc], I386.tree)
    merge(I386.tree)
    add_libc(libc, I386.tree)
    stay_inside(I386.tree)
    host_tree.relocate_pkgconfig(I386.tree)
    host_tree.drop_unused(I386.tree, I386.multiarch)
    host_tree.add_chromium_files(I386.tree, system, I386.name)
    host_tree.write_manifests(I386.tree, I386.multiarch)
    private_apt.forget()
    for library in (LIBRARIES / "libvulkan.so.1", LIBRARIES / "libvulkan_lvp.so"):
        missing = lacking(library)
        if missing:
            raise ui.Stop("%s can't be loaded, it lacks %s: add the package that has it to [i386] in tools/packages-%s.txt"
                          % (library.name, ", ".join(missing), system.name))
    write_cross_file()


def fetch_tests(system, pairs):
    """Unpacks the programs of the packages PAIRS; of piglit nothing else, it has 2 GB of files that any architecture
    reads."""
    private_apt.prepare(system, architecture=I386.name)
    debs = private_apt.download(pairs, architecture=I386.name)
    piglit = next(deb for deb in debs if deb.name.startswith("piglit_"))
    host_tree.unpack([deb for deb in debs if deb != piglit], TESTS)
    folder = "./usr/lib/%s/piglit/" % I386.multiarch
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(piglit)], stdout=subprocess.PIPE) as producer:
        subprocess.run(["tar", "-x", "-C", str(TESTS), folder + "bin", folder + "lib"], stdin=producer.stdout, check=True)
    (TESTS / "usr/bin/glxinfo").symlink_to("glxinfo." + I386.multiarch)
    private_apt.forget()


def compiler_version(tree=I386.tree):
    """The release of gcc whose libraries TREE has: "12"."""
    found = sorted((tree / "usr/lib/gcc/i686-linux-gnu").glob("*/crtbegin.o"))
    if not found:
        raise ui.Stop("%s has no libgcc: add the package that has it to [i386] in tools/packages-*.txt" % tree)
    return found[0].parent.name


def cross_text(tree=I386.tree):
    """Meson's cross file for TREE."""
    version = compiler_version(tree)
    # gcc searches the folders after -B first: what the machine has for i386 by itself is passed over.
    words = ["-m32", "--sysroot=%s" % tree, "-B%s/usr/lib/gcc/i686-linux-gnu/%s/" % (tree, version),
             "-B%s/usr/lib/%s/" % (tree, I386.multiarch)]
    cache = ["ccache"] if shutil.which("ccache") else []
    headers = "%s/usr/include/%s/c++/%s" % (tree, I386.multiarch, version)
    folders = [tree / "usr/lib" / I386.multiarch / "pkgconfig", tree / "usr/share/pkgconfig",
               paths.HOST / "usr/share/pkgconfig", "/usr/share/pkgconfig"]
    quote = lambda values: "[%s]" % ", ".join("'%s'" % value for value in values)
    return ("[binaries]\n"
            "c = %s\n" % quote([*cache, "gcc-" + version, *words]) +
            "cpp = %s\n" % quote([*cache, "g++-" + version, *words, "-isystem", headers]) +
            "ar = 'gcc-ar-%s'\nstrip = 'strip'\npkg-config = 'pkg-config'\n\n" % version +
            "[built-in options]\npkg_config_path = []\n\n"
            "[properties]\nneeds_exe_wrapper = false\npkg_config_libdir = %s\n\n" % quote(folders) +
            "[host_machine]\nsystem = 'linux'\ncpu_family = '%s'\ncpu = 'i686'\nendian = 'little'\n" % I386.family)


def write_cross_file():
    """Writes the cross file unless it is that already: Meson configures anew where its time changed."""
    text = cross_text()
    if not I386.machine_file.exists() or I386.machine_file.read_text(encoding="utf-8") != text:
        I386.machine_file.write_text(text, encoding="utf-8")


def starts():
    """True where the machine starts 32-bit programs."""
    return any(os.path.exists(loader) for loader in LOADERS)


def possible():
    """True where the packages can be fetched: on the distributions whose lists have them."""
    system = distribution.automatic()
    return bool(system and package_lists.private_pairs("i386", system))


def step(system, section, title, seconds, function):
    """The step that FUNCTION does with the packages of SECTION, in a list; an empty list where that is done."""
    wanted = setup.pairs_value(system, section)
    pairs = package_lists.private_pairs(section, system)
    return [] if stamps.fresh(section, wanted) else [(title, seconds, lambda: function(system, pairs), section, wanted)]


def prepare(tests=False):
    """The set-up of a build for i386, which uses the tools of the machine's own. TESTS: with the programs of the tests."""
    if not possible():
        raise ui.Stop("the build for i386 is set up on Debian 12 and 13 only: its packages come from there")
    system = distribution.automatic()
    with lock.held():
        setup.prepare(setup.TESTS if tests else setup.BUILD)
        due = []
        if not any(os.path.exists(loader) for loader in LOADERS):
            due.append(("what starts 32-bit programs", 15, lambda: system_packages.install([STARTER]), "i386-start", STARTER))
        if not (I386.tree.is_dir() and I386.machine_file.exists()):
            stamps.drop("i386")
        due += step(system, "i386", "Debian's i386 packages", 40, fetch)
        if tests:
            due += step(system, "i386-test", "piglit's i386 programs", 15, fetch_tests)
        if due:
            disk.need([(paths.ROOT, disk.I386), (paths.compiler_cache(), disk.CACHE)])
        gpu_setup.carry_out(due)


def compile_current():
    """Set-up and build without the installation."""
    with lock.held():
        prepare()
        build.compile_current(tests=False, target=I386)


def ensure(tests=False, verbose=False):
    """Set-up and build: after this, build-i386/prefix holds a current Kobalt. TESTS: with the programs of the tests."""
    with lock.held():
        prepare(tests)
        build.build(verbose, tests, I386)
