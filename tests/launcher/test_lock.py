# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Two ./kobalt at once: one works, the other one waits and then finds the work done."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import gpu, lock, paths, ui
from kobalt_cli.setup import distribution, gpu_setup, package_lists, setup

# A ./kobalt in a folder of its own: it sets up and builds with a stamp for all its work.
WORKER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from kobalt_cli.lib import paths
paths.STATE = Path(sys.argv[2]); paths.STAMPS = paths.STATE / "stamps"
from kobalt_cli.lib import stamps
from kobalt_cli.setup import build, setup
def prepare(groups, with_build):
    if not stamps.fresh("work", "done"):
        with open(paths.STATE / "log", "a") as log:
            log.write("set up\\n")
        time.sleep(1.0)
        stamps.write("work", "done")
def compile_all(verbose=False, target=None):
    if not stamps.fresh("built", "done"):
        with open(paths.STATE / "log", "a") as log:
            log.write("built\\n")
        time.sleep(0.5)
        stamps.write("built", "done")
setup.prepare_alone = prepare
build.drop_if_moved = build.install = lambda target: None
build.configure = lambda tests, target: None
build.compile_all = compile_all
paths.library_dir = lambda prefix=None: Path("/x")
setup.ensure()
if len(sys.argv) > 3:
    import os
    os.execv("/bin/sh", ["sh", "-c", sys.argv[3]])
"""


class Lock(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name) / "state"
        self.path = self.state / "lock"

    def start(self, *more, **env):
        return subprocess.Popen([sys.executable, "-c", WORKER, str(support.ROOT / "tools"), str(self.state), *more],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env})

    def test_two_started_together_do_the_work_once(self):
        workers = [self.start(), self.start()]
        said = [worker.communicate(timeout=60) for worker in workers]
        self.assertEqual([worker.returncode for worker in workers], [0, 0], said)
        self.assertEqual((self.state / "log").read_text().splitlines(), ["set up", "built"])
        self.assertEqual(sorted(err for _, err in said), ["", "kobalt: another ./kobalt builds here, waiting\n"])

    def test_the_remark_can_be_left_out(self):
        with lock.held(self.path):
            worker = self.start(KOBALT_QUIET="1")
            time.sleep(0.6)
            self.assertIsNone(worker.poll())
        self.assertEqual(worker.communicate(timeout=60)[1], "")

    def test_a_program_that_runs_on_kobalt_holds_nothing(self):
        first = self.start("echo started; exec sleep 60")
        try:
            self.assertIn("started\n", iter(first.stdout.readline, ""))
            start = time.monotonic()
            with lock.held(self.path):
                self.assertLess(time.monotonic() - start, 5)
            self.assertIsNone(first.poll())
        finally:
            first.kill()
            first.communicate()

    def test_within_a_process_it_may_be_taken_again(self):
        with lock.held(self.path), lock.held(self.path):
            pass
        with lock.held(self.path):
            pass

    def test_a_waiter_does_not_trust_a_lock_that_was_removed(self):
        with lock.held(self.path):
            worker = self.start()
            self.assertIn("waiting", worker.stderr.readline())
            os.unlink(self.path)  # ./kobalt uninstall --all, or rm -r .kobalt
        with mock.patch.object(ui, "warn"), lock.held(self.path):
            if not (self.state / "log").exists():  # this process was first: the other one waits for the new file
                time.sleep(0.5)
                self.assertFalse((self.state / "log").exists())
        worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0)
        self.assertEqual((self.state / "log").read_text().splitlines(), ["set up", "built"])

    def test_a_read_only_tree_needs_none(self):
        with mock.patch.object(lock.os, "open", side_effect=PermissionError(13, "no", "x")):
            with lock.held(self.path):
                pass

    def test_another_users_lock_file_will_do(self):
        opened = os.open
        with lock.held(self.path), mock.patch.object(lock.os, "open", side_effect=lambda path, flags, *mode: opened(path, flags)
                                                     if not flags & os.O_CREAT else self.fail_with(PermissionError(13, "no"))):
            descriptor = lock._open(self.path)
            self.assertIsNotNone(descriptor)
            with self.assertRaises(BlockingIOError):
                lock.fcntl.flock(descriptor, lock.fcntl.LOCK_EX | lock.fcntl.LOCK_NB)
            os.close(descriptor)

    def fail_with(self, error):
        raise error

    def test_every_step_of_the_set_up_is_locked(self):
        inside = []
        with mock.patch.object(paths, "STATE", self.state), \
                mock.patch.object(setup, "prepare_alone", lambda *_: inside.append(dict(lock._depth))):
            setup.prepare()
        self.assertEqual(inside, [{self.path: 1}])

    def test_the_gpus_drivers_and_kernels_come_under_the_lock(self):
        inside = []

        def work(*_):
            inside.append(dict(lock._depth))

        with mock.patch.object(paths, "STATE", self.state), mock.patch.object(gpu, "TREE", self.state / "none"), \
                mock.patch.object(paths, "STAMPS", self.state / "stamps"), mock.patch.object(ui, "Steps"), \
                mock.patch.object(package_lists, "private_pairs", return_value=[("a-driver", "suite")]), \
                mock.patch.object(distribution, "automatic", return_value=distribution.KNOWN["debian", "12"]), \
                mock.patch.object(gpu_setup, "fetch_drivers", work), mock.patch.object(gpu_setup, "build_shims", work):
            gpu_setup.ensure()
        self.assertEqual(inside, [{self.path: 1}] * 2)


if __name__ == "__main__":
    unittest.main()
