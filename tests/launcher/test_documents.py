# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Every command in the documents exists, and the tree keeps the project's rules."""
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/apps.md", "docs/status.md", "docs/architecture.md",
             "docs/debugging.md", "docs/benchmarks.md", "docs/gpus.md", "docs/features.md", "docs/servers.md", "docs/remote.md", "docs/reliability.md",
             "docs/packages.md")
# Folders that a build or a set-up makes, and a folder of Mesa's inside one that has the name of ours.
MADE = ("build", "out", "subprojects", ".kobalt")
MESAS = ("src/mesa/state_tracker",)


def commands(text):
    """Lines that call ./kobalt in the sh blocks of a document, without the variables in front of it."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"^(\w+=\S+ )+", "", line)
            if line.startswith("./kobalt"):
                yield line


class Documents(unittest.TestCase):
    def test_commands_are_accepted(self):
        """The launcher itself parses each documented command, without running it."""
        seen = 0
        for name in DOCUMENTS:
            path = ROOT / name
            if not path.exists():
                continue
            for line in commands(path.read_text()):
                with self.subTest(document=name, command=line):
                    done = subprocess.run([str(ROOT / "kobalt"), *shlex.split(line)[1:]], stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, text=True, env=dict(os.environ, KOBALT_DRY_RUN="1"))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("would run: kobalt", done.stdout)
                    seen += 1
        self.assertGreater(seen, 10)

    def test_links_lead_somewhere(self):
        for name in ("README.md", "CONTRIBUTING.md", "docs/apps.md", "docs/servers.md", "docs/remote.md"):
            for link in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text()):
                if "://" not in link:
                    with self.subTest(document=name, link=link):
                        self.assertTrue(((ROOT / name).parent / link).exists())

    def test_files_that_are_named_are_there(self):
        """Checks each name in backquotes that looks like a source file or a folder of the tree: from its root, from
        src/, from src/gallium/, or from the document's own folder."""
        seen = 0
        for name in (*DOCUMENTS, "src/gallium/emulation/README.md"):
            for path in re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", (ROOT / name).read_text()):
                top = path.split("/")[0]
                places = (ROOT, ROOT / "src", ROOT / "src/gallium", (ROOT / name).parent)
                if top in MADE or path.startswith(MESAS) or "NAME" in path or not any((p / top).is_dir() for p in places):
                    continue
                with self.subTest(document=name, path=path):
                    self.assertTrue(any((place / path).exists() for place in places), "there is no such file")
                    seen += 1
        self.assertGreater(seen, 30)

    def test_help_names_every_command(self):
        text = subprocess.run([str(ROOT / "kobalt"), "--help"], stdout=subprocess.PIPE, text=True).stdout
        for command in ("run", "test", "info", "bundle", "build", "status", "piglit", "corpus", "peer", "features", "compare", "deqp"):
            self.assertIn(command, text)


class Tree(unittest.TestCase):
    def sources(self):
        for folder in ("tools", "tests/launcher"):
            yield from (p for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts)
        yield ROOT / "kobalt"
        yield ROOT / ".ci/run"

    def test_licence_head(self):
        for path in self.sources():
            if path.suffix in (".py", ".sh") or path.name in ("kobalt", "run"):
                with self.subTest(path=path.relative_to(ROOT)):
                    self.assertIn("SPDX-License-Identifier: MIT", path.read_text()[:300])

    def test_modules_are_small(self):
        for path in (ROOT / "tools/kobalt_cli").rglob("*.py"):
            with self.subTest(path=path.name):
                self.assertLess(len(path.read_text().splitlines()), 300)

    def test_no_package_host_is_written_down(self):
        hosts = re.compile(r"(deb|ftp|security)\.debian" + r"\.org|snapshot\.debian" + r"\.org")
        for path in self.sources():
            with self.subTest(path=path.relative_to(ROOT)):
                self.assertIsNone(hosts.search(path.read_text(errors="replace")))

    # What a file may use besides the standard library, where it is installed: without it the file says so and goes on.
    OPTIONAL = {"bench_page.py": {"matplotlib"}}

    def test_standard_library_only(self):
        if not hasattr(sys, "stdlib_module_names"):
            self.skipTest("this Python can't name its standard library")
        for path in (ROOT / "tools/kobalt_cli").rglob("*.py"):
            for name in re.findall(r"^\s*(?:import|from) ([a-z_A-Z0-9]+)", path.read_text(), re.MULTILINE):
                with self.subTest(path=path.name, module=name):
                    self.assertIn(name, sys.stdlib_module_names | self.OPTIONAL.get(path.name, set()))

    def test_shell_scripts_parse(self):
        enabling = [("tools/enable/" + path.name, "sh") for path in sorted((ROOT / "tools/enable").glob("*.sh"))]
        for name, shell in (("kobalt", "sh"), ("tools/environment.sh", "sh"), ("tools/on_build.sh", "sh"), ("tools/bundle/kobalt", "sh"),
                            ("tools/bundle/report.sh", "sh"), ("packaging/arch/PKGBUILD", "bash"),
                            (".ci/run", "bash"), *enabling):
            with self.subTest(script=name):
                self.assertEqual(subprocess.run([shell, "-n", str(ROOT / name)]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
