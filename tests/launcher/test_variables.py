# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Every environment variable of Kobalt's is in the driver's table (src/vulkan/base/variables.cpp), and is read by it."""
import re
import unittest

import support
from kobalt_cli.lib import ui
from kobalt_cli.reports import variables

BASE = support.ROOT / "src/vulkan/base"
NAME = re.compile(r"\bKOBALT_[A-Z_]*[A-Z]\b")
ENTRY = re.compile(r'\{V::(\w+),\s*"(\w+)"')
DEFINED = re.compile(r"#define (KOBALT_\w+)|-D(KOBALT_\w+)")
# A variable that a program or a script reads.
READ = re.compile(r'(?:getenv|environment_variable|get_environment)\("(KOBALT_\w+)"|\benv(?:iron)?(?:\.get\(|\.pop\(|\[)"(KOBALT_\w+)"'
                  r"|\$\{?(KOBALT_\w+)|= \"(KOBALT_[A-Z_]*[A-Z])\";")
SOURCES = (".cpp", ".h", ".c", ".py", ".sh", ".gd")


def texts(*folders):
    """{path below the root: its text} of the sources in FOLDERS, and of the scripts without an ending."""
    return {str(path.relative_to(support.ROOT)): path.read_text(encoding="utf-8") for folder in folders
            for path in sorted((support.ROOT / folder).rglob("*"))
            if path.is_file() and (path.suffix in SOURCES or path.name in ("kobalt", "run"))}


def table():
    """{name in the driver's enumeration: variable}."""
    return dict(ENTRY.findall((BASE / "variables.cpp").read_text(encoding="utf-8")))


def tools_variables():
    text = (BASE / "variables.cpp").read_text(encoding="utf-8")
    return set(NAME.findall(re.search(r"tools_variables\[\] = \{(.*?)\};", text, re.DOTALL).group(1)))


def read_in(sources):
    """{variable: a source that reads it}."""
    return {next(filter(None, found)): path for path, text in sources.items() for found in READ.findall(text)}


class Variables(unittest.TestCase):
    def known(self):
        return set(table().values()) | tools_variables()

    def test_the_sources_name_no_other(self):
        sources = texts("src")
        defined = {name for text in sources.values() for pair in DEFINED.findall(text) for name in pair}
        named = {name: path for path, text in sources.items() for name in NAME.findall(text)}
        self.assertGreater(len(table()), 20)
        for name in sorted(named.keys() - defined):
            self.assertIn(name, self.known(), "%s names a variable that is not in the table" % named[name])

    def test_the_driver_reads_them_by_the_table_alone(self):
        tools = tools_variables()
        for name, path in read_in(texts("src")).items():
            self.assertIn(name, tools, "%s reads a variable by its name: use environment:: and its entry" % path)

    def test_each_entry_is_read(self):
        text = "\n".join(text for path, text in texts("src").items() if not path.endswith("base/variables.cpp"))
        for variable, name in table().items():
            if name != "KOBALT_FAULT":  # the tests' programs read it
                self.assertRegex(text, r"\b(Variable|V)::%s\b" % variable, "nothing reads %s" % name)

    def test_those_of_the_tools_are_known(self):
        found = read_in(texts("tools", "tests", "bench", "src/demo", ".ci"))
        for name, path in found.items():
            if not name.startswith("KOBALT_TEST_"):
                self.assertIn(name, self.known(), "%s reads it, and the driver would report it as unknown" % path)
        self.assertEqual(sorted(tools_variables() - found.keys()), [], "nothing reads these")

    def test_documents_name_no_other(self):
        documents = [support.ROOT / name for name in ("README.md", "CONTRIBUTING.md")] + sorted((support.ROOT / "docs").glob("*.md"))
        for path in documents:
            for name in NAME.findall(path.read_text(encoding="utf-8")):
                if not name.startswith("KOBALT_TEST_"):
                    with self.subTest(document=path.name, variable=name):
                        self.assertIn(name, self.known())

    def test_the_document_has_all_in_their_order(self):
        rows = variables.TABLE.search(variables.DOCUMENT.read_text(encoding="utf-8")).group(0)
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE), list(table().values()))

    def test_the_document_is_written(self):
        before = "text\n\n| variable | value | a |\n|---|---|\n| `X` | y |\n\nNone counts.\n\nmore\n"
        self.assertEqual(variables.with_table(before, "new\n\nline\n"), "text\n\nnew\n\nline\n\nmore\n")
        with self.assertRaises(ui.Stop):
            variables.with_table("no table here\n", "new\n")


if __name__ == "__main__":
    unittest.main()
