# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The parts of the ./kobalt launcher, one concept a module: docs/architecture.md has a table of the packages."""
