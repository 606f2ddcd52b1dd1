// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Where a Gallium box's z, or an image's layers, go in a Vulkan copy: GL's 3D textures are sliced
/// in depth, everything else in layers.
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
