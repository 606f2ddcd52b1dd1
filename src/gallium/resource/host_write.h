// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// pipe_context::texture_subdata: glTexImage and glTexSubImage without a mapping. If nothing uses
/// the image and its memory is the CPU's own, the CPU writes the texels; else they are staged.
void write_texture(pipe_context* context, pipe_resource* resource, unsigned level, unsigned usage,
                   const pipe_box* box, const void* data, unsigned stride, uintptr_t layer_stride);

} // namespace kobalt::gallium
