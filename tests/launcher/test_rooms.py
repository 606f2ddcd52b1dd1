# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Dependencies go one way: between the folders of src/, and between the rooms of src/gallium, src/render and src/vulkan.
And src/gallium records no Vulkan command itself."""
import re
import unittest

import support  # noqa: F401
from kobalt_cli.lib import paths

INCLUDE = re.compile(r'^#include "([a-z_]+)/(?:([a-z_]+)/)?[a-z_0-9]+\.h"', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A Vulkan command, called or named: vkCmdDraw, vk.CmdDraw, PFN_vkCmdDraw.
COMMAND = re.compile(r"(?:\b|vk)Cmd[A-Z]\w*")
# The folders that a folder may include beside itself.
FOLDERS = {"vulkan": set(), "render": {"vulkan"}, "present": {"vulkan", "render"}, "spirv": set(),
           "gallium": {"vulkan", "render", "present", "spirv"}}


def rooms(folder):
    """The rooms in the order of the table in docs/architecture.md, from the bottom up."""
    text = (paths.ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = text.rsplit("| `src/%s/` |" % folder, 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def commands(text):
    """The Vulkan commands in a source, without those in its comments."""
    return COMMAND.findall(COMMENT.sub("", text))


class Rooms(unittest.TestCase):
    def sources(self, folder):
        found = sorted(p for p in (paths.ROOT / "src" / folder).rglob("*") if p.suffix in (".h", ".cpp"))
        self.assertGreater(len(found), 5)
        return found

    def test_folders_include_downwards(self):
        for folder, below in FOLDERS.items():
            for path in self.sources(folder):
                for other, _ in includes(path):
                    if other in FOLDERS and other != folder:
                        self.assertIn(other, below, "%s includes %s/" % (path, other))

    def test_rooms_include_downwards(self):
        for folder in ("vulkan", "render", "gallium"):
            order = rooms(folder)
            there = sorted(p.name for p in (paths.ROOT / "src" / folder).iterdir() if p.is_dir())
            self.assertEqual(sorted(order), there, "docs/architecture.md tells of other rooms")
            for path in self.sources(folder):
                room = path.parent.name
                for other, inner in includes(path):
                    if other == folder and inner:
                        self.assertLessEqual(order.index(inner), order.index(room),
                                             "%s includes %s, a room above it" % (path, inner))

    def test_only_the_engine_records(self):
        for path in self.sources("gallium"):
            self.assertEqual(commands(path.read_text(encoding="utf-8")), [], "%s records by itself" % path)

    def test_a_command_would_be_found(self):
        self.assertEqual(commands("vk().CmdEndQuery(a); // vkCmdCopyBuffer\nvkCmdDraw(b); PFN_vkCmdDispatch c;"),
                         ["CmdEndQuery", "vkCmdDraw", "vkCmdDispatch"])
        # The engine's sources have commands, so the search does find some.
        self.assertTrue(any(commands(p.read_text(encoding="utf-8")) for p in self.sources("render")))


if __name__ == "__main__":
    unittest.main()
