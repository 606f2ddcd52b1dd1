# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Venus: the server's life, the environments of both sides, and how the suite judges them; no server is needed."""
import os
import socket
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import support  # puts tools/ into the path
from kobalt_cli.lib import paths, tally, ui, venus
from kobalt_cli.setup import distribution, package_lists, venus_setup
from kobalt_cli.suites import declared, venus_tests

# Stand-ins for the server: one makes the socket and waits, with a child; the other ends with a message.
SERVES = """import socket, subprocess, sys, time
child = subprocess.Popen(["sleep", "60"])
print(child.pid, flush=True)
place = socket.socket(socket.AF_UNIX)
place.bind(sys.argv[-1].partition("=")[2])
time.sleep(60)"""
FAILS = "import sys; sys.exit('no such driver')"


def lives(pid):
    """False for processes that are gone or wait to be reaped."""
    try:
        return Path("/proc/%d/stat" % pid).read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def ends(pid, within_s=10):
    """Whether the process is gone within that time: a killed one takes a moment on a machine that is busy."""
    until = time.monotonic() + within_s
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not lives(pid)


class Servers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = Path(folder.name) / "log"

    def server(self, code, start_s=10):
        return venus.Server(self.log, [sys.executable, "-c", code], start_s)

    def test_it_ends_with_all_that_it_started(self):
        with self.server(SERVES) as server:
            self.assertTrue(server.runs() and server.socket.exists())
            child = int(self.log.read_text(encoding="utf-8"))
            self.assertTrue(lives(child))
            folder = server.folder.name
        self.assertFalse(server.runs() or os.path.exists(folder))
        self.assertTrue(ends(child))

    def test_it_ends_after_an_exception_and_after_a_kill(self):
        for act in (lambda server: server.kill(), lambda server: None):
            with self.assertRaises(KeyError), self.server(SERVES) as server:
                act(server)
                raise KeyError
            self.assertFalse(server.runs())

    def test_a_server_that_does_not_start_is_reported(self):
        with self.assertRaisesRegex(ui.Stop, "no such driver"), self.server(FAILS):
            pass
        late = self.server("import time; time.sleep(60)", start_s=0.3)
        with self.assertRaisesRegex(ui.Stop, "it said nothing"), late:
            pass
        self.assertFalse(late.runs())


class Environments(unittest.TestCase):
    def test_the_client_has_the_servers_device_alone(self):
        given = {"KOBALT_DEVICE": "1", "VK_ICD_FILENAMES": "/mine", "VK_DRIVER_FILES": "/lvp", "X": "1"}
        self.assertEqual(venus.put_on(given, "/place"), {"X": "1", "VK_DRIVER_FILES": str(venus.CLIENT), "VN_DEBUG": "vtest",
                                                         "VTEST_SOCKET_NAME": "/place"})

    def test_the_server_has_nothing_of_the_clients(self):
        given = {"LD_LIBRARY_PATH": "/kobalt", "VN_DEBUG": "vtest", "VK_DRIVER_FILES": "/virtio"}
        with mock.patch.dict(os.environ, given):
            env = venus.server_environment()
        self.assertFalse({"LD_LIBRARY_PATH", "VN_DEBUG"} & set(env))
        self.assertEqual(env["VK_DRIVER_FILES"], str(venus.SERVED))
        self.assertEqual(env["RENDER_SERVER_EXEC_PATH"], str(venus.RENDERER))

    def test_programs_start_with_their_own_libc(self):
        text = venus_setup.starter_text(Path("/a b/program"), Path("/stand_in.so"))
        words = "%s --preload /stand_in.so --library-path %s '/a b/program' \"$@\""
        self.assertIn(words % (venus_setup.LOADER, venus_setup.LIBRARIES), text)
        self.assertNotIn("--preload", venus_setup.starter_text(Path("/program")))


class Lists(unittest.TestCase):
    def test_both_distributions_have_the_same_server(self):
        lists = [package_lists.private_pairs("venus", one) for one in distribution.KNOWN.values() if one.suites]
        self.assertEqual(len(lists), 2)
        self.assertEqual(lists[0], lists[1])
        for name in ("virgl-server", "libc6", "mesa-vulkan-drivers"):
            self.assertIn((name, "trixie"), lists[0])

    def test_a_stand_in_or_a_device_that_comes_makes_the_tree_anew(self):
        system = distribution.KNOWN["debian", "12"]
        with mock.patch.object(venus_setup, "has_device", side_effect=[False, True]):
            self.assertNotEqual(venus_setup.server_value(system), venus_setup.server_value(system))

    def test_known_failures_are_tests_with_reasons(self):
        known = venus_tests.read_known()
        self.assertLessEqual(set(known), set(declared.cases(paths.ROOT / "tests/gl")))
        self.assertTrue(all(reason.strip() for reason in known.values()))


class Judging(unittest.TestCase):
    def judged(self, failed, passed=(), skips=()):
        seen = [*failed, *passed, *skips]
        notes = ["venus: " + name for name in failed]
        result = tally.Tally(len(passed), len(failed), len(skips), notes, skips=skips, seen=seen)
        return venus_tests.judge_known(result, {"A.Known": "why"})

    def test_known_failures_are_known(self):
        found = self.judged(["Many/A.Known/Two", "A.New"], ["A.Good"])
        self.assertEqual((found.passed, found.failed, found.known, found.notes), (1, 1, 1, ["venus: A.New"]))

    def test_one_that_passes_is_no_longer_known(self):
        found = self.judged([], ["A.Known"])
        self.assertEqual(found.failed, 1)
        self.assertIn("A.Known passes on Venus", found.notes[0])
        self.assertEqual(self.judged([], skips=["A.Known"]).failed, 0)
        self.assertEqual(self.judged([], ["A.Good"]).failed, 0, "it did not run")

    def test_a_lost_server_must_end_the_program_with_a_word(self):
        judge = lambda code, text: venus_tests.judge_end(code, text, "killed").failed
        self.assertEqual([judge(None, "MESA-VIRTIO: lost"), judge(0, "MESA-VIRTIO: lost"), judge(-6, "")], [1, 1, 1])
        self.assertEqual([judge(-6, "MESA-VIRTIO: lost"), judge(1, "kobalt: no device"), judge(-13, "")], [0, 0, 0])

    def test_a_relay_passes_bytes_and_no_descriptors(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            place = os.path.join(folder, "server")
            listener.bind(place)
            listener.listen()
            with venus_tests.relay(place, folder) as relayed, socket.socket(socket.AF_UNIX) as one:
                one.connect(relayed)
                other = listener.accept()[0]
                with other:
                    socket.send_fds(other, [b"x"], [0])
                    one.settimeout(10)
                    self.assertEqual(socket.recv_fds(one, 1, 1)[:2], (b"x", []))


if __name__ == "__main__":
    unittest.main()
