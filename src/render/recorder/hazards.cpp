// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/hazards.h"

#include <algorithm>

namespace kobalt::render {

VkImageMemoryBarrier2* Hazards::moved(const Resource& resource) {
    const auto found = std::ranges::find(moved_of_, &resource);
    return found == moved_of_.end() ? nullptr
                                    : &moved_[static_cast<size_t>(found - moved_of_.begin())];
}

bool Hazards::move_for(const Resource& resource, const Hazard& needed) {
    VkImageMemoryBarrier2* const barrier = moved(resource);
    if (!barrier)
        return false;
    barrier->dstStageMask |= needed.target_stages;
    barrier->dstAccessMask |= needed.target_access;
    return true;
}

void Hazards::move(Image& image, VkImageLayout from, VkImageLayout to, const Hazard& needed) {
    // A draw that was given up may have moved it in this barrier.
    if (move_for(image, needed)) {
        moved(image)->newLayout = to;
        return;
    }
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.srcStageMask = needed.source_stages;
    barrier.srcAccessMask = needed.source_access;
    barrier.dstStageMask = needed.target_stages;
    barrier.dstAccessMask = needed.target_access;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image.handle();
    barrier.subresourceRange = {image.aspects(), 0, VK_REMAINING_MIP_LEVELS, 0,
                                VK_REMAINING_ARRAY_LAYERS};
    moved_.push_back(barrier);
    moved_of_.push_back(&image);
}

VkImageLayout Hazards::layout(const Image& image) const {
    const auto found = std::ranges::find(attachments_, &image, &Attachment::image);
    return found == attachments_.end() ? VK_IMAGE_LAYOUT_GENERAL : found->layout;
}

void Hazards::attach(Image& image, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                     VkImageLayout wanted) {
    if (wanted == VK_IMAGE_LAYOUT_GENERAL) {
        write(image, stages, access);
    } else {
        ++uses_;
        note_resident_write(image);
        if (attachment_layout(image)) {
            add(image, batch_->add_write(image, stages, access));
        } else {
            move(image, VK_IMAGE_LAYOUT_GENERAL, wanted,
                 batch_->add_transition(image, stages, access, true));
            image.attachment_layout_in.store(this, std::memory_order_relaxed);
            attachments_.push_back({&image, wanted});
        }
    }
    // The barrier that is gathered now comes before the write.
    batch_->note_attached(image, time_ + 1);
}

void Hazards::attach_to_read(Image& image, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    if (!attachment_layout(image))
        return read(image, stages, access);
    ++uses_;
    add(image, batch_->add_read(image, stages, access));
}

bool Hazards::covered(Resource& resource, const Hazard& needed) {
    const uint64_t written = batch_->attached_at(resource);
    if (!written || resource.written_by_shaders())
        return false;
    const auto has = [](auto all, auto part) { return (part & ~all) == 0; };
    const uint64_t oldest = time_ - std::min<uint64_t>(time_, recorded_.size());
    for (uint64_t time = std::max(written, oldest); time < time_; ++time) {
        const Hazard& barrier = recorded_[time % recorded_.size()];
        if (has(barrier.source_stages, needed.source_stages) &&
            has(barrier.source_access, needed.source_access) &&
            has(barrier.target_stages, needed.target_stages) &&
            has(barrier.target_access, needed.target_access))
            return true;
    }
    return false;
}

void Hazards::make_general(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                           bool write) {
    const auto found = std::ranges::find(attachments_, &resource, &Attachment::image);
    Image& image = *found->image;
    move(image, found->layout, VK_IMAGE_LAYOUT_GENERAL,
         batch_->add_transition(image, stages, access, write));
    image.attachment_layout_in.store(nullptr, std::memory_order_relaxed);
    attachments_.erase(found);
}

void Hazards::end_batch() {
    // The likeliest uses in the next batch. Others wait for these.
    constexpr VkPipelineStageFlags2 stages =
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    constexpr VkAccessFlags2 access =
        VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT;
    while (!attachments_.empty())
        make_general(*attachments_.back().image, stages, access, false);
}

void Hazards::write(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
    ++uses_;
    note_resident_write(resource);
    if (attachment_layout(resource)) [[unlikely]]
        return make_general(resource, stages, access, true);
    add(resource, batch_->add_write(resource, stages, access));
}

void Hazards::storage(Resource& resource, VkPipelineStageFlags2 stages, bool writes) {
    ++uses_;
    if (writes) {
        stored_ = true;
        note_resident_write(resource);
    }
    if (attachment_layout(resource)) [[unlikely]]
        make_general(resource, stages,
                     VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                     writes);
    add(resource, batch_->add_storage_access(resource, stages, writes, epoch_));
}

// Not by write(), which would make the next draw add the residents' accesses again.
void Hazards::resident_storage(Resource& resource, VkPipelineStageFlags2 stages) {
    constexpr VkAccessFlags2 access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                      VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                      VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    ++uses_;
    if (attachment_layout(resource)) [[unlikely]]
        return make_general(resource, stages, access, true);
    add(resource, batch_->add_write(resource, stages, access));
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
