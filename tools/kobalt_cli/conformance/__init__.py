# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Tests that others wrote: piglit and its profiles, dEQP, shaders; and what drivers say that they offer."""
