# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt enable steam:APPID: the launch options in Steam's own file."""
import shutil
import subprocess
import unittest

import enabling

HEAD = '"UserLocalConfigStore"\n{\n\t"friends"\n\t{\n\t\t"220"\n\t\t{\n\t\t\t"LaunchOptions"\t\t"no game\'s"\n\t\t}\n\t}\n' \
       '\t"Software"\n\t{\n\t\t"Valve"\n\t\t{\n\t\t\t"Steam"\n\t\t\t{\n\t\t\t\t"SurveyDate"\t\t"2026-01-01"\n'
TAIL = '\t\t\t\t"Other"\n\t\t\t\t{\n\t\t\t\t}\n\t\t\t}\n\t\t}\n\t}\n}\n'


def games(options, key="apps"):
    """The part of a file with the games in OPTIONS: {number: launch options as the file has them, or None}."""
    text = '\t\t\t\t"%s"\n\t\t\t\t{\n' % key
    for number, words in options.items():
        text += '\t\t\t\t\t"%s"\n\t\t\t\t\t{\n\t\t\t\t\t\t"LastPlayed"\t\t"1"\n\t\t\t\t\t\t"cloud"\n\t\t\t\t\t\t{\n\t\t\t\t\t\t}\n' % number
        text += '\t\t\t\t\t\t"LaunchOptions"\t\t"%s"\n' % words if words is not None else ""
        text += "\t\t\t\t\t}\n"
    return text + "\t\t\t\t}\n"


class Steam(enabling.Home):
    def setUp(self):
        super().setUp()
        self.steam = self.home / ".steam/debian-installation"
        self.steam.mkdir(parents=True)
        (self.home / ".steam/steam").symlink_to(self.steam)
        shutil.rmtree(self.bundle.parent)
        self.bundle = enabling.make_bundle(self.root / "kobalt-1")
        self.start = "%s run --no-build -- %%command%%" % self.bundle

    def account(self, text, number="77"):
        path = self.steam / "userdata" / number / "config/localconfig.vdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
        return path

    def test_options_are_merged_and_undone(self):
        for before, after in ((None, self.start), ("-novid", self.start + " -novid"),
                              ("A=\\\"b c\\\" gamemoderun %command% -x", "A=\\\"b c\\\" gamemoderun %s -x" % self.start),
                              ("C:\\\\x", self.start + " C:\\\\x")):
            with self.subTest(before=before):
                path = self.account(HEAD + games({10: "-old", 220: before, 30: None}) + TAIL)
                self.undone("steam:220")
                for _ in range(2):
                    self.kobalt("enable", "steam:220")
                    self.assertEqual(path.read_text(), HEAD + games({10: "-old", 220: after, 30: None}) + TAIL)
                self.assertEqual(self.kobalt("list"), "steam:220: its launch options in Steam\n")
                self.assertEqual(path.stat().st_mode & 0o777, 0o600)
                self.kobalt("disable", "--all")

    def test_a_game_that_has_no_settings_yet(self):
        for others in ({}, {10: "-old"}):
            path = self.account(HEAD + games(others, key="Apps") + TAIL)
            self.undone("steam:220")
            self.kobalt("enable", "steam:220")
            self.assertIn('\t\t\t\t\t"220"\n\t\t\t\t\t{\n\t\t\t\t\t\t"LaunchOptions"\t\t"%s"\n\t\t\t\t\t}\n\t\t\t\t}\n' % self.start,
                          path.read_text())
            self.kobalt("disable", "steam:220")

    def test_each_account(self):
        paths = [self.account(HEAD + games({220: None}) + TAIL, number) for number in ("7", "8")]
        self.undone("steam:220", "steam:440", launcher=enabling.SOURCE, by=["--all"])
        self.kobalt("enable", "steam:220")
        for path in paths:
            self.assertIn(self.start, path.read_text())
            self.assertEqual((path.parent / "localconfig.vdf.before-kobalt").read_text(), HEAD + games({220: None}) + TAIL)

    def test_a_launcher_that_was_entered_by_hand(self):
        path = self.account(HEAD + games({220: "/old place/x '/other/kobalt' %command%", 30: "mangohud /old/kobalt run -- %command%"}) + TAIL)
        self.assertEqual(self.kobalt("list"), "steam:30: its launch options in Steam (this Kobalt is gone)\n")
        self.kobalt("enable", "steam:30")
        self.assertIn('"mangohud %s"' % self.start, path.read_text())
        self.kobalt("disable", "steam:30")
        self.assertIn('"mangohud %command%"', path.read_text())

    def test_a_path_with_spaces(self):
        launcher = enabling.make_bundle(self.root / "my games")
        path = self.account(HEAD + games({220: "-novid"}) + TAIL)
        self.undone("steam:220", launcher=launcher)
        self.kobalt("enable", "steam:220", launcher=launcher)
        self.assertIn('"\\"%s\\" run --no-build -- %%command%% -novid"' % launcher, path.read_text())
        self.assertEqual(self.kobalt("list", "--mine"), "")
        self.assertEqual(self.kobalt("list", "--mine", launcher=launcher), "steam:220: its launch options in Steam\n")

    def test_while_steam_runs(self):
        path = self.account(HEAD + games({220: None}) + TAIL)
        self.kobalt("enable", "steam:220")
        before = self.tree()
        shutil.copy("/bin/sleep", self.root / "steam")
        process = subprocess.Popen([str(self.root / "steam"), "60"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        (self.home / ".steam/steam.pid").write_text("%d\n" % process.pid)
        said = self.kobalt("enable", "steam:30", code=1)
        self.assertIn("close Steam", said)
        self.assertIn("Launch Options: %s\n" % self.start, said)
        self.assertIn("close Steam", self.kobalt("disable", "--all", code=1))
        (self.home / ".steam/steam.pid").unlink()
        self.assertEqual(self.tree(), before)
        (self.home / ".steam/steam.pid").write_text("999999999\n")
        self.kobalt("disable", "steam:220")
        self.assertNotIn("kobalt", path.read_text())

    def test_what_can_not_be_served_is_said_with_the_line_to_enter(self):
        self.assertIn("Launch Options: %s\n" % self.start, self.kobalt("enable", "steam:220", code=1))
        path = self.account('"UserLocalConfigStore"\n{\n}\n')
        self.assertIn("Launch Options: %s\n" % self.start, self.kobalt("enable", "steam:220", code=1))
        self.assertEqual(path.read_text(), '"UserLocalConfigStore"\n{\n}\n')
        self.assertIn("steam:half-life is no game", self.kobalt("enable", "steam:half-life", code=1))
        self.assertIn("isn't enabled", self.kobalt("disable", "steam:220", code=1))


if __name__ == "__main__":
    unittest.main()
