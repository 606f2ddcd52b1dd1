// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

/// The next multiple of `step`; `value` itself where `step` is 0 or 1.
constexpr VkDeviceSize round_up(VkDeviceSize value, VkDeviceSize step) {
    return step <= 1 ? value : (value + step - 1) / step * step;
}

} // namespace kobalt::vulkan
