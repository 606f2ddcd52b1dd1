# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Reads the lists in tools/packages-*.txt."""
from ..lib import paths
from . import distribution


def sections(path):
    """{section: [[word, ...], ...]} of a list with [section] heads and # comments."""
    result, current = {}, None
    for line in path.read_text().splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if line.startswith("["):
            current = line.strip("[]")
            result.setdefault(current, [])
        else:
            result[current].append(line.split())
    return result


def words_of(section, system):
    """The lines of [section] in the list for SYSTEM (a Distribution; this machine's, unless given)."""
    system = system or distribution.here()
    return sections(paths.TOOLS / ("packages-%s.txt" % system.name)).get(section, []) if system else []


def installed_names(section, system=None):
    """Packages of [section] that come from the machine's own suites."""
    return [words[0] for words in words_of(section, system)]


def private_pairs(section, system=None):
    """(package, suite) pairs of [section] that come through the private apt configuration."""
    return [tuple(words[:2]) for words in words_of(section, system)]


def other_distribution(release):
    """Names to install by hand for the distribution in RELEASE (an os-release dictionary)."""
    ids = [release.get("ID", "")] + release.get("ID_LIKE", "").split()
    table = {}
    for line in (paths.TOOLS / "packages-other.txt").read_text().splitlines():
        name, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            table[name] = names.strip()
    for one in ids:
        if one in table:
            return table[one]
        if one in ("ubuntu", "linuxmint"):
            return table["debian"]
        if one in ("rhel", "centos", "suse"):
            return table["fedora"]
    return table["fedora"]
