// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string_view>

#include <vulkan/vk_layer.h>

/// The part that every Vulkan layer of the project shares: how the loader reaches it, and how it
/// reaches the layer or driver below. What a layer is for is in the three functions at the end,
/// which it defines.
namespace kobalt::layer {

/// The dispatch table that the loader gave a handle: the same for an instance and its physical
/// devices, and for a device and what is created from it.
template <class Handle>
void* table_of(Handle handle) {
    return *reinterpret_cast<void**>(handle);
}

template <class Function>
PFN_vkVoidFunction erased(Function function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

/// Defined by each layer: the function that takes the place of `below`, the driver's function
/// called `name`; null where nothing does.
PFN_vkVoidFunction replacement(std::string_view name, PFN_vkVoidFunction below);
/// Defined by each layer: called for a new device, with the way to the functions below the layer.
/// False where the layer has no room for it.
bool device_made(VkDevice device, PFN_vkGetDeviceProcAddr below);
/// Defined by each layer: called before the device is destroyed.
void device_ends(VkDevice device);

} // namespace kobalt::layer
