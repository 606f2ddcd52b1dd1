# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The command line of ./kobalt: its words, and what each command does."""
