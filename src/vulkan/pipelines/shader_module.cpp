// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/shader_module.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

Result<ShaderModule> create_shader_module(Device& device, std::span<const uint32_t> spirv,
                                          const char* name) {
    constexpr uint32_t magic = 0x07230203; // SPIR-V 2.3, first word of a module
    constexpr size_t header_words = 5;
    if (spirv.size() < header_words || spirv[0] != magic)
        return fail(VK_ERROR_INVALID_SHADER_NV, "reading SPIR-V",
                    std::string(name ? name : "a shader") + " of " + std::to_string(spirv.size()) +
                        " words (no SPIR-V header)");
    auto info = vk_struct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv.size_bytes();
    info.pCode = spirv.data();
    VkShaderModule module = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateShaderModule(device.handle(), &info, nullptr, &module);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateShaderModule", name ? name : "a shader");
    set_name(device, VK_OBJECT_TYPE_SHADER_MODULE, module, name);
    return device.own<ShaderModule>(module);
}

} // namespace kobalt::vulkan
