// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The Vulkan commands that Kobalt calls, as X-macro lists with a comment for the version or
// extension that brings them. One X(Command) becomes one member of a dispatch table and one load of
// "vkCommand". tests/launcher/test_unused.py fails for a command that no source names.
// clang-format off

#define KOBALT_GLOBAL_COMMANDS(X) \
    /* Vulkan 1.0 */ \
    X(CreateInstance) \
    X(EnumerateInstanceExtensionProperties) \
    X(EnumerateInstanceLayerProperties) \
    X(EnumerateInstanceVersion)

#define KOBALT_INSTANCE_COMMANDS(X) \
    /* Vulkan 1.0 */ \
    X(DestroyInstance) \
    X(EnumeratePhysicalDevices) \
    X(GetPhysicalDeviceProperties) \
    X(GetPhysicalDeviceQueueFamilyProperties) \
    X(GetPhysicalDeviceMemoryProperties) \
    X(GetDeviceProcAddr) \
    X(CreateDevice) \
    X(EnumerateDeviceExtensionProperties) \
    /* Vulkan 1.1 */ \
    X(GetPhysicalDeviceFeatures2) \
    X(GetPhysicalDeviceProperties2) \
    X(GetPhysicalDeviceFormatProperties2) \
    X(GetPhysicalDeviceImageFormatProperties2) \
    X(GetPhysicalDeviceSparseImageFormatProperties2) \
    X(GetPhysicalDeviceExternalBufferProperties) \
    X(GetPhysicalDeviceExternalSemaphoreProperties) \
    /* VK_KHR_surface */ \
    X(DestroySurfaceKHR) \
    X(GetPhysicalDeviceSurfaceSupportKHR) \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR) \
    X(GetPhysicalDeviceSurfaceFormatsKHR) \
    X(GetPhysicalDeviceSurfacePresentModesKHR) \
    /* VK_EXT_debug_utils */ \
    X(CreateDebugUtilsMessengerEXT) \
    X(DestroyDebugUtilsMessengerEXT) \
    /* VK_EXT_sample_locations */ \
    X(GetPhysicalDeviceMultisamplePropertiesEXT)
// clang-format on
