# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The texts that overlay.py changes in Mesa, by what they belong to: (file, text to find, replacement)."""
from . import bounds, checks, compiler, costs, errors, gallium, gl, interfaces, memory_order, names, pixels, queries
from . import samples, state, state_tracker, textures, windows

EDITS = [*gallium.EDITS, *windows.EDITS, *gl.EDITS, *textures.EDITS, *pixels.EDITS, *bounds.EDITS,
         *checks.EDITS, *names.EDITS, *samples.EDITS, *state.EDITS, *state_tracker.EDITS, *compiler.EDITS, *costs.EDITS,
         *queries.EDITS, *errors.EDITS, *memory_order.EDITS, *interfaces.EDITS]
