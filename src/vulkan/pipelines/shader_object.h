// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <span>

namespace kobalt::vulkan {

class Device;

/// What a shader object is made of.
struct ShaderObjectInfo {
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
    std::span<const uint32_t> spirv;
    /// The set layouts shared by all shader objects of a draw, in set order
    /// (VUID-vkCmdDraw-None-08879).
    std::span<const VkDescriptorSetLayout> set_layouts;
    VkPushConstantRange push_constants{};
    const char* name = nullptr;
};

/// Compiles one graphics stage alone (VK_EXT_shader_object, "Shader Object Creation"): unlinked, so
/// that any stage that the device's features allow may follow.
Result<ShaderObject> create_shader_object(Device& device, const ShaderObjectInfo& info);

} // namespace kobalt::vulkan
