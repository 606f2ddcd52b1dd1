// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/base/error.h"
#include "vulkan/base/handle.h"
#include "vulkan/pipelines/cache_folder.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace kobalt::vulkan {

struct CacheFileHeader;
class Device;

/// A VkPipelineCache kept in a file from run to run, one for each program and device. The file has
/// a header of ours (cache_file.h) before Vulkan's data and is replaced atomically. What another
/// process of the program has written meanwhile is merged. A fault of the file or its folder costs
/// one warning and the cache's contents, never more. The first call of handle() reads the file, so
/// starting a program doesn't, and a program that builds no pipeline never reads it. Thread-safe.
class PipelineCache {
public:
    /// An empty `directory` or `max_bytes` 0 gives a cache in memory alone. The files of all
    /// programs have at most `max_bytes`: those that were used the longest time ago make room, and
    /// a program that fills more than three quarters alone begins anew. `shared_directory`: of a
    /// cache whose pipelines are found as well, and which is only read; empty: none.
    static std::unique_ptr<PipelineCache> open(Device& device, const std::string& directory,
                                               uint64_t max_bytes,
                                               const std::string& shared_directory = {});
    /// Takes its arguments from the instance's environment (KOBALT_CACHE_DIR, KOBALT_CACHE_MAX_MB,
    /// KOBALT_SHARED_CACHE_DIR).
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
    PipelineCache(Device& device, std::string folder, uint64_t max_bytes, std::string shared_path)
        : device_(device), folder_(std::move(folder)), path_(folder_.file_of_program()),
          shared_path_(std::move(shared_path)), max_bytes_(max_bytes) {}
    void load();
    /// Lets cache_ find what the shared file has.
    void add_shared();
    /// Returns the part of a file that Vulkan gets; nothing, with a warning, where the file is bad.
    std::span<const std::byte> read(const std::string& path, std::vector<std::byte>& file);
    PipelineCacheHandle create(std::span<const std::byte> data, VkResult& result) const;
    /// Appends the contents of a cache to `file`. False: the driver doesn't give them.
    bool append_data(VkPipelineCache cache, std::vector<std::byte>& file) const;
    /// Where the file has what another process has written, replaces the contents of `file` by
    /// those of both. False: there is nothing to merge.
    bool merge_others(std::vector<std::byte>& file) const;
    CacheFileHeader header_of(std::span<const std::byte> file) const;
    bool write(std::vector<std::byte>& file, const CacheFileHeader& header);
    void warn_once(const std::string& text);

    Device& device_;
    const CacheFolder folder_;
    const std::string path_;
    const std::string shared_path_; ///< empty: there is none
    const uint64_t max_bytes_;
    std::once_flag loading_;
    std::atomic<bool> loaded_{false}; ///< load() has run: cache_ doesn't change any more
    PipelineCacheHandle cache_;
    size_t loaded_bytes_ = 0;
    std::mutex save_mutex_;
    uint64_t own_checksum_ = 0;      ///< of the cache's data when it was loaded or saved
    uint64_t included_checksum_ = 0; ///< of a file's data that the cache has, or has dropped
    bool warned_ = false;
};

} // namespace kobalt::vulkan
