// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace kobalt::vulkan {

class Device;

/// A VkPipelineCache kept in a file from run to run. The file has a header of ours (magic, version,
/// device, driver, size, checksum) before Vulkan's data and is replaced atomically. A fault of the
/// file or its folder costs one warning and the cache's contents, never more. The first call of
/// handle() reads the file, so starting a program doesn't, and a program that builds no pipeline
/// never reads it. Thread-safe.
class PipelineCache {
public:
    /// An empty `directory` or `max_bytes` 0 gives a cache in memory alone.
    static std::unique_ptr<PipelineCache> open(Device& device, const std::string& directory,
                                               uint64_t max_bytes);
    /// Takes its arguments from the instance's environment (KOBALT_CACHE_DIR, KOBALT_CACHE_MAX_MB).
    /// There is no cache at all with a driver that has an on-disk cache of its own.
    static std::unique_ptr<PipelineCache> open(Device& device);
    /// Saves the file.
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// VK_NULL_HANDLE where there is no cache, or where even an empty one could not be created.
    /// Pipelines are then built without a cache.
    VkPipelineCache handle() {
        std::call_once(loading_, [this] { load(); });
        return cache_.get();
    }
    /// Writes the file if the contents changed. False: it was not written; a warning has said why,
    /// unless the cache was never used.
    bool save();
    /// Empty for a cache in memory alone.
    const std::string& path() const { return path_; }
    /// Bytes of Vulkan's data taken over from the file; 0: started empty.
    size_t loaded_bytes() {
        (void)handle();
        return loaded_bytes_;
    }

private:
    PipelineCache(Device& device, std::string path, uint64_t max_bytes)
        : device_(device), path_(std::move(path)), max_bytes_(max_bytes) {}
    void load();
    void warn_once(const std::string& text);

    Device& device_;
    std::string path_;
    uint64_t max_bytes_;
    std::once_flag loading_;
    std::atomic<bool> loaded_{false}; ///< load() has run: cache_ doesn't change any more
    PipelineCacheHandle cache_;
    size_t loaded_bytes_ = 0;
    std::mutex save_mutex_;
    size_t saved_bytes_ = 0;
    uint64_t saved_checksum_ = 0;
    bool warned_ = false;
};

} // namespace kobalt::vulkan
