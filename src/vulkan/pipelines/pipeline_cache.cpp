// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/pipelines/pipeline_cache.h"

#include "vulkan/base/environment.h"
#include "vulkan/base/file.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"
#include "vulkan/pipelines/cache_file.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace kobalt::vulkan {

namespace {

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
                                                   uint64_t max_bytes,
                                                   const std::string& shared_directory) {
    const auto folder_in = [&](const std::string& parent) {
        return parent.empty() || max_bytes == 0
                   ? std::string()
                   : parent + "/pipelines-" + device.properties().uuid();
    };
    return std::unique_ptr<PipelineCache>(
        new PipelineCache(device, folder_in(directory), max_bytes,
                          CacheFolder(folder_in(shared_directory)).file_to_read()));
}

std::unique_ptr<PipelineCache> PipelineCache::open(Device& device) {
    if (driver_keeps_files(device)) {
        std::unique_ptr<PipelineCache> none(new PipelineCache(device, {}, 0, {}));
        std::call_once(none->loading_, [] {}); // nothing is ever loaded
        return none;
    }
    const Environment& environment = device.instance().environment();
    return open(device, environment.cache_dir, environment.cache_max_bytes,
                environment.shared_cache_dir);
}

void PipelineCache::warn_once(const std::string& text) {
    if (!warned_)
        device_.log().warning("pipeline cache " + path_ + ": " + text);
    warned_ = true;
}

std::span<const std::byte> PipelineCache::read(const std::string& path,
                                               std::vector<std::byte>& file) {
    const bool own = path == path_;
    const std::string named = own ? "" : "the shared " + path + " is ";
    std::string why;
    switch (read_file(path, max_bytes_ + sizeof(CacheFileHeader), file, why)) {
    case FileRead::done:
        if (const char* fault = cache_file_fault(file, device_.properties()))
            warn_once(named + "not used, " + fault + (own ? "; it will be replaced" : ""));
        else
            return cache_file_data(file);
        break;
    case FileRead::missing:
        break;
    case FileRead::failed:
        warn_once(named + "not used, " + why);
        break;
    }
    return {};
}

PipelineCacheHandle PipelineCache::create(std::span<const std::byte> data, VkResult& result) const {
    auto info = vk_struct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache handle = VK_NULL_HANDLE;
    result = device_.vk().CreatePipelineCache(device_.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS)
        return {};
    set_name(device_, VK_OBJECT_TYPE_PIPELINE_CACHE, handle, "pipeline cache");
    return device_.own<PipelineCacheHandle>(handle);
}

void PipelineCache::load() {
    std::vector<std::byte> file;
    std::span<const std::byte> data;
    if (!path_.empty())
        data = read(path_, file);
    if (!data.empty()) {
        included_checksum_ = cache_file_header(file).checksum;
        CacheFolder::touch(path_);
        if (data.size() > max_bytes_ - max_bytes_ / 4)
            data = {};
    }
    VkResult result = VK_SUCCESS;
    cache_ = create(data, result);
    if (!cache_ && !data.empty()) {
        warn_once("the driver refused its contents (" + result_name(result) + ")");
        data = {};
        cache_ = create(data, result);
    }
    if (!cache_) {
        warn_once("vkCreatePipelineCache failed (" + result_name(result) +
                  "); pipelines are built without a cache");
        return;
    }
    loaded_bytes_ = data.size();
    if (!data.empty())
        own_checksum_ = included_checksum_;
    if (!shared_path_.empty())
        add_shared();
    loaded_.store(true, std::memory_order_release);
}

void PipelineCache::add_shared() {
    std::vector<std::byte> file;
    const std::span<const std::byte> data = read(shared_path_, file);
    if (data.empty())
        return;
    VkResult result = VK_SUCCESS;
    const PipelineCacheHandle shared = create(data, result);
    const VkPipelineCache source = shared.get();
    if (!shared || device_.vk().MergePipelineCaches(device_.handle(), cache_.get(), 1, &source) !=
                       VK_SUCCESS) {
        warn_once("the driver refused the shared " + shared_path_);
        return;
    }
    // As loaded: what the shared file has is no reason to write the program's own.
    std::vector<std::byte> both(sizeof(CacheFileHeader));
    if (append_data(cache_.get(), both))
        own_checksum_ = header_of(both).checksum;
}

PipelineCache::~PipelineCache() {
    save();
}

bool PipelineCache::append_data(VkPipelineCache cache, std::vector<std::byte>& file) const {
    const size_t before = file.size();
    // Other threads add pipelines meanwhile: VK_INCOMPLETE.
    constexpr int tries = 4;
    for (int i = 0; i < tries; ++i) {
        size_t bytes = 0;
        if (device_.vk().GetPipelineCacheData(device_.handle(), cache, &bytes, nullptr) !=
            VK_SUCCESS)
            return false;
        file.resize(before + bytes);
        const VkResult result = device_.vk().GetPipelineCacheData(device_.handle(), cache, &bytes,
                                                                  file.data() + before);
        file.resize(before + bytes);
        if (result != VK_INCOMPLETE)
            return result == VK_SUCCESS;
    }
    return false;
}

bool PipelineCache::merge_others(std::vector<std::byte>& file) const {
    std::vector<std::byte> other;
    std::string ignored; // writing the file says what is wrong with it
    constexpr size_t header_bytes = sizeof(CacheFileHeader);
    if (read_file(path_, max_bytes_ + header_bytes, other, ignored) != FileRead::done ||
        other.size() < header_bytes || cache_file_header(other).checksum == included_checksum_ ||
        cache_file_fault(other, device_.properties()))
        return false;
    VkResult result = VK_SUCCESS;
    const PipelineCacheHandle both = create(cache_file_data(other), result);
    if (!both)
        return false;
    const VkPipelineCache own = cache_.get();
    std::vector<std::byte> merged(header_bytes);
    if (device_.vk().MergePipelineCaches(device_.handle(), both.get(), 1, &own) != VK_SUCCESS ||
        !append_data(both.get(), merged) || merged.size() > max_bytes_ + header_bytes)
        return false;
    file = std::move(merged);
    return true;
}

bool PipelineCache::write(std::vector<std::byte>& file, const CacheFileHeader& header) {
    std::memcpy(file.data(), &header, sizeof header);
    std::string why;
    if (write_file_atomically(path_, file, why))
        return true;
    warn_once("not written, " + why + "; running on without it (KOBALT_CACHE_DIR)");
    return false;
}

CacheFileHeader PipelineCache::header_of(std::span<const std::byte> file) const {
    return CacheFileHeader::of(device_.properties(), cache_file_data(file));
}

bool PipelineCache::save() {
    const std::lock_guard lock(save_mutex_);
    if (path_.empty() || !loaded_.load(std::memory_order_acquire) || device_.lost() ||
        device_.status().belongs_to_parent())
        return false;
    std::vector<std::byte> file(sizeof(CacheFileHeader));
    if (!append_data(cache_.get(), file))
        return false;
    const CacheFileHeader own = header_of(file);
    if (own.checksum == own_checksum_)
        return true;
    if (own.data_bytes > max_bytes_) {
        warn_once("not written, its " + size_text(own.data_bytes) + " are more than the limit of " +
                  size_text(max_bytes_) + " (KOBALT_CACHE_MAX_MB)");
        return false;
    }
    // Without the lock the last process that writes wins, and the file is whole all the same.
    const FileDescriptor writing = folder_.lock();
    const bool merged = merge_others(file);
    const CacheFileHeader header = merged ? header_of(file) : own;
    folder_.make_room(path_, max_bytes_ - header.data_bytes);
    if (!write(file, header))
        return false;
    own_checksum_ = own.checksum;
    if (!merged)
        included_checksum_ = own.checksum;
    return true;
}

} // namespace kobalt::vulkan
