# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Unpacks fetched packages below .kobalt/ and makes them usable from there."""
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from ..lib import paths, ui
from . import private_apt

CHROMIUM = "usr/lib/chromium"
# The files that are taken out of Chromium, each with what is unavailable without it.
CHROMIUM_FILES = {"libvk_swiftshader.so": "KOBALT_VULKAN=swiftshader",
                  "libVkLayer_khronos_validation.so": "KOBALT_VALIDATION=1 and the tests that count its messages",
                  "libVkICD_mock_icd.so": "the tests on a mock device"}
SWIFTSHADER, VALIDATION = list(CHROMIUM_FILES)[:2]


def unpack(debs, tree):
    """Unpacks DEBS into TREE, replacing what was there."""
    fresh = tree.with_name(tree.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for deb in debs:
        ui.run(["dpkg-deb", "-x", deb, fresh], "unpacking " + deb.name)
    if tree.exists():  # running programs may use the old tree: it goes once the new one is in place
        old = tree.with_name(tree.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        tree.rename(old)
        fresh.rename(tree)
        shutil.rmtree(old, ignore_errors=True)
        return
    fresh.rename(tree)


def relocate_pkgconfig(tree):
    """Points the .pc files of TREE at TREE instead of /usr."""
    for file in tree.glob("usr/**/pkgconfig/*.pc"):
        text = file.read_text()
        file.write_text(text.replace("prefix=/usr\n", "prefix=%s/usr\n" % tree)
                        .replace("${pc_sysrootdir}", ""))


def place_protocols(tree=paths.HOST, mesa=paths.MESA_TREE):
    """Moves TREE's wayland-protocols into Mesa's tree: Meson lets a subproject read files outside the
    project or of its own, but none that lie elsewhere in the project."""
    package = tree / "usr/share/pkgconfig/wayland-protocols.pc"
    source, target = tree / "usr/share/wayland-protocols", mesa / "wayland-protocols"
    if not package.exists() or not source.is_dir() or not mesa.is_dir():
        return
    lines = package.read_text().splitlines()
    if "pkgdatadir=%s" % target in lines and target.is_dir():
        return
    shutil.copytree(source, target, dirs_exist_ok=True)
    package.write_text("\n".join("pkgdatadir=%s" % target if line.startswith("pkgdatadir=") else line
                                 for line in lines) + "\n")


def write_native_file(path=paths.NATIVE_FILE, tree=paths.HOST):
    """A native file for those who call meson themselves: it makes pkg-config find what lies in TREE, and names
    Debian's Python, which has Mesa's modules, where another one comes first in PATH."""
    folders = [tree / "usr/lib" / paths.MULTIARCH / "pkgconfig", tree / "usr/share/pkgconfig"]
    text = "[built-in options]\npkg_config_path = [%s]\n" % ", ".join("'%s'" % f for f in folders)
    if paths.SYSTEM_PYTHON.exists():
        text += "\n[binaries]\npython3 = '%s'\n" % paths.SYSTEM_PYTHON
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def link_meson(tree):
    """Lets TREE's meson find its own modules, whatever Python path is set when ninja calls it again."""
    modules = tree / "usr/lib/python3/dist-packages/mesonbuild"
    link = tree / "usr/bin/mesonbuild"
    if modules.is_dir() and not link.exists():
        link.symlink_to(os.path.relpath(modules, link.parent))


def write_icd(path, library, api_version):
    """Writes a Vulkan driver manifest with an absolute library path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"file_format_version": "1.0.0",
                                "ICD": {"library_path": str(library), "api_version": api_version}}, indent=1) + "\n")


def write_layer(path, library):
    """Writes a manifest for the validation layer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"file_format_version": "1.1.0", "layer": {
        "name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL", "library_path": str(library),
        "api_version": "1.4.0", "implementation_version": "1", "description": "Khronos validation layer",
        "instance_extensions": [{"name": "VK_EXT_debug_report", "spec_version": "9"},
                                {"name": "VK_EXT_debug_utils", "spec_version": "1"},
                                {"name": "VK_EXT_validation_features", "spec_version": "2"},
                                {"name": "VK_EXT_layer_settings", "spec_version": "2"}],
        "device_extensions": []}}, indent=1) + "\n")


def write_manifests(tree, multiarch=paths.MULTIARCH):
    """Replaces the manifests that name /usr by ones that name TREE."""
    folder = tree / "usr/share/vulkan"
    for sub in ("explicit_layer.d", "implicit_layer.d"):
        shutil.rmtree(folder / sub, ignore_errors=True)
    for old in (folder / "icd.d").glob("*.json"):
        old.unlink()
    lavapipe = tree / "usr/lib" / multiarch / "libvulkan_lvp.so"
    if lavapipe.exists():
        write_icd(folder / "icd.d/lvp_icd.json", lavapipe, "1.4.305")
    swiftshader = tree / CHROMIUM / SWIFTSHADER
    if swiftshader.exists():
        write_icd(folder / "icd.d/swiftshader_icd.json", swiftshader, "1.3.0")
    layer = tree / CHROMIUM / VALIDATION
    if layer.exists():
        write_layer(folder / "explicit_layer.d/VkLayer_khronos_validation.json", layer)


def drop_unused(tree, multiarch=paths.MULTIARCH):
    """Drops the hardware Vulkan drivers of the package: a GPU is served by the machine's own."""
    for file in (tree / "usr/lib" / multiarch).glob("libvulkan_*.so"):
        if file.name != "libvulkan_lvp.so":
            file.unlink()


def take_out(deb, names, tree):
    """Unpacks the files NAMES (relative to the root) of the package DEB below TREE; those that it lacks are left out."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as producer:
        try:
            with tarfile.open(fileobj=producer.stdout, mode="r|") as archive:
                for member in archive:
                    name = member.name[2:] if member.name.startswith("./") else member.name
                    if name in names and member.isfile():
                        with archive.extractfile(member) as source, open(tree / name, "wb") as target:
                            shutil.copyfileobj(source, target)
                        os.chmod(tree / name, 0o755 if member.mode & 0o100 else 0o644)
        except tarfile.TarError:
            raise ui.Stop("%s can't be unpacked, it is damaged: run the same command again" % deb.name) from None


def add_chromium_files(tree, system, architecture=None):
    """Takes SwiftShader, the validation layer and the mock driver out of chromium-common, ARCHITECTURE's if given."""
    target = tree / CHROMIUM
    target.mkdir(parents=True, exist_ok=True)
    installed = Path("/") / CHROMIUM
    if not architecture and all((installed / name).exists() for name in (SWIFTSHADER, VALIDATION)):
        for name in CHROMIUM_FILES:
            if (installed / name).exists():
                shutil.copy2(installed / name, target / name)
    else:
        # The machine's own lists are not used: they may be empty, and only root may fetch them.
        deb = private_apt.download_newest("chromium-common", system, architecture=architecture)
        take_out(deb, ["%s/%s" % (CHROMIUM, name) for name in CHROMIUM_FILES], tree)
    for name, without in CHROMIUM_FILES.items():
        if not (target / name).exists():
            ui.warn("the package chromium-common has no /%s/%s any more: there is no %s; all else works"
                    % (CHROMIUM, name, without))


def unresolved(library):
    """Names of shared libraries that LIBRARY needs and the system lacks."""
    done = subprocess.run(["ldd", str(library)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=ui.in_english())
    return [line.split()[0] for line in done.stdout.splitlines() if "not found" in line]


def build_host(pairs, system):
    """Fetches and unpacks everything that the build and the tests need from other suites."""
    unpack(private_apt.download(pairs), paths.HOST)
    relocate_pkgconfig(paths.HOST)
    link_meson(paths.HOST)
    drop_unused(paths.HOST)
    add_chromium_files(paths.HOST, system)
    write_manifests(paths.HOST)
    lavapipe = paths.HOST / "usr/lib" / paths.MULTIARCH / "libvulkan_lvp.so"
    lacking = unresolved(lavapipe)
    if lacking:
        raise ui.Stop("lavapipe can't be loaded, the system lacks %s: install the package that has it, "
                      "then run the same command again" % ", ".join(lacking))
