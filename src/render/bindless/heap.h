// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "render/bindless/slots.h"
#include "render/layouts/layout_cache.h"
#include "render/resources/resource.h"
#include "vulkan/descriptors/descriptor_area.h"
#include "vulkan/descriptors/descriptor_buffer.h"

namespace kobalt::render {

class BatchPool;
class BindlessHeap;

/// A buffer of a descriptor ring, or a part where rings share one.
inline constexpr VkDeviceSize descriptor_ring_bytes = 2u << 20;

/// What GL calls a texture or image handle: a slot of the heap and what its descriptor names.
/// Everything that can still read the slot holds a reference: the app, recorders in which it is
/// resident, batches that have not completed. The last release frees the slot.
class BindlessHandle final : public RefCounted {
public:
    ~BindlessHandle() override;
    /// The slot in the lower half, its array plus one in the upper: never 0, and unique while any
    /// reference is left.
    uint64_t value() const { return value_of(array_, slot_); }
    static constexpr uint64_t value_of(BindlessArray array, uint32_t slot) {
        return (static_cast<uint64_t>(array) + 1) << 32 | slot;
    }
    /// The resource that shaders read through the handle at present: a texture may move to another
    /// image (BindlessHeap::move_handles).
    Ref<Resource> resource() const;

private:
    friend class BindlessHeap;
    BindlessHandle(BindlessHeap& heap, BindlessArray array, uint32_t slot)
        : heap_(heap), array_(array), slot_(slot) {}

    BindlessHeap& heap_;
    const BindlessArray array_;
    const uint32_t slot_;
    Ref<ImageView> view_;
    Ref<Sampler> sampler_;
    Ref<BufferView> texels_;
};

/// The descriptors of the bindless set, which all pipeline layouts have as set 0: in a descriptor
/// buffer of its own that no rotation of a ring touches, or in an update-after-bind set. Where a
/// device binds one descriptor buffer at a time, the rings share the set's buffer, and the set's
/// offset in it never changes. Making a handle writes its descriptor and nothing else. Thread-safe;
/// the lock is held at most while a descriptor is written, and never while a thread waits for the
/// GPU. The memory is allocated with the first handle.
class BindlessHeap {
public:
    /// Needs Capability::bindless.
    BindlessHeap(Core& core, const LayoutCache& layouts, BatchPool& batches);
    /// Drops the app's handles; nothing else may refer to any.
    ~BindlessHeap();

    /// Creates a handle that the app owns until drop(). An error: no memory, or no free slot.
    vulkan::Result<Ref<BindlessHandle>> create(Ref<ImageView> view, Ref<Sampler> sampler);
    vulkan::Result<Ref<BindlessHandle>> create(Ref<BufferView> texels);
    /// Creates image handles, likewise.
    vulkan::Result<Ref<BindlessHandle>> create_image(Ref<ImageView> view);
    vulkan::Result<Ref<BindlessHandle>> create_image(Ref<BufferView> texels);
    /// Null: the app has no such handle.
    Ref<BindlessHandle> find(uint64_t value);
    /// Drops the app's reference: the app deletes the handle.
    void drop(uint64_t value);

    /// Announces a find() that comes later: it succeeds even if drop() comes before it.
    void announce(uint64_t value);
    Ref<BindlessHandle> find_announced(uint64_t value);

    /// Lets all handles of an image name another one, which has the same contents. No batch in
    /// flight may read through them. Recorders in which they are resident have to be told
    /// (Recorder::rename_residents).
    void move_handles(const Image& from, const Ref<Image>& to);

    /// Allocates the memory if it isn't there yet, for a draw with a program that uses handles.
    vulkan::Result<void> prepare();
    /// VK_NULL_HANDLE and null before the first handle or prepare().
    VkDescriptorSet set();
    const vulkan::DescriptorBuffer* buffer();
    /// The rings' part of buffer(), where both share it; null elsewhere and before buffer() is
    /// there.
    vulkan::DescriptorArea* ring_area();

private:
    friend class BindlessHandle;
    struct Entry {
        Ref<BindlessHandle> handle;
        uint32_t announced = 0;
        bool dropped = false;
    };
    vulkan::Result<void> prepare_locked();
    vulkan::Result<void> make_buffer(VkDeviceSize set_bytes);
    vulkan::Result<Ref<BindlessHandle>> take(BindlessArray array);
    template <class Fill>
    vulkan::Result<Ref<BindlessHandle>> make(BindlessArray array, const Fill& fill);
    void write_texture(uint32_t slot, VkSampler sampler, VkImageView view);
    void write_image(uint32_t slot, VkImageView view);
    void write_texels(BindlessArray array, uint32_t slot, const BufferView& texels);
    std::byte* address_of(BindlessArray array, uint32_t slot) const;
    void update_set(BindlessArray array, uint32_t slot, const VkDescriptorImageInfo* image,
                    const VkBufferView* texels);
    void give(BindlessArray array, uint32_t slot);

    Core& core_;
    const LayoutCache& layouts_;
    BatchPool& batches_;
    const uint32_t texture_count_;
    std::mutex mutex_; ///< guards what follows
    std::array<BindlessSlots, bindless_array_count> slots_;
    std::unordered_map<uint64_t, Entry> entries_; ///< by BindlessHandle::value
    vulkan::DescriptorBuffer buffer_;
    std::optional<vulkan::DescriptorArea> ring_area_;
    vulkan::DescriptorPoolHandle pool_;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
};

} // namespace kobalt::render
