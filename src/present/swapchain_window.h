// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "present/buffer_ages.h"
#include "present/surface.h"
#include "present/swapchain.h"
#include "present/window.h"
#include "vulkan/commands/command_pool.h"

namespace kobalt::present {

/// A window whose frames are copied to the images of a swapchain.
class SwapchainWindow final : public Window {
public:
    SwapchainWindow(vulkan::Device& device, vulkan::CommandPools& pools,
                    std::shared_ptr<const Surface> surface, const WindowInfo& info);
    /// Waits for the graphics queue, which may still be copying frames.
    ~SwapchainWindow() override;

    /// Shown::refused: no swapchain can be made for this window, or its surface is lost.
    /// why_refused() tells the reason.
    Shown present(const Frame& frame) override;
    std::optional<VkExtent2D> size() override;
    bool lost() const override { return lost_.load(std::memory_order_acquire); }
    void close() override;
    void set_interval(int interval) override {
        interval_.store(interval, std::memory_order_release);
    }
    int buffer_age(const void* buffer) const override { return ages_.age(buffer); }
    void forget(const void* buffer) override { ages_.forget(buffer); }
    SyncCounters& counters() override { return *counters_; }
    const SurfaceInfo& native() const override { return native_; }

    int interval() const { return interval_.load(std::memory_order_acquire); }
    /// Why present() refused a frame. Only the thread that called it may ask.
    const vulkan::Error& why_refused() const { return refusal_; }
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

    void end_swapchains();
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
    const SurfaceInfo native_;
    /// Null behind close(): compositors take one surface for a window.
    std::atomic<std::shared_ptr<const Surface>> surface_;
    const std::shared_ptr<SyncCounters> counters_;
    const bool translucent_;
    const bool waits_before_presenting_;
    std::atomic<int> interval_;
    std::atomic<bool> lost_{false};
    BufferAges ages_;

    std::mutex frame_mutex_; ///< guards the swapchain and everything below
    std::unique_ptr<Swapchain> swapchain_;
    std::vector<Retired> retired_;
    std::vector<AcquireSemaphore> acquired_;
    vulkan::Error refusal_; ///< of the swapchain that couldn't be made
    bool refused_ = false;
    bool outdated_ = false; ///< the swapchain can't be used any more
    bool suboptimal_ = false;
    bool complained_ = false;
    uint64_t frames_ = 0;     ///< presentations queued
    uint64_t last_value_ = 0; ///< of the graphics queue's timeline: the last copy
    uint32_t swapchains_made_ = 0;
};

} // namespace kobalt::present
