// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The one place that includes the Vulkan headers: prototypes stay off because libvulkan is opened
// at run time and every command goes through a dispatch table.
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES 1
#endif
#include <vulkan/vulkan_core.h>

#include <cstdint>

// VMA's handles, declared here so that its 20,000-line header stays inside vma.cpp and memory.cpp.
struct VmaAllocator_T;
struct VmaAllocation_T;

namespace kobalt::vulkan {

/// A raw value of any non-dispatchable or dispatchable handle, as debug names want it.
template <class H>
inline uint64_t handle_value(H handle) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the handle's own size is meant
    if constexpr (sizeof(H) == sizeof(void*) && !__is_same(H, uint64_t))
        return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(handle));
    else
        return static_cast<uint64_t>(handle);
}

/// A zeroed Vulkan structure with its sType set.
template <class T>
constexpr T vk_struct(VkStructureType type) {
    T value{};
    value.sType = type;
    return value;
}

} // namespace kobalt::vulkan
