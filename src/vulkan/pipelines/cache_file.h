// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/vk.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kobalt::vulkan {

struct DeviceProperties;

/// What a file of a VkPipelineCache begins with, before Vulkan's own data. Vulkan's header names
/// the device too, but has neither a size nor a checksum, and drivers differ in how well they
/// survive broken data.
struct CacheFileHeader {
    char magic[8];
    uint32_t version;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_version;
    uint8_t cache_uuid[VK_UUID_SIZE];
    uint8_t driver_uuid[VK_UUID_SIZE];
    uint64_t data_bytes;
    uint64_t checksum; ///< of the data; it detects damage, not tampering

    static CacheFileHeader of(const DeviceProperties& properties, std::span<const std::byte> data);
};
static_assert(sizeof(CacheFileHeader) == 72);

/// Null if the file is good for this device, else what is wrong with it.
const char* cache_file_fault(std::span<const std::byte> file, const DeviceProperties& properties);

/// The header of a file that has one.
CacheFileHeader cache_file_header(std::span<const std::byte> file);
/// What Vulkan gets of a file that is good.
inline std::span<const std::byte> cache_file_data(std::span<const std::byte> file) {
    return file.subspan(sizeof(CacheFileHeader));
}

} // namespace kobalt::vulkan
