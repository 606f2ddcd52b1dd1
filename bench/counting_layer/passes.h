// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <vulkan/vulkan.h>

namespace kobalt::counting {

/// Whether the command buffer is inside a pass.
bool in_pass(VkCommandBuffer commands);

} // namespace kobalt::counting
