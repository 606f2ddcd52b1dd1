# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The environments that programs run in: Kobalt (through tools/environment.sh), or stock Mesa."""
import os
import subprocess

from . import paths, ui
from .target import AMD64, I386

# Lists whose entries serve one architecture each; programs and loaders pass over those of another one.
LISTS = ("LD_LIBRARY_PATH", "VK_DRIVER_FILES", "VK_LAYER_PATH", "__EGL_VENDOR_LIBRARY_FILENAMES", "GBM_BACKENDS_PATH")


def parse(raw):
    """Turns the NUL-separated output of `env -0` into a dictionary."""
    pairs = (item.split("=", 1) for item in raw.decode(errors="surrogateescape").split("\0") if "=" in item)
    return {key: value for key, value in pairs}


def kobalt(vulkan=None, prefix=None, extra=None, quiet=False, target=AMD64):
    """The environment for programs on the Kobalt in PREFIX, which is TARGET's unless given; VULKAN overrides which Vulkan
    devices are offered."""
    env = dict(os.environ)
    env["KOBALT_HOST"] = str(target.tree)
    if vulkan:
        env["KOBALT_VULKAN"] = vulkan
        env.pop("VK_ICD_FILENAMES", None)
        env.pop("VK_DRIVER_FILES", None)
    if quiet:
        env["KOBALT_QUIET"] = "1"
    script = '. "$1" && kobalt_environment "$2" && exec env -0'
    done = subprocess.run(["/bin/sh", "-c", script, "sh", str(paths.ENVIRONMENT), str(prefix or target.prefix)],
                          stdout=subprocess.PIPE, env=env)
    if done.returncode != 0:
        raise ui.Stop("no environment for Kobalt: run ./kobalt build and look at the lines above")
    result = parse(done.stdout)
    for own in ("KOBALT_HOST", "KOBALT_QUIET", "PWD", "_", "SHLVL"):
        if own not in os.environ:
            result.pop(own, None)
    result.update(extra or {})
    return result


def both_widths(vulkan=None, extra=None, quiet=False):
    """The environment for programs of either width, on build/prefix and build-i386/prefix. Where the latter has no driver,
    that of 64-bit programs."""
    env = kobalt(vulkan, extra=extra, quiet=quiet)
    if paths.library_dir(I386.prefix) is None:
        return env
    narrow = kobalt(vulkan, quiet=True, target=I386)
    for name in LISTS:
        entries = [entry for one in (env, narrow) for entry in one.get(name, "").split(":") if entry]
        if entries and env.get(name):
            env[name] = ":".join(dict.fromkeys(entries))
    return env


def without_kobalt():
    """This process's environment with nothing of Kobalt's selection in it."""
    env = dict(os.environ)
    for name in ("MESA_LOADER_DRIVER_OVERRIDE", "__GLX_VENDOR_LIBRARY_NAME", "__EGL_VENDOR_LIBRARY_FILENAMES",
                 "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH", "DRIRC_CONFIGDIR", "GALLIUM_DRIVER",
                 "LIBGL_ALWAYS_SOFTWARE"):
        env.pop(name, None)
    return env


def system(extra=None):
    """The machine's own GL, drawing on the CPU."""
    env = without_kobalt()
    env["LIBGL_ALWAYS_SOFTWARE"] = "1"
    env.update(extra or {})
    return env


def peer(driver, extra=None):
    """Stock Mesa 25.0.7 from .kobalt/peers with DRIVER = zink (on lavapipe) or llvmpipe."""
    env = without_kobalt()
    libraries = paths.PEERS / "usr/lib" / paths.MULTIARCH
    vendor = paths.PEERS / "usr/share/glvnd/egl_vendor.d/50_mesa.json"
    hosted = paths.HOST / "usr/lib" / paths.MULTIARCH
    env["LD_LIBRARY_PATH"] = "%s:%s" % (libraries, hosted)
    env["LIBGL_DRIVERS_PATH"] = str(libraries / "dri")
    env["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(vendor)
    env["__GLX_VENDOR_LIBRARY_NAME"] = "mesa"
    if driver == "zink":
        # Without a GPU, zink must be told to accept a CPU device and to do without DRI3.
        env["MESA_LOADER_DRIVER_OVERRIDE"] = "zink"
        env["LIBGL_KOPPER_DRI2"] = "1"
        env["LIBGL_ALWAYS_SOFTWARE"] = "1"
        env.setdefault("VK_DRIVER_FILES", str(paths.HOST / "usr/share/vulkan/icd.d/lvp_icd.json"))
    else:
        env["LIBGL_ALWAYS_SOFTWARE"] = "1"
        env["GALLIUM_DRIVER"] = "llvmpipe"
    env.update(extra or {})
    return env


def for_driver(driver, vulkan="lavapipe", extra=None):
    """The environment of test programs for any of kobalt, zink, llvmpipe, system (on the CPU), native."""
    if driver == "kobalt":
        return kobalt(vulkan=vulkan, extra=extra, quiet=True)
    if driver == "system":
        return system(extra)
    if driver == "native":
        return {**without_kobalt(), **(extra or {})}
    return peer(driver, extra)


def own_program(name, with_tests=False, target=AMD64):
    """Where one of TARGET's own programs is installed; stops where it isn't. WITH_TESTS: only builds with tests have it."""
    path = target.prefix / "bin" / name
    if not path.exists():
        raise ui.Stop("%s is not in %s/bin: %s" % (
            name, target.prefix.relative_to(paths.ROOT), "run ./kobalt build (configured with -Dtests=true)" if with_tests else "the build does not provide it"))
    return path
