# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Turns the series of patches, which make Kobalt's Mesa out of Mesa's release, into a git tree, and back.

A patch is a file of `git format-patch` in a folder that its trailer `Topic:` names; `series` holds the order."""
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from ..lib import paths, stamps, ui

FOLDER = paths.ROOT / "subprojects/packagefiles/mesa-patches"
SLOT = paths.ROOT / "subprojects/packagefiles/mesa"  # new files, which the wrap copies over the release
TOPICS = ("slot", "windows", "threads", "state-tracker", "gl", "compat", "es", "glsl", "nir", "speed", "gpus")
RELEASE, SLOT_COMMIT = "mesa: %s as released" % paths.MESA_VERSION, "kobalt: the files of the driver's slot"
# The committer of a checkout, so that nobody's name and address get into its commits.
IDENTITY = ("-c", "user.name=Kobalt authors", "-c", "user.email=kobalt@localhost")
FORMAT = ("--zero-commit", "--no-signature", "--no-numbered", "--no-renames", "--diff-algorithm=myers", "--abbrev=12",
          "--stat=80", "--unified=3", "--encode-email-headers")
OWN_TRAILERS = re.compile(r"^(?:Topic|Test|Forwarded): .*\n", re.MULTILINE)  # trailers of this project alone
WRAP_LIST = re.compile(r"^diff_files =.*\n(?:[ \t]+.*\n)*", re.MULTILINE)


def names(folder=None):
    """The patches in their order, as paths below FOLDER."""
    lines = ((folder or FOLDER) / "series").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def fingerprint():
    """A hash over everything that Meson makes Mesa's tree from."""
    files = [paths.MESA_WRAP, FOLDER / "series", *(FOLDER / name for name in names()),
             *sorted(path for path in SLOT.rglob("*") if path.is_file())]
    return stamps.digest(*(part for file in files for part in (file.relative_to(paths.ROOT), file)))


def git(tree, *words, text=None):
    """What git prints in TREE; stops with its message where it fails."""
    done = subprocess.run(["git", *IDENTITY, "-C", tree, *words], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="surrogateescape")
    if done.returncode != 0:
        raise ui.Stop("git %s failed in %s: %s" % (words[0], tree, (done.stderr or done.stdout).strip()))
    return done.stdout


def touched(patches):
    """The files of Mesa's release that PATCHES, texts, change."""
    return {found for text in patches for found in re.findall(r"^--- a/(\S+)$", text, re.MULTILINE)}


def extract(tree, only=None):
    """Unpacks Mesa's release into TREE, or ONLY these of its files."""
    how = {"filter": "fully_trusted"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(paths.MESA_TARBALL) as archive:
        for member in archive:
            member.name = member.name.partition("/")[2]
            if member.name and (only is None or member.name in only):
                archive.extract(member, tree, **how)


def checkout(tree, whole=True, prepared=False):
    """Makes TREE a git tree of Mesa's release with a commit for each patch. Without WHOLE only the files that patches
    change are in it, which is quicker. PREPARED: only the patches that are to be sent to Mesa, without our trailers."""
    tree = Path(tree)
    if tree.exists() and any(tree.iterdir()):
        raise ui.Stop("%s is there and not empty: name another folder" % tree)
    tree.mkdir(parents=True, exist_ok=True)
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in names()]
    if prepared:
        texts = [OWN_TRAILERS.sub("", text) for text in texts if (trailer(text, "Forwarded") or [""])[-1].startswith("prepared")]
    extract(tree, None if whole else touched(texts))
    git(tree, "init", "--quiet", "--initial-branch=kobalt")
    git(tree, "config", "gc.auto", "0")
    git(tree, "add", "--all", "--force")
    git(tree, "commit", "--quiet", "--message", RELEASE)
    if not prepared:
        shutil.copytree(SLOT, tree, dirs_exist_ok=True)
        git(tree, "add", "--all", "--force")
        git(tree, "commit", "--quiet", "--message", SLOT_COMMIT)
    if texts:
        git(tree, "am", "--quiet", "--keep-cr", "--whitespace=nowarn", "--committer-date-is-author-date",
            text="\n".join(texts))


def first_patch(tree):
    """The commit of TREE that the series follows."""
    for line in git(tree, "log", "--format=%H %s").splitlines():
        commit, _, title = line.partition(" ")
        if title == SLOT_COMMIT:
            return commit
    raise ui.Stop("%s is no tree of `./kobalt mesa checkout`: it has no commit \"%s\"" % (tree, SLOT_COMMIT))


def trailer(message, name):
    """The values of a trailer of a patch or a message, in their order."""
    return re.findall(r"^%s: *(.+)$" % re.escape(name), message, re.MULTILINE)


def file_name(title, topic):
    """Where the patch of that title lies below the series' folder."""
    return "%s/%s.patch" % (topic, re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:72].rstrip("-"))


def write_series(written, folder):
    """Puts WRITTEN, {name: text} in order, into FOLDER, and nothing else."""
    for old in folder.glob("*/*.patch"):
        if old.relative_to(folder).as_posix() not in written:
            old.unlink()
    for name, text in written.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    (folder / "series").write_text("# Applied in this order: `./kobalt mesa export` writes it.\n" +
                                   "".join(name + "\n" for name in written), encoding="utf-8")


def wrap_text(text, order):
    """The wrap file's TEXT with the patches in their ORDER."""
    lines = ",\n".join("  mesa-patches/" + name for name in order)
    return WRAP_LIST.sub(lambda _: "diff_files =\n%s\n" % lines, text)


def export(tree, folder=None):
    """Writes the commits of TREE that follow the slot's commit as the series in FOLDER; returns the patches' names."""
    target = folder or FOLDER
    if git(tree, "status", "--porcelain", "--untracked-files=no").strip():
        raise ui.Stop("%s has changes that are in no commit: commit them (git commit --amend or git rebase puts them "
                      "where they belong), then run the same command again" % tree)
    first, written = first_patch(tree), {}
    for commit in git(tree, "rev-list", "--reverse", first + "..HEAD").split():
        message = git(tree, "log", "-1", "--format=%B", commit)
        title = message.partition("\n")[0]
        topic = (trailer(message, "Topic") or [""])[-1]
        if topic not in TOPICS:
            raise ui.Stop("\"%s\" has no trailer `Topic:` with one of %s: git commit --amend" % (title, ", ".join(TOPICS)))
        if git(tree, "diff-tree", "-r", "--name-only", commit, "--", "src/gallium/drivers/kobalt").strip():
            raise ui.Stop("\"%s\" changes the slot's own files: change them in %s" % (title, SLOT.relative_to(paths.ROOT)))
        name = file_name(title, topic)
        if name in written:
            raise ui.Stop("two commits have the title \"%s\": give one another" % title)
        written[name] = git(tree, "format-patch", "--stdout", *FORMAT, "-1", commit)
    target.mkdir(parents=True, exist_ok=True)
    write_series(written, target)
    if folder is None:
        paths.MESA_WRAP.write_text(wrap_text(paths.MESA_WRAP.read_text(), list(written)))
    return list(written)
