// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

namespace kobalt::vulkan {

class Device;

/// A sampler; `info` is passed to Vulkan as it is, custom border colours in its pNext included.
Result<Sampler> create_sampler(Device& device, const VkSamplerCreateInfo& info,
                               const char* name = nullptr);

} // namespace kobalt::vulkan
