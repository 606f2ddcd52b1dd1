# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt enable, disable and list for menu entries, commands and the session, by the source tree's launcher and the
bundle's."""
import os
import re
import shutil
import subprocess
import unittest

import enabling
import support

# systemd's own reader of what is enabled for a session.
GENERATOR = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator"
ENTRY = """NoDisplay=true
# a remark
Exec = "%(bin)s/draw" --new %%U
DBusActivatable=true
Actions=twice;

[Desktop Action twice]
Name=Twice
Exec=env A=b draw  --twice
"""


class MenuEntries(enabling.Home):
    def setUp(self):
        super().setUp()
        self.program("draw")

    def lines(self, path):
        return path.read_text().splitlines()

    def test_a_copy_of_the_systems_entry(self):
        self.entry("kde/draw.desktop", ENTRY % {"bin": self.bin})
        words = ("kde-draw", "kde-draw.desktop", "draw", str(self.bin / "draw"))
        for launcher, words in ((enabling.SOURCE, words[:1]), (self.bundle, words)):
            for word in words:
                with self.subTest(launcher=launcher, word=word):
                    self.kobalt("enable", word, launcher=launcher)
                    lines = self.lines(self.entries / "kde/draw.desktop")
                    start = "Exec=" + self.launched(launcher)
                    self.assertEqual([line for line in lines if line.startswith("Exec")],
                                     [start + '"%s/draw" --new %%U' % self.bin, start + "env A=b draw  --twice"])
                    self.assertIn("DBusActivatable=false", lines)
                    self.assertIn("NoDisplay=true", lines)
                    self.assertEqual(self.kobalt("list", launcher=launcher),
                                     "kde-draw: its menu entry, %s\n" % (self.entries / "kde/draw.desktop"))
                    self.kobalt("disable", word, launcher=launcher)
                    self.assertEqual(list(self.tree()), ["work"])

    def test_the_users_own_entry_is_changed_and_comes_back(self):
        path = self.entry("mine.desktop", ENTRY % {"bin": self.bin}, self.entries)
        self.assertIn("X-Kobalt-Exec", self.undone("mine")[str(path.relative_to(self.home))][0].decode())

    def test_a_link_stays_a_link(self):
        real = self.entry("mine.desktop", "Exec=draw\n", self.home / "dotfiles")
        self.entries.mkdir(parents=True)
        (self.entries / "mine.desktop").symlink_to(real)
        self.undone("mine")
        self.assertTrue((self.entries / "mine.desktop").is_symlink())

    def test_what_the_user_changes_stays(self):
        self.entry("draw.desktop", ENTRY % {"bin": self.bin})
        self.kobalt("enable", "draw")
        path = self.entries / "draw.desktop"
        path.write_text(re.sub("^(Exec=.*--new)", r"\1est", path.read_text(), flags=re.MULTILINE).replace("Name=A", "Name=B"))
        self.assertIn("stays, without Kobalt, since it was changed", self.kobalt("disable", "draw"))
        self.assertEqual(path.read_text(), ("[Desktop Entry]\nType=Application\nName=B\n" + ENTRY % {"bin": self.bin})
                         .replace('Exec = "', 'Exec="').replace("--new", "--newest"))
        self.assertEqual(self.kobalt("disable", "draw", code=1).count("isn't enabled"), 1)

    def test_lines_that_the_user_removed(self):
        path = self.entry("mine.desktop", ENTRY % {"bin": self.bin}, self.entries)
        self.kobalt("enable", "mine")
        path.write_text("".join(line + "\n" for line in self.lines(path) if not line.startswith("Exec=")))
        self.kobalt("disable", "mine")
        self.assertEqual(path.read_text().count("Exec"), 2)
        self.assertIn("\nActions=twice;\n", path.read_text())

    def test_every_entry_of_a_program(self):
        for name in ("one", "two"):
            self.entry(name + ".desktop", "Exec=draw --%s\n" % name)
        self.entry("three.desktop", "Exec=drawing\n")
        self.entry("four.desktop", "Exec=draw\nHidden=true\n")
        self.assertEqual(sorted(name for name in self.undone("draw") if name.endswith("desktop")),
                         [".local/share/applications/one.desktop", ".local/share/applications/two.desktop"])

    def test_another_kobalt_takes_it_over(self):
        self.entry("draw.desktop", "Exec=draw %U\n")
        self.kobalt("enable", "draw", launcher=enabling.SOURCE)
        self.assertEqual(self.kobalt("list", "--mine"), "")
        for _ in range(2):
            self.kobalt("enable", "draw")
            self.assertEqual([line for line in self.lines(self.entries / "draw.desktop") if "Exec" in line],
                             ["X-Kobalt-Exec=draw %U", "Exec=%sdraw %%U" % self.launched(self.bundle)])
        self.kobalt("disable", "--mine", launcher=enabling.SOURCE)
        self.assertIn("draw: its menu entry", self.kobalt("list", "--mine"))

    def test_the_menus_cache(self):
        """update-desktop-database is told of the change, and what it leaves for no entries goes."""
        self.program("update-desktop-database", 'echo "$*" >>"%s/told"; : >"$2/mimeinfo.cache"' % self.root)
        self.entry("draw.desktop", "Exec=draw\n")
        self.undone("draw")
        self.assertEqual((self.root / "told").read_text(), 2 * ("-q %s\n" % self.entries))

    def test_what_is_gone_is_said(self):
        self.entry("draw.desktop", "Exec=draw\n")
        moved = enabling.make_bundle(self.root / "moved")
        self.kobalt("enable", "draw", launcher=moved)
        shutil.rmtree(moved.parent)
        (self.bin / "draw").unlink()
        self.assertIn("(this Kobalt is gone) (the program is gone)", self.kobalt("list"))
        self.kobalt("disable", "draw")
        self.assertEqual(list(self.tree()), ["work"])

    def test_containers(self):
        self.program("flatpak")
        self.entry("org.example.App.desktop", "Exec=flatpak run org.example.App\n")
        self.assertIn("in a container", self.kobalt("enable", "org.example.App", code=1))
        self.assertEqual(list(self.tree()), ["work"])

    def test_a_path_that_entries_can_not_name(self):
        self.entry("draw.desktop", "Exec=draw\n")
        launcher = enabling.make_bundle(self.root / "100%")
        self.assertIn("move Kobalt", self.kobalt("enable", "draw", launcher=launcher, code=1))


class Commands(enabling.Home):
    def setUp(self):
        super().setUp()
        self.path = self.home / ".local/bin/draw"

    def run_it(self):
        return subprocess.run(["draw", "a b", "$c"], env=self.env, stdout=subprocess.PIPE, text=True, executable=shutil.which(
            "draw", path=self.env["PATH"])).stdout

    def test_the_program_runs_on_kobalt_until_it_is_disabled(self):
        self.program("draw")
        self.assertEqual(self.run_it(), " a b $c\n")
        self.assertNotIn("PATH", self.kobalt("enable", "draw"))
        self.assertEqual(self.run_it(), "kobalt a b $c\n")
        self.assertEqual(self.kobalt("list"), "draw: the command, %s\n" % self.path)
        self.kobalt("enable", "draw")
        self.assertEqual(self.path.read_text().count(str(self.path)), 0, "it starts itself")
        shutil.rmtree(self.bundle.parent)
        self.assertEqual(self.run_it(), " a b $c\n")
        self.kobalt("disable", "draw", launcher=enabling.SOURCE)
        self.assertEqual(list(self.tree()), ["work"])

    def test_both_launchers_leave_no_trace(self):
        program = self.program("it's drawn")
        for launcher in (enabling.SOURCE, self.bundle):
            for words in (["it's drawn"], [str(program)]):
                self.assertIn(".local/bin/it's drawn", self.undone(*words, launcher=launcher))
            self.undone("it's drawn", launcher=launcher, by=["--all"])

    def test_a_command_beside_the_menu_entry(self):
        self.program("draw")
        self.entry("draw.desktop", "Exec=draw\n")
        self.assertIn("enable --command draw", self.kobalt("enable", "draw"))
        self.assertFalse(self.path.exists())
        self.kobalt("enable", "--command", "draw")
        self.assertEqual(len(self.kobalt("list").splitlines()), 2)
        self.kobalt("disable", "draw")
        self.assertEqual(list(self.tree()), ["work"])

    def test_the_users_own_script_stays(self):
        self.program("draw")
        self.path.parent.mkdir(parents=True)
        self.path.write_text("#!/bin/sh\necho mine\n")
        before = self.tree()
        self.assertIn("is yours and stays", self.kobalt("enable", "draw", code=1))
        self.assertIn("isn't enabled", self.kobalt("disable", "draw", code=1))
        self.assertEqual(self.tree(), before)

    def test_a_changed_script_stays(self):
        self.program("draw")
        self.kobalt("enable", "draw")
        with open(self.path, "a") as file:
            file.write("echo mine\n")
        self.assertIn("was changed since", self.kobalt("disable", "draw", code=1))
        self.assertTrue(self.path.exists())

    def test_a_path_that_lacks_the_folder(self):
        self.program("draw")
        self.env["PATH"] = "%s:/usr/bin:/bin" % self.bin
        self.assertIn("comes first in PATH", self.kobalt("enable", "draw"))

    def test_programs_that_can_not_be_served(self):
        (self.bin / "old").write_bytes(b"\x7fELF\x01\x01\x01" + b"\0" * 60)
        (self.bin / "old").chmod(0o755)
        self.program("root").chmod(0o4755)
        self.assertIn("32-bit", self.kobalt("enable", "old", code=1))
        self.assertIn("setuid", self.kobalt("enable", "root", code=1))
        enabling.serve_32_bit_programs(self.bundle)
        self.undone("old")
        self.program("draw")
        self.assertIn("none is neither a menu entry nor a program", self.kobalt("enable", "none", "draw", code=1))
        self.assertEqual(self.kobalt("list"), "draw: the command, %s\n" % self.path)

    def test_words_that_are_missing_or_wrong(self):
        for launcher in (enabling.SOURCE, self.bundle):
            self.assertIn("name a program", self.kobalt("enable", launcher=launcher, code=1))
            self.assertIn("nothing is enabled", self.kobalt("list", launcher=launcher))
            self.assertIn("nothing is enabled", self.kobalt("disable", "--all", launcher=launcher))
        self.assertIn("no option --al", self.kobalt("enable", "--al", code=1))
        del self.env["HOME"]
        self.assertIn("no HOME", self.kobalt("enable", "draw", code=1))


class Session(enabling.Home):
    def setUp(self):
        super().setUp()
        self.path = self.home / ".config/environment.d/50-kobalt.conf"

    def test_the_file_that_systemd_reads(self):
        text = self.undone("--all")[str(self.path.relative_to(self.home))][0].decode()
        lines = dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))
        folder = self.bundle.parent
        self.assertEqual(lines["MESA_LOADER_DRIVER_OVERRIDE"], "kobalt")
        # systemd's own way to say "and what is there already" (environment.d(5))
        self.assertTrue(lines["LD_LIBRARY_PATH"].endswith("%s/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" % folder), lines)
        self.assertRegex(lines["__EGL_VENDOR_LIBRARY_FILENAMES"],
                         "^%s/share/kobalt/egl_vendor.d/50_kobalt.json(:.*\\.json)*$" % folder)

    @unittest.skipUnless(os.path.exists(GENERATOR), "there is no systemd here")
    def test_what_systemd_makes_of_it(self):
        self.kobalt("enable", "--all")
        for before, after in (({}, ""), ({"LD_LIBRARY_PATH": "/mine"}, ":/mine")):
            said = subprocess.run([GENERATOR], env={"HOME": str(self.home), **before}, stdout=subprocess.PIPE, text=True, check=True).stdout
            lines = dict(line.split("=", 1) for line in said.splitlines())
            self.assertTrue(lines["LD_LIBRARY_PATH"].strip('"').endswith("%s/lib%s" % (self.bundle.parent, after)), said)
            self.assertEqual(lines["__GLX_VENDOR_LIBRARY_NAME"], "kobalt")

    def test_all_that_the_launcher_sets_is_there(self):
        environment = (support.ROOT / "tools/environment.sh").read_text()
        names = set(re.findall(r"\bexport (\w+)", environment)) | set(re.findall(r"^\s+(\w+)=.*\n\s+export \1", environment, re.MULTILINE))
        script = (support.ROOT / "tools/enable/session.sh").read_text()
        self.assertEqual(set(re.search(r'session_names="([^"]*)"', script)[1].split()), names)

    def test_what_it_does_not_do_is_said(self):
        said = self.kobalt("enable", "--all")
        for word in ("next login", "setuid", "32-bit", "Flatpak", "text console", str(self.path)):
            self.assertIn(word, said)
        self.assertIn("--all: each program of the session, %s" % self.path, self.kobalt("list"))
        enabling.serve_32_bit_programs(self.bundle)
        self.assertNotIn("32-bit", self.kobalt("enable", "--all"))
        self.assertRegex(self.path.read_text(), r"(?m)^LD_LIBRARY_PATH=.*/lib:.*/lib32\$\{")

    def test_what_is_the_users_stays(self):
        self.path.parent.mkdir(parents=True)
        self.path.write_text("A=b\n")
        before = self.tree()
        self.assertIn("is yours", self.kobalt("enable", "--all", code=1))
        self.kobalt("disable", "--all")
        self.assertEqual(self.tree(), before)

    def test_a_kobalt_that_starts_nothing_enables_nothing(self):
        os.unlink(self.bundle.parent / "lib/libEGL_kobalt.so.0")
        self.assertIn("nothing is enabled", self.kobalt("enable", "--all", code=1))
        self.assertEqual(list(self.tree()), ["work"])


if __name__ == "__main__":
    unittest.main()
