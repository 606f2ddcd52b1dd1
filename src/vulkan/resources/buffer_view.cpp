// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/buffer_view.h"

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

Result<BufferView> create_buffer_view(Device& device, VkBuffer buffer, VkFormat format,
                                      VkDeviceSize offset, VkDeviceSize range, const char* name,
                                      VkBufferUsageFlags usage) {
    auto info = vk_struct<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    info.buffer = buffer;
    info.format = format;
    info.offset = offset;
    info.range = range;
    auto narrowed = vk_struct<VkBufferUsageFlags2CreateInfoKHR>(
        VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    narrowed.usage = usage;
    if (usage && device.has(Capability::maintenance5))
        info.pNext = &narrowed;
    VkBufferView view = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateBufferView(device.handle(), &info, nullptr, &view);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateBufferView",
                    std::string(name ? name : "a buffer") + ", VkFormat " +
                        std::to_string(static_cast<int>(format)));
    set_name(device, VK_OBJECT_TYPE_BUFFER_VIEW, view, name);
    return device.own<BufferView>(view);
}

} // namespace kobalt::vulkan
