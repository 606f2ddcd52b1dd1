// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "render/bindless/heap.h"

namespace kobalt::render {

/// The handles that are resident in one recorder (ARB_bindless_texture: "resident"), and which of
/// their resources' accesses a draw through handles has to add: those of all once in each batch,
/// which makes them busy there, and later those of resources that were written or became resident
/// since. A recorder's batches complete in order, so a handle is retained here while it is resident
/// and by one batch afterwards.
class Residency {
public:
    bool empty() const { return handles_.empty(); }
    bool contains(Resource& resource) const { return resources_.contains(&resource); }
    /// Null: that handle is not resident.
    const BindlessHandle* find(uint64_t value) const;
    /// The shader stages that have read through handles so far.
    VkPipelineStageFlags2 stages() const { return stages_; }

    /// `writes`: shaders may store through it (glMakeImageHandleResidentARB).
    void add(Ref<BindlessHandle> handle, bool writes);
    /// Null: it is not resident. The batch that is being recorded has to retain the handle.
    Ref<BindlessHandle> remove(uint64_t value);
    /// Called when handles may name other resources than before (BindlessHeap::move_handles).
    void rename();
    /// Notes a write to a resident resource: the next draw through handles has to come after it.
    void note_write(Resource& resource);

    /// Whether a resource was added or written since add_accesses(), or any draw through handles
    /// may write.
    bool stale() const { return stale_ || writers_ != 0; }
    /// Whether a draw of batch `batch` whose `stages` read through handles has to call
    /// add_accesses() first.
    bool wants(uint64_t batch, VkPipelineStageFlags2 stages) const {
        return stale() || (!resources_.empty() && batch != added_in_) || (stages & ~stages_) != 0;
    }
    /// Calls `use` with each resource whose access has to be added, the stages that may read it,
    /// and whether they may write it: a resource that may be written is added each time. False from
    /// `use`: it can't be added now, only after the open pass.
    template <class Use>
    void add_accesses(uint64_t batch, VkPipelineStageFlags2 stages, const Use& use) {
        if (batch != added_in_ || (stages & ~stages_) != 0)
            look_at_all();
        else if (writers_)
            look_at_written();
        added_in_ = batch;
        stages_ |= stages;
        stale_ = false;
        std::erase_if(pending_, [&](Resource* resource) {
            return use(*resource, stages_, resources_.at(resource).writers != 0);
        });
    }

private:
    void use(Resource& resource, bool writes);
    void unuse(Resource& resource, bool wrote);
    void look_at_all();
    void look_at_written();

    struct Resident {
        Ref<BindlessHandle> handle;
        Ref<Resource> resource; ///< as of the last rename()
        bool writes = false;
    };
    /// How many handles name a resource, and how many of them shaders may store through.
    struct Use {
        uint32_t handles = 0, writers = 0;
    };
    std::unordered_map<uint64_t, Resident> handles_;
    std::unordered_map<Resource*, Use> resources_;
    uint32_t writers_ = 0; ///< handles that shaders may store through
    std::unordered_set<Resource*> pending_;
    VkPipelineStageFlags2 stages_ = 0;
    uint64_t added_in_ = 0; ///< a batch
    bool stale_ = false;
};

} // namespace kobalt::render
