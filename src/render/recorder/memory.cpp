// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/impl.h"
#include "render/sync/external_semaphore.h"

// Sparse memory of resources, and memory and semaphores shared with others.

namespace kobalt::render {

namespace {

/// Binding is ordered among submissions, so what was recorded has to be submitted first. The batch
/// that begins then waits for the binding, and retains the resource until that is done.
template <class Object>
bool commit_in_order(Recorder& recorder, Object& object, auto&&... what) {
    recorder.flush();
    if (recorder.device_lost())
        return false;
    const auto done = object.pages()->commit(what...);
    if (!done)
        recorder.engine().device().log().error(done.error().to_string());
    else
        recorder.batch().mark_used(object, false);
    return done.has_value();
}

} // namespace

bool Recorder::commit(Buffer& buffer, VkDeviceSize offset, VkDeviceSize size, bool backed) {
    return commit_in_order(*this, buffer, offset, size, backed);
}

bool Recorder::commit(Image& image, uint32_t level, const vulkan::TexelBox& box, bool backed) {
    return commit_in_order(*this, image, level, box, backed);
}

void Recorder::wait_for_semaphore(Ref<ExternalSemaphore> semaphore) {
    // A wait holds back the whole batch that it is submitted with.
    flush();
    if (impl_->broken)
        return;
    impl_->semaphores.waits.push_back({semaphore->handle()});
    batch_->has_commands = true;
    retain(*semaphore);
}

void Recorder::signal_semaphore(Ref<ExternalSemaphore> semaphore) {
    if (impl_->broken)
        return;
    impl_->semaphores.signals.push_back({semaphore->handle()});
    batch_->has_commands = true;
    retain(*semaphore);
    flush();
}

void Recorder::Impl::transfer_external(Resource& resource, bool release) {
    recorder.leave_pass();
    if (broken)
        return;
    const uint32_t own = engine.device().graphics().family();
    VkImageMemoryBarrier2 image{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    VkBufferMemoryBarrier2 buffer{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    const auto describe = [&](auto& barrier) {
        barrier.srcStageMask =
            release ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : VK_PIPELINE_STAGE_2_NONE;
        barrier.srcAccessMask = release ? VK_ACCESS_2_MEMORY_WRITE_BIT : VK_ACCESS_2_NONE;
        barrier.dstStageMask =
            release ? VK_PIPELINE_STAGE_2_NONE : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask =
            release ? VK_ACCESS_2_NONE : VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.srcQueueFamilyIndex = release ? own : VK_QUEUE_FAMILY_EXTERNAL;
        barrier.dstQueueFamilyIndex = release ? VK_QUEUE_FAMILY_EXTERNAL : own;
    };
    if (auto* external = dynamic_cast<Image*>(&resource)) {
        // From the first use on Kobalt owns it; before that the prologue acquires it.
        if (external->outside != VK_QUEUE_FAMILY_EXTERNAL ||
            !external->initialized.load(std::memory_order_acquire))
            return;
        external->away = release;
        describe(image);
        image.oldLayout = image.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        image.image = external->handle();
        image.subresourceRange = {external->aspects(), 0, VK_REMAINING_MIP_LEVELS, 0,
                                  VK_REMAINING_ARRAY_LAYERS};
        info.imageMemoryBarrierCount = 1;
        info.pImageMemoryBarriers = &image;
    } else if (auto* shared = dynamic_cast<Buffer*>(&resource)) {
        describe(buffer);
        buffer.buffer = shared->handle();
        buffer.size = VK_WHOLE_SIZE;
        info.bufferMemoryBarrierCount = 1;
        info.pBufferMemoryBarriers = &buffer;
    }
    batch->mark_used(resource, true);
    vk.CmdPipelineBarrier2(commands(), &info);
}

void Recorder::release_external(Resource& resource) {
    impl_->transfer_external(resource, true);
}

void Recorder::acquire_external(Resource& resource) {
    impl_->transfer_external(resource, false);
}

} // namespace kobalt::render
