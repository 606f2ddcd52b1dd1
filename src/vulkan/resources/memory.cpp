// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/memory.h"

#include "vulkan/resources/memory_allocation.h"

namespace kobalt::vulkan {

const char* memory_kind_name(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::device_local:
        return "device-local";
    case MemoryKind::upload:
        return "upload";
    case MemoryKind::readback:
        return "readback";
    case MemoryKind::device_local_mappable:
        return "mappable device-local";
    }
    return "unknown";
}

VmaAllocationCreateInfo allocation_info(MemoryKind kind, bool dedicated) {
    VmaAllocationCreateInfo info{};
    info.usage = VMA_MEMORY_USAGE_AUTO;
    switch (kind) {
    case MemoryKind::device_local:
        info.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
        break;
    case MemoryKind::upload:
        info.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
        info.flags = VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT |
                     VMA_ALLOCATION_CREATE_MAPPED_BIT;
        // Vulkan guarantees a coherent type; with it no flush is ever needed in the upload path.
        info.requiredFlags =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        break;
    case MemoryKind::readback:
        info.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
        info.flags =
            VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT | VMA_ALLOCATION_CREATE_MAPPED_BIT;
        info.requiredFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
        info.preferredFlags =
            VK_MEMORY_PROPERTY_HOST_CACHED_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        break;
    case MemoryKind::device_local_mappable:
        info.flags = VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT |
                     VMA_ALLOCATION_CREATE_MAPPED_BIT;
        info.requiredFlags =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        info.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        break;
    }
    if (dedicated)
        info.flags |= VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT;
    return info;
}

} // namespace kobalt::vulkan
