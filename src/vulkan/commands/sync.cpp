// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/commands/sync.h"

#include <fcntl.h>
#include <unistd.h>

#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/device/out_of_memory.h"

namespace kobalt::vulkan {

Result<Semaphore> create_semaphore(Device& device, const char* name,
                                   VkExternalSemaphoreHandleTypeFlags export_types) {
    auto exported =
        vk_struct<VkExportSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    exported.handleTypes = export_types;
    auto info = vk_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    if (export_types)
        info.pNext = &exported;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkResult result = with_second_try(device, [&] {
        return device.vk().CreateSemaphore(device.handle(), &info, nullptr, &semaphore);
    });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateSemaphore", name ? name : "a semaphore");
    set_name(device, VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
    return device.own<Semaphore>(semaphore);
}

VkExternalSemaphoreFeatureFlags semaphore_features(const Device& device,
                                                   VkExternalSemaphoreHandleTypeFlagBits type) {
    auto info = vk_struct<VkPhysicalDeviceExternalSemaphoreInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO);
    info.handleType = type;
    auto answer =
        vk_struct<VkExternalSemaphoreProperties>(VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES);
    device.instance().vk().GetPhysicalDeviceExternalSemaphoreProperties(device.physical(), &info,
                                                                        &answer);
    return answer.externalSemaphoreFeatures;
}

Result<Semaphore> import_semaphore(Device& device, int fd,
                                   VkExternalSemaphoreHandleTypeFlagBits type) {
    auto semaphore = create_semaphore(device, "imported semaphore");
    if (!semaphore)
        return semaphore;
    auto info =
        vk_struct<VkImportSemaphoreFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR);
    info.semaphore = semaphore->get();
    info.handleType = type;
    // Vulkan 1.3, "Importing Semaphore Payloads": sync files have copy transference, which is
    // always temporary; a descriptor of -1 is a signalled semaphore.
    const bool temporary = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
    info.flags = temporary ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0;
    info.fd = fd < 0 && temporary ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (info.fd < 0 && !(fd < 0 && temporary))
        return fail(VK_ERROR_INVALID_EXTERNAL_HANDLE, "vkImportSemaphoreFdKHR",
                    "file descriptor " + std::to_string(fd) + ", which isn't open");
    const VkResult result = device.vk().ImportSemaphoreFdKHR(device.handle(), &info);
    if (result != VK_SUCCESS) {
        if (info.fd >= 0)
            close(info.fd); // Vulkan owns it only after a successful import
        return fail(result, "vkImportSemaphoreFdKHR", "file descriptor " + std::to_string(fd));
    }
    return semaphore;
}

Result<int> export_semaphore(Device& device, VkSemaphore semaphore,
                             VkExternalSemaphoreHandleTypeFlagBits type) {
    auto info = vk_struct<VkSemaphoreGetFdInfoKHR>(VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
    info.semaphore = semaphore;
    info.handleType = type;
    int fd = -1;
    const VkResult result = device.vk().GetSemaphoreFdKHR(device.handle(), &info, &fd);
    if (result != VK_SUCCESS)
        return fail(result, "vkGetSemaphoreFdKHR");
    return fd;
}

Result<Fence> create_fence(Device& device, bool signalled, const char* name) {
    auto info = vk_struct<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    info.flags = signalled ? VK_FENCE_CREATE_SIGNALED_BIT : 0;
    VkFence fence = VK_NULL_HANDLE;
    const VkResult result = with_second_try(
        device, [&] { return device.vk().CreateFence(device.handle(), &info, nullptr, &fence); });
    if (result != VK_SUCCESS)
        return fail(result, "vkCreateFence", name ? name : "a fence");
    set_name(device, VK_OBJECT_TYPE_FENCE, fence, name);
    return device.own<Fence>(fence);
}

} // namespace kobalt::vulkan
