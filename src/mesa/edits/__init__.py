# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The texts that overlay.py changes in Mesa, by what they belong to: (file, text to find, replacement)."""
from . import advanced_blend, attachments, bounds, cached_shaders, call_thread, calls, captures, checks, compiler
from . import conversions, costs, decoded, dsa, egl_syncs, errors, external_memory, folding, gallium, gl, handles
from . import images, immediate, interfaces, introspection, legacy, levels, lighting, links, list_primitives, lists
from . import memory_order, names, objections, order, overflows, pending, pipelines, pixel_copies, pixels, programs
from . import queries, raster_position, rows, rules, samples, selection, separable_interfaces, spirv, state
from . import state_tracker, texture_units, textures, threads, variants, windows

EDITS = [*gallium.EDITS, *windows.EDITS, *gl.EDITS, *textures.EDITS, *pipelines.EDITS, *pixels.EDITS, *bounds.EDITS,
         *checks.EDITS, *names.EDITS, *samples.EDITS, *state.EDITS, *state_tracker.EDITS, *compiler.EDITS,
         *conversions.EDITS, *costs.EDITS, *queries.EDITS, *errors.EDITS, *memory_order.EDITS, *interfaces.EDITS,
         *introspection.EDITS, *attachments.EDITS, *images.EDITS, *programs.EDITS, *links.EDITS, *order.EDITS,
         *cached_shaders.EDITS, *overflows.EDITS, *rows.EDITS, *levels.EDITS, *list_primitives.EDITS, *legacy.EDITS,
         *objections.EDITS, *spirv.EDITS, *rules.EDITS, *calls.EDITS, *lists.EDITS, *lighting.EDITS, *immediate.EDITS,
         *folding.EDITS, *handles.EDITS, *decoded.EDITS, *pixel_copies.EDITS, *selection.EDITS,
         *threads.EDITS, *advanced_blend.EDITS, *captures.EDITS, *variants.EDITS, *pending.EDITS,
         *dsa.EDITS, *texture_units.EDITS, *raster_position.EDITS, *egl_syncs.EDITS,
         *call_thread.EDITS, *external_memory.EDITS, *separable_interfaces.EDITS]
