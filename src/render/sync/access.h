// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include <vulkan/vulkan_core.h>

namespace kobalt::render {

/// The barrier that one use of a resource needs; all masks zero means none.
struct Hazard {
    VkPipelineStageFlags2 source_stages = 0;
    VkAccessFlags2 source_access = 0;
    VkPipelineStageFlags2 target_stages = 0;
    VkAccessFlags2 target_access = 0;

    explicit operator bool() const { return target_stages != 0; }
    void merge(const Hazard& other) {
        source_stages |= other.source_stages;
        source_access |= other.source_access;
        target_stages |= other.target_stages;
        target_access |= other.target_access;
    }
};

/// What the queue did last with a resource, in recording order (Vulkan 1.3, chapter 7:
/// synchronization). Ranges and layouts are left to others, so that a resource's state is a few
/// masks, and global memory barriers are enough but for transition().
class AccessState {
public:
    /// Notes a read; returns the barrier from the last write when that isn't visible yet.
    Hazard read(VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
        read_stages_ |= stages;
        stored_in_ = 0;
        return read_needs_barrier(stages, access) ? make_visible(stages, access) : Hazard{};
    }
    /// Notes a write; returns the barrier from whatever came before.
    Hazard write(VkPipelineStageFlags2 stages, VkAccessFlags2 access);
    /// Notes a use that finds the image in another layout; `write`: the use itself writes. Returns
    /// the barrier from whatever came before, which the image's own barrier has to make; it may
    /// have no source.
    Hazard transition(VkPipelineStageFlags2 stages, VkAccessFlags2 access, bool write);
    /// Whether read() would return a barrier; changes nothing.
    bool read_needs_barrier(VkPipelineStageFlags2 stages, VkAccessFlags2 access) const {
        return write_stages_ != 0 &&
               ((stages & ~visible_stages_) != 0 || (access & ~visible_access_) != 0);
    }
    /// Whether anything was noted yet.
    bool any() const { return (write_stages_ | read_stages_) != 0; }
    /// Whether a write was noted.
    bool wrote() const { return write_stages_ != 0; }
    /// Notes an access to a storage buffer or image. GL leaves such accesses by different draws and
    /// dispatches unordered until glMemoryBarrier (OpenGL 4.6, 7.13.1). `epoch` counts those
    /// barriers: stages that began an epoch with a store need no further barrier in it.
    Hazard storage(VkPipelineStageFlags2 stages, bool write, uint64_t epoch);

private:
    Hazard make_visible(VkPipelineStageFlags2 stages, VkAccessFlags2 access);

    VkPipelineStageFlags2 write_stages_ = 0;
    VkAccessFlags2 write_access_ = 0;
    VkPipelineStageFlags2 visible_stages_ = 0;
    VkAccessFlags2 visible_access_ = 0;
    VkPipelineStageFlags2 read_stages_ = 0;
    uint64_t stored_in_ = 0; ///< the epoch of the last use, if that was a storage write; else 0
};

} // namespace kobalt::render
