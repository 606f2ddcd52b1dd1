# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suites of ./kobalt test, and what decides whether their results count."""
