# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""GPUs without the hardware: the Vulkan and GL drivers of real GPUs over Mesa's no-op kernel (--gpu NAME).

The drivers are the ones that those GPUs' users have (RADV, ANV, radeonsi, iris): limits, formats, shader
compilers and command recording are real. Submitted commands go nowhere, so nothing is drawn.
"""
import collections

from . import environment, paths, ui

TREE = paths.STATE / "gpus"         # unpacked packages: the drivers
SHIMS = paths.STATE / "shims"       # Meson's build folder of the no-op kernels
LIBRARIES = TREE / "usr/lib" / paths.MULTIARCH
ICDS = TREE / "usr/share/vulkan/icd.d"

# KEY: the variable that names the GPU to the shim; LIBRARY: the Vulkan driver; NATIVE: the GL driver of its users.
Maker = collections.namedtuple("Maker", "name shim key library vulkan native")
AMD = Maker("AMD", SHIMS / "src/amd/drm-shim/libamdgpu_noop_drm_shim.so", "AMDGPU_GPU_ID", "libvulkan_radeon.so",
            "RADV", "radeonsi")
INTEL = Maker("Intel", SHIMS / "src/intel/tools/libintel_noop_drm_shim.so", "INTEL_STUB_GPU_PLATFORM",
              "libvulkan_intel.so", "ANV", "iris")
MAKERS = (AMD, INTEL)

Gpu = collections.namedtuple("Gpu", "name maker family")
# The names are the shims' own; each maker's oldest comes first.
GPUS = tuple(Gpu(name, AMD, family) for name, family in (
    ("pitcairn", "GCN 1"), ("bonaire", "GCN 2"), ("stoney", "GCN 3"), ("polaris10", "GCN 4"), ("polaris12", "GCN 4"),
    ("vega10", "GCN 5"), ("raven", "GCN 5"), ("raven2", "GCN 5"), ("renoir", "GCN 5"), ("navi10", "RDNA 1"),
    ("navi21", "RDNA 2"), ("vangogh", "RDNA 2"), ("raphael_mendocino", "RDNA 2"), ("navi31", "RDNA 3"),
    ("gfx1150", "RDNA 3.5"))) + tuple(Gpu(name, INTEL, family) for name, family in (
        ("skl", "Gen9, Skylake"), ("bxt", "Gen9, Apollo Lake"), ("cfl", "Gen9.5, Coffee Lake"),
        ("icl", "Gen11, Ice Lake"), ("ehl", "Gen11, Elkhart Lake"), ("tgl", "Xe, Tiger Lake"), ("dg1", "Xe, DG1"),
        ("adl", "Xe, Alder Lake"), ("dg2", "Xe-HPG, Arc A"), ("mtl", "Xe-LPG, Meteor Lake"),
        ("arl", "Xe-LPG, Arrow Lake"), ("lnl", "Xe2, Lunar Lake"), ("bmg", "Xe2, Battlemage")))
# The GPUs of every run of the suite `gpus`: the oldest and the newest of each maker, and one between.
USUAL = ("pitcairn", "vega10", "navi31", "skl", "tgl", "bmg")
# GPUs whose Vulkan is too old, each with text that must be in the line that ./kobalt info prints.
REFUSED = {"hsw": (Gpu("hsw", INTEL._replace(library="libvulkan_intel_hasvk.so", vulkan="HASVK", native="crocus"),
                       "Gen7.5, Haswell"), "Vulkan 1.3")}
DRIVERS = ("kobalt", "zink", "native")


def names():
    return [gpu.name for gpu in GPUS]


def find(name):
    """The GPU called NAME; stops when there is none."""
    for gpu in (*GPUS, *(refused for refused, _ in REFUSED.values())):
        if gpu.name == name:
            return gpu
    raise ui.Stop("there is no GPU called %s; `./kobalt gpus` lists them" % name)


def say(gpu):
    """Prints the first line of every run on a GPU that isn't there."""
    ui.remark("on %s (%s %s) by %s's driver without the hardware: nothing is drawn, pictures stay empty"
              % (gpu.name, gpu.maker.name, gpu.family, gpu.maker.name))


def title(name, driver="Kobalt"):
    """The driver's name in a table: for `native` the GPU's own GL driver, radeonsi or iris."""
    return find(name).maker.native if driver == "native" else driver


def put_on(env, gpu):
    """ENV changed for a program on GPU. It is for the program only, not for a shell: the shim replaces parts of
    libc."""
    maker = gpu.maker
    env = dict(env)
    for name in ("KOBALT_DEVICE", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES", "MESA_VK_DEVICE_SELECT", "LIBGL_ALWAYS_SOFTWARE",
                 "DRI_PRIME"):
        env.pop(name, None)
    env["VK_DRIVER_FILES"] = str(ICDS / (maker.library + ".json"))
    env["LD_LIBRARY_PATH"] = ":".join(filter(None, [env.get("LD_LIBRARY_PATH"), str(LIBRARIES)]))
    env["LD_PRELOAD"] = ":".join(filter(None, [str(maker.shim), env.get("LD_PRELOAD")]))
    env[maker.key] = gpu.name
    return env


def for_driver(gpu, driver="kobalt", extra=None):
    """The environment of programs on GPU through DRIVER: kobalt, zink, or native for the GPU's own GL driver."""
    if driver == "kobalt":
        env = environment.kobalt(vulkan="none", quiet=True)
    else:
        # Without a window system, the loader picks the driver by the kernel driver's name, which the shim gives.
        env = environment.peer("zink" if driver == "zink" else "native")
        # The peers' libraries were made for a newer libdrm than Debian 12's.
        env["LD_LIBRARY_PATH"] = "%s:%s" % (LIBRARIES, env["LD_LIBRARY_PATH"])
        env.pop("GALLIUM_DRIVER", None)
    env = put_on(env, gpu)
    env.update(extra or {})
    return env


def listing():
    """The lines of ./kobalt gpus."""
    usual = {True: "in every run of the suite gpus", False: ""}
    lines = ["%-18s %-6s %-20s %-9s %s" % (g.name, g.maker.name, g.family, g.maker.native, usual[g.name in USUAL]) for g in GPUS]
    return [line.rstrip() for line in lines]
