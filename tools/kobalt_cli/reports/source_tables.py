# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What Mesa's Vulkan drivers offer, read from the tables in their sources, and Kobalt's capabilities decided from that.

A driver's table gives each extension and each feature a C expression: `true`, `false`, or a condition on the chip. Limits
and queues stand in no such table: where these decide, the capability counts as on.
"""
import dataclasses
import re

from ..lib import paths

RULES = paths.ROOT / "src/vulkan/capabilities/capability_rules.cpp"
DECISION = paths.ROOT / "src/vulkan/capabilities/capabilities.cpp"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# This finds code for another system. Code for a window system stays: users' builds have one.
FOREIGN = re.compile(r"^#\s*if[^\n]*ANDROID[^\n]*\n.*?^#\s*endif[^\n]*\n", re.DOTALL | re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Driver:
    """A Vulkan driver of Mesa. SOURCE: of its tables, below src/. KNOWN: expressions that the page's reader has no
    choice about, with their values."""

    name: str
    gpus: str
    source: str
    known: tuple = ()


DRIVERS = (
    Driver("V3DV", "Broadcom VideoCore (Raspberry Pi 4 and 5)", "broadcom/vulkan/v3dv_device.c"),
    Driver("Turnip", "Qualcomm Adreno 6xx and 7xx", "freedreno/vulkan/tu_device.cc", (("TU_DEBUG(NOCONFORM)", "false"),)),
    Driver("PanVK", "Arm Mali", "panfrost/vulkan/panvk_physical_device.c"),
    # Without its own compiler, NAK, NVK has Vulkan 1.0 alone.
    Driver("NVK", "NVIDIA, Kepler and later", "nouveau/vulkan/nvk_physical_device.c", (("nvk_use_nak(info)", "true"),)),
    Driver("Honeykrisp", "Apple M1 and M2", "asahi/vulkan/hk_physical_device.c"),
)


@dataclasses.dataclass
class Offer:
    """What a driver offers. VALUES: the expression of each extension ("VK_EXT_x") and each feature; what it does not
    name is absent."""

    version: tuple
    values: dict

    def state(self, name):
        """True, False, or the condition on the chip as text."""
        expression = self.values.get(name, "false")
        linked = re.fullmatch(r".*\bsupported_extensions(?:\.|->)(\w+)", expression)
        if linked:
            return self.state("VK_" + linked.group(1))
        return {"true": True, "false": False}.get(expression, expression)


def simple(expression, known):
    """EXPRESSION with the expressions KNOWN replaced, and without the path to the structure it reads."""
    text = " ".join(expression.split())
    for name, value in known:
        text = text.replace(name, value)
    text = re.sub(r"^false \? \w+ : ", "", text)
    words = [word for word in text.split(" && ") if word != "true"]
    text = "false" if "false" in words else " && ".join(words) or "true"
    return re.sub(r"\b(?:physical_|p)?device->(?=info|devinfo)", "", text)


def read(text, known=()):
    """The Offer of the driver whose source is TEXT."""
    text = FOREIGN.sub("", COMMENT.sub("", text))
    text = re.sub(r"^#[^\n]*\n", lambda line: line.group() if "VERSION" in line.group() else "", text, flags=re.MULTILINE)
    values = {}
    tables = re.findall(r"\(struct vk_(device_extension_table|features)\)\s*\{(.*?)\}\s*\}?;", text, re.DOTALL)
    for kind, body in tables:
        prefix = "VK_" if kind == "device_extension_table" else ""
        for name, expression in re.findall(r"\.(\w+)\s*=\s*(.*?),\s*(?=\.\w+\s*=|$|\})", body, re.DOTALL):
            if name != "table":
                values[prefix + name] = simple(expression, known)
    for name, expression in re.findall(r"\bfeatures->(\w+)\s*=\s*(.*?);", text, re.DOTALL):
        values[name] = simple(expression, known)
    versions = re.findall(r"VK_MAKE_(?:API_)?VERSION\((?:0, )?(\d), (\d), VK_HEADER_VERSION", text)
    return Offer(max(tuple(map(int, one)) for one in versions), values)


def offer(driver):
    """The Offer of DRIVER in Mesa's tree."""
    return read((paths.MESA_TREE / "src" / driver.source).read_text(encoding="utf-8"), driver.known)


@dataclasses.dataclass
class Rule:
    """A capability: the extensions (each a tuple of which one is enough), features and capabilities that it needs."""

    name: str
    extensions: list
    features: list
    needs: list


def arguments(text):
    """The arguments of a call, split at the commas that are in no bracket."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found]


def rules(text):
    """The rules in TEXT, capability_rules.cpp, in its order."""
    found = []
    for kind, call in re.findall(r"\b(rule|core|line)\((C::.*?)\);[ ]*\n", COMMENT.sub("", text), re.DOTALL):
        name, *rest = arguments(call)
        extensions, required, needs = [], rest[:1], []
        if kind == "rule":
            extensions, required = re.findall(r'"([^"]+)"', rest[0]), rest[1:2]
            needs = re.findall(r"C::(\w+)", " ".join(rest[2:]))
        elif kind == "line":
            needs = ["line_rasterization"]
        features = re.findall(r"BIT\([\w]+\.(\w+)\)", " ".join(required))
        found.append(Rule(name.removeprefix("C::"), [tuple(one.split("|")) for one in extensions], features, needs))
    return found


def profile(text):
    """(the oldest Vulkan, the features) that every device must have, of TEXT, capabilities.cpp."""
    version = re.search(r"version < VK_API_VERSION_(\d)_(\d)", text)
    return tuple(map(int, version.groups())), re.findall(r"want\(v\d+\.(\w+),", text)


def missing_from_profile(one, wanted):
    """What the Offer ONE lacks of the profile WANTED, as texts."""
    version, features = wanted
    lacking = [] if one.version >= version else ["Vulkan %d.%d (it has %d.%d)" % (*version, *one.version)]
    return lacking + [name for name in features if one.state(name) is False]


def either(one, names):
    """The state of the extensions NAMES, of which one is enough."""
    states = [one.version >= (1, 4) if name == "Vulkan 1.4" else one.state(name) for name in names]
    return True if True in states else next((state for state in states if state), False)


def off(one, table):
    """{capability: (what it lacks, the condition on the chip under which it is there or None)} of the rules TABLE that
    the Offer ONE does not meet on every chip."""
    found = {}
    for rule in table:
        parts = [(" or ".join(names), either(one, names)) for names in rule.extensions]
        parts += [(name, one.state(name)) for name in rule.features]
        parts += [(need, found[need][1] or False) for need in rule.needs if need in found]
        lacking = [part for part, state in parts if state is False]
        conditions = list(dict.fromkeys(state for _, state in parts if isinstance(state, str)))
        if lacking:
            found[rule.name] = (lacking[0], None)
        elif conditions:
            found[rule.name] = (next(part for part, state in parts if isinstance(state, str)), " && ".join(conditions))
    return found
