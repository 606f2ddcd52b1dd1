# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What a scene of bench/frame may cost on Kobalt: the limits that tests hold, and the targets beside them."""
import collections

from ..lib import paths
from . import frame

FILE = paths.ROOT / "bench/frame/limits.tsv"
# Frames for devices that draw: small ones, whose counts are those of large ones. GPUs without the hardware take a frame of
# usual size in the same time, and some compress and clear quickly only from a size on.
SMALL, USUAL = ("--size", "480x270"), ("--size", "1280x720")
LIMIT_S = 120

# MOST: what a frame costs today, which tests hold. TARGET: what it should cost.
Limit = collections.namedtuple("Limit", "device scene counter most target")


def read(path=FILE):
    """The limits of a file, in its order."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [Limit(device, scene, counter, float(most), float(target)) for device, scene, counter, most, target in rows]


def for_device(limits, names):
    """Those of LIMITS that hold on a device which has NAMES: its own and its maker's, for example."""
    return [limit for limit in limits if limit.device in names]


def cost(counts, limit):
    """What a frame of the limit's scene costs in COUNTS, {scene: {counter: number}}. A counter that isn't there is 0."""
    return sum(counts[limit.scene].get(counter, 0) for counter in limit.counter.split("+"))


def excesses(counts, limits):
    """A line for each limit that COUNTS is above. Scenes that weren't drawn have none."""
    return ["%s on %s: %s is %g a frame, the limit is %g" % (limit.scene, limit.device, limit.counter, cost(counts, limit), limit.most)
            for limit in limits if limit.scene in counts and cost(counts, limit) > limit.most]


def check(env, names, size=SMALL, limit_s=LIMIT_S):
    """A line for each thing wrong with what the scenes that have a limit cost in ENV, on a device that has NAMES."""
    limits = for_device(read(), names)
    scenes = [scene for scene in frame.known_scenes() if any(limit.scene == scene for limit in limits)]
    said = frame.measure(scenes, env, size, limit_s)
    counts = {}
    for (scene, counter), (number, _) in said.figures.items():
        counts.setdefault(scene, {})[counter] = number
    missing = sorted({limit.scene for limit in limits} - set(counts) - set(said.troubles))
    return (["%s: %s" % (scene, reason) for scene, (_, reason) in said.troubles.items()]
            + ["%s was not drawn" % scene for scene in missing]
            + ["%s: no draw was counted, the layer is not below the driver" % scene for scene, of in counts.items()
               if scene != "process" and not of.get("draws")]
            + excesses(counts, limits))


def short_of_target(counts, limits):
    """The limits whose target COUNTS doesn't reach."""
    return [limit for limit in limits if limit.scene in counts and cost(counts, limit) > limit.target]
