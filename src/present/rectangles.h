// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>

#include "vulkan/base/vk.h"

namespace kobalt::present {

inline bool is_empty(const VkRect2D& a) {
    return !a.extent.width || !a.extent.height;
}

/// The rectangle between two corners; empty where the second isn't beyond the first.
inline VkRect2D between(int64_t left, int64_t top, int64_t right, int64_t bottom) {
    if (right <= left || bottom <= top)
        return {};
    return {{static_cast<int32_t>(left), static_cast<int32_t>(top)},
            {static_cast<uint32_t>(right - left), static_cast<uint32_t>(bottom - top)}};
}

inline int64_t right_of(const VkRect2D& a) {
    return int64_t{a.offset.x} + a.extent.width;
}

inline int64_t bottom_of(const VkRect2D& a) {
    return int64_t{a.offset.y} + a.extent.height;
}

/// The rectangle that both cover; empty where they don't overlap.
inline VkRect2D intersection(const VkRect2D& a, const VkRect2D& b) {
    return between(std::max(a.offset.x, b.offset.x), std::max(a.offset.y, b.offset.y),
                   std::min(right_of(a), right_of(b)), std::min(bottom_of(a), bottom_of(b)));
}

/// The smallest rectangle around both.
inline VkRect2D united(const VkRect2D& a, const VkRect2D& b) {
    if (is_empty(a) || is_empty(b))
        return is_empty(a) ? b : a;
    return between(std::min(a.offset.x, b.offset.x), std::min(a.offset.y, b.offset.y),
                   std::max(right_of(a), right_of(b)), std::max(bottom_of(a), bottom_of(b)));
}

} // namespace kobalt::present
