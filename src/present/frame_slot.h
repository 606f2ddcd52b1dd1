// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <memory>

#include "present/frame_sink.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/buffer.h"

namespace kobalt::present {

/// Host memory for one frame at a time. The GPU writes into the window system's shared memory where
/// it can import it (VK_EXT_external_memory_host), else into a buffer that is copied from there.
class FrameSlot {
public:
    /// Whether there is room for a frame of that many bytes, and not far too much.
    bool holds(size_t bytes) const;
    /// Makes room for a frame. Unless it holds() one already, nothing may use the slot.
    vulkan::Result<void> reserve(vulkan::Device& device, FrameSink& sink, size_t bytes);

    /// Where the GPU writes the frame.
    VkBuffer buffer() const { return buffer_.handle(); }
    /// The frame as the sink takes it, once the GPU has written it. Only the damage is valid.
    Picture picture(const PixelLayout& layout) const;
    /// For reports and tests: whether the GPU writes into shared memory.
    bool direct() const { return direct_; }

    VkExtent2D extent{}; ///< of the frame in it
    uint64_t value = 0;  ///< of the graphics queue's timeline: the submission that writes the frame
    int interval = 0;    ///< swap interval of the frame
    VkRect2D damage{};   ///< the part of the frame that may differ from the picture before
    int64_t swap = 0;    ///< SyncCounters' number of the swap; 0: none

private:
    void import_pages(vulkan::Device& device);

    std::unique_ptr<SharedPages> pages_; ///< declared before the buffer that is made of them
    vulkan::Buffer buffer_;
    size_t capacity_ = 0; ///< bytes
    bool direct_ = false;
};

} // namespace kobalt::present
