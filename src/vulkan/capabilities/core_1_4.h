// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

namespace kobalt::vulkan {

/// Stands among the names of extensions for what Vulkan 1.4 took into its core: a device of that
/// version need not list what it has so (Vulkan 1.4, "Extensions"). It is no name for Vulkan.
inline constexpr const char* core_1_4 = "Vulkan 1.4";

} // namespace kobalt::vulkan
