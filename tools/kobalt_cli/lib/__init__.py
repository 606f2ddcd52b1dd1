# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What all the others use: paths, the user's terminal, environments of programs, results."""
