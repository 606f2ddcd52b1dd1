# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Entry point of ./kobalt; the work is done by the packages in kobalt_cli."""
import sys

if sys.version_info < (3, 9):
    sys.exit("kobalt: Python 3.9 or newer is needed, this is %d.%d" % sys.version_info[:2])

from kobalt_cli.commands.main import main  # noqa: E402  (the version is checked first)

sys.exit(main(sys.argv[1:]))
