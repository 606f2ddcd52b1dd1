// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "vulkan/device/out_of_memory.h"

namespace kobalt::render {

/// Makes something once, by the first thread that asks; others wait for it. Where that fails for
/// want of memory, the next one that asks tries again.
class Attempt {
public:
    /// `make` returns vulkan::Result<void>. Returns its result, or that of an earlier call.
    template <class Make>
    vulkan::Result<void> run(Make&& make) {
        if (made_.load(std::memory_order_acquire))
            return {};
        const std::lock_guard lock(mutex_);
        if (made_.load(std::memory_order_relaxed))
            return {};
        if (refused_)
            return std::unexpected(*refused_);
        const vulkan::Result<void> result = make();
        if (result)
            made_.store(true, std::memory_order_release);
        else if (!vulkan::is_out_of_memory(result.error().result))
            refused_ = result.error();
        return result;
    }

private:
    std::atomic<bool> made_{false};
    std::mutex mutex_;
    std::optional<vulkan::Error> refused_; ///< for good; guarded by mutex_
};

} // namespace kobalt::render
