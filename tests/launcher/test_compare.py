# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt compare: what differs between two runs."""
import contextlib
import io
import json
import re
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (finds kobalt_cli)
from kobalt_cli.lib import paths, ui
from kobalt_cli.conformance import deqp, piglit
from kobalt_cli.reports import compare, status
from kobalt_cli.commands import main

A = {"spec@a@one": "pass", "spec@a@two": "fail", "spec@b@three": "skip", "spec@b@four": "crash", "spec@b@gone": "pass", "spec@b@same": "fail"}
B = {"spec@a@one": "crash", "spec@a@two": "pass", "spec@b@three": "fail", "spec@b@four": "fail", "spec@c@new": "pass", "spec@b@same": "fail"}


def run(name, results):
    return compare.Run(name, {"renderer": name}, results, [])


class Kinds(unittest.TestCase):
    def test_each_change_has_its_kind(self):
        found = {c.name: (c.kind, c.a, c.b) for c in compare.Difference(run("x", A), run("y", B)).changes}
        self.assertEqual(found, {"spec@a@one": ("worse", "pass", "crash"), "spec@a@two": ("better", "fail", "pass"),
                                 "spec@b@three": ("other", "skip", "fail"), "spec@b@four": ("better", "crash", "fail"),
                                 "spec@b@gone": ("only in A", "pass", "—"), "spec@c@new": ("only in B", "—", "pass")})
        self.assertEqual(compare.kind_of("warn", "pass"), "other")
        self.assertEqual(compare.kind_of("fail", "timeout"), "worse")
        self.assertIsNone(compare.kind_of("fail", "fail"))

    def test_groups_are_counted_whole(self):
        groups = compare.Difference(run("x", A), run("y", B)).groups()
        self.assertEqual([(g, sum(a.values()), sum(b.values()), sum(k.values())) for g, a, b, k in groups],
                         [("spec@b", 4, 3, 3), ("spec@a", 2, 2, 2), ("spec@c", 0, 1, 1)])

    def test_a_filter_takes_a_part(self):
        self.assertEqual([c.name for c in compare.Difference(run("x", A), run("y", B), "@a@").changes], ["spec@a@one", "spec@a@two"])

    def test_text(self):
        lines = compare.text(compare.Difference(run("x", A), run("y", B)))
        self.assertIn("6 of 7 tests differ: 1 worse, 2 better, 1 other, 1 only in A, 1 only in B", lines)
        self.assertIn("  spec@a@one: pass -> crash", lines)
        self.assertTrue(lines[0].startswith("A: x (x)\n   1 crash, 2 fail, 2 pass, 1 skip"), lines[0])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for module, name in ((piglit, "FOLDER"), (deqp, "FOLDER"), (status, "KEPT")):
            patch = mock.patch.object(module, name, self.folder / name.lower() / module.__name__)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, path, results, log=""):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# renderer\t%s\n" % path.parent.name + "".join("%s\t%s\t0.1\t\n" % item for item in results.items()))
        if log:
            path.with_suffix(".log").write_text(log)
        return str(path)

    def call(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = compare.command(main.parser().parse_args(["compare", *words]))
        return code, out.getvalue()

    def test_the_page_holds_everything(self):
        a = self.write("a/x.tsv", A, "=== spec@a@two: fail\nexit 1\nwhat A said\n\n=== spec@b@same: fail\nnot this\n")
        b = self.write("b/x.tsv", B, "=== spec@a@one: crash\nexit -11\n</script><b>what B said\n" + "line\n" * 50)
        page = self.folder / "sub/page.html"
        code, said = self.call(a, b, "--out", str(page))
        self.assertEqual(code, 0)
        self.assertIn("1 worse, 2 better", said)
        text = page.read_text(encoding="utf-8")
        data = json.loads(re.search(r'id=data>(.*?)</script>', text, re.DOTALL)[1])
        self.assertEqual(len(data), 6)
        rows = {row[0]: row for row in data}
        self.assertEqual(rows["spec@a@two"][1:5], ["better", "fail", "pass", "exit 1\nwhat A said"])
        self.assertTrue(rows["spec@a@one"][5].startswith("exit -11\n</script><b>what B said\nline"))
        self.assertEqual(len(rows["spec@a@one"][5].splitlines()), compare.KEPT_LINES)
        self.assertEqual(text.count("</script>"), 2)
        self.assertNotIn("not this", text)
        self.assertIsNone(re.search(r'(src|href)="?(http|//|/)', text), "nothing is loaded from elsewhere")

    def test_names_files_folders_and_peers(self):
        self.write("a/x.tsv", A)
        self.write("a/only.tsv", {"t": "pass"})
        self.write("b/x.tsv", B)
        a, b = compare.load(str(self.folder / "a"), str(self.folder / "b"))
        self.assertEqual((a.results, b.results), (A, B))
        a, b = compare.load(str(self.folder / "a"), str(self.folder / "b/x.tsv"))
        self.assertEqual(a.results, A)
        self.write("folder/%s/r.tsv" % piglit.__name__, A)
        self.write("folder/%s/d.tsv" % deqp.__name__, B)
        a, b = compare.load("r", "d")
        self.assertEqual((a.results, b.results), (A, B))
        a, b = compare.load("gl33@zink", "gl33@llvmpipe")
        self.assertEqual(len(a.results), len(piglit.read_peers("gl33")))
        self.assertEqual(a.head["renderer"], "zink")
        for words in (("nowhere", "r"), ("gl33@radeonsi", "r")):
            with self.assertRaisesRegex(ui.Stop, "is no run"):
                compare.load(*words)
        self.write("c/other.tsv", B)
        with self.assertRaisesRegex(ui.Stop, "no results file of the same name"):
            compare.load(str(self.folder / "a"), str(self.folder / "c"))

    def test_a_test_in_two_tables_has_its_worst_result(self):
        self.write("a/x.tsv", {"t": "pass"})
        self.write("a/y.tsv", {"t": "crash"})
        self.assertEqual(compare.from_files("a", compare.files_of(str(self.folder / "a"))).results, {"t": "crash"})

    def test_thirty_thousand_tests_take_seconds(self):
        results = {"spec@group%d@test %d" % (i % 300, i): ("pass", "fail", "skip")[i % 3] for i in range(30000)}
        other = {name: "pass" for name in results}
        log = "".join("=== %s: fail\n%s" % (name, "a line of output\n" * 30) for name, result in results.items() if result == "fail")
        a, b = self.write("a/x.tsv", results, log), self.write("b/x.tsv", other)
        start = time.monotonic()
        self.call(a, b, "--out", str(self.folder / "page.html"))
        self.assertLess(time.monotonic() - start, 30)

    def test_a_page_that_can_t_be_written(self):
        a = self.write("a/x.tsv", A)
        with self.assertRaisesRegex(ui.Stop, "name another file with --out"):
            self.call(a, a, "--out", str(self.folder / "a"))


if __name__ == "__main__":
    unittest.main()
