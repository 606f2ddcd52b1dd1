// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "render/resources/storage_shapes.h"
#include "render/sync/access.h"
#include "render/sync/batch_token.h"
#include "render/sync/byte_ranges.h"
#include "vulkan/base/handle.h"
#include "vulkan/resources/buffer.h"
#include "vulkan/resources/image.h"
#include "vulkan/resources/sparse.h"

namespace kobalt::render {

/// What the batches of one context slot did with a resource, in recording order.
struct SlotUse {
    AccessState access;      ///< by main streams, but for what an init stream waited for
    AccessState init_access; ///< by the init stream of the batch `init_in`
    ByteRanges used;         ///< by the main stream of the batch `used_in`
    ByteRanges init_used;    ///< by the init stream of the batch `init_in`
    // Apart from RefCounted's stamp: a batch may retain it without using it.
    uint64_t used_in = 0;     ///< the last batch whose main stream used it
    uint64_t written_in = 0;  ///< the last batch that wrote it there
    uint64_t init_in = 0;     ///< the last batch whose init stream used it (InitStream)
    uint64_t attached_at = 0; ///< Hazards' time of the last write, if a pass's attachment; else 0
};

/// What batches note: hazards in recording order, and which batches used it last. Recorders on
/// several threads may use one resource at once: each has a context slot of its own in it, which
/// costs a draw neither a lock nor an atomic; BatchPool::submit sees to what lies between them.
class Resource : public RefCounted {
public:
    /// `bytes`: the memory that it holds. `host_reads`: the CPU may read it there.
    Resource(VkDeviceSize bytes, bool host_reads) : bytes_(bytes), host_reads_(host_reads) {}
    VkDeviceSize bytes() const { return bytes_; }
    /// Whether anything ever wrote its contents: a batch, or the CPU by the state tracker's report.
    bool written() const { return written_.load(std::memory_order_relaxed); }
    void note_written() {
        written_.store(true, std::memory_order_relaxed);
        note_write();
    }
    /// A number that each write changes, for callers that keep something made of the contents.
    /// Never 0. Writes count from the first call on, so that other resources don't pay for it.
    uint64_t contents();
    void note_write() {
        if (contents_.load(std::memory_order_relaxed))
            contents_.fetch_add(1, std::memory_order_relaxed);
    }
    /// The app needs the contents no more (glInvalidateFramebuffer and the like). To be called
    /// outside of passes that draw to it.
    void invalidate() { invalidated_.store(contents(), std::memory_order_relaxed); }
    /// Whether the contents are undefined: nothing wrote them, or not since invalidate(). False
    /// where that can't be told.
    bool undefined() const {
        const uint64_t now = contents_.load(std::memory_order_relaxed);
        return !written() || (now && now == invalidated_.load(std::memory_order_relaxed) &&
                              !written_by_shaders());
    }
    /// Whether a shader or transform feedback ever wrote it. An open pass may go on writing without
    /// telling, so contents() can't speak for such a resource.
    bool written_by_shaders() const { return written_by_shaders_.load(std::memory_order_relaxed); }
    void note_shader_write() { written_by_shaders_.store(true, std::memory_order_relaxed); }
    /// The Hazards whose batch has the image in an attachment layout, between two of its commands.
    /// Null: it is in VK_IMAGE_LAYOUT_GENERAL, as all are between batches. For that recorder alone.
    std::atomic<const void*> attachment_layout_in{nullptr};
    /// True while a batch that uses it (or, with `writes_only`, writes it) hasn't completed.
    bool busy(bool writes_only) const;
    /// Waits for the batches that use it now, submitted ones first. The caller has flushed its own
    /// batch before. False: timed out.
    bool wait_idle(bool writes_only, uint64_t timeout_ns) const;
    /// True while a batch that uses it is still being recorded.
    bool unflushed(bool writes_only) const;

protected:
    /// RefCounted::renew(), for a resource that no batch uses.
    void renew();

private:
    friend class Batch;
    /// The last batches of a context slot.
    struct Tokens {
        ContextSlot context_slot = no_context_slot;
        Ref<BatchToken> use;
        Ref<BatchToken> write;
    };
    Tokens& tokens_of(ContextSlot context_slot);
    bool any(bool writes_only, bool (*is)(BatchToken&)) const;

    /// uses_[context_slot] is written from now on: renew() has to reset it.
    void note_slot(ContextSlot context_slot) {
        const auto bit = static_cast<uint8_t>(1u << context_slot);
        if (!(used_slots_.load(std::memory_order_relaxed) & bit))
            used_slots_.fetch_or(bit, std::memory_order_relaxed);
    }

    const VkDeviceSize bytes_;
    const bool host_reads_;
    std::atomic<bool> written_{false};
    std::atomic<bool> written_by_shaders_{false};
    std::atomic<uint8_t> used_slots_{0};   ///< mask of the entries of uses_ that aren't new
    std::atomic<uint64_t> contents_{0};    ///< 0: contents() was never called
    std::atomic<uint64_t> invalidated_{0}; ///< contents() at the last invalidate()
    mutable std::mutex tokens_mutex_;      ///< guards first_ and others_
    Tokens first_; ///< of the context slot that came first: mostly the only one
    std::vector<Tokens> others_;
    /// Each for the thread that records in that context slot. Most resources use the first alone,
    /// so the others are last, on cache lines that nobody touches.
    std::array<SlotUse, context_slot_entries> uses_;
};

class BufferCache;

/// A buffer's storage. Invalidating a GL buffer replaces the object.
class Buffer final : public Resource {
public:
    /// A buffer whose pages the app backs with memory (Recorder::commit). Null after an error.
    static vulkan::Result<Ref<Buffer>> create_sparse(vulkan::Device& device,
                                                     const vulkan::BufferInfo& info);
    /// `home`: the cache that this returns to at the last release; null: it is deleted.
    explicit Buffer(vulkan::Buffer storage, BufferCache* home = nullptr)
        : Resource(storage.size(), storage.mapped() || storage.imported()),
          storage_(std::move(storage)), home_(home) {}
    VkBuffer handle() const { return storage_.handle(); }
    VkDeviceSize size() const { return storage_.size(); }
    /// The persistent mapping, or nullptr where the memory is not host-visible.
    std::byte* mapped() const { return storage_.mapped(); }
    VkDeviceAddress address() const { return storage_.address(); }
    vulkan::Buffer& storage() { return storage_; }
    /// Its pages; null: it isn't sparse.
    vulkan::SparseBuffer* pages() const { return pages_.get(); }
    /// Parts of it are written while commands of the same batch read others, so draws say which
    /// parts they fetch (FetchState).
    bool counts_parts() const { return counts_parts_.load(std::memory_order_relaxed); }
    void count_parts(bool counts) { counts_parts_.store(counts, std::memory_order_relaxed); }

private:
    friend class BufferCache;
    void last_released() const override;

    std::unique_ptr<vulkan::SparseBuffer> pages_; ///< freed after the buffer
    vulkan::Buffer storage_;
    BufferCache* home_;
    std::atomic<bool> counts_parts_{false};
};

/// An image: in VK_IMAGE_LAYOUT_GENERAL once `initialized`, but for what Hazards says of the batch
/// being recorded.
class Image final : public Resource {
public:
    explicit Image(vulkan::Image storage)
        : Resource(storage.size(), storage.tiling() != VK_IMAGE_TILING_OPTIMAL ||
                                       storage.usage() & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT),
          storage_(std::move(storage)), aspects_(vulkan::format_aspects(storage_.format())) {}
    /// An image whose pages the app backs with memory (Recorder::commit).
    static vulkan::Result<Ref<Image>> create_sparse(vulkan::Device& device,
                                                    const VkImageCreateInfo& info);
    VkImage handle() const { return storage_.handle(); }
    const vulkan::Image& storage() const { return storage_; }
    /// Its pages; null: it isn't sparse.
    vulkan::SparseImage* pages() const { return pages_.get(); }
    VkImageAspectFlags aspects() const { return aspects_; }
    /// False until a use; the first submission after it moves the image out of
    /// VK_IMAGE_LAYOUT_UNDEFINED before all else (BatchPool::initialize).
    std::atomic<bool> initialized{false};
    /// The state tracker binds it as a placeholder where the app has bound no complete texture.
    std::atomic<bool> is_placeholder{false};
    /// It was sampled or stored to where it was attached, so passes attach it in
    /// VK_IMAGE_LAYOUT_GENERAL.
    std::atomic<bool> read_while_attached{false};
    /// A pass wrote depths or stencil values behind draws that only tested them (KeptAspects).
    std::atomic<bool> written_behind_tests{false};
    /// A shader may read it through a handle, whose descriptor names this image.
    std::atomic<bool> has_handle{false};
    /// Views of it may have any format whose texels have the same size. Set before it is shared.
    bool any_view = true;
    /// Its memory is shared with another device or process, which owned it before the first use: it
    /// is acquired from there with its contents. VK_QUEUE_FAMILY_EXTERNAL, to which the app's
    /// semaphores also release it, or VK_QUEUE_FAMILY_FOREIGN_EXT; IGNORED: it is Kobalt's own.
    uint32_t outside = VK_QUEUE_FAMILY_IGNORED;
    bool external() const { return outside != VK_QUEUE_FAMILY_IGNORED; }
    /// Whether a pass need not load it. Memory of others, and pages, may have been written unseen.
    bool needs_no_load() const { return undefined() && !external() && !pages_; }
    bool away = false; ///< it was given to VK_QUEUE_FAMILY_EXTERNAL after a use

private:
    std::unique_ptr<vulkan::SparseImage> pages_; ///< freed after the image
    vulkan::Image storage_;
    VkImageAspectFlags aspects_;
};

/// What an image view shows, without the image.
struct ViewInfo {
    VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkComponentMapping swizzle{};
    VkImageSubresourceRange range{};
    VkImageUsageFlags usage = 0;
};

/// A view and the image it keeps alive.
class ImageView final : public RefCounted {
public:
    ImageView(Ref<Image> image, vulkan::ImageView view)
        : image_(std::move(image)), view_(std::move(view)) {}
    /// A view for an image unit.
    ImageView(Ref<Image> image, vulkan::ImageView view, std::unique_ptr<StorageShapes> shapes)
        : image_(std::move(image)), view_(std::move(view)), shapes_(std::move(shapes)) {}
    Image& image() const { return *image_; }
    VkImageView handle() const { return view_.get(); }
    /// The same view for a shader that declares its image of that type; null: that is impossible.
    ImageView* as(VkImageViewType type) { return shapes_ ? shapes_->get(*this, type) : this; }
    /// The same view of another image. `info` has to be set.
    vulkan::Result<Ref<ImageView>> of(vulkan::Device& device, Ref<Image> image) const;

    ViewInfo info; ///< of a view that a handle may name

private:
    Ref<Image> image_;
    vulkan::ImageView view_;
    std::unique_ptr<StorageShapes> shapes_;
};

/// A typed view of a buffer's range (texture buffers) and the buffer it keeps alive.
class BufferView final : public RefCounted {
public:
    /// `descriptor`: of texel_descriptor(), or null.
    BufferView(Ref<Buffer> buffer, vulkan::BufferView view, VkFormat format, VkDeviceSize offset,
               VkDeviceSize size, std::unique_ptr<std::byte[]> descriptor = nullptr)
        : buffer_(std::move(buffer)), view_(std::move(view)), descriptor_(std::move(descriptor)),
          format(format), offset(offset), size(size) {}
    Buffer& buffer() const { return *buffer_; }
    VkBufferView handle() const { return view_.get(); }
    /// The view as a descriptor buffer holds it; null: it has to be encoded.
    const std::byte* descriptor() const { return descriptor_.get(); }

private:
    Ref<Buffer> buffer_;
    vulkan::BufferView view_;
    const std::unique_ptr<std::byte[]> descriptor_;

public:
    const VkFormat format;
    const VkDeviceSize offset; ///< bytes
    const VkDeviceSize size;   ///< bytes
};

/// The bytes of a descriptor that names a range of `buffer` as texels of `format`, made once for
/// all draws: drivers may take long to make them. Null where descriptors aren't in buffers. `type`:
/// a texel buffer's; `offset` and `size` in bytes.
std::unique_ptr<std::byte[]> texel_descriptor(const vulkan::Device& device, const Buffer& buffer,
                                              VkDescriptorType type, VkFormat format,
                                              VkDeviceSize offset, VkDeviceSize size);

class Sampler final : public RefCounted {
public:
    explicit Sampler(vulkan::Sampler sampler) : sampler_(std::move(sampler)) {}
    VkSampler handle() const { return sampler_.get(); }

private:
    vulkan::Sampler sampler_;
};

} // namespace kobalt::render
