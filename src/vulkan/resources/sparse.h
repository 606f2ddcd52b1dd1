// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vulkan/resources/buffer.h"
#include "vulkan/resources/image.h"

namespace kobalt::vulkan {

/// Pieces of memory that are freed with this.
class PageMemory {
public:
    PageMemory() = default;
    explicit PageMemory(Device& device);
    PageMemory(PageMemory&& other) noexcept;
    PageMemory& operator=(PageMemory&& other) noexcept;
    ~PageMemory();

    /// Another piece, of video memory where there is some.
    Result<void> add(const VkMemoryRequirements& requirements);
    void take(VmaAllocation_T* page) { pages_.push_back(page); }
    std::span<VmaAllocation_T* const> pages() const { return pages_; }
    /// Gives all of them away.
    void release() { pages_.clear(); }

private:
    VmaAllocator_T* allocator_ = nullptr;
    std::vector<VmaAllocation_T*> pages_;
};

/// Where a piece of memory is bound; null: nothing is.
using PageSlot = VmaAllocation_T*;

/// The pages of a sparse buffer. Which thread uses it is the caller's business.
class SparseBuffer {
public:
    /// The size of a page in any buffer: what GL is told (SPARSE_BUFFER_PAGE_SIZE_ARB). 0: the
    /// device's pages are larger than GL may be asked to take.
    static VkDeviceSize page_size(Device& device, VkBufferUsageFlags usage);

    /// A buffer without memory, and the means to give it some. `info.size`: rounded up to pages.
    static Result<Buffer> create(Device& device, BufferInfo info, SparseBuffer& pages);

    SparseBuffer() = default;
    ~SparseBuffer();
    SparseBuffer(const SparseBuffer&) = delete;
    SparseBuffer& operator=(const SparseBuffer&) = delete;

    /// Backs every page that [offset, offset + size) touches, or takes their memory away. Pages
    /// that are so already stay as they are; on failure all do. Ordered among the queue's
    /// submissions as one of them.
    Result<void> commit(VkDeviceSize offset, VkDeviceSize size, bool backed);
    VkDeviceSize committed_bytes() const;

private:
    Device* device_ = nullptr;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkMemoryRequirements page_{};
    std::vector<PageSlot> pages_;
};

/// A box of texels; array layers and cube faces count as z.
struct TexelBox {
    VkOffset3D offset;
    VkExtent3D extent;
};

/// The pages of a sparse image of one aspect.
class SparseImage {
public:
    /// What a page measures in such images, in texels; zeros: there are none.
    static VkExtent3D page_extent(const Device& device, VkFormat format, VkImageType type,
                                  VkSampleCountFlagBits samples, VkImageUsageFlags usage);

    static Result<Image> create(Device& device, VkImageCreateInfo info, SparseImage& pages);

    SparseImage() = default;
    ~SparseImage();
    SparseImage(const SparseImage&) = delete;
    SparseImage& operator=(const SparseImage&) = delete;

    /// Levels whose pages are backed one by one; those behind are one piece, the mip tail.
    uint32_t paged_levels() const { return static_cast<uint32_t>(levels_.size()); }
    /// As SparseBuffer::commit(). Of the mip tail it backs the whole, in all layers that it has in
    /// common or else in those of the box.
    Result<void> commit(uint32_t level, const TexelBox& box, bool backed);
    VkDeviceSize committed_bytes() const;

private:
    struct Level {
        VkExtent3D extent{};            ///< texels
        std::array<uint32_t, 3> grid{}; ///< pages along x, y and z
        std::vector<PageSlot> pages;    ///< by layer, z, y, x
    };
    struct Change;
    Result<void> describe(Device& device, VkImage image, const VkImageCreateInfo& info);
    Result<void> bind_metadata(const VkSparseImageMemoryRequirements& needs);
    void collect_pages(uint32_t level, const TexelBox& box, bool backed, Change& change);
    void collect_tail(const TexelBox& box, bool backed, Change& change);

    Device* device_ = nullptr;
    VkImage image_ = VK_NULL_HANDLE;
    VkMemoryRequirements page_{};
    VkSparseImageMemoryRequirements needs_{};
    uint32_t layers_ = 1;
    std::vector<Level> levels_;
    std::vector<PageSlot> tails_; ///< one, or one a layer
    PageMemory metadata_;
};

} // namespace kobalt::vulkan
