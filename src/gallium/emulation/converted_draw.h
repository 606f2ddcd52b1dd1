// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Draws primitives that Vulkan lacks through Mesa's converter, which draws them as lists.
void draw_by_converter(Context& context, const pipe_draw_info& info, unsigned draw_id,
                       std::span<const pipe_draw_start_count_bias> draws);

} // namespace kobalt::gallium
