# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `packages`: Debian's packages are built, and installed, used, replaced and removed in a bare root of their release.

Vulkan is lavapipe there, of the packages that a user would install."""
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from ..lib import paths, tally, ui
from ..reports import package_page
from ..setup import debian_package, package_roots
from . import readme

# lavapipe of Debian 12 is older than what Kobalt asks for.
VULKAN = {"bookworm": "mesa-vulkan-drivers/bookworm-backports"}
XVFB = ("xvfb-run", "-a", "-n", "190")  # the network is the machine's, and with it the displays' abstract sockets
PROGRAMS = ("mesa-utils", "xauth", "xvfb")
NAMES = ("libgl1-kobalt", "kobalt", "kobalt-tools")
JSON = "/usr/share/kobalt/egl_vendor.d/50_kobalt.json"
MESA_JSON = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"
APT = ("apt-get", "-q", "-y", "-o", "Dir::Cache::Archives=/archives", "-o", "APT::Sandbox::User=root", "-o", "Dpkg::Use-Pty=0",
       "--no-install-recommends")
# Files that are dpkg's and apt's own, or that come and go by themselves.
PASSING = r"^/(proc|dev|sys|tmp|run|packages|archives|recipes|root|var/(cache|log|lib/(dpkg|apt|systemd))|etc/ld\.so\.cache)(/|$)"
START_S = 60


def documented(suite):
    """The commands of docs/packages.md after the one that builds, as they are typed in the root."""
    build, *lines = readme.commands((paths.ROOT / "docs/packages.md").read_text(encoding="utf-8"))
    if build != "sudo ./kobalt package" or not lines[0].startswith("sudo apt install ./out/packages/"):
        raise ui.Stop("docs/packages.md doesn't begin with building and installing")
    return [re.sub(r"\./out/packages/\w+", "/packages", line).replace("sudo apt", " ".join(APT)) for line in lines]


class Trial:
    """A fresh root, in which the packages of a release are tried. Each check raises ui.Stop where something is wrong."""

    def __init__(self, packages):
        self.packages, self.suite = packages, packages.suite
        bare = package_roots.make(self.suite, "bare", ["ca-certificates"], "apt", own=True)
        self.root = package_roots.copy(bare, self.suite + "-trial")
        self.archives = package_roots.FOLDER / (self.suite + "-archives")
        self.archives.mkdir(exist_ok=True)
        self.numbers = []
        self.documented = documented(self.suite)

    def binds(self):
        return [(self.packages.folder, "/packages"), (self.archives, "/archives"), (paths.ROOT / "packaging", "/recipes")]

    def must(self, words, what=None, **env):
        return self.root.must(words, what or " ".join(words[:4]), self.binds(), env)

    def apt(self, *words):
        return self.must([*APT, *words], "apt-get %s" % words[0])

    def debs(self, *names):
        return ["/packages/" + self.packages.files[name].name for name in names]

    def files(self):
        """{path: what it is} of the root's files."""
        said = self.must(["find", "/", "-xdev", "-printf", "%p\t%y %m %s %l\n"], "listing the files")
        return {name: rest for name, _, rest in (line.partition("\t") for line in said.splitlines())
                if not re.search(PASSING, name) and not rest.startswith("d")}

    def renderer(self, *words, **env):
        """Who draws, as glxinfo or es2_info behind WORDS says: its lines that name a renderer."""
        said = self.must([*words], "%s" % " ".join(words[-2:]), **env)
        return re.findall(r"renderer(?: string)?: (.*)", said, re.IGNORECASE)

    def on_kobalt(self, what, *words, **env):
        found = self.renderer(*words, **env)
        if not found or not all("Kobalt)" in name for name in found):
            raise ui.Stop("%s: drawn by %s" % (what, found or "nobody"))

    def first_picture(self):
        """From nothing to the first picture: packages with what they need, a frame."""
        install, run = self.documented[:2]
        line = "%s %s" % (install, VULKAN.get(self.suite, "mesa-vulkan-drivers"))
        self.apt("update")
        fetched = re.search(r"Need to get (?:[\d.,]+ \w+/)?([\d.,]+) (\w+) of archives",
                            self.must(["sh", "-c", line.replace(" install ", " install --download-only ")], "apt-get --download-only"))
        begun = time.monotonic()
        self.must(["sh", "-c", line], "apt-get install")
        installed = time.monotonic()
        said = self.must(["sh", "-c", run + " --frames 2 --size 320x180 --out /tmp/frames"], "kobalt run")
        drawn = time.monotonic()
        if "Kobalt)" not in said:
            raise ui.Stop("kobalt run: drawn by %s" % (re.findall(r"renderer: .*", said) or "nobody"))
        pictures = [path for path in (self.root.path / "tmp/frames").glob("*.png") if path.stat().st_size > 1000]
        if len(pictures) != 2:
            raise ui.Stop("kobalt run: %d pictures" % len(pictures))
        self.numbers += [("fetched with it, lavapipe's LLVM most of it", float(fetched[1].replace(",", "")), fetched[2])] if fetched else []
        self.numbers += [("`apt install`, downloads apart", installed - begun, "s"), ("`kobalt run`, two pictures", drawn - installed, "s"),
                         ("from nothing to the first picture, downloads apart", drawn - begun, "s")]

    def nothing_left(self):
        """Purged, the packages leave no file with their name, and what else is there stays."""
        self.apt("install", *PROGRAMS)
        self.purge()
        left = [name for name in self.files() if "kobalt" in name]
        if left:
            raise ui.Stop("files are left: %s" % " ".join(left))
        self.before = self.files()
        self.others = self.renderer(*XVFB, "glxinfo", "-B") + self.renderer(*XVFB, "es2_info")

    def purge(self):
        installed = self.must(["dpkg-query", "-W", "-f", "${Package}\n"], "dpkg-query").split()
        self.must(["dpkg", "--purge", *(name for name in installed if name in NAMES)], "dpkg --purge")

    def others_stay(self):
        """Programs that didn't ask for Kobalt draw as before, once it is installed."""
        self.must(["dpkg", "-i", *self.debs(*NAMES)], "dpkg -i")
        now = self.renderer(*XVFB, "glxinfo", "-B") + self.renderer(*XVFB, "es2_info")
        if not now or now != self.others or any("Kobalt" in name for name in now):
            raise ui.Stop("programs that didn't ask for it are drawn by %s, before by %s" % (now, self.others))

    def glvnd(self):
        """GLVND's own variables choose Kobalt, without a search path for libraries."""
        chosen = {"MESA_LOADER_DRIVER_OVERRIDE": "kobalt"}
        self.on_kobalt("GLX", *XVFB, "glxinfo", "-B", __GLX_VENDOR_LIBRARY_NAME="kobalt", **chosen)
        self.on_kobalt("EGL", *XVFB, "es2_info", __EGL_VENDOR_LIBRARY_FILENAMES=JSON, **chosen)

    def both_mesas(self):
        """Kobalt and the system's Mesa serve one process, each with a libgallium of its own."""
        env = {"MESA_LOADER_DRIVER_OVERRIDE": "kobalt", "__EGL_VENDOR_LIBRARY_FILENAMES": "%s:%s" % (JSON, MESA_JSON)}
        self.on_kobalt("EGL beside Mesa's", *XVFB, "es2_info", **env)
        opened = self.must([*XVFB, "env", "LD_DEBUG=files", "es2_info"], "es2_info", **env)
        for name in ("libEGL_mesa.so.0", "libgallium-kobalt.so"):
            if not re.search(r"calling init: \S*/" + re.escape(name), opened):
                raise ui.Stop("a program with both vendors of EGL doesn't load %s" % name)

    def launcher(self):
        """The launcher's commands, as a package has them."""
        self.on_kobalt("kobalt run", "kobalt", "run", "--", *XVFB, "glxinfo", "-B")
        gears = self.documented[2]
        self.must(["sh", "-c", "%s sh -c 'timeout 60 stdbuf -oL %s -info' | grep -m 1 'GL_RENDERER.*Kobalt)'" % (" ".join(XVFB), gears)], gears)
        self.must(["sh", "-c", "kobalt enable --all && grep '/usr/[$][$]LIB/kobalt' /root/.config/environment.d/50-kobalt.conf && "
                   "kobalt disable --all"], "kobalt enable --all")
        if not re.search(r"GLSL .*Kobalt\)", self.must(["kobalt", "info"])):
            raise ui.Stop("kobalt info names no OpenGL of Kobalt's")
        self.must(["sh", "-c", "cd /tmp && kobalt report && grep -qF 'libgl1-kobalt %s' kobalt-report.txt && ! grep -qw \"$(uname -n)\" "
                   "kobalt-report.txt" % debian_package.version(self.suite)], "kobalt report")
        self.must(["sh", "-c", "kobalt enable glxinfo && kobalt list && PATH=/root/.local/bin:$PATH xvfb-run -a -n 190 glxinfo -B | "
                   "grep 'Kobalt)' && kobalt disable glxinfo && ! test -e /root/.local/bin"], "kobalt enable")

    def tests(self):
        """A few of the project's own tests."""
        said = self.must(["kobalt", "test", "--gtest_filter=ContextTest.*:PictureTest.Triangle*"], "kobalt test")
        if not re.search(r"^[1-9]\d* passed, 0 failed", said, re.MULTILINE):
            raise ui.Stop("kobalt test: %s" % said.splitlines()[-1])

    def user(self):
        """The process of this root that has the driver open, or None."""
        for process in Path("/proc").iterdir():
            try:
                if os.readlink(process / "root") == str(self.root.path) and "libgallium-kobalt" in (process / "maps").read_text() \
                        and "glxgears" in (process / "comm").read_text():
                    return process
            except (OSError, UnicodeDecodeError):
                continue
        return None

    def newer(self):
        """The packages again, as a later version."""
        folder = self.packages.folder / "newer"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        found = []
        for name in NAMES:
            tree = folder / name
            ui.run(["dpkg-deb", "-R", self.packages.files[name], tree], "unpacking " + name, log=package_roots.LOG)
            control = tree / "DEBIAN/control"
            old = debian_package.version(self.suite)
            control.write_text(control.read_text().replace(old, old + "+1"))
            ui.run(["dpkg-deb", "-Znone", "-b", tree, folder], "packing " + name, log=package_roots.LOG)
            found += ["/packages/newer/" + file.name for file in folder.glob(name + "_*.deb")]
        return found

    def upgrade(self):
        """An upgrade leaves a program that draws to what it has opened, and serves the next one."""
        newer = self.newer()
        log = open(self.packages.folder / "glxgears.txt", "w+", encoding="utf-8")
        starter = self.root.start(["kobalt", "run", "--", *XVFB, "stdbuf", "-oL", "glxgears"], self.binds(), {"vblank_mode": "0"},
                                  stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            limit = time.monotonic() + START_S
            while not self.user() and time.monotonic() < limit and starter.poll() is None:
                time.sleep(0.5)
            running = self.user()
            if running is None:
                raise ui.Stop("glxgears doesn't start on Kobalt: see %s" % log.name)
            self.must(["dpkg", "-i", *newer], "dpkg -i of a newer version")
            before = Path(log.name).read_text().count("FPS")
            if "(deleted)" not in (running / "maps").read_text():
                raise ui.Stop("the upgrade wrote into a library that is in use")
            limit = time.monotonic() + START_S
            while Path(log.name).read_text().count("FPS") <= before and time.monotonic() < limit:  # a line each 5 s
                time.sleep(1)
            if starter.poll() is not None or Path(log.name).read_text().count("FPS") <= before:
                raise ui.Stop("glxgears doesn't go on after the upgrade: see %s" % log.name)
            self.on_kobalt("after the upgrade", "kobalt", "run", "--", *XVFB, "glxinfo", "-B")
        finally:
            subprocess.run(["kill", "--", "-%d" % starter.pid], stderr=subprocess.DEVNULL)
            starter.wait()
            log.close()
            shutil.rmtree(self.packages.folder / "newer", ignore_errors=True)

    def removed(self):
        """Removed again, nothing is there that wasn't before, and nothing is gone."""
        self.purge()
        now = self.files()
        changed = sorted(name for name in set(now) | set(self.before) if now.get(name) != self.before.get(name))
        if changed:
            raise ui.Stop("installing and removing changes %s" % " ".join(changed))

    def recipes(self):
        """The recipes for Fedora and Arch, read by what Debian has of their tools."""
        self.apt("install", "rpm", "rpmlint", "shellcheck")
        said = self.must(["rpmspec", "-q", "--qf", "%{NAME} %{VERSION}\n", "/recipes/rpm/kobalt.spec"], "rpmspec")
        if said.split()[::2] != ["kobalt", "kobalt-driver", "kobalt-tools"]:
            raise ui.Stop("rpmspec finds the packages %s" % said.split())
        if not re.search(r"\b0 errors", self.root.run(["rpmlint", "/recipes/rpm/kobalt.spec"], self.binds())[1]):
            raise ui.Stop("rpmlint finds errors: see out/logs/%s" % package_roots.LOG)
        self.must(["shellcheck", "-s", "bash", "-e", "SC2034,SC2154", "/recipes/arch/PKGBUILD"], "shellcheck")

    def end(self):
        shutil.rmtree(self.root.path, ignore_errors=True)


CHECKS = (("from nothing to the first picture", Trial.first_picture), ("purged, nothing is left", Trial.nothing_left),
          ("other programs draw as before", Trial.others_stay), ("GLVND's variables choose Kobalt", Trial.glvnd),
          ("both Mesas in one process", Trial.both_mesas), ("the launcher", Trial.launcher), ("the tests", Trial.tests),
          ("an upgrade under a running program", Trial.upgrade), ("removed, all is as before", Trial.removed))

RECIPES = (("the recipes for Fedora and Arch", Trial.recipes),)


def numbers_of(packages, trial):
    """(what, value, unit) of the packages and of their trial."""
    for name, file in packages.files.items():
        yield name, file.stat().st_size / 1e6, "MB"
        field = lambda which: subprocess.run(["dpkg-deb", "-f", str(file), which], stdout=subprocess.PIPE, text=True).stdout.strip()
        yield name + ", installed", int(field("Installed-Size")) / 1e3, "MB"
    for kind, text in (("E", "errors"), ("W", "warnings"), ("I", "remarks")):
        yield "lintian: " + text, packages.tags[kind], ""
    yield from trial.numbers


def release(suite):
    """A Tally over what is tried with the packages of SUITE."""
    result = tally.Tally()
    packages = debian_package.build(suite)
    result.passed += 1  # built, and lintian has no error
    trial = Trial(packages)
    for title, check in CHECKS + (RECIPES if suite == "bookworm" else ()):
        begun = time.monotonic()
        try:
            check(trial)
            result.passed += 1
            ui.note("      %s: %s (%s)" % (suite, title, ui.spell(time.monotonic() - begun)))
        except ui.Stop as stop:
            result.fail("%s: %s: %s" % (suite, title, stop))
            if check in (Trial.first_picture, Trial.nothing_left, Trial.others_stay):
                break  # the others need what this should have left
    if not result.failed:
        package_page.record({suite: list(numbers_of(packages, trial))})
        trial.end()
    return result


def suite(args):
    """A Tally over the releases; with --quick over this machine's alone."""
    if not package_roots.possible():
        return tally.Tally(skipped=1, skips=["packages"])
    own = package_roots.distribution.here().suite
    result = tally.Tally()
    for name in [own] if args.quick else sorted(package_roots.RELEASES):
        result.add(release(name))
    return result
