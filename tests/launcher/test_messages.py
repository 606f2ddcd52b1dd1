# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the user is told when something is missing, and what an interrupt does."""
import contextlib
import errno
import io
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import support
from kobalt_cli.lib import environment, paths, ui
from kobalt_cli.setup import build, disk, distribution, private_apt, setup, system_packages
from kobalt_cli.suites import readme
from kobalt_cli.commands import actions, main, run

BOOKWORM = distribution.KNOWN["debian", "12"]

NO_NETWORK = "W: Failed to fetch http://mirror.example/InRelease  Temporary failure resolving 'mirror.example'\n"


class Shim(unittest.TestCase):
    """./kobalt where there is no Python: a copy in a tree of its own, with a PATH of fake programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        text = (support.ROOT / "kobalt").read_text()
        self.assertIn("python=/usr/bin/python3\n", text)
        (self.root / "kobalt").write_text(text.replace("python=/usr/bin/python3\n", "python=/nonexistent/python3\n"))
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for tool in ("sh", "dirname", "readlink", "mkdir", "ls", "tail", "setsid", "env", "cat", "touch"):
            (self.bin / tool).symlink_to("/usr/bin/" + tool)
        self.program("sleep", "echo slept >>\"%s/sleeps\"" % self.root)
        self.program("id", "echo 0")

    def program(self, name, body):
        (self.bin / name).write_text("#!/bin/sh\n%s\n" % body)
        (self.bin / name).chmod(0o755)

    def run_shim(self, **env):
        return subprocess.run(["/bin/sh", str(self.root / "kobalt"), "info"], env={"PATH": str(self.bin), **env},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def stopped(self, *pattern):
        """Runs the shim: it must stop with one line that matches."""
        done = self.run_shim()
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in ("kobalt: ", *pattern):
            self.assertIn(part, done.stderr)

    def test_no_apt(self):
        self.stopped("install the package python3")

    def test_no_network(self):
        self.program("apt-get", "echo \"%s\"; [ \"$2\" = update ]" % NO_NETWORK.strip())
        self.stopped("no network", "check the connection")
        self.assertIn("Temporary failure", (self.root / "out/logs/setup.log").read_text())

    def test_no_disk(self):
        self.program("apt-get", "echo 'write: No space left on device'; exit 100")
        self.stopped("the disk is full")

    def test_another_apt(self):
        self.program("apt-get", "echo 'E: Could not get lock /var/lib/dpkg/lock-frontend'; exit 100")
        self.stopped("another program uses apt")
        self.assertEqual(len((self.root / "sleeps").read_text().splitlines()), 599)

    def test_another_apt_is_waited_for(self):
        """Another program holds the lists' lock three times, then apt works; Python is still missing, since apt is a
        fake."""
        self.program("apt-get", "echo x >>'%s/tries'; i=0; while read -r _; do i=$((i + 1)); done <'%s/tries'\n"
                                "[ $i -gt 3 ] || { echo 'E: Unable to lock directory /var/lib/apt/lists/'; exit 100; }"
                     % (self.root, self.root))
        done = self.run_shim()
        self.assertEqual(done.stdout.count("another program uses apt at the moment: waiting for it"), 1, done)
        self.assertEqual(len((self.root / "sleeps").read_text().splitlines()), 3)
        self.assertEqual((self.root / ".kobalt/apt-packages.txt").read_text(), "python3\n")

    def test_apt_speaks_english_and_knows_the_proxies(self):
        self.program("id", "echo 1000")
        self.program("sudo", "unset https_proxy no_proxy LC_ALL\nexec \"$@\"")
        self.program("apt-get", "echo \"$LC_ALL $https_proxy $no_proxy\" >'%s/seen'" % self.root)
        self.run_shim(LC_ALL="de_DE.UTF-8", https_proxy="http://proxy.example:3128/a b", no_proxy="*.example")
        self.assertEqual((self.root / "seen").read_text(), "C.UTF-8 http://proxy.example:3128/a b *.example\n")

    def test_anything_else_is_quoted(self):
        self.program("apt-get", "echo 'E: the mirror is on holiday'; exit 100")
        self.stopped("the mirror is on holiday")

    def test_neither_root_nor_sudo(self):
        self.program("id", "echo 1000")
        self.program("apt-get", "exit 0")
        self.stopped("as root, run `apt-get update && apt-get install python3`")

    def test_sudo_refuses(self):
        self.program("id", "echo 1000")
        self.program("apt-get", "exit 0")
        self.program("sudo", "echo 'sudo: a password is required'; exit 1")
        self.stopped("sudo refuses", "as root")

    def test_read_only(self):
        self.program("apt-get", "exit 0")
        (self.root / "out").write_text("no folder can be made here")
        self.stopped("can't be written to")


class Interrupts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=str(paths.ROOT))
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.enterContext(mock.patch.object(paths, "LOGS", self.folder))
        # A shell starts background jobs with interrupts ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))

    def interrupted(self, command, **kwargs):
        """Seconds until ui.run(COMMAND) gave way to an interrupt after 0.3 s."""
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        start = time.monotonic()
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(KeyboardInterrupt):
            timer.start()
            ui.run(command, "testing", log="x.log", **kwargs)
        return time.monotonic() - start

    def test_a_usual_command_ends_at_once(self):
        self.assertLess(self.interrupted(["sleep", "20"]), 10)

    def test_an_installation_is_not_torn(self):
        self.interrupted(["sh", "-c", "sleep 1.2; echo whole"], patient=True)
        self.assertIn("whole\n", (self.folder / "x.log").read_text())

    def test_the_keyboard_does_not_reach_an_installation(self):
        process = subprocess.Popen(system_packages.undisturbed(["sh", "-c", "sleep 1; echo whole"]),
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(0.4)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.communicate()[0], "whole\n")
        self.assertEqual(process.returncode, 0)

    def test_what_was_torn_is_mended(self):
        calls = []
        with mock.patch.object(ui, "run", lambda command, *_, **__: calls.append(command)), \
                mock.patch.object(ui, "note"):
            system_packages.mend_interrupted(str(self.folder / "none"))
            system_packages.mend_interrupted(str(self.folder))
            self.assertEqual(calls, [])
            (self.folder / "0001").touch()
            system_packages.mend_interrupted(str(self.folder))
        self.assertEqual(calls[0][-3:], ["dpkg", "--configure", "-a"])


class Language(unittest.TestCase):
    """Advice looks for English words in what programs say."""

    def test_commands_speak_english(self):
        with tempfile.TemporaryDirectory(dir=str(paths.ROOT)) as folder, mock.patch.object(paths, "LOGS", Path(folder)), \
                mock.patch.dict(os.environ, LC_ALL="de_DE.UTF-8", LANGUAGE="de"):
            said = ui.run(["sh", "-c", "echo $LC_ALL+$LANGUAGE"], "testing", log="x.log")
            self.assertEqual(said, "C.UTF-8+\n")
            given = ui.run(["sh", "-c", "echo $LC_ALL+$LANGUAGE+$MINE"], "testing", log="x.log",
                           env={"PATH": os.environ["PATH"], "LC_ALL": "fr_FR.UTF-8", "LANGUAGE": "fr", "MINE": "1"})
            self.assertEqual(given, "C.UTF-8++1\n")

    def test_root_gets_it_through_sudo(self):
        with mock.patch.object(system_packages.os, "geteuid", return_value=1000), \
                mock.patch.object(system_packages.shutil, "which", return_value="/usr/bin/sudo"), mock.patch.object(ui, "note"):
            self.assertIn("LC_ALL=C.UTF-8", system_packages.as_root(["true"], "test"))

    def test_no_password_is_logged(self):
        with tempfile.TemporaryDirectory(dir=str(paths.ROOT)) as folder, mock.patch.object(paths, "LOGS", Path(folder)):
            ui.run(["echo", "https_proxy=http://anna:secret@proxy.example:3128"], "testing", log="x.log")
            self.assertEqual(Path(folder, "x.log").read_text().count("http://***@proxy.example:3128"), 2)


class Apt(unittest.TestCase):
    def test_proxies_pass_sudo(self):
        proxies = {"http_proxy": "http://a:1", "HTTPS_PROXY": "http://b:2", "no_proxy": "localhost", "ftp_proxy": "http://c",
                   "ALL_PROXY": "socks://d"}
        with mock.patch.dict(os.environ, proxies), mock.patch.object(system_packages.os, "geteuid", return_value=1000), \
                mock.patch.object(system_packages.shutil, "which", return_value="/usr/bin/sudo"), mock.patch.object(ui, "note"):
            command = system_packages.as_root(["apt-get", "update"], "test")
        self.assertEqual(command[:2], ["sudo", "env"])
        self.assertEqual(command[-2:], ["apt-get", "update"])
        for name, value in proxies.items():
            self.assertIn("%s=%s" % (name, value), command[2:-2])

    BUSY = ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)\n"
            "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?\n",
            "Reading package lists...\nE: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)\n"
            "E: Unable to lock directory /var/lib/apt/lists/\n",
            "dpkg: error: dpkg frontend lock was locked by another process with pid 7\n",
            "dpkg: error: dpkg database lock was locked by /usr/bin/apt process with pid 7\n")  # as dpkg 1.22 says it

    def test_a_held_lock_is_known(self):
        for text in self.BUSY:
            self.assertIsInstance(ui.advise(text, "testing"), ui.AptIsBusy)
        # apt has waited by itself, and something else went wrong then
        self.assertIsNone(ui.advise("Waiting for cache lock: Could not get lock /x. It is held by process 7\nE: broken", "x"))

    def test_a_held_lock_is_waited_for(self):
        with mock.patch.object(system_packages.time, "sleep") as sleep, mock.patch.object(ui, "warn") as warn:
            action = mock.Mock(side_effect=[ui.AptIsBusy("1"), ui.AptIsBusy("2"), "done"])
            self.assertEqual(system_packages.when_free(action), "done")
            self.assertEqual((sleep.call_count, warn.call_count), (2, 1))
            self.assertIn("waiting", warn.call_args.args[0])
            with mock.patch.object(system_packages, "BUSY_TRIES", 4), self.assertRaises(ui.AptIsBusy):
                system_packages.when_free(mock.Mock(side_effect=ui.AptIsBusy("for ever")))

    def test_every_step_waits(self):
        """update, download, install and the mending of dpkg: each is tried again."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "STATE", Path(folder)), \
                mock.patch.object(system_packages.time, "sleep"), mock.patch.object(ui, "warn"), mock.patch.object(ui, "note"), \
                mock.patch.object(system_packages, "have_lists", side_effect=[False, True]), \
                mock.patch.object(system_packages.os, "listdir", return_value=["0001"]), \
                mock.patch.object(system_packages.os.path, "isdir", return_value=True), \
                mock.patch.object(ui, "run", side_effect=[x for _ in range(4) for x in (ui.AptIsBusy("busy"), "")]) as command:
            system_packages.install_as_root(["a"])
        words = [call.args[0] for call in command.call_args_list]
        self.assertEqual([words[i] for i in range(0, 8, 2)], [words[i] for i in range(1, 8, 2)])
        self.assertIn("--configure", words[0])
        self.assertIn("update", words[2])
        self.assertIn("--download-only", words[4])
        self.assertIn("setsid", " ".join(words[6]))


class Packages(unittest.TestCase):
    def test_progress_is_read(self):
        with mock.patch.object(ui.Progress, "update") as update:
            watch, _ = system_packages.watcher("x")
            self.assertTrue(watch("dlstatus:1:20.5432:Retrieving file 1 of 9\n"))
            self.assertTrue(watch("pmstatus:libc6:amd64:41.2:Unpacking libc6:amd64\n"))
            self.assertFalse(watch("Setting up libc6:amd64 (2.36) ...\n"))
        self.assertEqual([call.args for call in update.call_args_list], [(20, 100), (41, 100)])

    def test_lists_that_could_not_be_fetched(self):
        """apt-get update calls it a success when there is no network."""
        with mock.patch.object(system_packages, "have_lists", return_value=False):
            with self.assertRaisesRegex(ui.Stop, "no network"):
                system_packages.require_lists(["a"], NO_NETWORK)
            with self.assertRaisesRegex(ui.Stop, "component main"):
                system_packages.require_lists(["a"], "Hit:1 http://mirror.example\n")

    def test_neither_root_nor_sudo(self):
        with mock.patch.object(system_packages, "missing", return_value=["a", "b"]), \
                mock.patch.object(system_packages.os, "geteuid", return_value=1000), \
                mock.patch.object(system_packages.shutil, "which", return_value=None):
            with self.assertRaisesRegex(ui.Stop, "as root, run `apt-get update && apt-get install .* a b`"):
                system_packages.install(["a", "b"])

    def test_sudo_refuses(self):
        with mock.patch.object(system_packages, "missing", return_value=["a"]), \
                mock.patch.object(system_packages, "have_lists", return_value=True), \
                mock.patch.object(system_packages.os, "geteuid", return_value=1000), \
                mock.patch.object(system_packages.shutil, "which", return_value="/usr/bin/sudo"), \
                mock.patch.object(system_packages, "write_down"), mock.patch.object(ui, "note"), \
                mock.patch.object(ui, "run") as run_command:
            run_command.side_effect = ui.advise("sudo: a password is required\n", "installing packages")
            with self.assertRaisesRegex(ui.Stop, "sudo refuses: as root, run `apt-get update && apt-get install .* a`"):
                system_packages.install(["a"])
        self.assertEqual(run_command.call_count, 1)

    def test_the_security_archive_first(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "sources.list").write_text(private_apt.sources_text("http://m.example/debian", BOOKWORM,
                                                                             security="http://m.example/security"))
            asked = []

            def download(pairs, _, architecture=None):
                asked.append(pairs[0][1])
                if pairs[0][1] == BOOKWORM.security:
                    raise ui.Stop("not there")
                return [Path("x.deb")]
            with mock.patch.object(private_apt, "download", download):
                self.assertEqual(private_apt.download_newest("x", BOOKWORM, Path(folder)), Path("x.deb"))
        self.assertEqual(asked, ["bookworm-security", "bookworm"])


class Paths(unittest.TestCase):
    def test_room_is_asked_for_before_anything_starts(self):
        started = mock.Mock(side_effect=AssertionError("started"))
        with mock.patch.object(distribution, "automatic", return_value=BOOKWORM), \
                mock.patch.object(setup.mesa_source, "present", return_value=False), \
                mock.patch.object(setup.stamps, "fresh", return_value=False), \
                mock.patch.object(disk.shutil, "disk_usage", return_value=mock.Mock(free=10**8)), \
                mock.patch.object(system_packages, "missing", return_value=["a"]), \
                mock.patch.object(system_packages, "install", started), \
                mock.patch.object(private_apt, "prepare", started):
            with self.assertRaisesRegex(ui.Stop, "100 MB free and [0-9.]+ [GM]B are needed: make room for"):
                setup.prepare()

    def test_a_path_that_tools_would_split(self):
        setup.check_path(Path("/home/me/src/kobalt-0.1_x+y"))
        for path in ("/home/me/My Projects/kobalt", "/a:b", "/it's"):
            with self.assertRaisesRegex(ui.Stop, "move the project"):
                setup.check_path(Path(path))

    def test_a_moved_project_is_built_anew(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(paths, "BUILD", Path(folder, "build")), \
                mock.patch.object(ui, "note"):
            info = paths.BUILD / "meson-info/meson-info.json"
            for source, kept in ((str(paths.ROOT), True), ("/old/place", False)):
                info.parent.mkdir(parents=True, exist_ok=True)
                info.write_text(json.dumps({"directories": {"source": source}}))
                build.drop_if_moved()
                self.assertEqual(info.exists(), kept)
            build.drop_if_moved()

    def test_no_home(self):
        """A service's user has a home that doesn't exist; ccache would fail there, and the build with it."""
        with mock.patch.dict(os.environ, {"HOME": "/nonexistent"}), mock.patch.object(paths.os, "access", return_value=False):
            os.environ.pop("CCACHE_DIR", None)
            os.environ.pop("XDG_CACHE_HOME", None)
            self.assertEqual(paths.build_environment()["CCACHE_DIR"], str(paths.STATE / "ccache"))
        with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"HOME": home}):
            os.environ.pop("CCACHE_DIR", None)
            os.environ.pop("XDG_CACHE_HOME", None)
            self.assertNotIn("CCACHE_DIR", paths.build_environment())
            self.assertEqual(paths.compiler_cache(), Path(home, ".cache/ccache"))

    def test_all_builds_share_the_compiler_cache(self):
        """The launcher's build and the one that README has typed by hand, whatever languages they speak."""
        with mock.patch.dict(os.environ, {"LANG": "de_DE.UTF-8"}):
            launched = ui.in_english(paths.build_environment())
            typed = readme.typed_environment(":1")
        for name in sorted(set(launched) | set(typed)):
            if name.startswith("CCACHE") or name in ("CC", "CXX"):
                self.assertEqual(launched.get(name), typed.get(name), name)
        self.assertNotEqual(launched.get("LC_ALL"), typed.get("LC_ALL"))
        self.assertIn("locale", typed["CCACHE_SLOPPINESS"].split(","))

    def test_own_settings_of_the_compiler_cache_stay(self):
        own = paths.compiler_environment({"CCACHE_SLOPPINESS": "time_macros", "CC": "clang"})
        self.assertEqual(own["CCACHE_SLOPPINESS"], "time_macros,locale")
        self.assertEqual(own.get("CC", "clang"), "clang")

    def test_a_read_only_tree(self):
        with mock.patch.object(disk.os, "access", return_value=False):
            with self.assertRaisesRegex(ui.Stop, "can't be written to"):
                disk.need([])

    def test_a_built_read_only_tree_is_used(self):
        with mock.patch.object(setup.os, "access", return_value=False), \
                mock.patch.object(setup.paths, "library_dir", return_value=Path("/x")), \
                mock.patch.object(setup, "prepare", side_effect=AssertionError), \
                mock.patch.object(setup.build, "build", side_effect=AssertionError), \
                mock.patch.object(ui, "warn") as warn:
            setup.ensure(only_use=True)
            self.assertIn("used as it is", warn.call_args.args[0])
            with self.assertRaises(AssertionError):  # a test or a build needs to write
                setup.ensure()

    def test_files_that_can_not_be_written(self):
        for number, text in ((errno.EROFS, "read-only disk"), (errno.ENOSPC, "disk is full"), (errno.EACCES, "chown")):
            with mock.patch.object(actions, "command_status", side_effect=OSError(number, "no", "/a/file")), \
                    contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main.main(["status"]), 1)
            self.assertIn(text, said.getvalue())
            self.assertIn("/a/file", said.getvalue())
            self.assertEqual(len(said.getvalue().splitlines()), 1)


class Running(unittest.TestCase):
    def test_a_program_that_is_not_there(self):
        with self.assertRaisesRegex(ui.Stop, "apt-get install mesa-utils"):
            run.execute(["glxgears"], {"PATH": "/nonexistent"})
        with self.assertRaisesRegex(ui.Stop, "give its path"):
            run.execute(["my-game"], {"PATH": "/nonexistent"})

    def test_a_folder_for_frames_that_can_not_be_made(self):
        with tempfile.NamedTemporaryFile() as file, mock.patch.object(paths, "PREFIX") as prefix:
            prefix.__truediv__.return_value.exists.return_value = True
            with self.assertRaisesRegex(ui.Stop, "another folder with --out"):
                run.demo(mock.Mock(out=file.name + "/demo", frames=1, size="8x8"))

    def remarks(self, command, env):
        with mock.patch.object(environment, "kobalt", return_value=env), mock.patch.object(run, "execute"), \
                mock.patch.object(ui, "warn") as warn:
            run.application(command)
        return [call.args[0] for call in warn.call_args_list]

    def test_no_display_is_said(self):
        self.assertIn("xvfb-run -a glxgears", self.remarks(["glxgears"], {})[0])
        self.assertEqual(self.remarks(["glxgears"], {"DISPLAY": ":0"}), [])
        self.assertEqual(self.remarks(["glxgears"], {"WAYLAND_DISPLAY": "wayland-0"}), [])
        self.assertEqual(self.remarks(["xvfb-run", "-a", "glxgears"], {}), [])


if __name__ == "__main__":
    unittest.main()
