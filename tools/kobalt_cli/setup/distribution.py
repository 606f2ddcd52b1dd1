# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The distributions that the set-up knows by itself, and what their apt suites are called."""
import dataclasses
import shutil
from typing import Optional, Tuple

from ..lib import paths


@dataclasses.dataclass(frozen=True)
class Distribution:
    """A release whose packages are listed in tools/packages-NAME.txt."""

    name: str
    title: str
    # The suites that the private apt configuration reads from the machine's own mirror, each with `deb` or `deb-src`.
    # Empty: nothing is fetched that way, and Mesa's source is the release that the wrap file names.
    suites: Tuple[Tuple[str, str], ...] = ()
    # Suites by which that mirror is recognised among the machine's apt sources.
    shown_by: Tuple[str, ...] = ()
    suite: str = ""
    security: str = ""


KNOWN = {
    ("debian", "12"): Distribution(
        "debian-12", "Debian 12",
        (("deb", "bookworm"), ("deb", "bookworm-backports"), ("deb", "trixie"), ("deb-src", "trixie")),
        ("bookworm", "stable", "oldstable"), "bookworm", "bookworm-security"),
    ("debian", "13"): Distribution(
        "debian-13", "Debian 13", (("deb", "trixie"), ("deb-src", "trixie")),
        ("trixie", "stable"), "trixie", "trixie-security"),
    ("ubuntu", "24.04"): Distribution("ubuntu-24.04", "Ubuntu 24.04"),
}


def here() -> Optional[Distribution]:
    """The distribution of this machine when the set-up knows it, else None."""
    release = paths.os_release()
    return KNOWN.get((release.get("ID", ""), release.get("VERSION_ID", "")))


def automatic() -> Optional[Distribution]:
    """The distribution of this machine when the set-up can do its work here: it needs apt, too."""
    return here() if shutil.which("apt-get") else None


def titles():
    """Debian 12, Debian 13 and Ubuntu 24.04."""
    names = [one.title for one in KNOWN.values()]
    return ", ".join(names[:-1]) + " and " + names[-1]
