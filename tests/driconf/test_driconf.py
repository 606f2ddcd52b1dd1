#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""driconf's profiles take effect on Kobalt: Mesa's own by the program's name, Kobalt's additions to them, the user's.

    test_driconf.py --probe PATH/kobalt-driconf-probe --mesa-profiles FILE --own-profiles FILE [unittest arguments]

It runs in an environment that selects Kobalt; anywhere else it exits with 77, which Meson counts as skipped. Where
that environment names the profiles of an installation (DRIRC_CONFIGDIR), those are tested, else the two files.
"""
import array
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import program_tests  # noqa: E402

PROGRAMS = None
# SPIR-V 1.6: the first word of an OpDecorate with one literal, and the decoration Index with 1.
DECORATE, INDEX_1 = 4 << 16 | 71, (32, 1)
MIDSHADER = "allow_glsl_extension_directive_midshader"


class Driconf(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="kobalt-driconf-")
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        self.home = self.root / "home"
        self.home.mkdir()
        self.profiles = os.environ.get("DRIRC_CONFIGDIR")
        if not self.profiles:
            self.profiles = str(self.root / "drirc.d")
            os.mkdir(self.profiles)
            shutil.copy(PROGRAMS.mesa_profiles, self.profiles)
            shutil.copy(PROGRAMS.own_profiles, self.profiles)
        self.nothing = self.root / "nothing"
        self.nothing.mkdir()

    def said(self, name, profiles=None, **variables):
        """What the probe prints when its executable is called NAME."""
        program = self.root / name
        if not program.exists():
            shutil.copy(PROGRAMS.probe, program)
        # Mesa's cache would know a shader that compiled under another name's options.
        env = dict(os.environ, HOME=str(self.home), DRIRC_CONFIGDIR=str(profiles or self.profiles),
                   EGL_PLATFORM="surfaceless", MESA_SHADER_CACHE_DISABLE="true", **variables)
        done = subprocess.run([str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = dict(line.split("\t", 1) for line in done.stdout.splitlines())
        self.assertRegex(found["renderer"], r"Kobalt\)$")
        return found

    def user(self, options, device='driver="kobalt"', application=""):
        """Writes ~/.drirc with OPTIONS in a section for DEVICE."""
        options = "".join('<option name="%s" value="%s"/>' % item for item in options.items())
        text = '<driconf><device %s><application name="all" %s>%s</application></device></driconf>'
        (self.home / ".drirc").write_text(text % (device, application, options))

    def test_a_program_without_a_profile(self):
        said = self.said("no-profile")
        self.assertNotIn(said["vendor"], ("ATI Technologies, Inc.", "X.Org"))
        self.assertEqual(said["midshader"], "fails")

    def test_mesas_profiles_by_the_programs_name(self):
        said = self.said("EoCApp")
        self.assertEqual((said["vendor"], said["midshader"]), ("ATI Technologies, Inc.", "compiles"))
        without = self.said("EoCApp", profiles=self.nothing)
        self.assertEqual((without["vendor"], without["midshader"]), (self.said("no-profile")["vendor"], "fails"))

    def second_sources(self, **words):
        """How many second sources of blending the SPIR-V of heaven_x64 declares. The picture shows nothing on devices
        that take an output at Location 1 for one in any case, as lavapipe does."""
        folder = Path(tempfile.mkdtemp(dir=self.root))
        said = self.said("heaven_x64", KOBALT_SPIRV_DUMP=str(folder), **words)
        modules = [array.array("I", path.read_bytes()) for path in folder.glob("*.spv")]
        self.assertTrue(modules, "no shader was written to %s" % folder)
        return said, sum(module[at] == DECORATE and tuple(module[at + 2:at + 4]) == INDEX_1
                         for module in modules for at in range(len(module) - 3))

    def test_the_drivers_own_option_in_mesas_profiles(self):
        """Unigine's programs write the second source of blending at Location 1."""
        said, found = self.second_sources()
        self.assertEqual((said["second source"], found), ("0 255 0", 1))
        self.assertEqual(self.second_sources(profiles=self.nothing)[1], 0)

    def test_kobalts_own_profiles(self):
        self.assertEqual(self.said("csgo_linux64")["vendor"], "X.Org")

    def test_the_users_file_has_the_last_word(self):
        self.user({"force_gl_vendor": "mine"})
        self.assertEqual(self.said("EoCApp")["vendor"], "mine")
        self.user({MIDSHADER: "true"}, application='executable="no-profile"')
        self.assertEqual(self.said("no-profile")["midshader"], "compiles")
        self.assertEqual(self.said("another")["midshader"], "fails")

    def test_sections_for_drivers_and_devices(self):
        device = self.said("no-profile")["renderer"].removesuffix(" (Kobalt)").replace(", Kobalt)", ")")
        for section, applies in (('driver="kobalt"', True), ("", True), ('driver="zink"', False),
                                 ('device="%s"' % device, True), ('driver="kobalt" device="%s"' % device, True),
                                 ('driver="kobalt" device="another"', False)):
            self.user({MIDSHADER: "true"}, device=section)
            self.assertEqual(self.said("no-profile")["midshader"] == "compiles", applies, section)

    def test_an_environment_variable_of_an_options_name(self):
        self.assertEqual(self.said("no-profile", **{MIDSHADER: "true"})["midshader"], "compiles")

    def test_options_of_other_drivers_are_skipped_in_silence(self):
        self.user({"radeonsi_zerovram": "true", MIDSHADER: "true"})
        self.assertEqual(self.said("no-profile", LIBGL_DEBUG="verbose")["midshader"], "compiles")

    def test_own_profiles_are_well_formed(self):
        """A mistake in the file would drop what follows it, and be reported to nobody."""
        tree = xml.etree.ElementTree.parse(PROGRAMS.own_profiles)
        self.assertEqual({node.tag for node in tree.iter()}, {"driconf", "device", "application", "engine", "option"})
        for device in tree.getroot():
            self.assertIn(device.get("driver"), ("kobalt", "radv"))
            for entry in device:
                self.assertTrue(entry.get("executable") or entry.get("engine_name_match"), entry.attrib)


if __name__ == "__main__":
    sys.exit(program_tests.main("--probe", "--mesa-profiles", "--own-profiles"))
