// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"

// Draws and dispatches through handles (ARB_bindless_texture).

namespace kobalt::render {

void Recorder::Impl::add_resident_accesses(VkPipelineStageFlags2 stages, bool in_pass) {
    residency.add_accesses(
        batch->id(), stages, [&](Resource& resource, VkPipelineStageFlags2 all, bool written) {
            if (written) {
                if (auto* image = dynamic_cast<Image*>(&resource))
                    initialize(*image);
                hazards.resident_storage(resource, all);
                return true;
            }
            if (auto* image = dynamic_cast<Image*>(&resource)) {
                if (!add_sampled_read(*image, all, in_pass))
                    return false;
                // The handle may be an image's.
                hazards.read(resource, all, VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
                return true;
            }
            hazards.read(resource, all,
                         VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT);
            return true;
        });
}

BindlessBind Recorder::Impl::bind_bindless(VkPipelineBindPoint point,
                                           const PipelineLayoutEntry& layout) {
    const BindlessBind bind = binder->bind_bindless(commands(), point, layout);
    if (bind == BindlessBind::bound || bind == BindlessBind::bound_alone)
        ++tally.bindless_binds;
    return bind;
}

void Recorder::make_resident(Ref<BindlessHandle> handle, bool writes) {
    impl_->residency.add(std::move(handle), writes);
}

void Recorder::rename_residents() {
    if (!impl_->residency.empty())
        impl_->residency.rename();
}

void Recorder::make_nonresident(uint64_t handle) {
    const Ref<BindlessHandle> removed = impl_->residency.remove(handle);
    // Batches complete in order: this one completes after all batches that read the handle.
    if (removed && batch_)
        batch_->retain(*removed);
}

} // namespace kobalt::render
