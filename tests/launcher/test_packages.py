# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The launcher's packages: docs/architecture.md lists them from the bottom up, and imports go down only."""
import ast
import re
import tempfile
import unittest
from pathlib import Path

import support

CLI = support.ROOT / "tools/kobalt_cli"


def order():
    """The packages in the order of the table in docs/architecture.md, from the bottom up."""
    text = (support.ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = text.split("| `tools/kobalt_cli/` |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def imported(path, root=CLI):
    """[(line, package)] of the packages of ROOT that the module at PATH imports from, wherever in it, its own left out;
    "" stands for kobalt_cli itself."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            words = (node.module or "").split(".")
            if node.level >= 2 or node.level == 0 and words[0] == "kobalt_cli":
                inner = words if node.level else words[1:]
                names = [inner[0]] if inner and inner[0] else [one.name for one in node.names]
                found += [(node.lineno, name if (root / name).is_dir() else "") for name in names]
        elif isinstance(node, ast.Import):
            found += [(node.lineno, (one.name.split(".") + [""])[1]) for one in node.names if one.name.split(".")[0] == "kobalt_cli"]
    return found


class Packages(unittest.TestCase):
    def test_each_module_is_in_a_package(self):
        self.assertEqual([p.name for p in CLI.glob("*.py")], ["__init__.py"])
        there = sorted(p.name for p in CLI.iterdir() if p.is_dir() and p.name != "__pycache__")
        self.assertEqual(sorted(order()), there, "docs/architecture.md names other packages")

    def test_imports_go_down(self):
        packages, seen = order(), 0
        for path in sorted(CLI.glob("*/*.py")):
            for line, other in imported(path):
                where = "%s:%d" % (path.relative_to(support.ROOT), line)
                self.assertIn(other, packages, "%s imports something that is no package" % where)
                self.assertLess(packages.index(other), packages.index(path.parent.name),
                                "%s imports %s, which is not below %s" % (where, other, path.parent.name))
                seen += 1
        self.assertGreater(seen, 100)

    def test_each_kind_of_import_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.py"
            path.write_text("from ..lib import ui\nfrom ..lib.labels import machine\nfrom . import own\nimport os\n"
                            "def late():\n    from .. import setup, lib\n    import kobalt_cli.suites.skips\n"
                            "    from kobalt_cli.reports import status\n    from .. import __name__\n")
            self.assertEqual(sorted(imported(path)), [(1, "lib"), (2, "lib"), (6, "lib"), (6, "setup"), (7, "suites"),
                                                      (8, "reports"), (9, "")])


if __name__ == "__main__":
    unittest.main()
