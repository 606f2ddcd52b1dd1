// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/pipelines/pipeline_cache.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace kobalt::render {

class CompilerService;

/// The device's pipeline cache, saved in the background some seconds after pipelines were built, so
/// that a program that crashes or is killed keeps what it had compiled. Thread-safe.
class DiskCache {
public:
    /// Nothing is saved in the background once `compiler` is halted.
    DiskCache(std::unique_ptr<vulkan::PipelineCache> cache, CompilerService& compiler);
    ~DiskCache();

    /// For a pipeline that is built now.
    VkPipelineCache for_pipeline();
    /// Saves at once what was built since.
    void save();

private:
    class Save;
    void save_later();

    static constexpr std::chrono::seconds default_delay{5};
    std::unique_ptr<vulkan::PipelineCache> cache_;
    CompilerService& compiler_;
    std::atomic<bool> planned_{false};
    /// How long after a pipeline was built the cache is saved.
    std::atomic<std::chrono::milliseconds> delay_{default_delay};
};

} // namespace kobalt::render
