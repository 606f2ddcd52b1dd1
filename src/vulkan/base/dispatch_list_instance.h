// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// The Vulkan commands Kobalt may call, as X-macro lists grouped by the version or extension that
// brings them. One X(Command) becomes one member of a dispatch table and one load of "vkCommand".
// clang-format off

#define KOBALT_GLOBAL_COMMANDS_VERSION_1_0(X) \
    X(CreateInstance) \
    X(EnumerateInstanceExtensionProperties) \
    X(EnumerateInstanceLayerProperties) \
    X(EnumerateInstanceVersion)

#define KOBALT_GLOBAL_COMMANDS(X) \
    KOBALT_GLOBAL_COMMANDS_VERSION_1_0(X)

#define KOBALT_INSTANCE_COMMANDS_VERSION_1_0(X) \
    X(VoidFunction) \
    X(DestroyInstance) \
    X(EnumeratePhysicalDevices) \
    X(GetPhysicalDeviceFeatures) \
    X(GetPhysicalDeviceFormatProperties) \
    X(GetPhysicalDeviceImageFormatProperties) \
    X(GetPhysicalDeviceProperties) \
    X(GetPhysicalDeviceQueueFamilyProperties) \
    X(GetPhysicalDeviceMemoryProperties) \
    X(GetDeviceProcAddr) \
    X(CreateDevice) \
    X(EnumerateDeviceExtensionProperties) \
    X(EnumerateDeviceLayerProperties) \
    X(GetPhysicalDeviceSparseImageFormatProperties)

#define KOBALT_INSTANCE_COMMANDS_VERSION_1_1(X) \
    X(EnumeratePhysicalDeviceGroups) \
    X(GetPhysicalDeviceFeatures2) \
    X(GetPhysicalDeviceProperties2) \
    X(GetPhysicalDeviceFormatProperties2) \
    X(GetPhysicalDeviceImageFormatProperties2) \
    X(GetPhysicalDeviceQueueFamilyProperties2) \
    X(GetPhysicalDeviceMemoryProperties2) \
    X(GetPhysicalDeviceSparseImageFormatProperties2) \
    X(GetPhysicalDeviceExternalBufferProperties) \
    X(GetPhysicalDeviceExternalFenceProperties) \
    X(GetPhysicalDeviceExternalSemaphoreProperties)

#define KOBALT_INSTANCE_COMMANDS_VERSION_1_3(X) \
    X(GetPhysicalDeviceToolProperties)

#define KOBALT_INSTANCE_COMMANDS_KHR_surface(X) \
    X(DestroySurfaceKHR) \
    X(GetPhysicalDeviceSurfaceSupportKHR) \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR) \
    X(GetPhysicalDeviceSurfaceFormatsKHR) \
    X(GetPhysicalDeviceSurfacePresentModesKHR)

#define KOBALT_INSTANCE_COMMANDS_KHR_swapchain(X) \
    X(GetPhysicalDevicePresentRectanglesKHR)

#define KOBALT_INSTANCE_COMMANDS_KHR_get_surface_capabilities2(X) \
    X(GetPhysicalDeviceSurfaceCapabilities2KHR) \
    X(GetPhysicalDeviceSurfaceFormats2KHR)

#define KOBALT_INSTANCE_COMMANDS_KHR_calibrated_timestamps(X) \
    X(GetPhysicalDeviceCalibrateableTimeDomainsKHR)

#define KOBALT_INSTANCE_COMMANDS_EXT_debug_utils(X) \
    X(CreateDebugUtilsMessengerEXT) \
    X(DestroyDebugUtilsMessengerEXT) \
    X(SubmitDebugUtilsMessageEXT)

#define KOBALT_INSTANCE_COMMANDS_EXT_sample_locations(X) \
    X(GetPhysicalDeviceMultisamplePropertiesEXT)

#define KOBALT_INSTANCE_COMMANDS_EXT_calibrated_timestamps(X) \
    X(GetPhysicalDeviceCalibrateableTimeDomainsEXT)

#define KOBALT_INSTANCE_COMMANDS_EXT_headless_surface(X) \
    X(CreateHeadlessSurfaceEXT)

#define KOBALT_INSTANCE_COMMANDS(X) \
    KOBALT_INSTANCE_COMMANDS_VERSION_1_0(X) \
    KOBALT_INSTANCE_COMMANDS_VERSION_1_1(X) \
    KOBALT_INSTANCE_COMMANDS_VERSION_1_3(X) \
    KOBALT_INSTANCE_COMMANDS_KHR_surface(X) \
    KOBALT_INSTANCE_COMMANDS_KHR_swapchain(X) \
    KOBALT_INSTANCE_COMMANDS_KHR_get_surface_capabilities2(X) \
    KOBALT_INSTANCE_COMMANDS_KHR_calibrated_timestamps(X) \
    KOBALT_INSTANCE_COMMANDS_EXT_debug_utils(X) \
    KOBALT_INSTANCE_COMMANDS_EXT_sample_locations(X) \
    KOBALT_INSTANCE_COMMANDS_EXT_calibrated_timestamps(X) \
    KOBALT_INSTANCE_COMMANDS_EXT_headless_surface(X)
