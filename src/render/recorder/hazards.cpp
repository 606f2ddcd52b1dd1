// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/hazards.h"

namespace kobalt::render {

void Hazards::write(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    ++uses_;
    note_resident_write(resource);
    add(batch_->add_write(resource, stages, access));
}

void Hazards::storage(Resource& resource, VkPipelineStageFlags2 stages, bool writes) {
    ++uses_;
    if (writes) {
        stored_ = true;
        note_resident_write(resource);
    }
    add(batch_->add_storage_access(resource, stages, writes, epoch_));
}

// Not by write(), which would make the next draw add the residents' accesses again.
void Hazards::resident_storage(Resource& resource, VkPipelineStageFlags2 stages) {
    ++uses_;
    add(batch_->add_write(resource, stages,
                          VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                              VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                              VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT));
}

void Hazards::note_resident_write(Resource& resource) {
    if (residency_.empty() || !residency_.contains(resource))
        return;
    // The accesses of draws through handles are added once a batch, and this write comes after all
    // of them: it waits for what they would have waited for.
    if (residency_.stages())
        (void)batch_->add_read(resource, residency_.stages(), VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    residency_.note_write(resource);
}

} // namespace kobalt::render
