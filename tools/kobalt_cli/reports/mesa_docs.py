# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""docs/mesa.md, what Kobalt changes in Mesa, and docs/mesa-upstream.md, texts for merge requests: made of the series."""
import re
from typing import NamedTuple

from ..lib import paths
from ..setup import mesa_series

TITLES = {"slot": "The driver's slot", "windows": "Windows", "threads": "Threads", "state-tracker": "State tracker",
          "gl": "OpenGL", "compat": "Compatibility profile", "es": "OpenGL ES", "glsl": "GLSL and the linker",
          "nir": "NIR and SPIR-V", "speed": "Speed", "gpus": "GPUs without the hardware"}


class Patch(NamedTuple):
    name: str      # below the series' folder
    title: str
    message: str   # without the title and the trailers
    topic: str
    tests: list    # the tests that fail without the patch
    forwarded: str
    files: list
    added: int
    removed: int

    @property
    def prepared(self):
        return self.forwarded.startswith("prepared")


def parse(name, text):
    """The patch of that name and text."""
    head, _, diff = text.partition("\n---\n")
    title = re.sub(r"\n[ \t]+", " ", re.search(r"^Subject: (?:\[PATCH\] )?(.*(?:\n[ \t]+.*)*)", head, re.MULTILINE).group(1))
    body = head.partition("\n\n")[2]
    lines = diff.splitlines()
    return Patch(name, title, mesa_series.OWN_TRAILERS.sub("", body + "\n").strip(), name.partition("/")[0], mesa_series.trailer(body, "Test"),
                 (mesa_series.trailer(body, "Forwarded") or [""])[-1], re.findall(r"^\+\+\+ b/(\S+)$", diff, re.MULTILINE),
                 sum(line.startswith("+") and not line.startswith("+++ ") for line in lines),
                 sum(line.startswith("-") and not line.startswith("--- ") for line in lines))


def patches(folder=None):
    """All patches in their order."""
    folder = folder or mesa_series.FOLDER
    return [parse(name, (folder / name).read_text(encoding="utf-8")) for name in mesa_series.names(folder)]


def upstream(patch):
    """The table's cell on whether PATCH goes to Mesa."""
    if patch.forwarded == "not-needed":
        return "Kobalt's own"
    return "[text ready](mesa-upstream.md#%s)" % anchor(patch.title) if patch.prepared else "could go" \
        if patch.forwarded == "no" else patch.forwarded


def anchor(title):
    """The anchor that Markdown gives the heading TITLE."""
    return re.sub(r"[^a-z0-9 _-]", "", title.lower()).replace(" ", "-")


def overview(series):
    """The text of docs/mesa.md."""
    files = {file for patch in series for file in patch.files}
    lines = ["# What Kobalt changes in Mesa", "",
             "Written by `./kobalt mesa document`.", "",
             "Kobalt is a driver inside Mesa %s. Meson unpacks Mesa's release, adds the files of the driver's slot" % paths.MESA_VERSION,
             "(`subprojects/packagefiles/mesa`) and applies a series of patches (`subprojects/packagefiles/mesa-patches`):",
             "%d patches, %d files, %d lines added and %d removed. A patch's message says what was wrong, with the clause of"
             % (len(series), len(files), sum(p.added for p in series), sum(p.removed for p in series)),
             "the specification. [CONTRIBUTING.md](../CONTRIBUTING.md#how-to-change-mesa) shows how to change Mesa.", "",
             "| folder | patches | lines added | removed | could go to Mesa |", "|---|---|---|---|---|"]
    by_topic = {topic: [p for p in series if p.topic == topic] for topic in mesa_series.TOPICS}
    for topic, own in by_topic.items():
        lines.append("| [%s](#%s) | %d | %d | %d | %d |"
                     % (topic, anchor(TITLES[topic]), len(own), sum(p.added for p in own), sum(p.removed for p in own),
                        sum(p.forwarded != "not-needed" for p in own)))
    for topic, own in by_topic.items():
        lines += ["", "## " + TITLES[topic], "", "| patch | lines | files | to Mesa | fails without it |", "|---|---|---|---|---|"]
        lines += ["| [%s](../subprojects/packagefiles/mesa-patches/%s) | +%d −%d | %d | %s | %s |"
                  % (p.title.replace("|", "\\|"), p.name, p.added, p.removed, len(p.files), upstream(p),
                     "<br>".join("`%s`" % test for test in p.tests)) for p in own]
    return "\n".join(lines) + "\n"


def merge_requests(series):
    """The text of docs/mesa-upstream.md."""
    lines = ["# Texts for Mesa", "", "Written by `./kobalt mesa document`. `./kobalt mesa checkout --prepared DIR` makes a branch of these "
             "patches alone on Mesa %s," % paths.MESA_VERSION,
             "without Kobalt's own trailers. Each text is the commit's message and serves as the merge request's."]
    for patch in series:
        if patch.prepared:
            lines += ["", "## " + patch.title, "", "```", patch.message, "```", "",
                      "Seen with: %s. %d lines added, %d removed in %s."
                      % (", ".join("`%s`" % test for test in patch.tests), patch.added, patch.removed,
                         ", ".join("`%s`" % file for file in patch.files))]
    return "\n".join(lines) + "\n"


def documents():
    """{file: text} of the documents that are made of the series."""
    series = patches()
    return {paths.ROOT / "docs/mesa.md": overview(series), paths.ROOT / "docs/mesa-upstream.md": merge_requests(series)}


def write():
    """Writes the documents."""
    for file, text in documents().items():
        file.write_text(text, encoding="utf-8")
