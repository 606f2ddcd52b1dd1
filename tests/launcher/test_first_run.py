# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The first ./kobalt run on a machine, and those after it: what is built, what is said, and what is waited for."""
import contextlib
import io
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import enabling
import support
from kobalt_cli.commands import main, run
from kobalt_cli.lib import environment, lock, paths, ui
from kobalt_cli.setup import build, mesa_source, setup

# What `./kobalt run` does before the program starts, in a copy of the launcher where Meson has nothing to do.
WORKER = """
import sys
sys.path.insert(0, "tools")
from kobalt_cli.lib import stamps
from kobalt_cli.setup import build, distribution, installation, mesa_series, mesa_source, setup
distribution.automatic = setup.other_system = lambda *_: None
build.meson_command = lambda *_: ["meson-that-is-not-there"]
build.install = lambda *_: stamps.write("installed", installation.state())
stamps.write(mesa_source.TREE, mesa_series.fingerprint())
setup.ensure(only_use=True, tests=False)
"""
# Like Mesa, it has a step that is taken every time and changes nothing.
NINJA = """
rule always
  command = echo x >>ran; [ -e same ] || echo >same
  restat = 1
rule copy
  command = cat $in >$out
build always: phony
build same: always | always
build other: copy same
build library: copy ../source
"""


@unittest.skipUnless(shutil.which("ninja"), "there is no ninja here")
class BesideEachOther(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.source, self.build = self.root / "source", self.root / "build"
        shutil.copytree(support.ROOT / "tools/kobalt_cli", self.root / "tools/kobalt_cli")
        mesa = "subprojects/mesa-%s" % paths.MESA_VERSION
        for path, text in (("source", "1\n"), (mesa + "/VERSION", ""), ("subprojects/packagefiles/mesa-patches/series", ""),
                           ("subprojects/packagecache/mesa-%s.tar.xz" % paths.MESA_VERSION, ""), ("build/build.ninja", NINJA),
                           ("build/prefix/lib/libEGL_kobalt.so.0", ""),
                           ("build/meson-info/meson-info.json", '{"directories": {"source": "%s"}}' % self.root),
                           ("build/meson-info/intro-buildoptions.json", '[{"name": "prefix", "value": "%s/build/prefix"}]' % self.root),
                           ("build/meson-info/intro-installed.json", '{"%s/build/library": "/l"}' % self.root)):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        self.lock = self.root / ".kobalt/lock"

    def start(self):
        return subprocess.Popen([sys.executable, "-c", WORKER], cwd=self.root, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def end(self, worker):
        said = worker.communicate(timeout=60)[0]
        self.assertEqual(worker.returncode, 0, said)
        return said

    def builds(self):
        return len((self.build / "ran").read_text().splitlines())

    def test_nothing_is_built_and_nobody_waits_while_nothing_changes(self):
        self.end(self.start())
        self.assertEqual(((self.build / "library").read_text(), self.builds()), ("1\n", 1))
        with lock.shared(self.lock) as free:  # another ./kobalt run that looks
            self.assertTrue(free)
            self.assertEqual(self.end(self.start()), "")
        workers = [self.start(), self.start()]
        self.assertEqual([self.end(worker) for worker in workers], ["", ""])
        self.assertEqual(self.builds(), 1)

    def test_what_changes_is_built(self):
        self.end(self.start())
        self.source.write_text("2\n")
        os.utime(self.source, (2e9, 2e9))
        self.end(self.start())
        self.assertEqual(((self.build / "library").read_text(), self.builds()), ("2\n", 2))
        for name in ("prefix/lib/libEGL_kobalt.so.0", "meson-info/intro-installed.json"):
            (self.build / name).write_text("{}")
        self.end(self.start())
        self.assertEqual(self.builds(), 3)
        tree = self.root / "subprojects" / ("mesa-%s" % paths.MESA_VERSION)
        tree.rename(tree.with_name(".%s.old" % tree.name))  # an unpacking was interrupted
        self.assertNotEqual(self.start().communicate(timeout=60)[0], "")

    def test_a_build_is_waited_for(self):
        self.end(self.start())
        with lock.held(self.lock):
            with lock.shared(self.lock) as free:
                self.assertFalse(free)
            worker = self.start()
            self.assertIn("another ./kobalt builds here, waiting", worker.stdout.readline())
        self.end(worker)
        self.assertEqual(self.builds(), 2)


class WhatIsBuilt(unittest.TestCase):
    def test_no_tests_and_none_of_their_packages(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "BUILD", Path(folder)), \
                mock.patch.object(paths, "STATE", Path(folder)), mock.patch.object(setup, "settled", return_value=False), \
                mock.patch.object(setup, "prepare") as prepare, mock.patch.object(build, "meson_command", return_value=["meson"]), \
                mock.patch.object(mesa_source, "unpack"), mock.patch.object(build, "compile_all"), \
                mock.patch.object(build, "install"), mock.patch.object(ui, "run") as command, mock.patch.object(ui, "note"), \
                mock.patch.object(paths, "library_dir", return_value=Path(folder)), mock.patch.object(run, "demo", return_value=0):
            self.assertEqual(main.main(["run"]), 0)
        self.assertEqual(prepare.call_args.args, (setup.BUILD,))
        self.assertIn("-Dtests=false", command.call_args.args[0])

    def test_a_program_that_starts_without_a_build(self):
        with mock.patch.object(setup, "ensure", side_effect=AssertionError), mock.patch.object(run, "application", return_value=0) as app:
            self.assertEqual(main.main(["run", "--no-build", "--", "glxgears", "-info"]), 0)
        self.assertEqual(app.call_args.args[0], ["glxgears", "-info"])


class WhatIsSaid(enabling.Home):
    @unittest.skipUnless(shutil.which("ninja"), "there is no ninja here")
    def test_one_line_for_all_steps(self):
        folder = self.root / "build"
        folder.mkdir()
        (folder / "build.ninja").write_text("rule r\n  command = :\n" + "".join("build %d: r\n" % i for i in range(50)))
        clock = itertools.count(0, 16)
        with mock.patch.object(paths, "BUILD", folder), mock.patch.object(paths, "LOGS", self.root), \
                mock.patch.object(paths, "STAMPS", self.root), mock.patch.object(ui.time, "monotonic", lambda *_: next(clock)), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            build.compile_all()
        self.assertEqual(said.getvalue(), "      building, per cent: 10 20 30 40 50 60 70 80 90 100\n")

    def demo(self, ends=0, **env):
        """What `run` prints where kobalt-demo is a stand-in that ENDS so: the source tree's launcher and the bundle's."""
        (self.root / "prefix/bin").mkdir(parents=True, exist_ok=True)
        (self.bundle.parent / "bin").mkdir(exist_ok=True)
        demo = self.program("kobalt-demo", "echo drawn; exit %d" % ends)
        shutil.copy2(demo, self.root / "prefix/bin")
        shutil.copy2(demo, self.bundle.parent / "bin")
        env = dict(self.env, **env)
        done = subprocess.run([str(self.bundle), "run"], env=env, stdout=subprocess.PIPE, text=True, cwd=self.root)
        with mock.patch.object(paths, "PREFIX", self.root / "prefix"), mock.patch.dict(os.environ, env), \
                mock.patch.object(environment, "kobalt", return_value=env), contextlib.redirect_stdout(io.StringIO()) as said:
            code = main.main(["run", "--no-build", "--out", str(self.root / "frames")])
        self.assertEqual((code, done.returncode), (ends, ends))
        return said.getvalue(), done.stdout

    def test_what_to_try_next(self):
        for said in self.demo():
            for word in ("next: ", "run -- PROGRAM", "enable PROGRAM", "info"):
                self.assertIn(word, said)
        for options in ({"KOBALT_QUIET": "1"}, {"ends": 3}):
            for said in self.demo(**options):
                self.assertNotIn("next", said)


if __name__ == "__main__":
    unittest.main()
