// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/capabilities/core_1_4.h"

#include <array>
#include <string>

// Every property structure Kobalt reads, in the same form as KOBALT_FEATURE_STRUCTS.
// clang-format off
#define KOBALT_PROPERTY_STRUCTS(X) \
    X(vulkan11, VkPhysicalDeviceVulkan11Properties, VULKAN_1_1_PROPERTIES, nullptr, nullptr) \
    X(vulkan12, VkPhysicalDeviceVulkan12Properties, VULKAN_1_2_PROPERTIES, nullptr, nullptr) \
    X(vulkan13, VkPhysicalDeviceVulkan13Properties, VULKAN_1_3_PROPERTIES, nullptr, nullptr) \
    X(descriptor_buffer, VkPhysicalDeviceDescriptorBufferPropertiesEXT, DESCRIPTOR_BUFFER_PROPERTIES_EXT, "VK_EXT_descriptor_buffer", nullptr) \
    X(push_descriptor, VkPhysicalDevicePushDescriptorPropertiesKHR, PUSH_DESCRIPTOR_PROPERTIES_KHR, "VK_KHR_push_descriptor", core_1_4) \
    X(extended_dynamic_state3, VkPhysicalDeviceExtendedDynamicState3PropertiesEXT, EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT, "VK_EXT_extended_dynamic_state3", nullptr) \
    X(transform_feedback, VkPhysicalDeviceTransformFeedbackPropertiesEXT, TRANSFORM_FEEDBACK_PROPERTIES_EXT, "VK_EXT_transform_feedback", nullptr) \
    X(vertex_attribute_divisor, VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT, VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT, "VK_EXT_vertex_attribute_divisor", nullptr) \
    X(vertex_attribute_divisor_khr, VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR, VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR, "VK_KHR_vertex_attribute_divisor", core_1_4) \
    X(sample_locations, VkPhysicalDeviceSampleLocationsPropertiesEXT, SAMPLE_LOCATIONS_PROPERTIES_EXT, "VK_EXT_sample_locations", nullptr) \
    X(conservative_rasterization, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, "VK_EXT_conservative_rasterization", nullptr) \
    X(discard_rectangles, VkPhysicalDeviceDiscardRectanglePropertiesEXT, DISCARD_RECTANGLE_PROPERTIES_EXT, "VK_EXT_discard_rectangles", nullptr) \
    X(multi_draw, VkPhysicalDeviceMultiDrawPropertiesEXT, MULTI_DRAW_PROPERTIES_EXT, "VK_EXT_multi_draw", nullptr) \
    X(external_memory_host, VkPhysicalDeviceExternalMemoryHostPropertiesEXT, EXTERNAL_MEMORY_HOST_PROPERTIES_EXT, "VK_EXT_external_memory_host", nullptr) \
    X(pci, VkPhysicalDevicePCIBusInfoPropertiesEXT, PCI_BUS_INFO_PROPERTIES_EXT, "VK_EXT_pci_bus_info", nullptr) \
    X(drm, VkPhysicalDeviceDrmPropertiesEXT, DRM_PROPERTIES_EXT, "VK_EXT_physical_device_drm", nullptr)
// clang-format on

namespace kobalt::vulkan {

/// Limits and identity of a device. Structures of extensions the device lacks stay zero.
/// pNext members are null at rest.
struct DeviceProperties {
    VkPhysicalDeviceProperties core{};
    VkPhysicalDeviceMemoryProperties memory{};
#define KOBALT_MEMBER(member, type, stype, ext, other)                                             \
    type member = vk_struct<type>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##stype);
    KOBALT_PROPERTY_STRUCTS(KOBALT_MEMBER)
#undef KOBALT_MEMBER

    const VkPhysicalDeviceLimits& limits() const {
        return core.limits;
    }
    std::string name() const {
        return core.deviceName;
    }
    /// deviceUUID as 32 hexadecimal digits with dashes, as KOBALT_DEVICE takes it.
    std::string uuid() const;
    /// Bytes of all device-local heaps.
    uint64_t device_local_bytes() const;
};

} // namespace kobalt::vulkan
