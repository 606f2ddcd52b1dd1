# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What --gpu needs: the drivers of AMD's and Intel's GPUs, and the no-op kernels out of Mesa's source."""
import shutil

from ..lib import gpu, lock, paths, stamps, ui
from . import build, distribution, host_tree, package_lists, private_apt, setup

OFF = ("opengl=false", "gles1=disabled", "gles2=disabled", "egl=disabled", "glx=disabled", "gbm=disabled",
       "glvnd=disabled", "llvm=disabled", "shader-cache=disabled", "xmlconfig=disabled", "zstd=disabled",
       "valgrind=disabled", "libunwind=disabled", "lmsensors=disabled", "intel-rt=disabled",
       "android-libbacktrace=disabled", "build-tests=false", "video-codecs=", "platforms=", "gallium-drivers=")
# Meson enters the folder of AMD's shim only with the option of AMD's drivers on; the drivers themselves are not built.
OPTIONS = [*("-D" + option for option in OFF), "-Dvulkan-drivers=amd", "-Dtools=drm-shim,intel",
           "--buildtype=release", "--optimization=1", "--wrap-mode=nodownload"]
# The kernels' own sources: kernels that were built before a patch changed one are built anew.
SOURCES = ("src/drm-shim", "src/amd/drm-shim", "src/intel/tools/intel_noop_drm_shim.c")


def fetch_drivers(system, pairs):
    """Unpacks the drivers' packages PAIRS, with a manifest for each Vulkan driver."""
    private_apt.prepare(system)
    host_tree.unpack(private_apt.download(pairs), gpu.TREE)
    private_apt.forget()
    makers = [*gpu.MAKERS, *(refused.maker for refused, _ in gpu.REFUSED.values())]
    for manifest in gpu.ICDS.glob("*.json"):
        manifest.unlink()
    for maker in makers:
        library = gpu.LIBRARIES / maker.library
        lacking = host_tree.unresolved(library)
        if not library.exists() or [name for name in lacking if not (gpu.LIBRARIES / name).exists()]:
            raise ui.Stop("%s can't be loaded, the system lacks %s: install the package that has it, then run the "
                          "same command again" % (maker.library, ", ".join(lacking) or "the file itself"))
        host_tree.write_icd(gpu.ICDS / (maker.library + ".json"), library, "1.4.305")


def build_shims():
    """Builds the shims, and nothing else of Mesa."""
    meson = build.meson_command()
    if not meson:
        raise ui.Stop("meson 1.4 or newer is missing: run ./kobalt build on Debian 12, or install it by hand")
    shutil.rmtree(gpu.SHIMS, ignore_errors=True)
    env = paths.build_environment()
    ui.run([*meson, "setup", gpu.SHIMS, paths.MESA_TREE, *OPTIONS], "configuring the no-op kernels", log="gpus.log", env=env)
    targets = [maker.shim.relative_to(gpu.SHIMS) for maker in gpu.MAKERS]
    ui.run(["ninja", "-C", gpu.SHIMS, *targets], "building the no-op kernels", log="gpus.log", env=env)


def shims_value():
    """What the kernels are built from."""
    places = (paths.MESA_TREE / name for name in SOURCES)
    files = [file for path in places for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    return stamps.digest(*OPTIONS, paths.MESA_VERSION, paths.ROOT, *files)


def possible():
    """True where the drivers can be fetched: on the distributions whose lists have them."""
    system = distribution.automatic()
    return bool(system and package_lists.private_pairs("gpus", system))


def drivers_due(system, pairs):
    """The step of the set-up that fetches the drivers, in a list; an empty list where they are here."""
    wanted = setup.pairs_value(system, "gpus")
    if stamps.fresh("gpus", wanted) and gpu.TREE.is_dir():
        return []
    return [("the drivers of AMD's and Intel's GPUs", 20, lambda: fetch_drivers(system, pairs), "gpus", wanted)]


def carry_out(due):
    """Does the steps DUE, each (name, seconds, function, stamp, its value)."""
    steps = ui.Steps(len(due))
    for name, about, function, stamp, value in due:
        steps.begin(name, about)
        function()
        stamps.write(stamp, value)


def ensure(peers=False):
    """Brings drivers and shims here; PEERS: with zink and the native GL drivers to measure against."""
    if peers:
        setup.ensure_peers()
    system = distribution.automatic()
    pairs = package_lists.private_pairs("gpus", system) if system else []
    if not pairs:
        raise ui.Stop("GPUs without the hardware (--gpu) are set up on Debian 12 and 13 only: their drivers come from there")
    with lock.held():
        due, wanted = drivers_due(system, pairs), shims_value()
        if not (stamps.fresh("shims", wanted) and all(maker.shim.exists() for maker in gpu.MAKERS)):
            due.append(("the no-op kernels, out of Mesa's source", 60, build_shims, "shims", wanted))
        carry_out(due)
