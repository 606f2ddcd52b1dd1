// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "render/base/core.h"
#include "render/commands/init_stream.h"
#include "render/resources/resource.h"
#include "vulkan/commands/command_pool.h"
#include "vulkan/device/queue.h"

namespace kobalt::render {

/// One submission being recorded: its command buffer and everything that it keeps alive.
class Batch {
public:
    Batch(vulkan::Device& device, vulkan::CommandPools& pools,
          std::unique_ptr<vulkan::CommandPool> pool, VkCommandBuffer commands, uint64_t id,
          ContextSlot context_slot);
    ~Batch();

    uint64_t id() const { return token_->id(); }
    VkCommandBuffer commands() const { return commands_; }
    BatchToken& token() { return *token_; }
    Ref<BatchToken> share_token() const { return token_; }
    /// Set when a command is recorded or a resource is used, so that an empty batch costs no
    /// submission.
    bool has_commands = false;

    /// Retains `object` until the batch has completed.
    void retain(const RefCounted& object) {
        if (!has_slot_entry()) {
            if (own_retained_.insert(&object).second)
                retain_new(object);
            return;
        }
        const uint64_t last = object.retained_by(context_slot_, id());
        if (last == id())
            return;
        retain_new(object);
        if (last == 0)
            new_bytes_ += object.retained_bytes();
    }
    /// Bytes of resources that this recorder had never used before: staging memory, replaced
    /// storage, new textures. An estimate of what is freed once the batch has completed.
    VkDeviceSize new_bytes() const { return new_bytes_; }
    /// The batch wrote memory that the CPU reads directly, so the writes must be made visible to
    /// the host.
    bool writes_for_host() const { return writes_for_host_; }
    /// Retains a resource, which is busy until the batch has completed.
    void mark_used(Resource& resource, bool write) { (void)slot_use(resource, write); }
    /// Adds a read, and returns the barrier that it needs before it in this batch.
    Hazard add_read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
        return slot_use(resource, false).access.read(stages, access);
    }
    /// Does the same for a read of a part of the resource.
    Hazard add_read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                    const ByteRange& part) {
        SlotUse& use = use_of(resource);
        if (use.used_in == id()) {
            use.used.include(part);
        } else {
            begin_use(resource, use, false);
            use.used = ByteRanges(part);
        }
        return use.access.read(stages, access);
    }
    /// Notes that a resource whose read was added before is now read in another part as well.
    void add_part(Resource& resource, const ByteRange& part) {
        SlotUse& use = use_of(resource);
        if (use.used_in == id())
            use.used.include(part);
    }
    /// Adds a write, likewise.
    Hazard add_write(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
        if (access & (VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                      VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT))
            resource.note_shader_write();
        return slot_use(resource, true).access.write(stages, access);
    }
    /// Notes that the last write was a pass's, to an attachment, at that time.
    void note_attached(Image& image, uint64_t time) { use_of(image).attached_at = time; }
    /// That time. 0: something else wrote it last, or nothing.
    uint64_t attached_at(Resource& resource) { return use_of(resource).attached_at; }
    /// Adds a use that finds the image in another layout, likewise (AccessState::transition).
    Hazard add_transition(Image& image, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                          bool write) {
        return slot_use(image, write).access.transition(stages, access, write);
    }
    /// Adds an access to a storage buffer or image, likewise (AccessState::storage).
    Hazard add_storage_access(Resource& resource, VkPipelineStageFlags2 stages, bool write,
                              uint64_t epoch) {
        if (write)
            resource.note_shader_write();
        return slot_use(resource, write).access.storage(stages, write, epoch);
    }

    /// The stream that runs before commands().
    InitStream& init() { return init_; }
    /// Whether the main stream uses this part of the resource. If not, the init stream may write it
    /// there.
    bool used_by_main(const Resource& resource, const ByteRange& part) const;
    /// Whether the main stream writes the resource. If not, the init stream may read it.
    bool written_by_main(const Resource& resource) const;
    /// Adds an access of the init stream, which used_by_main() or written_by_main() allows, and
    /// returns the barrier that it needs behind the stream's commands so far. To be called after
    /// InitStream::commands(). `written`: of a write. One of a part that no access before it
    /// touched needs no barrier.
    Hazard add_init_access(Resource& resource, VkAccessFlags2 access, bool write,
                           const ByteRange& written = {});

private:
    friend class BatchPool;
    void retain_new(const RefCounted& object);
    bool has_slot_entry() const { return context_slot_ < Resource::context_slot_entries; }
    /// Null: no batch of this context slot has used the resource, or none since `own_uses_` began.
    const SlotUse* find_use(const Resource& resource) const;
    SlotUse& use_of(Resource& resource) {
        return has_slot_entry() ? resource.uses_[context_slot_] : own_uses_[&resource];
    }
    SlotUse& slot_use(Resource& resource, bool write) {
        SlotUse& use = use_of(resource);
        if (use.used_in != id() || (write && use.written_in != id()))
            begin_use(resource, use, write);
        use.used.include_all();
        if (write) {
            use.attached_at = 0;
            resource.note_write();
        }
        return use;
    }
    void begin_use(Resource& resource, SlotUse& use, bool write);
    void take_token(Resource& resource, bool write);

    vulkan::CommandPools& pools_;
    std::unique_ptr<vulkan::CommandPool> pool_;
    VkCommandBuffer commands_;
    InitStream init_;
    Ref<BatchToken> token_;
    ContextSlot context_slot_;
    std::unordered_map<const Resource*, SlotUse> own_uses_; ///< if the slot has no entry there
    std::unordered_set<const RefCounted*> own_retained_;    ///< likewise, for retained objects
    VkDeviceSize new_bytes_ = 0;
    bool writes_for_host_ = false;
    std::vector<const RefCounted*> retained_;
};

/// Hands out batches, submits them and releases what completed ones retained. Thread-safe.
///
/// Batches are recorded side by side, and only their submission decides their order. So hazards
/// between two context slots get their barrier at submission: where the queue's last submission
/// came from another context slot, one barrier for everything precedes the batch. Images that no
/// submission has used yet leave VK_IMAGE_LAYOUT_UNDEFINED there, whichever batch used them first.
class BatchPool {
public:
    /// `submitted` is called after each submission, from the thread that submits.
    BatchPool(Core& core, vulkan::CommandPools& pools, std::function<void()> submitted);
    ~BatchPool();

    /// Starts a batch; never waits. An error only when memory is out or the device is lost.
    vulkan::Result<std::unique_ptr<Batch>> begin(ContextSlot context_slot = no_context_slot);
    /// Ends and submits; afterwards the batch's token has a timeline value. Binary or timeline
    /// semaphores may be waited for and signalled. hold() has to follow.
    vulkan::Result<uint64_t> submit(Batch& batch,
                                    std::span<const vulkan::SemaphorePoint> waits = {},
                                    std::span<const vulkan::SemaphorePoint> signals = {});
    /// Takes a submitted batch, and drops it once it has completed.
    void hold(std::unique_ptr<Batch> batch);
    /// Submits and holds the batch.
    vulkan::Result<uint64_t> submit(std::unique_ptr<Batch> batch) {
        auto value = submit(*batch);
        if (value)
            hold(std::move(batch));
        return value;
    }
    /// Releases what completed batches retained.
    void collect();

    /// Returns the lowest context slot that no recorder has.
    ContextSlot take_context_slot();
    /// Frees a context slot, of which every batch has been submitted.
    void give_context_slot(ContextSlot context_slot);
    /// A number for the stores of a recorder between two glMemoryBarrier calls. It is unique,
    /// because the next recorder in a context slot finds what the one before noted. Never 0.
    uint64_t next_epoch() { return epochs_.fetch_add(1, std::memory_order_relaxed) + 1; }

    /// To be called before an image's first use by any batch: from the next submission on the image
    /// is in VK_IMAGE_LAYOUT_GENERAL.
    void initialize(Image& image) {
        if (!image.initialized.load(std::memory_order_acquire))
            add_fresh(image);
    }

    /// Does the same on the host and at once, for an image that no batch uses. False: it failed.
    bool initialize_on_host(Image& image);

private:
    void add_fresh(Image& image);
    vulkan::Result<uint64_t> submit_in_order(Batch& batch, VkCommandBuffer init,
                                             std::span<const vulkan::SemaphorePoint> waits,
                                             std::span<const vulkan::SemaphorePoint> signals);
    /// Commands that go before the batch; VK_NULL_HANDLE where it needs none.
    vulkan::Result<VkCommandBuffer> prologue(Batch& batch, std::span<const Ref<Image>> fresh);

    Core& core_;
    vulkan::CommandPools& pools_;
    const std::function<void()> submitted_;
    std::mutex submit_mutex_; ///< held from the read of last_context_slot_ to the submission
    ContextSlot last_context_slot_ =
        no_context_slot;     ///< of the queue's last submission; guarded by submit_mutex_
    std::mutex fresh_mutex_; ///< guards fresh_, and with it each change of Image::initialized
    std::vector<Ref<Image>> fresh_;
    std::mutex context_slots_mutex_;  ///< guards context_slots_
    std::vector<bool> context_slots_; ///< those that are taken
    std::mutex pending_mutex_;        ///< guards pending_
    std::deque<std::unique_ptr<Batch>> pending_;
    std::atomic<uint64_t> next_id_{1};
    std::atomic<uint64_t> epochs_{0};
    std::atomic<int64_t> submissions_until_fault_{-1}; ///< KOBALT_FAULT=lost:N
};

} // namespace kobalt::render
