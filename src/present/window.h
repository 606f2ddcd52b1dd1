// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "present/surface.h"
#include "present/swapchain.h"
#include "render/resource.h"
#include "vulkan/commands/command_pool.h"

namespace kobalt::present {

struct WindowInfo {
    SurfaceInfo surface;
    bool translucent = false; ///< the drawable has alpha and isn't presented opaque
    int interval = 1;         ///< swap interval to start with
};

enum class Shown {
    yes,
    skipped, ///< the window has no area, or changes faster than swapchains can be recreated
    lost,    ///< the window or the device is gone
};

/// A native window. Frames are drawn into images of our own and copied to the swapchain's images.
/// So a frame's image keeps its contents over a swap, can be read back, and never waits for the
/// compositor. Thread-safe.
class Window {
public:
    Window(vulkan::Device& device, vulkan::CommandPools& pools,
           std::shared_ptr<const Surface> surface, const WindowInfo& info);
    /// Waits for the graphics queue, which may still be copying frames.
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Presents `frame`, whose drawing was submitted before. `buffer` identifies the drawable's
    /// buffer for buffer_age(). Blocks as the swap interval requires. Problems are logged once.
    Shown present(const render::Ref<render::Image>& frame, const void* buffer);

    /// The window's current size in pixels. Empty where the frames determine the size, where the
    /// window has no area, or when it is gone.
    std::optional<VkExtent2D> size();
    /// Whether the window or the device is gone: nothing can be presented any more.
    bool lost() const { return lost_.load(std::memory_order_acquire); }

    /// Takes effect with the next frame.
    void set_interval(int interval) { interval_.store(interval, std::memory_order_release); }

    /// EGL_EXT_buffer_age: the number of frames presented since `buffer` was last presented, plus
    /// one; 0: its contents are undefined.
    int buffer_age(const void* buffer);
    /// Resets the age to 0: the buffer has new storage.
    void forget(const void* buffer);

    const SurfaceInfo& native() const { return surface_->info(); }
    /// The number of presentations queued so far (for tests).
    uint64_t presentations() const { return frames_; }
    /// The number of swapchains created so far (for tests).
    uint32_t swapchains_made() const { return swapchains_made_; }

private:
    struct Acquired {
        uint32_t index = 0;
        size_t semaphore = 0; ///< index in acquired_
    };
    struct AcquireSemaphore {
        vulkan::Semaphore semaphore;
        uint64_t value = 0; ///< last submission that waited for it
    };
    struct Retired {
        std::unique_ptr<Swapchain> swapchain;
        uint64_t frame = 0; ///< presentations queued when the swapchain was replaced
    };

    /// One presentation of a frame.
    Shown show(const render::Ref<render::Image>& frame);
    vulkan::Result<bool> prepare(const render::Image& frame);
    vulkan::Result<void> replace_swapchain(const SwapchainRequest& request);
    vulkan::Result<size_t> idle_semaphore();
    VkResult acquire(Acquired& acquired);
    vulkan::Result<uint64_t> submit_copy(const render::Ref<render::Image>& frame,
                                         const Acquired& acquired);
    void retire_old(uint64_t value);
    Shown fail(const vulkan::Error& error);

    vulkan::Device& device_;
    vulkan::CommandPools& pools_;
    const std::shared_ptr<const Surface> surface_;
    const bool translucent_;
    const bool waits_before_presenting_;
    std::atomic<int> interval_;
    std::atomic<bool> lost_{false};

    std::mutex frame_mutex_; ///< guards the swapchain and everything below
    std::unique_ptr<Swapchain> swapchain_;
    std::vector<Retired> retired_;
    std::vector<AcquireSemaphore> acquired_;
    bool outdated_ = false; ///< the swapchain can't be used any more
    bool suboptimal_ = false;
    bool complained_ = false;
    uint64_t frames_ = 0; ///< presentations queued
    uint32_t swapchains_made_ = 0;

    std::mutex ages_mutex_; ///< guards shown_in_ and frame_number_
    std::unordered_map<const void*, uint64_t> shown_in_;
    uint64_t frame_number_ = 0;
};

} // namespace kobalt::present
