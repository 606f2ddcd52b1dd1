// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/commands/batch.h"

#include <algorithm>
#include <array>

#include "vulkan/base/faults.h"
#include "vulkan/resources/host_copy.h"

namespace kobalt::render {

Batch::Batch(vulkan::Device& device, vulkan::CommandPools& pools,
             std::unique_ptr<vulkan::CommandPool> pool, VkCommandBuffer commands, uint64_t id,
             ContextSlot context_slot)
    : pools_(pools), pool_(std::move(pool)), commands_(commands), init_(device.vk(), *pool_),
      token_(make_ref<BatchToken>(device, id)), context_slot_(context_slot) {}

Batch::~Batch() {
    for (const RefCounted* object : retained_)
        object->release();
    pools_.release(std::move(pool_), token_->timeline_value());
}

void Batch::retain_new(const RefCounted& object) {
    object.retain();
    retained_.push_back(&object);
}

void Batch::begin_use(Resource& resource, SlotUse& use, bool write) {
    use.used_in = id();
    if (write)
        use.written_in = id();
    take_token(resource, write);
}

const SlotUse* Batch::find_use(const Resource& resource) const {
    if (has_slot_entry())
        return &resource.uses_[context_slot_];
    const auto found = own_uses_.find(&resource);
    return found == own_uses_.end() ? nullptr : &found->second;
}

bool Batch::used_by_main(const Resource& resource, const ByteRange& part) const {
    const SlotUse* const use = find_use(resource);
    return use && use->used_in == id() && use->used.overlaps(part);
}

bool Batch::written_by_main(const Resource& resource) const {
    const SlotUse* const use = find_use(resource);
    return use && use->written_in == id();
}

Hazard Batch::add_init_access(Resource& resource, VkAccessFlags2 access, bool write,
                              const ByteRange& written) {
    constexpr VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    SlotUse& use = use_of(resource);
    if (use.init_in != id()) {
        use.init_in = id();
        use.init_access = {};
        use.init_used = ByteRanges(ByteRange::none());
    }
    const bool apart = write && !use.init_used.overlaps(written);
    use.init_used.include(write ? written : ByteRange{});
    if (write ? use.access.any() : use.access.wrote()) {
        init_.wait_for_earlier();
        // The stream ends with a barrier for everything, so nothing is left to wait for. Where the
        // main stream has used the resource, its own accesses are among those noted.
        if (use.used_in != id())
            use.access = {};
    }
    const Hazard hazard =
        write ? use.init_access.write(stages, access) : use.init_access.read(stages, access);
    take_token(resource, write);
    if (write)
        resource.note_write();
    return apart ? Hazard{} : hazard;
}

/// Retains the resource, which is busy until this batch has completed.
void Batch::take_token(Resource& resource, bool write) {
    // A wait for the resource waits for this batch, so the batch has to be submitted.
    has_commands = true;
    retain(resource);
    if (has_slot_entry())
        resource.note_slot(context_slot_);
    const std::lock_guard lock(resource.tokens_mutex_);
    Resource::Tokens& tokens = resource.tokens_of(context_slot_);
    if (!tokens.use)
        new_bytes_ += resource.bytes();
    tokens.use = token_;
    if (write) {
        tokens.write = token_;
        resource.note_written();
        writes_for_host_ |= resource.host_reads_;
    }
}

BatchPool::BatchPool(Core& core, vulkan::CommandPools& pools, std::function<void()> submitted)
    : core_(core), pools_(pools), submitted_(std::move(submitted)) {
    // KOBALT_FAULT=lost:N loses the device at the Nth submission: tests of what the app then sees.
    submissions_until_fault_ = vulkan::requested_fault().lost.value_or(-1);
}

BatchPool::~BatchPool() {
    core_.device().graphics().wait_to_destroy();
    pending_.clear();
}

vulkan::Result<std::unique_ptr<Batch>> BatchPool::begin(ContextSlot context_slot) {
    collect();
    auto pool = pools_.acquire();
    if (!pool)
        return std::unexpected(pool.error());
    auto commands = (*pool)->begin();
    if (!commands)
        return std::unexpected(commands.error());
    const uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
    return std::make_unique<Batch>(core_.device(), pools_, std::move(*pool), *commands, id,
                                   context_slot);
}

vulkan::Result<uint64_t> BatchPool::submit(Batch& batch,
                                           std::span<const vulkan::SemaphorePoint> waits,
                                           std::span<const vulkan::SemaphorePoint> signals) {
    const auto ended = batch.pool_->end(batch.commands_);
    const auto init = batch.init_.end();
    if (!ended || !init) {
        batch.token().mark_failed();
        return std::unexpected(ended ? init.error() : ended.error());
    }
    if (submissions_until_fault_.load(std::memory_order_relaxed) >= 0 &&
        submissions_until_fault_-- == 0)
        core_.device().status().mark_lost("simulated by KOBALT_FAULT=lost");
    const std::lock_guard order(submit_mutex_);
    auto value =
        core_.device().lost()
            ? vulkan::Result<uint64_t>(vulkan::fail(VK_ERROR_DEVICE_LOST, "submitting a batch"))
            : submit_in_order(batch, *init, waits, signals);
    if (!value) {
        last_context_slot_ = no_context_slot;
        batch.token().mark_failed();
        return value;
    }
    last_context_slot_ = batch.context_slot_;
    batch.token().mark_submitted(*value);
    core_.counters().batches.fetch_add(1, std::memory_order_relaxed);
    core_.counters().barriers.fetch_add(batch.init_.barriers(), std::memory_order_relaxed);
    submitted_();
    return value;
}

void BatchPool::hold(std::unique_ptr<Batch> batch) {
    const std::lock_guard lock(pending_mutex_);
    pending_.push_back(std::move(batch));
}

vulkan::Result<uint64_t>
BatchPool::submit_in_order(Batch& batch, VkCommandBuffer init,
                           std::span<const vulkan::SemaphorePoint> waits,
                           std::span<const vulkan::SemaphorePoint> signals) {
    std::vector<Ref<Image>> fresh;
    {
        const std::lock_guard lock(fresh_mutex_);
        fresh.swap(fresh_);
    }
    const auto before = prologue(batch, fresh);
    vulkan::Result<uint64_t> value =
        before ? 0 : vulkan::Result<uint64_t>(std::unexpected(before.error()));
    if (before) {
        std::array<VkCommandBuffer, 3> streams{*before, init, batch.commands_};
        const auto absent = std::ranges::remove(streams, VkCommandBuffer{VK_NULL_HANDLE});
        value = core_.device().graphics().submit({streams.begin(), absent.begin()}, waits, signals);
    }
    if (!value) {
        const std::lock_guard lock(fresh_mutex_);
        std::ranges::move(fresh, std::back_inserter(fresh_));
        return value;
    }
    for (const Ref<Image>& image : fresh)
        batch.retain(*image);
    return value;
}

vulkan::Result<VkCommandBuffer> BatchPool::prologue(Batch& batch,
                                                    std::span<const Ref<Image>> fresh) {
    // A batch that keeps its uses itself knows nothing of its context slot's earlier batches.
    const bool others = last_context_slot_ != batch.context_slot_ || !batch.has_slot_entry();
    if (!others && fresh.empty())
        return VkCommandBuffer{VK_NULL_HANDLE};
    const auto commands = batch.pool_->begin();
    if (!commands)
        return commands;
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = memory.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    memory.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    memory.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    std::vector<VkImageMemoryBarrier2> images;
    for (const Ref<Image>& image : fresh) {
        VkImageMemoryBarrier2& barrier =
            images.emplace_back(VkImageMemoryBarrier2{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2});
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        if (image->external()) {
            barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
            barrier.srcQueueFamilyIndex = image->outside;
            barrier.dstQueueFamilyIndex = core_.device().graphics().family();
        }
        barrier.image = image->handle();
        barrier.subresourceRange = {image->aspects(), 0, VK_REMAINING_MIP_LEVELS, 0,
                                    VK_REMAINING_ARRAY_LAYERS};
    }
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.memoryBarrierCount = others ? 1 : 0;
    info.pMemoryBarriers = &memory;
    info.imageMemoryBarrierCount = static_cast<uint32_t>(images.size());
    info.pImageMemoryBarriers = images.data();
    core_.device().vk().CmdPipelineBarrier2(*commands, &info);
    core_.counters().barriers.fetch_add(1, std::memory_order_relaxed);
    if (const auto ended = batch.pool_->end(*commands); !ended)
        return std::unexpected(ended.error());
    return commands;
}

void BatchPool::add_fresh(Image& image) {
    const std::lock_guard lock(fresh_mutex_);
    if (image.initialized.load(std::memory_order_relaxed))
        return;
    fresh_.emplace_back(&image);
    // A thread that sees it set submits after this list was taken, or takes the list itself.
    image.initialized.store(true, std::memory_order_release);
}

bool BatchPool::initialize_on_host(Image& image) {
    if (image.initialized.load(std::memory_order_acquire))
        return true;
    const std::lock_guard lock(fresh_mutex_);
    if (image.initialized.load(std::memory_order_relaxed))
        return true;
    if (!vulkan::initialize_on_host(core_.device(), image.handle(), image.aspects()))
        return false;
    image.initialized.store(true, std::memory_order_release);
    return true;
}

ContextSlot BatchPool::take_context_slot() {
    const std::lock_guard lock(context_slots_mutex_);
    const auto free = std::ranges::find(context_slots_, false);
    const auto context_slot = static_cast<ContextSlot>(free - context_slots_.begin());
    if (free == context_slots_.end())
        context_slots_.push_back(true);
    else
        *free = true;
    return context_slot;
}

void BatchPool::give_context_slot(ContextSlot context_slot) {
    const std::lock_guard lock(context_slots_mutex_);
    context_slots_[context_slot] = false;
}

void BatchPool::collect() {
    // Destroying a batch may release images and views: do it without the lock.
    std::vector<std::unique_ptr<Batch>> completed;
    {
        const std::lock_guard lock(pending_mutex_);
        while (!pending_.empty() && pending_.front()->token().completed()) {
            completed.push_back(std::move(pending_.front()));
            pending_.pop_front();
        }
    }
}

} // namespace kobalt::render
