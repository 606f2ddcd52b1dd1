// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/cache_file.h"

#include "vulkan/capabilities/device_properties.h"

#include <cstring>

namespace kobalt::vulkan {

namespace {

constexpr char file_magic[8] = {'K', 'O', 'B', 'A', 'L', 'T', 'P', 'C'};
constexpr uint32_t file_version = 1;

uint64_t checksum_of(std::span<const std::byte> data) {
    // FNV-1a over eight bytes at a time: the checksum has to detect damage, not tampering.
    uint64_t hash = 0xcbf29ce484222325u;
    size_t i = 0;
    for (; i + 8 <= data.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, data.data() + i, 8);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    for (; i < data.size(); ++i)
        hash = (hash ^ static_cast<uint64_t>(data[i])) * 0x100000001b3u;
    return hash;
}

} // namespace

CacheFileHeader CacheFileHeader::of(const DeviceProperties& properties,
                                    std::span<const std::byte> data) {
    CacheFileHeader header{};
    std::memcpy(header.magic, file_magic, sizeof file_magic);
    header.version = file_version;
    header.vendor_id = properties.core.vendorID;
    header.device_id = properties.core.deviceID;
    header.driver_version = properties.core.driverVersion;
    std::memcpy(header.cache_uuid, properties.core.pipelineCacheUUID, VK_UUID_SIZE);
    std::memcpy(header.driver_uuid, properties.vulkan11.driverUUID, VK_UUID_SIZE);
    header.data_bytes = data.size();
    header.checksum = checksum_of(data);
    return header;
}

CacheFileHeader cache_file_header(std::span<const std::byte> file) {
    CacheFileHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    return header;
}

const char* cache_file_fault(std::span<const std::byte> file, const DeviceProperties& properties) {
    if (file.size() < sizeof(CacheFileHeader))
        return "it is too short";
    const CacheFileHeader header = cache_file_header(file);
    if (std::memcmp(header.magic, file_magic, sizeof file_magic) != 0)
        return "it is no Kobalt pipeline cache";
    if (header.version != file_version)
        return "another version of Kobalt wrote it";
    const std::span<const std::byte> data = file.subspan(sizeof header);
    if (header.data_bytes != data.size())
        return "it is cut off";
    const CacheFileHeader expected = CacheFileHeader::of(properties, data);
    if (header.checksum != expected.checksum)
        return "its checksum is wrong";
    if (std::memcmp(&header, &expected, sizeof header) != 0)
        return "it belongs to another device or driver version";
    VkPipelineCacheHeaderVersionOne inner;
    if (data.size() < sizeof inner)
        return "its data is too short";
    std::memcpy(&inner, data.data(), sizeof inner);
    if (inner.headerSize < sizeof inner ||
        inner.headerVersion != VK_PIPELINE_CACHE_HEADER_VERSION_ONE ||
        inner.vendorID != properties.core.vendorID || inner.deviceID != properties.core.deviceID ||
        std::memcmp(inner.pipelineCacheUUID, properties.core.pipelineCacheUUID, VK_UUID_SIZE) != 0)
        return "its data belongs to another device";
    return nullptr;
}

} // namespace kobalt::vulkan
