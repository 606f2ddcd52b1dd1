# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A result counts only if the output shows that Kobalt made it, and, in a validated run, that the validation layer was
on.

There are two checks. `renderer_of` asks GL in exactly the environment of a suite, before it starts. And under
KOBALT_DEBUG=announce the driver prints one line in each process as it starts, with the layer that its Vulkan instance
has: GLVND falls back to another vendor's library in silence, and a layer that isn't found is silent as well.
"""
import re
import subprocess
import sys

from . import paths, ui

# GL_RENDERER of each driver. Kobalt's begins with the Vulkan device's name, which may look like another driver's
# (lavapipe is "llvmpipe"), and has "Kobalt" at the end of its last parentheses (src/gallium/screen/names.h).
KOBALTS = re.compile(r"(?!zink ).* \((?:.*, )?Kobalt\)")
BEGINNINGS = {"zink": "zink", "llvmpipe": "llvmpipe"}
DRIVERS = ("kobalt", *BEGINNINGS)
# "MESA: info: " where the driver speaks through Mesa.
ANNOUNCED = re.compile(r"^(?:MESA: \w+: )?kobalt: started, (.*)$", re.MULTILINE)
LAYER = "VK_LAYER_KHRONOS_validation"
SYNCHRONISATION = "with synchronisation"
PLAIN, VALIDATED, SYNCHRONISED = "started", "validated", "synchronised"


def words_of(env):
    return [word.strip() for word in env.get("KOBALT_DEBUG", "").split(",") if word.strip()]


def announcing(env):
    """ENV with the driver's announcement switched on."""
    return env if is_announcing(env) else dict(env, KOBALT_DEBUG=",".join([*words_of(env), "announce"]))


def is_announcing(env):
    return "announce" in words_of(env)


def validating(sync=False):
    """Variables that switch on the validation layer, and the checks of synchronisation. The layer's limit of ten
    messages of a kind is off: the driver may leave out the first ten, and the eleventh may have other words. With these
checks attachments have layouts of their own, as on GPUs: the layer follows them."""
    extra = {"KOBALT_VALIDATION": "1", "VK_LAYER_ENABLE_MESSAGE_LIMIT": "false"}
    return dict(extra, KOBALT_DEBUG="sync", KOBALT_ATTACHMENT_LAYOUTS="1") if sync else extra


def level(said):
    """PLAIN, VALIDATED or SYNCHRONISED: what an announcement stands for."""
    if LAYER not in said:
        return PLAIN
    return SYNCHRONISED if SYNCHRONISATION in said else VALIDATED


def weakest(text):
    """The least that any process in the output TEXT announced; None where no driver of ours started."""
    order = (PLAIN, VALIDATED, SYNCHRONISED)
    return min((level(said) for said in ANNOUNCED.findall(text)), key=order.index, default=None)


def needed(env):
    """What a program in ENV has to announce."""
    if env.get("KOBALT_VALIDATION", "0") in ("", "0"):
        return PLAIN
    return SYNCHRONISED if "sync" in words_of(env) else VALIDATED


def doubt(announced, wanted):
    """What is wrong with a result whose process announced ANNOUNCED where WANTED is needed; None if nothing is."""
    if announced is None:
        return "Kobalt did not start in it"
    if wanted == SYNCHRONISED and announced != SYNCHRONISED:
        return "synchronisation was not checked in it"
    if wanted == VALIDATED and announced == PLAIN:
        return "%s was not on in it" % LAYER
    return None


def output(command, env):
    """What COMMAND writes to stdout in ENV; nothing where it can't be run."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, errors="replace", env=env, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def asker(env):
    """The command that says what GL is in ENV, in a window or, where ENV has no X server, without one."""
    return ["glxinfo", "-B"] if "DISPLAY" in env else [sys.executable, str(paths.TOOLS / "features_probe.py")]


def ask(env, pattern):
    found = re.search(pattern, output(asker(env), env), re.MULTILINE)
    return found[1].strip() if found else None


def renderer_of(env):
    """What glxinfo calls the renderer in ENV (without an X server: features_probe.py); "none" where there is none."""
    return ask(env, r"^(?:OpenGL renderer string: |\w+\trenderer\t)(.*)") or "none"


def version_of(env):
    """The GL driver's own version, out of GL_VERSION: "Mesa 25.0.7"."""
    return ask(env, r"^(?:OpenGL version string: |\w+\tversion\t).*?((?:Mesa|NVIDIA) .*)") or "an unknown version"


def is_of(renderer, driver):
    """True where GL_RENDERER is DRIVER's own; any will do for the machine's own GL ("system")."""
    if driver not in DRIVERS:
        return True
    kobalts = KOBALTS.fullmatch(renderer) is not None
    return kobalts if driver == "kobalt" else not kobalts and renderer.startswith(BEGINNINGS[driver])


def require(driver, env):
    """The renderer's name in ENV, which has a display; stops where it is not DRIVER's."""
    name = renderer_of(env)
    if name == "none" or not is_of(name, driver):
        raise ui.Stop("%s should draw here, but the renderer is %s: run %s in that environment"
                      % (driver, name, " ".join(asker(env))))
    return name
