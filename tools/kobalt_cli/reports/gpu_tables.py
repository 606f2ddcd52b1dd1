# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The part of docs/gpus.md on GPUs that nobody tried: what their drivers' tables in Mesa's source offer Kobalt."""
from ..lib import paths, ui
from . import source_tables

REASONS = paths.TOOLS / "gpu-tables-reasons.tsv"
# The newest OpenGL (core, or compatibility up to 3.1) and OpenGL ES without a capability, where that is below 4.6 or
# 3.2: as lavapipe has them with KOBALT_DISABLE.
VERSIONS = {
    "vertex_attribute_divisor": ("3.2", "2.0"), "geometry_shader": ("3.1", "3.1"), "tessellation_shader": ("3.3", "3.1"),
    "transform_feedback": ("2.1", "2.0"), "multi_viewport": ("4.0", "3.2"), "depth_clamp": ("3.1", "3.2"),
    "depth_bias_clamp": ("4.5", "3.2"), "sample_rate_shading": ("3.3", "3.1"), "dual_source_blend": ("3.2", "3.2"),
    "independent_blend": ("2.1", "3.1"), "dynamic_rendering_local_read": ("4.6", "3.1"),
    "robust_buffer_access": ("4.2", "3.1"), "shader_cull_distance": ("4.4", "3.2"),
    "shader_draw_parameters": ("4.5", "3.2"), "shader_storage_image_write_without_format": ("4.1", "3.1"),
    "fragment_stores_and_atomics": ("4.1", "3.1"), "image_cube_array": ("3.3", "3.1"), "sampler_anisotropy": ("4.5", "3.2"),
    "sampler_mirror_clamp_to_edge": ("4.3", "3.2"),
}

TEXT = """### From Mesa's source alone

**No GPU of these was tried, and none of their drivers was built.** The tables below come from the tables of extensions and
features in the sources of Mesa %s, held against Kobalt's [profile](architecture.md#what-a-device-needs) and its rules of
capabilities. A driver's limits, queues and formats stand in no such table, and errors show only in use. A driver that
lacks a part of the profile is refused, with the reason, by `./kobalt info` and by every program. OpenGL's version is
the one that lavapipe has with the same capabilities switched off; `else`, if the profile were met.

%s
What Kobalt does without the capabilities that the drivers it would accept lack: `off` on all chips, or there under the
condition in the driver's source. What else they have is on; what decides by a limit or a queue counts as on.

%s
What the refused drivers lack beside the profile: %s.
"""


def reasons():
    """{capability: what Kobalt does without it} of the list."""
    lines = REASONS.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def versions(off):
    """(OpenGL, OpenGL ES) without the capabilities OFF."""
    lowered = [VERSIONS[name] for name in off if name in VERSIONS]
    return min(["4.6", *(gl for gl, _ in lowered)]), min(["3.2", *(es for _, es in lowered)])


def survey():
    """{driver: (its offer, what it lacks of the profile, its capabilities that are off)}; needs Mesa's tree."""
    if not (paths.MESA_TREE / "src").is_dir():
        raise ui.Stop("the page needs Mesa's source: run ./kobalt build first")
    table = source_tables.rules(source_tables.RULES.read_text(encoding="utf-8"))
    wanted = source_tables.profile(source_tables.DECISION.read_text(encoding="utf-8"))
    offers = {driver: source_tables.offer(driver) for driver in source_tables.DRIVERS}
    return {driver: (offer, source_tables.missing_from_profile(offer, wanted), source_tables.off(offer, table))
            for driver, offer in offers.items()}


def drivers_table(found, table):
    """Each driver of the survey FOUND in a line; TABLE makes a table of a head and rows."""
    rows = []
    for driver, (offer, missing, off) in found.items():
        firm = [name for name, (_, condition) in off.items() if condition is None]
        gl = ["refused (else %s)" % version for version in versions(firm)] if missing else versions(firm)
        if not missing and versions(off) != gl:
            gl = ["%s, %s on some chips" % pair if pair[0] != pair[1] else pair[0] for pair in zip(gl, versions(off))]
        rows.append([driver.name, driver.gpus, "%d.%d" % offer.version, ", ".join(missing) or "nothing", *gl, len(firm),
                     len(off) - len(firm)])
    return table(["Vulkan driver", "GPUs", "Vulkan at most", "lacks of the profile", "OpenGL", "OpenGL ES",
                  "capabilities off", "that the chip decides"], rows)


def capabilities_table(found, table):
    """The capabilities that the accepted drivers of the survey FOUND lack, with what Kobalt does without them."""
    accepted = {driver: off for driver, (_, missing, off) in found.items() if not missing}
    without = reasons()
    rows = []
    for name in sorted(set().union(*accepted.values())):
        lacking = next(off[name][0] for off in accepted.values() if name in off)
        cells = [("off" if off[name][1] is None else "`%s`" % off[name][1]) if name in off else "" for off in accepted.values()]
        rows.append([name, lacking, without.get(name, ""), *cells])
    return table(["capability", "what is lacking", "without it", *(driver.name for driver in accepted)], rows)


def section(table):
    """The section; TABLE makes a table of a head and rows."""
    found = survey()
    refused = {driver: off for driver, (_, missing, off) in found.items() if missing}
    lists = ["%s: %s" % (driver.name, ", ".join(name for name in off if off[name][1] is None)) for driver, off in refused.items()]
    return TEXT % (paths.MESA_VERSION, drivers_table(found, table), capabilities_table(found, table), "; ".join(lists))
