# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What src/vulkan loads, enables and queries is used: commands, capabilities, structures of features and properties."""
import re
import unittest

import support  # noqa: F401
from kobalt_cli.lib import paths

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ENTRY = re.compile(r"\bX\((\w+)[,)]")
CAPABILITIES = paths.ROOT / "src/vulkan/capabilities"
# Where capabilities are decided; what is named there is not used by it.
DECISION = {CAPABILITIES / name for name in ("capability_list.h", "capability_rules.cpp", "capabilities.cpp")}


def code(path):
    """A source without its comments."""
    return COMMENT.sub("", path.read_text(encoding="utf-8"))


def sources(*folders):
    return [path for folder in folders for path in sorted((paths.ROOT / folder).rglob("*"))
            if path.suffix in (".cpp", ".h")]


def entries(path, macro):
    """The first arguments of an X-macro list."""
    found = re.search(r"#define %s\(X\) \\\n((?:.*\\\n)*.*)" % macro, path.read_text(encoding="utf-8"))
    return ENTRY.findall(COMMENT.sub("", found.group(1))) if found else []


def unused_commands(commands, texts):
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return [command for command in commands if command not in words]


def parse_rules(text):
    """The rules of capability_rules.cpp: the feature bits of each capability, and what needs it."""
    bits, needed = {}, set()
    for rule in re.findall(r"\b(?:rule|core|line)\((C::.*?)\);\n", text, re.DOTALL):
        name, *needs = re.findall(r"C::(\w+)", rule)
        bits[name] = [path.rsplit(".", 1)[1] for path in re.findall(r"BIT\(([\w.]+)\)", rule)]
        needed.update(needs)
    return bits, needed


def is_asked(capability, bits, needed, text):
    """Whether a source reads the capability or one of its feature bits, or another capability needs it."""
    return (capability in needed or re.search(r"\bCapability::%s\b" % capability, text) is not None
            or any(re.search(r"\b%s\b" % bit, text) for bit in bits.get(capability, [])))


class Unused(unittest.TestCase):
    def test_commands(self):
        lists = sorted((paths.ROOT / "src/vulkan/base").glob("dispatch_list_*.h"))
        commands = [name for path in lists for name in ENTRY.findall(code(path))]
        self.assertGreater(len(commands), 100)
        self.assertEqual(len(commands), len(set(commands)), "a command is listed twice")
        texts = [code(path) for path in sources("src", "tests/unit") if path not in lists]
        self.assertEqual(unused_commands(commands, texts), [], "commands that are loaded and never named: remove them "
                         "from src/vulkan/base/dispatch_list_*.h")

    def test_capabilities(self):
        path = CAPABILITIES / "capability_list.h"
        asked = entries(path, "KOBALT_ASKED_CAPABILITIES")
        effective = entries(path, "KOBALT_EFFECTIVE_CAPABILITIES")
        self.assertGreater(len(asked), 80)
        self.assertGreater(len(effective), 5)
        self.assertEqual(len(asked + effective), len(set(asked + effective)), "a capability is listed twice")
        bits, needed = parse_rules(code(CAPABILITIES / "capability_rules.cpp"))
        text = "\n".join(code(source) for source in sources("src")
                         if source not in DECISION and source.name != "device_chain.cpp")
        for name in asked:
            self.assertTrue(is_asked(name, bits, needed, text),
                            "capability %s: nothing reads it. Remove it with its rule, or say in "
                            "KOBALT_EFFECTIVE_CAPABILITIES what it is enabled for" % name)
        for name in effective:
            self.assertFalse(is_asked(name, bits, needed - set(effective), text),
                             "capability %s is read: it belongs to KOBALT_ASKED_CAPABILITIES" % name)

    def test_structures(self):
        rules = "\n".join(code(path) for path in DECISION)
        for name in entries(CAPABILITIES / "device_features.h", "KOBALT_FEATURE_STRUCTS"):
            self.assertRegex(rules, r"(\bBIT\(|features_?\.)%s\b" % name, "nothing enables a feature of this structure")
        text = "\n".join(code(path) for path in sources("src"))
        for name in entries(CAPABILITIES / "device_properties.h", "KOBALT_PROPERTY_STRUCTS"):
            self.assertRegex(text, r"properties_?(\(\))?\.%s\b" % name, "nothing reads a property of this structure")

    def test_what_is_unused_is_found(self):
        self.assertEqual(unused_commands(["CmdDraw", "CmdDrawMultiEXT"], ["vk.CmdDraw(commands, 3, 1, 0, 0);"]),
                         ["CmdDrawMultiEXT"])
        bits, needed = parse_rules("core(C::wide_lines, BIT(core.wideLines));\n"
                                   "rule(C::multi_draw, {\"VK_EXT_multi_draw\"}, {BIT(multi_draw.multiDraw)});\n"
                                   "rule(C::swapchain, {});\nrule(C::present_wait, {}, {}, {}, {C::swapchain});\n")
        text = "if (device.features().core.wideLines && has(Capability::present_waiting))"
        asked = [name for name in bits if is_asked(name, bits, needed, text)]
        self.assertEqual(asked, ["wide_lines", "swapchain"])


if __name__ == "__main__":
    unittest.main()
