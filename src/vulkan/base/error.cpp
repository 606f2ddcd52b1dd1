// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/error.h"

#include <cstdio>

namespace kobalt::vulkan {

std::string result_name(VkResult result) {
    switch (result) {
#define KOBALT_CASE(name)                                                                          \
    case name:                                                                                     \
        return #name;
        KOBALT_CASE(VK_SUCCESS)
        KOBALT_CASE(VK_NOT_READY)
        KOBALT_CASE(VK_TIMEOUT)
        KOBALT_CASE(VK_EVENT_SET)
        KOBALT_CASE(VK_EVENT_RESET)
        KOBALT_CASE(VK_INCOMPLETE)
        KOBALT_CASE(VK_ERROR_OUT_OF_HOST_MEMORY)
        KOBALT_CASE(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        KOBALT_CASE(VK_ERROR_INITIALIZATION_FAILED)
        KOBALT_CASE(VK_ERROR_DEVICE_LOST)
        KOBALT_CASE(VK_ERROR_MEMORY_MAP_FAILED)
        KOBALT_CASE(VK_ERROR_LAYER_NOT_PRESENT)
        KOBALT_CASE(VK_ERROR_EXTENSION_NOT_PRESENT)
        KOBALT_CASE(VK_ERROR_FEATURE_NOT_PRESENT)
        KOBALT_CASE(VK_ERROR_INCOMPATIBLE_DRIVER)
        KOBALT_CASE(VK_ERROR_TOO_MANY_OBJECTS)
        KOBALT_CASE(VK_ERROR_FORMAT_NOT_SUPPORTED)
        KOBALT_CASE(VK_ERROR_FRAGMENTED_POOL)
        KOBALT_CASE(VK_ERROR_UNKNOWN)
        KOBALT_CASE(VK_ERROR_OUT_OF_POOL_MEMORY)
        KOBALT_CASE(VK_ERROR_INVALID_EXTERNAL_HANDLE)
        KOBALT_CASE(VK_ERROR_FRAGMENTATION)
        KOBALT_CASE(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
        KOBALT_CASE(VK_PIPELINE_COMPILE_REQUIRED)
        KOBALT_CASE(VK_ERROR_SURFACE_LOST_KHR)
        KOBALT_CASE(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR)
        KOBALT_CASE(VK_SUBOPTIMAL_KHR)
        KOBALT_CASE(VK_ERROR_OUT_OF_DATE_KHR)
        KOBALT_CASE(VK_ERROR_VALIDATION_FAILED_EXT)
        KOBALT_CASE(VK_ERROR_INVALID_SHADER_NV)
        KOBALT_CASE(VK_INCOMPATIBLE_SHADER_BINARY_EXT)
#undef KOBALT_CASE
    default:
        return "VkResult(" + std::to_string(static_cast<int>(result)) + ")";
    }
}

std::string Error::to_string() const {
    std::string text = tried;
    if (!object.empty())
        text += " on " + object;
    return text + ": " + result_name(result);
}

std::string size_text(uint64_t bytes) {
    static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024.0 && unit + 1 < std::size(units)) {
        value /= 1024.0;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

} // namespace kobalt::vulkan
