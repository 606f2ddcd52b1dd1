// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/context.h"
#include "gallium/context/draw_modes.h"

// What draws of the app's vertices and draws of display lists have in common.

namespace kobalt::gallium {

/// Whether Vulkan draws primitives of this mode without changes in the bound state.
inline bool is_plain_mode(const Context& context, mesa_prim mode) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    return rasterizer && rasterizer->plain && !context.whole_pixel_samples &&
           drawn_modes & (1u << mode);
}

/// A draw of one instance, the first one, without primitive restart.
inline render::DrawParametersInfo once(const Context& context, mesa_prim mode, bool indexed) {
    return {
        .topology = topology(mode),
        .instance_count = 1,
        .first_instance = 0,
        .patch_vertices = mode == MESA_PRIM_PATCHES ? context.patch_vertices : 0,
        .primitive_restart = false,
        .indexed = indexed,
    };
}

} // namespace kobalt::gallium
