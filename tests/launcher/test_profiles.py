# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The profiles gl46, gles32 and full: what they take of piglit, and the peers' results in parts."""
import contextlib
import datetime
import fnmatch
import io
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import support  # noqa: F401  (finds kobalt_cli)
from kobalt_cli.lib import expectations, paths, ui, witness
from kobalt_cli.conformance import peer_tables, piglit, piglit_run, piglit_tests, profile_peers, profile_rules
from kobalt_cli.reports import profile_status, profiles, status
from kobalt_cli.suites import suites
from kobalt_cli.commands import main


def a_test(name, program="/p/bin/shader_runner", glsl=0.0, es=False):
    return SimpleNamespace(name=name, command=[program, "x"], needs=(glsl, es, set()))


LISTS = {"quick_gl": {t.name: t for t in (a_test("spec@a@b", "/p/bin/prog"), a_test("spec@a@es", "/p/bin/prog_gles3"), a_test("spec@oes_x@y", "/p/bin/prog"))},
         "quick_shader": {t.name: t for t in (a_test("spec@glsl-1.30@s", glsl=1.3), a_test("spec@glsl-4.20@s", glsl=1.1), a_test("spec@x@s", glsl=4.3),
                                              a_test("spec@x@e", glsl=3.1, es=True), a_test("spec@glsl-es-3.10@e"))}}


class Rules(unittest.TestCase):
    def names(self, profile):
        return set(profile_rules.selected(profile, LISTS))

    def test_gl46_takes_quick_gl_and_the_shaders_of_gl_4(self):
        self.assertEqual(self.names("gl46"), {"spec@a@b", "spec@a@es", "spec@oes_x@y", "spec@glsl-4.20@s", "spec@x@s"})

    def test_gles32_takes_what_runs_in_es_contexts(self):
        self.assertEqual(self.names("gles32"), {"spec@a@es", "spec@oes_x@y", "spec@x@e", "spec@glsl-es-3.10@e"})

    def test_full_takes_all(self):
        self.assertEqual(profile_rules.selected("full", LISTS)["spec@x@e"], "quick_shader")
        self.assertEqual(len(self.names("full")), 8)

    def test_es_programs_by_their_names(self):
        for name, es in (("x_gles2", True), ("egl-create-context-flag-gles", True), ("gles-3.0-drawarrays-vertexid", True), ("es3-primrestart", True),
                         ("textures", False), ("rectangles-es3x", False)):
            self.assertEqual(profile_rules.is_es(a_test("a", "/bin/" + name)), es, name)

    def test_what_neither_peer_passes_is_left_out(self):
        peers = {"a": ("pass", "fail"), "b": ("fail", "skip"), "c": ("fail", "notrun"), "d": ("notrun", "notrun")}
        self.assertEqual(profile_rules.members("gl46", "dcba", peers), ["a", "c", "d"])
        self.assertEqual(profile_rules.members("full", "dcba", peers), ["a", "b", "c", "d"])

    def test_a_sample_follows_from_its_seed_alone(self):
        names = ["t%03d" % i for i in range(500)]
        one = profile_rules.sample(names, 50, "monday")
        self.assertEqual((len(one), one), (50, sorted(one)))
        self.assertEqual(one, profile_rules.sample(names, 50, "monday"))
        self.assertNotEqual(one, profile_rules.sample(names, 50, "tuesday"))
        # Removing one test changes one test of the sample at most.
        self.assertLessEqual(len(set(profile_rules.sample(names[1:], 50, "monday")) - set(one)), 1)
        self.assertEqual(profile_rules.sample(names, 9999, "x"), names)

    def test_the_parts_of_consecutive_days_are_the_whole(self):
        names = ["t%d" % i for i in range(100)]
        day = datetime.date(2026, 12, 31)
        parts = [profile_rules.part_of_day(names, 3, day + datetime.timedelta(days=n)) for n in range(3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(names))
        self.assertEqual([sorted(p, key=names.index) for p in parts], parts)


class Kept(unittest.TestCase):
    """The project's own lists."""

    @classmethod
    def setUpClass(cls):
        cls.lists = {source: piglit_tests.load(source) for source in piglit_tests.LISTS}
        with mock.patch.object(piglit_tests, "load", side_effect=cls.lists.get):
            cls.peers = piglit.read_peers("full")

    def test_they_are_those_that_the_command_makes(self):
        self.assertEqual(set(self.peers), {name for tests in self.lists.values() for name in tests})
        for profile in ("gl46", "gles32"):
            names = profile_rules.members(profile, profile_rules.selected(profile, self.lists), self.peers)
            self.assertEqual(expectations.read_names(expectations.profile_path(profile)), names, "run ./kobalt profile %s --no-run" % profile)

    def test_what_the_peers_pass_of_quick_gl_is_what_gl46_is_measured_by(self):
        gl46 = set(expectations.read_names(expectations.profile_path("gl46")))
        self.assertEqual([n for n in self.lists["quick_gl"] if "pass" in self.peers[n] and n not in gl46], [])
        self.assertGreater(sum("pass" in self.peers[n] for n in self.lists["quick_gl"]), 6400)

    def test_each_pattern_takes_something(self):
        groups = {piglit_tests.group_of(name) for tests in self.lists.values() for name in tests}
        for profile in ("gl46", "gles32"):
            for pattern in profile_rules.patterns(profile):
                self.assertTrue(any(fnmatch.fnmatchcase(group, pattern) for group in groups), pattern)


class Peers(unittest.TestCase):
    WANTED = {"a": "quick_gl", "b": "quick_gl", "c": "quick_gl", "s": "quick_shader"}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for patch in (mock.patch.object(piglit, "FOLDER", self.folder), mock.patch.object(profile_peers, "recorded", self.recorded)):
            patch.start()
            self.addCleanup(patch.stop)
        self.kept = {}

    def recorded(self):
        return self.kept, {driver: {"version": "old"} for driver in peer_tables.PEERS}

    def write(self, name, head="", **results):
        path = self.folder / name
        path.write_text(head + "".join("%s\t%s\t0.1\t\n" % row for row in results.items()))
        return path

    def test_parts_imports_and_what_was_kept_count_together(self):
        self.kept = {"c": ("skip", "skip"), "s": ("pass", "notrun")}
        self.write("quick_gl-zink-import-x.tsv", a="fail", b="fail")
        self.write("quick_gl-zink-part-1-of-2.tsv", "# version\tMesa 1\n", a="pass")
        self.write("quick_gl-zink.tsv", c="pass")
        self.write("quick_gl-llvmpipe.tsv", a="crash")
        table, heads = profile_peers.pairs(self.WANTED)
        self.assertEqual(table, {"a": ("pass", "crash"), "b": ("fail", "notrun"), "c": ("pass", "skip"), "s": ("pass", "notrun")})
        self.assertEqual((heads["zink"]["version"], heads["llvmpipe"]["version"]), ("Mesa 1", "old"))

    def test_only_what_is_missing_is_run(self):
        self.write("quick_gl-zink-part-1-of-2.tsv", a="pass")
        table, _ = profile_peers.pairs(self.WANTED)
        runs = []
        with mock.patch.object(profile_peers.environment, "peer", return_value={}), \
                mock.patch.object(piglit, "run", side_effect=lambda names, name, *_, **more: runs.append((name, names, more["resume"], more["driver"]))):
            profile_peers.run_missing(self.WANTED, table, ["zink"], 1)
            profile_peers.run_missing(self.WANTED, table, ["zink"], 1, (1, 2))
            profile_peers.run_missing(self.WANTED, table, ["llvmpipe"], 1, (2, 2))
        self.assertEqual(runs, [("quick_gl-zink", ["b", "c"], True, "zink"), ("quick_shader-zink", ["s"], True, "zink"),
                                ("quick_gl-zink-part-1-of-2", ["a", "c"], True, "zink"), ("quick_shader-zink-part-1-of-2", ["s"], True, "zink"),
                                ("quick_gl-llvmpipe-part-2-of-2", ["b"], True, "llvmpipe")])

    def test_the_parts_are_the_whole(self):
        names = ["t%d" % i for i in range(50)]
        ran = []
        with mock.patch.object(profile_peers.environment, "peer", return_value={}), \
                mock.patch.object(piglit, "run", side_effect=lambda names, *_, **more: ran.extend(names)):
            for part in range(1, 8):
                profile_peers.run_missing(dict.fromkeys(names, "quick_gl"), dict.fromkeys(names, ("notrun", "pass")), ["zink"], 1, (part, 7))
        self.assertEqual(sorted(ran), sorted(names))

    def test_a_part_is_named_i_of_n(self):
        self.assertEqual(profile_peers.parse_part("3/20"), (3, 20))
        for text in ("0/2", "3/2", "x", "1", "1/0"):
            with self.assertRaisesRegex(ui.Stop, "wants I/N"):
                profile_peers.parse_part(text)

    def take(self, path):
        lists = {"quick_gl": dict.fromkeys("abc"), "quick_shader": dict.fromkeys("s")}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            profile_peers.import_file(path, lists)
        return out.getvalue()

    def test_a_run_is_imported(self):
        said = self.take(self.write("run.txt", "# driver\tzink\n# version\tMesa 2\n", a="pass", s="fail", unknown="pass"))
        self.assertIn("zink: 1 of 3 tests of quick_gl", said)
        table, heads = profile_peers.pairs(self.WANTED)
        self.assertEqual((table["a"], table["s"], heads["zink"]["version"]), (("pass", "notrun"), ("fail", "notrun"), "Mesa 2"))

    def test_a_table_of_both_is_imported(self):
        path = self.folder / "both.txt"
        path.write_text("# test\tneeds GL\tzink 25.0.7\tllvmpipe 25.0.7 (two cores)\na\t3.3\tpass\tfail\n")
        self.take(path)
        table, heads = profile_peers.pairs(self.WANTED)
        self.assertEqual((table["a"], heads["zink"]["version"], heads["llvmpipe"]["device"]), (("pass", "fail"), "zink 25.0.7", "two cores"))

    def test_what_is_no_peer_s_is_refused(self):
        for text, why in (("# driver\tkobalt\na\tpass\t0\t\n", "neither a run of a peer"), ("a\tpass\n", "neither"), ("# driver\tzink\na\tgood\t0\t\n", "none of piglit's: good")):
            path = self.folder / "bad.txt"
            path.write_text(text)
            with self.assertRaisesRegex(ui.Stop, why):
                self.take(path)
        with self.assertRaisesRegex(ui.Stop, "can't be read"):
            self.take(self.folder / "none.txt")

    def test_tables_come_back_whole(self):
        path = self.folder / "p.tsv"
        table = {"a": ("pass", "pass"), "b": ("pass", "pass"), "c": ("fail", "pass")}
        peer_tables.write(path, table, {"zink": {"version": "1", "day": "today"}, "llvmpipe": {}})
        self.assertEqual(peer_tables.read(path, "abc"), table)
        self.assertNotIn("\na\t", path.read_text())
        self.assertIn("# zink\t1\n# llvmpipe\tnot recorded\n# day\ttoday\n# others\tpass pass\n", path.read_text())


class Status(unittest.TestCase):
    PEERS = {"a": ("pass", "fail"), "b": ("fail", "fail"), "c": ("notrun", "pass"), "d": ("pass", "pass")}

    def test_each_driver_is_counted_on_what_it_was_run_on(self):
        outcomes = [piglit_run.Outcome(n, r) for n, r in (("a", "pass"), ("b", "pass"), ("c", "crash"))]
        with mock.patch.object(piglit, "read_peers", return_value=self.PEERS):
            rows = profile_status.rows_of("gl46", outcomes, {"version": "Mesa 1"})
        self.assertEqual(rows, [["Kobalt", "Mesa 1", 2, "1 of 2", 1, 1], ["zink", "2 of 3 tests run", 1, "1 of 1", 0, 0],
                                ["llvmpipe", "3 of 3 tests run", 1, "1 of 2", 1, 0]])

    def test_what_was_not_run_is_not_claimed(self):
        with mock.patch.object(profile_status, "ELSEWHERE", "nothing"):
            text = profile_status.section(lambda name: None, lambda name: {}, status.table)
        self.assertEqual(text.count("not measured"), len(profile_rules.NAMES))

    def test_what_a_peer_is_ahead_in_has_its_cause(self):
        outcomes = [piglit_run.Outcome(n, "fail") for n in "abcd"]
        with mock.patch.object(piglit, "read_peers", return_value=self.PEERS), \
                mock.patch.object(expectations, "read_causes", return_value=[("fail [ac]", "why")]):
            text = profile_status.behind("gl46", outcomes, status.table)
            self.assertEqual(profile_status.behind("gl46", [piglit_run.Outcome("a", "pass")], status.table), "")
        self.assertIn("| why | 2 |\n| %s | 1 |\n" % expectations.UNKNOWN, text)

    def test_what_the_layer_said_counts_where_it_was_on(self):
        outcomes = [piglit_run.Outcome("a", "pass", 1, ["VUID-1", "VUID-2"]), piglit_run.Outcome("b", "skip")]
        for layer, text in ((witness.SYNCHRONISED, "2 of 3 tests were run, 1 pass, 1 skip; 2 messages."), (witness.PLAIN, "")):
            with mock.patch.object(piglit, "names_of", return_value=("gl46", list("abc"))):
                said = profile_status.validated("gl46", lambda name: outcomes, lambda name: {"layer": layer}, status.table)
            self.assertIn(text, said)
            self.assertEqual(bool(said), bool(text))

    def test_messages_of_the_layer_have_causes(self):
        outcomes = [piglit_run.Outcome("a", "pass", 1, ["VUID-1", "VUID-1", "VUID-2"]), piglit_run.Outcome("b", "pass", 1, ["VUID-1"])]
        with mock.patch.object(expectations, "read_causes", return_value=[("VUID-1 [ab]", "why")]):
            text = profile_status.said_by_cause("gl46", outcomes, status.table)
            self.assertEqual(profile_status.said_by_cause("gl46", outcomes[:0], status.table), "")
        self.assertIn("| why | 2 | 3 |\n| %s | 1 | 1 |\n" % expectations.UNKNOWN, text)

    def test_another_machine_is_compared_with_lavapipe(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("# device\tGPU\n# day\ttoday\na\tpass\t0\t\nb\tfail\t0\t\nc\tskip\t0\t\nd\tpass\t0\t\n")
            file.flush()
            text = profile_status.elsewhere(Path(file.name), {"c": ("skip", ""), "d": ("fail", "")}, status.table)
        self.assertIn("on GPU, today: 4 of ", text)
        self.assertIn("1 fail, 2 pass, 1 skip. 2 (50.00 %)", text)
        self.assertIn("| b | pass | fail | %s |\n| d | fail | pass |" % expectations.UNKNOWN, text)


class Commands(unittest.TestCase):
    def test_options_of_the_others_are_refused(self):
        args = main.parser().parse_args(["profile", "smoke", "--part", "1/2"])
        with self.assertRaisesRegex(ui.Stop, "are for the profiles gl46"):
            profiles.command(args)

    def test_a_sample_says_how_it_was_picked(self):
        heads = []

        def run(names, name, *_, about=None, **more):
            heads.append((name, len(names), about))
            return [piglit_run.Outcome(n, "pass") for n in names]
        args = main.parser().parse_args(["piglit", "gl33", "--sample", "7", "--seed", "x"])
        with mock.patch.object(piglit, "run", side_effect=run), mock.patch.object(piglit, "test_environment", return_value={}), \
                mock.patch.object(expectations, "read", return_value={}), contextlib.redirect_stdout(io.StringIO()) as out:
            piglit.command(args)
        self.assertEqual(heads, [("gl33-sample", 7, {"sample": "7 of 3379 tests, --seed x"})])
        self.assertIn("a sample: 7 of 3379 tests, --seed x", out.getvalue())

    def test_the_suite_is_there_once_there_is_something_to_compare_with(self):
        args = SimpleNamespace(quick=False, all=False, suite=None, gpu=None)
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "PROFILES", Path(folder)):
            self.assertNotIn("gl46", {s.name for s in suites.all_suites(args)})
            (Path(folder) / "gl46-expected.txt").write_text("")
            self.assertIn("gl46", {s.name for s in suites.all_suites(args)})


if __name__ == "__main__":
    unittest.main()
