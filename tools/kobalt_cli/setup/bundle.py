# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt bundle: a tarball that runs wherever it is unpacked on x86-64 Linux with glibc 2.36 or newer; with
--arch both it serves 32-bit programs as well."""
import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

from ..lib import environment, lock, paths, ui
from ..lib.target import AMD64, I386, Target
from . import build

LIMIT_MB = 40
# Libraries that are never bundled: they belong to the system's glibc.
GLIBC = re.compile(r"^(ld-linux|lib(c|m|dl|rt|pthread|util|resolv|anl|nsl|mvec|thread_db)\.so)")
# Libraries that are opened by name at run time, so no program lists them.
OPENED = ("libEGL.so.1", "libGL.so.1", "libGLX.so.0", "libOpenGL.so.0", "libGLESv2.so.2", "libGLESv1_CM.so.1",
          "libGLdispatch.so.0", "libvulkan.so.1", "libX11.so.6", "libxcb.so.1", "libX11-xcb.so.1",
          # Libraries that GPU vendors' Vulkan drivers open or need, and that minimal systems lack.
          "libXext.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libexpat.so.1", "libzstd.so.1")
PROGRAMS = ("kobalt-info", "kobalt-demo", "kobalt-gl-tests", "kobalt-soak", "kobalt-sso", "kobalt-frame", "kobalt-transfer",
            "kobalt-compute", "kobalt-program-memory", "kobalt-window-tests")
PROGRAMS_32 = ("kobalt-info", "kobalt-demo")  # those that a build without tests has


@dataclasses.dataclass(frozen=True)
class Width:
    """What the bundle has for one architecture, and the folders that it lies in."""

    target: Target
    libraries: str
    binaries: str
    programs: tuple

    def folders(self):
        """Where this machine has libraries of that architecture."""
        if self.target is AMD64:
            return [Path(folder) for folder in ("/usr/lib/" + paths.MULTIARCH, "/lib/" + paths.MULTIARCH, "/usr/lib64", "/usr/lib")]
        return [self.target.tree / "usr/lib" / self.target.multiarch]


WIDTHS = (Width(AMD64, "lib", "bin", PROGRAMS), Width(I386, "lib32", "bin32", PROGRAMS_32))


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(file, env):
    """{library name: path} that the loader finds for FILE; stops when one is missing."""
    text = subprocess.run(["ldd", str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=ui.in_english(env)).stdout
    found = {}
    for line in text.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if not arrow:
            continue
        if rest.startswith("not found"):
            raise ui.Stop("%s needs %s, which is not on this system" % (file.name, name))
        found[name] = Path(rest.split(" (")[0])
    return found


def on_system(name, width):
    """The path of this machine's library NAME for WIDTH, or None."""
    return next((folder / name for folder in width.folders() if (folder / name).exists()), None)


def install_apart(stage, target):
    """Installs TARGET's build below STAGE's neighbour `root`, so that its prefix (which programs may be
    using) stays as it is. Returns the prefix there."""
    with lock.held():
        return build.install_into(stage.parent / ("root" + target.suffix), log="bundle.log", target=target)


def copy_libraries(prefix, target):
    """Copies the driver's and the vendor libraries to the folder TARGET, under the names that glvnd opens. Debug data is
    stripped later."""
    source = paths.library_dir(prefix)
    if source is None:
        raise ui.Stop("the build installs no libEGL_kobalt.so.0: see out/logs/build.log")
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        if relative.parts[0] in ("pkgconfig",) or path.suffix == ".a" or path.is_dir():
            continue
        if ".so" not in path.name:
            continue
        (target / relative).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target / relative, follow_symlinks=False)


def copy_driver(prefix, stage):
    """Copies the driver of x86-64, and the files that tell glvnd and Mesa of it."""
    copy_libraries(prefix, stage / "lib")
    for name in ("egl_vendor.d", "drirc.d"):
        if (prefix / "share/kobalt" / name).is_dir():
            shutil.copytree(prefix / "share/kobalt" / name, stage / "share/kobalt" / name, symlinks=True)
    vendor = stage / "share/kobalt/egl_vendor.d/50_kobalt.json"
    if not vendor.exists():
        raise ui.Stop("the installed build has no share/kobalt/egl_vendor.d/50_kobalt.json: the build is incomplete")
    # A name without a folder is looked up on the launcher's search path, wherever the bundle lies and whatever the width
    # of the program: ld.so passes over a file of the other one.
    vendor.write_text('{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_kobalt.so.0"}}\n')


def copy_programs(prefix, stage, width):
    (stage / width.binaries).mkdir(parents=True)
    for name in width.programs:
        path = prefix / "bin" / name
        if not path.exists():
            raise ui.Stop("the build installs no bin/%s: configure it with -Dtests=true" % name)
        shutil.copy2(path, stage / width.binaries / name)


def copy_references(stage):
    reference = paths.ROOT / "tests/gl/reference"
    if reference.is_dir():
        shutil.copytree(reference, stage / "share/kobalt/gl-reference")


def copy_launcher(stage):
    """Copies the launcher with all that it reads, its manual page and the shells' completions."""
    for source, target in (("bundle/kobalt", "kobalt"), ("environment.sh", "share/kobalt/environment.sh"),
                           ("bundle/report.sh", "share/kobalt/report.sh"),
                           ("enable", "share/kobalt/enable"), ("features_probe.py", "share/kobalt/features_probe.py"),
                           ("../docs/kobalt.1", "share/man/man1/kobalt.1"),
                           ("completion/kobalt.bash", "share/bash-completion/completions/kobalt"),
                           ("completion/kobalt.fish", "share/fish/vendor_completions.d/kobalt.fish")):
        (stage / target).parent.mkdir(parents=True, exist_ok=True)
        if (paths.TOOLS / source).is_dir():
            shutil.copytree(paths.TOOLS / source, stage / target)
        else:
            shutil.copy2(paths.TOOLS / source, stage / target)
    (stage / "share/kobalt/version").write_text("kobalt %s\n" % paths.version())


def copy_support(stage, width):
    """Copies every library that the copied files of WIDTH need, except glibc's, each into a folder named after it."""
    own = stage / width.libraries
    folders = [own, own / "kobalt"]
    if width.target is not AMD64:
        folders += width.folders()  # ld.so finds the machine's own of the other width by itself
    env = dict(environment.without_kobalt(), LD_LIBRARY_PATH=":".join(str(folder) for folder in folders))
    wanted = {}
    for file in [p for folder in (own, stage / width.binaries) for p in folder.rglob("*") if is_elf(p)]:
        wanted.update(needed(file, env))
    for name in OPENED:
        path = on_system(name, width)
        if path:
            wanted[name] = path
            wanted.update(needed(path, env))
    for name, path in sorted(wanted.items()):
        if GLIBC.match(name) or stage in path.resolve().parents:
            continue
        (own / "support" / name).mkdir(parents=True, exist_ok=True)
        shutil.copy2(path.resolve(), own / "support" / name / name)


def strip_all(stage):
    for file in stage.rglob("*"):
        if is_elf(file):
            os.chmod(file, 0o755)
            ui.run(["strip", "--strip-unneeded", file], "stripping " + file.name, log="bundle.log")


def glibc_needed(stage):
    """The newest glibc version that any file of the bundle asks for, as (2, 36)."""
    newest = (0, 0)
    for file in stage.rglob("*"):
        if is_elf(file):
            text = subprocess.run(["objdump", "-T", str(file)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True).stdout
            for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", text):
                newest = max(newest, (int(major), int(minor)))
    return newest


def collect(width, stage):
    """Puts what the bundle has for WIDTH into STAGE."""
    prefix = install_apart(stage, width.target)
    if width.target is AMD64:
        copy_driver(prefix, stage)
        copy_references(stage)
    else:
        copy_libraries(prefix, stage / width.libraries)
    copy_programs(prefix, stage, width)
    copy_support(stage, width)


def make(out, both=False):
    """Writes OUT/kobalt-VERSION-linux-x86_64.tar.xz, or …-x86_64-i386.tar.xz with the driver of BOTH widths. Returns 0."""
    name = "kobalt-%s-linux-x86_64%s" % (paths.version(), I386.suffix if both else "")
    stage = paths.OUT / "bundle" / name
    shutil.rmtree(stage.parent, ignore_errors=True)
    stage.mkdir(parents=True)
    steps = ui.Steps(3)
    steps.begin("collecting the files", 5)
    for width in WIDTHS if both else WIDTHS[:1]:
        collect(width, stage)
    copy_launcher(stage)
    shutil.copy2(paths.ROOT / "LICENSE", stage / "LICENSE")
    steps.begin("stripping", 5)
    strip_all(stage)
    newest = glibc_needed(stage)
    if newest > (2, 36):
        raise ui.Stop("a file of the bundle needs glibc %d.%d, 2.36 is promised: build on Debian 12" % newest)
    steps.begin("packing", 80 if both else 40)
    Path(out).mkdir(parents=True, exist_ok=True)
    tarball = Path(out).resolve() / (name + ".tar.xz")
    ui.run(["tar", "-C", stage.parent, "--owner=0", "--group=0", "--sort=name", "-I", "xz -T0 -6", "-cf", tarball, name],
           "packing the bundle", log="bundle.log")
    size = tarball.stat().st_size / 1e6
    ui.note("%s: %.1f MB, glibc %d.%d or newer" % (os.path.relpath(tarball), size, *newest))
    if size > LIMIT_MB:
        raise ui.Stop("the bundle is larger than %d MB" % LIMIT_MB)
    return 0
