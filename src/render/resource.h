// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>
#include <span>

#include "render/access.h"
#include "render/batch_token.h"
#include "vulkan/buffer.h"
#include "vulkan/handle.h"
#include "vulkan/image.h"

namespace kobalt::render {

/// What a batch tracks: hazards in recording order, and which batches used it last.
class Resource : public RefCounted {
public:
    AccessState access;

    /// True while a batch that uses it (or, with `writes_only`, writes it) hasn't completed.
    bool busy(bool writes_only) const;
    /// Waits for those batches. The caller has flushed its own batch before. False: timed out.
    bool wait_idle(bool writes_only, uint64_t timeout_ns) const;
    /// True while the last batch that uses it is still being recorded.
    bool unflushed(bool writes_only) const;

private:
    friend class Batch;
    Ref<BatchToken> token(bool writes_only) const;
    mutable std::mutex tokens_mutex_; ///< guards both tokens
    Ref<BatchToken> last_use_;
    Ref<BatchToken> last_write_;
    // Apart from RefCounted's stamp: being kept by a batch is not being used by it.
    uint64_t used_in_batch_ = 0;    ///< recording thread only
    uint64_t written_in_batch_ = 0; ///< recording thread only
};

/// A buffer's storage. Invalidating a GL buffer replaces the object.
class Buffer final : public Resource {
public:
    explicit Buffer(vulkan::Buffer storage) : storage_(std::move(storage)) {}
    VkBuffer handle() const { return storage_.handle(); }
    VkDeviceSize size() const { return storage_.size(); }
    /// The persistent mapping, or nullptr where the memory is not host-visible.
    std::byte* mapped() const { return storage_.mapped(); }
    VkDeviceAddress address() const { return storage_.address(); }
    vulkan::Buffer& storage() { return storage_; }

private:
    vulkan::Buffer storage_;
};

/// An image, always in VK_IMAGE_LAYOUT_GENERAL once `initialized`.
class Image final : public Resource {
public:
    explicit Image(vulkan::Image storage)
        : storage_(std::move(storage)), aspects_(vulkan::format_aspects(storage_.format())) {}
    VkImage handle() const { return storage_.handle(); }
    const vulkan::Image& storage() const { return storage_; }
    VkImageAspectFlags aspects() const { return aspects_; }
    /// False until the first use moved the image out of VK_IMAGE_LAYOUT_UNDEFINED.
    bool initialized = false;

private:
    vulkan::Image storage_;
    VkImageAspectFlags aspects_;
};

/// A view and the image it keeps alive.
class ImageView final : public RefCounted {
public:
    ImageView(Ref<Image> image, vulkan::ImageView view)
        : image_(std::move(image)), view_(std::move(view)) {}
    Image& image() const { return *image_; }
    VkImageView handle() const { return view_.get(); }

private:
    Ref<Image> image_;
    vulkan::ImageView view_;
};

/// A typed view of a buffer's range (texture buffers) and the buffer it keeps alive.
class BufferView final : public RefCounted {
public:
    BufferView(Ref<Buffer> buffer, vulkan::BufferView view, VkFormat format, VkDeviceSize offset,
               VkDeviceSize size)
        : buffer_(std::move(buffer)), view_(std::move(view)), format(format), offset(offset),
          size(size) {}
    Buffer& buffer() const { return *buffer_; }
    VkBufferView handle() const { return view_.get(); }

private:
    Ref<Buffer> buffer_;
    vulkan::BufferView view_;

public:
    const VkFormat format;
    const VkDeviceSize offset; ///< bytes
    const VkDeviceSize size;   ///< bytes
};

class Sampler final : public RefCounted {
public:
    explicit Sampler(vulkan::Sampler sampler) : sampler_(std::move(sampler)) {}
    VkSampler handle() const { return sampler_.get(); }

private:
    vulkan::Sampler sampler_;
};

} // namespace kobalt::render
