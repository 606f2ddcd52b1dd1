// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/validation_suppressions.h"

namespace kobalt::vulkan {

std::span<const Suppression> validation_suppressions() {
    // Each is proven wrong or meant: {id, text it contains, proof}.
    static constexpr Suppression suppressions[] = {
        {"Undefined-Value-ShaderOutputNotConsumed-DynamicRendering", "",
         "a warning: a write to an absent attachment is discarded (Vulkan 1.3, 15.1.5), which is "
         "what GL asks of a draw buffer that is GL_NONE (OpenGL 3.3, 4.2.1)"},
    };
    return suppressions;
}

} // namespace kobalt::vulkan
