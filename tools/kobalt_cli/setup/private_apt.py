# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""A private apt configuration: other suites of the machine's own mirror, without touching /etc/apt.

Lists and cache lie in .kobalt/apt. Every list is checked against Debian's archive keys (Signed-By),
and apt checks each package against its list. The distribution decides which suites are read (distribution.py).
"""
import glob
import os
import re
import shutil
from pathlib import Path

from ..lib import paths, ui
from . import distribution

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def parse_one_line(text):
    """(uri, suites) of each `deb` line of a classic sources.list."""
    for line in text.splitlines():
        found = re.match(r"\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s*(.*)", line.partition("#")[0])
        if found:
            yield found.group(1), [found.group(2)], found.group(3).split()


def parse_deb822(text):
    """(uri, suites, components) of each enabled `Types: deb` stanza."""
    for stanza in re.split(r"\n\s*\n", text):
        fields, key = {}, None
        for line in stanza.splitlines():
            if line.startswith("#"):
                continue
            if line[:1] in " \t" and key:
                fields[key] += " " + line.strip()
                continue
            key, colon, value = line.partition(":")
            key = key.strip().lower()
            if colon:
                fields[key] = value.strip()
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() == "no":
            continue
        for uri in fields.get("uris", "").split():
            yield uri, fields.get("suites", "").split(), fields.get("components", "").split()


def sources(etc="/etc/apt"):
    """All (uri, suites, components) that apt is set up with on this machine."""
    found = []
    for path in [etc + "/sources.list"] + sorted(glob.glob(etc + "/sources.list.d/*")):
        if not os.path.isfile(path):
            continue
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        if path.endswith(".sources"):
            found += parse_deb822(text)
        elif path.endswith(".list"):
            found += parse_one_line(text)
    return found


def mirror(entries, system):
    """The mirror of Debian's main archive among ENTRIES: the one that serves SYSTEM's suite."""
    for uri, suites, components in entries:
        if "main" in components and any(s in system.shown_by for s in suites):
            return uri.rstrip("/")
    raise ui.Stop("apt has no source with suite %s, component main: add your Debian mirror to "
                  "/etc/apt/sources.list, then run the same command again" % system.suite)


def security_mirror(entries, system):
    """The mirror of Debian's security archive among ENTRIES, or None."""
    return next((uri.rstrip("/") for uri, suites, _ in entries if system.security in suites), None)


def sources_text(uri, system, keyring=KEYRING, security=None):
    """The private sources.list for the mirror at URI, and the security archive's where there is one."""
    lines = [(kind, uri, suite) for kind, suite in system.suites] + ([("deb", security, system.security)] if security else [])
    return "".join("%s [signed-by=%s] %s %s main\n" % (kind, keyring, where, suite) for kind, where, suite in lines)


def options(folder=paths.APT, architecture=None):
    """apt's options that select the private configuration and nothing else; ARCHITECTURE: of the packages, unless they
    are the machine's own."""
    values = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        # The downloads lie in the user's tree, where apt's own sandbox user may not write.
        "APT::Sandbox::User": "root",
        "APT::Get::AllowUnauthenticated": "false",
    }
    if architecture:  # dpkg is not told, and the machine's own apt still knows nothing of it
        values.update({"APT::Architecture": architecture, "APT::Architectures": architecture})
    return [word for key, value in values.items() for word in ("-o", "%s=%s" % (key, value))]


def prepare(system=None, folder=paths.APT, architecture=None):
    """Writes the configuration for SYSTEM (this machine's, unless given) and fetches the lists; ARCHITECTURE's if given,
    and then without the security archive, which serves fewer architectures than the main one."""
    system = system or distribution.here()
    if not os.path.exists(KEYRING):
        raise ui.Stop("Debian's archive keys are missing: install the package debian-archive-keyring, "
                      "then run the same command again")
    for sub in ("lists/partial", "cache/archives/partial", "downloads"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    found = sources()
    security = None if architecture else security_mirror(found, system)
    (folder / "sources.list").write_text(sources_text(mirror(found, system), system, security=security))
    ui.run(["apt-get", *options(folder, architecture), "-q", "update"], "fetching package lists")


def download(pairs, folder=paths.APT, architecture=None):
    """Fetches (package, suite) PAIRS, ARCHITECTURE's if given; returns the .deb files."""
    target = folder / "downloads"
    for old in target.glob("*.deb"):
        old.unlink()
    ui.run(["apt-get", *options(folder, architecture), "-q", "download", *("%s/%s" % pair for pair in pairs)],
           "fetching packages", cwd=target)
    return sorted(target.glob("*.deb"))


def download_newest(package, system, folder=paths.APT, architecture=None):
    """Fetches SYSTEM's PACKAGE, from the security archive where that has it, ARCHITECTURE's if given; returns the .deb
    file."""
    known = (folder / "sources.list").read_text()
    try:
        return download([(package, system.security if system.security in known else system.suite)], folder, architecture)[-1]
    except ui.Stop:
        return download([(package, system.suite)], folder, architecture)[-1]


def download_source(package, suite, folder=paths.APT):
    """Fetches the files of a source package into the downloads folder."""
    ui.run(["apt-get", *options(folder), "-q", "source", "--download-only", "%s/%s" % (package, suite)],
           "fetching the source of " + package, cwd=folder / "downloads")
    return folder / "downloads"


def forget(folder=paths.APT):
    """Drops downloads and lists: they are large and not needed once unpacked."""
    for sub in ("downloads", "lists", "cache"):
        shutil.rmtree(folder / sub, ignore_errors=True)
