// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// A module from SPIR-V words. Words that don't begin with SPIR-V's magic number are refused here
/// (VK_ERROR_INVALID_SHADER_NV) instead of in the driver.
Result<ShaderModule> create_shader_module(Device& device, std::span<const uint32_t> spirv,
                                          const char* name = nullptr);

} // namespace kobalt::vulkan
