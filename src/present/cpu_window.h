// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "present/buffer_ages.h"
#include "present/frame_clock.h"
#include "present/frame_download.h"
#include "present/frame_sink.h"
#include "present/frame_slot.h"
#include "present/window.h"
#include "vulkan/commands/command_pool.h"

namespace kobalt::present {

/// A window without a swapchain. The GPU copies each frame into host memory, and a thread of the
/// window's puts it to the window system when the copy is there and the swap interval allows. So
/// present() waits only while all slots are in use. With swap interval 0 it doesn't wait for the
/// window system: a frame that waits for its turn gives way to a newer one.
class CpuWindow final : public Window {
public:
    /// `pools` are of the graphics queue.
    CpuWindow(vulkan::Device& device, vulkan::CommandPools& pools, std::unique_ptr<FrameSink> sink,
              const WindowInfo& info);
    /// Shows the last frame, unless the window system doesn't answer.
    ~CpuWindow() override;

    Shown present(const Frame& frame) override;
    std::optional<VkExtent2D> size() override;
    bool lost() const override { return lost_.load(std::memory_order_acquire); }
    void close() override { lost_.store(true, std::memory_order_release); }
    void set_interval(int interval) override {
        interval_.store(interval, std::memory_order_release);
    }
    int buffer_age(const void* buffer) const override { return ages_.age(buffer); }
    void forget(const void* buffer) override { ages_.forget(buffer); }
    SyncCounters& counters() override { return *info_.counters; }
    const SurfaceInfo& native() const override { return info_.surface; }

    /// How pictures get to the window.
    const FrameSink& sink() const { return *sink_; }
    /// The number of pictures put so far (for tests).
    uint64_t pictures() const { return pictures_.load(std::memory_order_acquire); }

private:
    FrameSlot* take_slot(int interval);
    FrameSlot* drop_oldest();
    void miss(const VkRect2D& damage);
    void give_back(FrameSlot& slot);
    vulkan::Result<void> fill(FrameSlot& slot, const render::Ref<render::Image>& frame);
    Shown fail(const vulkan::Error& error);
    void complain(const std::string& what);

    void run();
    FrameSlot* next_frame();
    void wait_for_turn(const FrameSlot& slot);
    void show(const FrameSlot& slot);

    vulkan::Device& device_;
    vulkan::CommandPools& pools_;
    const WindowInfo info_;
    const std::unique_ptr<FrameSink> sink_;
    std::atomic<int> interval_;
    std::atomic<bool> lost_{false};
    std::atomic<bool> complained_{false};
    std::atomic<uint64_t> pictures_{0};
    BufferAges ages_;

    std::mutex present_mutex_; ///< one present() at a time; guards the members up to the next mutex
    bool layout_chosen_ = false; ///< FrameSink::choose_layout() was called
    FrameDownload download_;
    uint64_t last_value_ = 0; ///< of the last submission

    /// One frame is being put, one waits for its turn, one is being copied.
    std::array<FrameSlot, 3> slots_;
    std::mutex queue_mutex_; ///< guards the members up to the thread
    std::condition_variable changed_;
    std::vector<FrameSlot*> idle_;
    std::deque<FrameSlot*> queued_; ///< oldest first
    VkRect2D missed_{};             ///< damage of frames that were given up since the last picture
    VkExtent2D last_extent_{};      ///< of the last picture
    bool ending_ = false;
    bool ended_ = false;

    FrameClock clock_; ///< the thread's own
    std::thread thread_;
};

} // namespace kobalt::present
