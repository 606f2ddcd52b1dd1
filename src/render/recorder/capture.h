// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <span>

#include "render/recorder/hazards.h"
#include "render/recorder/recorder.h"

namespace kobalt::render {

/// Transform feedback (VK_EXT_transform_feedback): its targets, and whether it is active. It is
/// active inside of passes only. Counter buffers carry the append position from one pass to the
/// next, and into Recorder::draw_stream_output().
class Capture {
public:
    /// Sets the targets of the next begin(). `append_mask`: the targets that are appended to; the
    /// others begin anew.
    void set_targets(std::span<StreamOutputTarget* const> targets, uint32_t append_mask);
    bool has_targets() const { return count_ != 0; }
    bool active() const { return active_; }
    /// Notes the accesses of the next begin() and its end().
    void add_accesses(Hazards& hazards, Batch& batch) const;
    /// `missing`: what is bound where there is no target.
    void begin(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands, const Buffer& missing);
    /// Ends the capture, if one is active.
    void end(const vulkan::DeviceDispatch& vk, VkCommandBuffer commands);

private:
    uint32_t count_ = 0;
    bool active_ = false;
    std::array<StreamOutputTarget*, max_stream_output_buffers> targets_{};
};

} // namespace kobalt::render
