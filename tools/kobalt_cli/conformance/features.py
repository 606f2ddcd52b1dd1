# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt features: which versions and extensions of GL each driver reports on each Vulkan device that is here.

tools/features_probe.py asks one driver. The answers on a device are kept as docs/measured/features/NAME.tsv, so that
docs/features.md can show machines that not every developer has; features_report.py writes that page.
"""
import re
import subprocess
import sys
import time
from pathlib import Path

from ..lib import environment, gpu, labels, paths, ui, witness
from . import features_report

PROBE = paths.TOOLS / "features_probe.py"
FOLDER = features_report.FOLDER
# The contexts, each with the letter that stands for it in the tables.
LETTERS = {"core": "c", "compat": "p", "es1": "1", "es2": "2", "es3": "3", "egl": "e"}
LIMIT_S = 120
CPU_DEVICES = {"lavapipe": ("kobalt", "zink", "llvmpipe"), "swiftshader": ("kobalt", "zink")}
OTHERS = ("kobalt", "zink", "native")  # on a machine's own device; zink only if the peers are here


class Said:
    """What one driver said: VALUES {(context, key): value}, EXTENSIONS {name: letters of the contexts that have it}."""

    def __init__(self, text=""):
        self.values, self.extensions = {}, {}
        for line in text.splitlines():
            context, key, value = (line.split("\t") + ["", ""])[:3]
            if context not in LETTERS:
                continue
            if key == "extensions":
                for name in value.split():
                    self.extensions[name] = self.extensions.get(name, "") + LETTERS[context]
            else:
                self.values[context, key] = value

    def renderer(self):
        """GL_RENDERER without the kernel's version, which is no property of the driver; "" if no context was made."""
        found = next((v for (_, key), v in self.values.items() if key == "renderer"), "")
        return re.sub(r", \d+\.\d+\.\d+[^,()]*\)$", ")", found)

    def version(self, context):
        """The version of CONTEXT, like "4.6", or "none"."""
        found = re.search(r"\d+\.\d+", self.values.get((context, "version"), ""))
        return found[0] if found else "none"

    def head(self, driver):
        """The lines {key: value} that a record has on DRIVER."""
        release = re.search(r"(?:Mesa|NVIDIA) \S+", " ".join(v for (context, key), v in self.values.items() if key == "version"))
        named = {"renderer": self.renderer() or "none", "release": release[0] if release else labels.UNKNOWN_VERSION}
        return {"%s %s" % (driver, key): value for key, value in
                {**named, **{context: self.version(context) for context in LETTERS}}.items()}


def zink_on(vulkan):
    """The environment of stock zink on one of the CPU devices."""
    manifest = {"lavapipe": "lvp_icd.json", "swiftshader": "swiftshader_icd.json"}[vulkan]
    return environment.peer("zink", {"VK_DRIVER_FILES": str(paths.HOST / "usr/share/vulkan/icd.d" / manifest)})


def zink_on_own_device():
    """The environment of stock zink on the machine's own device: the one that Kobalt takes."""
    own = environment.kobalt(quiet=True)
    env = environment.peer("zink", {key: own[key] for key in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES") if key in own})
    env.pop("LIBGL_ALWAYS_SOFTWARE", None)  # with it, zink would look for a CPU device
    return env


def environment_of(device, driver):
    """The environment of DRIVER on DEVICE: a CPU device, a GPU without the hardware, or None for the machine's own."""
    if device in CPU_DEVICES:
        env = zink_on(device) if driver == "zink" else environment.for_driver(driver, device)
    elif device is not None:
        env = gpu.for_driver(gpu.find(device), driver)
    elif driver == "native":
        return environment.without_kobalt()
    else:
        env = environment.kobalt(quiet=True) if driver == "kobalt" else zink_on_own_device()
    return dict(env, EGL_PLATFORM="surfaceless")


def drivers_of(device):
    if device is None:
        return [driver for driver in OTHERS if driver != "zink" or paths.PEERS.is_dir()]
    return CPU_DEVICES.get(device, gpu.DRIVERS)


def ask(env):
    """(Said, the last line on stderr) of the driver in ENV."""
    try:
        done = subprocess.run([sys.executable, str(PROBE)], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return Said(), "no answer within %d s" % LIMIT_S
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    trouble = "" if done.returncode == 0 else "status %d: %s" % (done.returncode, lines[-1] if lines else "no output")
    return Said(done.stdout), trouble


def require(driver, said, device):
    """Stops where another driver than DRIVER answered."""
    renderer = said.renderer()
    wrong = any(witness.is_of(renderer, other) for other in ("kobalt", "zink")) if driver == "native" else not witness.is_of(renderer, driver)
    if renderer and wrong:
        raise ui.Stop("%s should answer on %s, but the renderer is %s" % (driver, device or "this machine", renderer))


def record_of(name, answers):
    """A features_report.Record of {driver: Said}."""
    head = {"day": time.strftime("%Y-%m-%d", time.gmtime()), "columns": " ".join(answers)}
    for driver, said in answers.items():
        head.update(said.head(driver))
    names = sorted({extension for said in answers.values() for extension in said.extensions})
    return features_report.Record(name, head, {
        extension: {driver: said.extensions.get(extension, "") for driver, said in answers.items()} for extension in names})


def measure(device, name):
    """Asks every driver on DEVICE and keeps what they said as NAME.tsv. A peer that another driver stands in for is left out."""
    answers = {}
    for driver in drivers_of(device):
        said, trouble = ask(environment_of(device, driver))
        if trouble:
            ui.warn("%s on %s: %s" % (driver, name, trouble))
        try:
            require(driver, said, device)
        except ui.Stop as stop:
            if driver == "kobalt":
                raise
            ui.warn("%s: left out" % stop)
            continue
        answers[driver] = said
    return keep(record_of(name, answers))


def keep(record):
    FOLDER.mkdir(parents=True, exist_ok=True)
    features_report.write(record)
    ui.note("%-18s %s" % (record.name, ", ".join("%s %s / ES %s" % (d, record.version(d, "core"), record.version(d, "es3")) for d in record.drivers())))
    return record


def read_bundle(path, name):
    """The Record of what the bundle's `./kobalt features` wrote: the probe's lines, each with its driver in front."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ui.Stop("%s can't be read (%s): name what the bundle's ./kobalt features wrote" % (path, error.strerror)) from None
    texts = {}
    for line in lines:
        driver, tab, rest = line.partition("\t")
        if tab and driver in OTHERS:
            texts[driver] = texts.get(driver, "") + rest + "\n"
    if "kobalt" not in texts:
        raise ui.Stop("%s holds no line of Kobalt's: name what the bundle's ./kobalt features wrote" % path)
    answers = {driver: Said(texts[driver]) for driver in OTHERS if driver in texts}
    for driver, said in answers.items():
        require(driver, said, name)
    return record_of(name, answers)


def wanted(args):
    """The devices to ask: those named, or all."""
    known = [*CPU_DEVICES, *gpu.names()]
    for name in args.only or []:
        if name not in known:
            raise ui.Stop("there is no device %s to ask; there are %s" % (name, ", ".join(known)))
    return args.only or known


def check_name(name):
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) or name in CPU_DEVICES or name in gpu.names():
        raise ui.Stop("--record wants a short name of this machine's device, as h200 (small letters, digits, -), none of those that ./kobalt gpus lists")


def command(args):
    if args.record:
        check_name(args.record)
        keep(read_bundle(args.read, args.record)) if args.read else measure(None, args.record)
    elif args.read:
        raise ui.Stop("--read wants --record NAME as well: the name of the device that the file is of")
    elif not args.write:
        for device in wanted(args):
            measure(device, device)
    return features_report.write_document()
