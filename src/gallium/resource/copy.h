// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// How a Gallium box's z and depth map to a Vulkan copy: to z for 3D textures, to array layers for
/// everything else.
struct Slices {
    uint32_t base_layer = 0;
    uint32_t layer_count = 1;
    int32_t z = 0;
};
Slices slices_of(const Resource& resource, int z, int depth);

/// pipe_context::resource_copy_region.
void resource_copy_region(pipe_context* context, pipe_resource* target, unsigned target_level,
                          unsigned x, unsigned y, unsigned z, pipe_resource* source,
                          unsigned source_level, const pipe_box* box);

} // namespace kobalt::gallium
