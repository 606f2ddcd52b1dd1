# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Runs spirv-val on a module, and tells a fault of spirv-val's own from a fault of Kobalt's.

A patch's varyings have Locations of their own (OpenGL Shading Language, 4.4.1 and 4.4.2; Vulkan, "Location
Assignment"), but SPIRV-Tools before 2024.2 counts them as the vertices' (pull request 5654). The complaint is believed
to be that fault only where the proof holds: the same module, with its patch varyings' Locations moved out of the
vertices' way, is valid.
"""
import re
import subprocess
import tempfile
from pathlib import Path

# The environment that is validated for: the version that Kobalt asks Vulkan instances for.
TARGET = "vulkan1.3"
FAULT = "spirv-val before 2024.2 takes patch varyings' Locations for the vertices' (SPIRV-Tools pull request 5654)"
MENDED = (2024, 2)
APART = 1000  # larger than any Location of ours
# Patch varyings are outputs of control shaders and inputs of evaluation shaders: no other complaint is of this kind.
COMPLAINT = re.compile(r"Entry-point has conflicting (?:"
                       r"output location assignment at location \d+, component [0-3]\s+OpEntryPoint TessellationControl|"
                       r"input location assignment at location \d+, component [0-3]\s+OpEntryPoint TessellationEvaluation) %")


def said(command, **how):
    """What COMMAND wrote, in both streams together, and its exit status."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **how)
    return done.stdout, done.returncode


def version():
    """Name and version of spirv-val (Debian ships the library, which the probe is linked with, in the same package)."""
    try:
        text, _ = said(["spirv-val", "--version"])
    except OSError:
        return "SPIRV-Tools"
    return (text.splitlines() or ["SPIRV-Tools"])[0].split(" unknown")[0]


def complaint(module):
    """None, or spirv-val's first complaint about the file MODULE."""
    # Vulkan 1.2 makes uniformBufferStandardLayout mandatory, and Kobalt switches it on.
    text, code = said(["spirv-val", "--target-env", TARGET, "--uniform-buffer-standard-layout", str(module)])
    if code == 0:
        return None
    return (text.strip().splitlines() or ["spirv-val ended with status %d" % code])[0]


def has_fault(name):
    """True for a VERSION line of a SPIRV-Tools that still has the fault."""
    found = re.search(r"v(\d+)\.(\d+)", name)
    return found is not None and (int(found[1]), int(found[2])) < MENDED


def may_be_its_fault(reason):
    """True for the one complaint that an old spirv-val makes wrongly."""
    return bool(COMPLAINT.search(reason)) and has_fault(version())


def apart(assembly):
    """The module's ASSEMBLY text with APART added to each patch varying's Location."""
    patches = set(re.findall(r"^\s*OpDecorate (%\S+) Patch\b", assembly, re.MULTILINE))
    move = lambda found: "%s%d" % (found[1], int(found[3]) + APART) if found[2] in patches else found[0]
    return re.sub(r"^(\s*OpDecorate (%\S+) Location )(\d+)", move, assembly, flags=re.MULTILINE)


def complaint_without_fault(module):
    """What spirv-val says about the file MODULE with its patch varyings moved apart from the vertices': None if it is
    valid."""
    assembly, code = said(["spirv-dis", "--raw-id", str(module)])
    if code:
        return "spirv-dis ended with status %d" % code
    moved = apart(assembly)
    if moved == assembly:
        return "it has no patch varying"
    with tempfile.TemporaryDirectory(prefix="kobalt-spirv-") as folder:
        copy = Path(folder) / "apart.spv"
        text, code = said(["spirv-as", "--target-env", TARGET, "--preserve-numeric-ids", "-o", str(copy), "-"], input=moved)
        return complaint(copy) if code == 0 else "spirv-as: " + text.strip()
