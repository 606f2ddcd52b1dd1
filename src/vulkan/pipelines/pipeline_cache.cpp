// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/pipeline_cache.h"

#include "vulkan/base/environment.h"
#include "vulkan/base/file.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace kobalt::vulkan {

namespace {

/// The file's header, before Vulkan's own data. Vulkan's header names the device too, but has
/// neither a size nor a checksum, and drivers differ in how well they survive a broken blob.
struct FileHeader {
    char magic[8];
    uint32_t version;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_version;
    uint8_t cache_uuid[VK_UUID_SIZE];
    uint8_t driver_uuid[VK_UUID_SIZE];
    uint64_t data_bytes;
    uint64_t checksum;
};
static_assert(sizeof(FileHeader) == 72);

constexpr char file_magic[8] = {'K', 'O', 'B', 'A', 'L', 'T', 'P', 'C'};
constexpr uint32_t file_version = 1;

uint64_t checksum(std::span<const std::byte> data) {
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

FileHeader header_for(const DeviceProperties& properties, std::span<const std::byte> data) {
    FileHeader header{};
    std::memcpy(header.magic, file_magic, sizeof file_magic);
    header.version = file_version;
    header.vendor_id = properties.core.vendorID;
    header.device_id = properties.core.deviceID;
    header.driver_version = properties.core.driverVersion;
    std::memcpy(header.cache_uuid, properties.core.pipelineCacheUUID, VK_UUID_SIZE);
    std::memcpy(header.driver_uuid, properties.vulkan11.driverUUID, VK_UUID_SIZE);
    header.data_bytes = data.size();
    header.checksum = checksum(data);
    return header;
}

/// Null if the file is good for this device, else what is wrong with it.
const char* find_fault(std::span<const std::byte> file, const DeviceProperties& properties) {
    if (file.size() < sizeof(FileHeader))
        return "it is too short";
    FileHeader header;
    std::memcpy(&header, file.data(), sizeof header);
    if (std::memcmp(header.magic, file_magic, sizeof file_magic) != 0)
        return "it is no Kobalt pipeline cache";
    if (header.version != file_version)
        return "another version of Kobalt wrote it";
    const std::span<const std::byte> data = file.subspan(sizeof header);
    if (header.data_bytes != data.size())
        return "it is cut off";
    const FileHeader expected = header_for(properties, data);
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

/// Whether the driver has an on-disk shader cache of its own, with which a VkPipelineCache only
/// makes each pipeline more expensive. NVIDIA's driver on an H200: 0.1 ms and 59 KiB for a
/// program's libraries that are in its disk cache, 0.6 ms and 77 KiB with a VkPipelineCache
/// (kobalt-program-memory).
bool driver_keeps_files(const Device& device) {
    if (driver_behind(device.properties()) != VK_DRIVER_ID_NVIDIA_PROPRIETARY)
        return false;
    const char* wish = environment_variable("__GL_SHADER_DISK_CACHE"); // NVIDIA's own switch
    return !wish || std::strcmp(wish, "0") != 0;
}

} // namespace

std::unique_ptr<PipelineCache> PipelineCache::open(Device& device, const std::string& directory,
                                                   uint64_t max_bytes) {
    std::string path;
    if (!directory.empty() && max_bytes > 0)
        path = directory + "/pipelines-" + device.properties().uuid() + ".bin";
    return std::unique_ptr<PipelineCache>(new PipelineCache(device, std::move(path), max_bytes));
}

std::unique_ptr<PipelineCache> PipelineCache::open(Device& device) {
    if (driver_keeps_files(device)) {
        std::unique_ptr<PipelineCache> none(new PipelineCache(device, {}, 0));
        std::call_once(none->loading_, [] {}); // nothing is ever loaded
        return none;
    }
    const Environment& environment = device.instance().environment();
    return open(device, environment.cache_dir, environment.cache_max_bytes);
}

void PipelineCache::warn_once(const std::string& text) {
    if (!warned_)
        device_.log().warning("pipeline cache " + path_ + ": " + text);
    warned_ = true;
}

void PipelineCache::load() {
    std::vector<std::byte> file;
    std::span<const std::byte> data;
    if (!path_.empty()) {
        std::string why;
        switch (read_file(path_, max_bytes_ + sizeof(FileHeader), file, why)) {
        case FileRead::done:
            if (const char* fault = find_fault(file, device_.properties()))
                warn_once(std::string("not used, ") + fault + "; it will be replaced");
            else
                data = std::span<const std::byte>(file).subspan(sizeof(FileHeader));
            break;
        case FileRead::missing:
            break;
        case FileRead::failed:
            warn_once("not used, " + why);
            break;
        }
    }
    auto info = vk_struct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache handle = VK_NULL_HANDLE;
    VkResult result = device_.vk().CreatePipelineCache(device_.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS && !data.empty()) {
        warn_once("the driver refused its contents (" + result_name(result) + ")");
        data = {};
        info.initialDataSize = 0;
        info.pInitialData = nullptr;
        result = device_.vk().CreatePipelineCache(device_.handle(), &info, nullptr, &handle);
    }
    if (result != VK_SUCCESS) {
        warn_once("vkCreatePipelineCache failed (" + result_name(result) +
                  "); pipelines are built without a cache");
        return;
    }
    set_name(device_, VK_OBJECT_TYPE_PIPELINE_CACHE, handle, "pipeline cache");
    cache_ = device_.own<PipelineCacheHandle>(handle);
    loaded_bytes_ = data.size();
    saved_bytes_ = data.size();
    saved_checksum_ = data.empty() ? 0 : checksum(data);
    loaded_.store(true, std::memory_order_release);
}

PipelineCache::~PipelineCache() {
    save();
}

bool PipelineCache::save() {
    const std::lock_guard lock(save_mutex_);
    if (path_.empty() || !loaded_.load(std::memory_order_acquire) || device_.lost())
        return false;
    size_t bytes = 0;
    if (device_.vk().GetPipelineCacheData(device_.handle(), cache_.get(), &bytes, nullptr) !=
        VK_SUCCESS)
        return false;
    if (bytes > max_bytes_) {
        warn_once("not written, its " + size_text(bytes) + " are more than the limit of " +
                  size_text(max_bytes_) + " (KOBALT_CACHE_MAX_MB)");
        return false;
    }
    std::vector<std::byte> file(sizeof(FileHeader) + bytes);
    // VK_INCOMPLETE: another thread has added a pipeline since; the next save writes it.
    const VkResult result = device_.vk().GetPipelineCacheData(
        device_.handle(), cache_.get(), &bytes, file.data() + sizeof(FileHeader));
    if (result != VK_SUCCESS)
        return false;
    file.resize(sizeof(FileHeader) + bytes);
    const auto data = std::span<const std::byte>(file).subspan(sizeof(FileHeader));
    const FileHeader header = header_for(device_.properties(), data);
    if (bytes == saved_bytes_ && header.checksum == saved_checksum_)
        return true;
    std::memcpy(file.data(), &header, sizeof header);

    std::error_code ignored; // write_file_atomically gives the better message
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
    std::string why;
    if (!write_file_atomically(path_, file, why)) {
        warn_once("not written, " + why + "; running on without it (KOBALT_CACHE_DIR)");
        return false;
    }
    saved_bytes_ = bytes;
    saved_checksum_ = header.checksum;
    return true;
}

} // namespace kobalt::vulkan
