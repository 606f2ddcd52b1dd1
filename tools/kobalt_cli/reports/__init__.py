# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Documents and pages that are written from results."""
