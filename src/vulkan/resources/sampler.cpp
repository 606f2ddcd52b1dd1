// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/sampler.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

Result<Sampler> create_sampler(Device& device, const VkSamplerCreateInfo& info, const char* name) {
    VkSampler sampler = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateSampler(device.handle(), &info, nullptr, &sampler);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateSampler", name ? name : "a sampler");
    set_name(device, VK_OBJECT_TYPE_SAMPLER, sampler, name);
    return device.own<Sampler>(sampler);
}

} // namespace kobalt::vulkan
