# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The texts that overlay.py changes in Mesa, by what they belong to: (file, text to find, replacement)."""
from . import attachments, bounds, cached_shaders, checks, compiler, conversions, costs, errors, gallium, gl, images, interfaces, introspection
from . import links, memory_order, names, order, pipelines, pixels, programs, queries, samples, state, state_tracker, textures, windows

EDITS = [*gallium.EDITS, *windows.EDITS, *gl.EDITS, *textures.EDITS, *pipelines.EDITS, *pixels.EDITS, *bounds.EDITS,
         *checks.EDITS, *names.EDITS, *samples.EDITS, *state.EDITS, *state_tracker.EDITS, *compiler.EDITS,
         *conversions.EDITS, *costs.EDITS, *queries.EDITS, *errors.EDITS, *memory_order.EDITS, *interfaces.EDITS,
         *introspection.EDITS, *attachments.EDITS, *images.EDITS, *programs.EDITS, *links.EDITS, *order.EDITS,
         *cached_shaders.EDITS]
