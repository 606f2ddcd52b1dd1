// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/device_properties.h"

#include <cstdio>

namespace kobalt::vulkan {

std::string DeviceProperties::uuid() const {
    std::string text;
    for (size_t i = 0; i < VK_UUID_SIZE; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", vulkan11.deviceUUID[i]);
        text += digits;
    }
    return text;
}

uint64_t DeviceProperties::device_local_bytes() const {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            bytes += memory.memoryHeaps[i].size;
    return bytes;
}

} // namespace kobalt::vulkan
