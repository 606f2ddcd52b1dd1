// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <utility>

#include "render/bindless/residency.h"
#include "render/commands/batch.h"

namespace kobalt::render {

/// The hazards of a recorder's main stream. Each use of a resource is noted here, before the
/// command that uses it; the barriers that the uses need are gathered, until take() hands them out
/// as one. Images stay in VK_IMAGE_LAYOUT_GENERAL, so that one is a global memory barrier. Used by
/// the recorder's thread.
///
/// GL leaves loads and stores of shaders unordered until glMemoryBarrier (OpenGL 4.6, 7.13.2),
/// which begins an epoch here: the first use after it of what was stored before has a barrier.
class Hazards {
public:
    /// `residency`: the recorder's. `epoch`: BatchPool::next_epoch().
    Hazards(Residency& residency, uint64_t epoch) : residency_(residency), epoch_(epoch) {}

    /// The batch that is being recorded. Null: there is none, and nothing may be noted.
    void set_batch(Batch* batch) { batch_ = batch; }

    void read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
        ++uses_;
        add(batch_->add_read(resource, stages, access));
    }
    /// Notes the read of a part of the resource.
    void read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
              const ByteRange& part) {
        ++uses_;
        add(batch_->add_read(resource, stages, access, part));
    }
    /// Notes a write, and any read at the same time.
    void write(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access);
    /// Notes a use as a storage buffer or image.
    void storage(Resource& resource, VkPipelineStageFlags2 stages, bool writes);
    /// Notes loads and stores through a resident handle.
    void resident_storage(Resource& resource, VkPipelineStageFlags2 stages);
    /// Has the next commands wait, whatever they use.
    void add(const Hazard& needed) {
        if (needed)
            gathered_.merge(needed);
    }

    /// Whether a barrier has to be recorded before the next command.
    bool any() const { return static_cast<bool>(gathered_); }
    /// Returns the gathered barrier and begins a new, empty one.
    Hazard take() { return std::exchange(gathered_, {}); }

    /// Whether a shader stored something in this epoch.
    bool stored() const { return stored_; }
    /// Begins an epoch: glMemoryBarrier.
    void begin_epoch(uint64_t epoch) {
        epoch_ = epoch;
        stored_ = false;
        ++uses_;
    }
    /// A number that changes with each use and each epoch. Never 0.
    uint64_t uses() const { return uses_; }

private:
    void note_resident_write(Resource& resource);

    Residency& residency_;
    Batch* batch_ = nullptr;
    Hazard gathered_;
    uint64_t epoch_;
    uint64_t uses_ = 1;
    bool stored_ = false;
};

} // namespace kobalt::render
