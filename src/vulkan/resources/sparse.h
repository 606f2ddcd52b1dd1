// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vulkan/resources/buffer.h"
#include "vulkan/resources/image.h"

namespace kobalt::vulkan {

/// Pieces of memory that this object frees when it is destroyed.
class PageMemory {
public:
    PageMemory() = default;
    explicit PageMemory(Device& device);
    PageMemory(PageMemory&& other) noexcept;
    PageMemory& operator=(PageMemory&& other) noexcept;
    ~PageMemory();

    /// Allocates another piece, in device-local memory where there is some.
    Result<void> add(const VkMemoryRequirements& requirements);
    void take(VmaAllocation_T* page) { pages_.push_back(page); }
    std::span<VmaAllocation_T* const> pages() const { return pages_; }
    /// Drops all pieces without freeing them: the caller owns them now.
    void release() { pages_.clear(); }

private:
    Device* device_ = nullptr; ///< where VMA has its memory
    std::vector<VmaAllocation_T*> pages_;
};

/// The memory bound to a page; null: none.
using PageSlot = VmaAllocation_T*;

/// The pages of a sparse buffer. Not thread-safe.
class SparseBuffer {
public:
    /// The page size of every sparse buffer (SPARSE_BUFFER_PAGE_SIZE_ARB). 0: the device's pages
    /// are larger than GL allows.
    static VkDeviceSize page_size(Device& device, VkBufferUsageFlags usage);

    /// Creates a buffer without memory, and fills in its `pages`. `info.size` is rounded up to
    /// pages.
    static Result<Buffer> create(Device& device, BufferInfo info, SparseBuffer& pages);

    SparseBuffer() = default;
    ~SparseBuffer();
    SparseBuffer(const SparseBuffer&) = delete;
    SparseBuffer& operator=(const SparseBuffer&) = delete;

    /// Backs every page that [offset, offset + size) touches, or frees its memory. Pages already in
    /// the wanted state are left alone; on failure all pages are. Ordered with the queue's
    /// submissions.
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
    /// The page size of such images, in texels; zeros: sparse images of that kind don't exist.
    static VkExtent3D page_extent(const Device& device, VkFormat format, VkImageType type,
                                  VkSampleCountFlagBits samples, VkImageUsageFlags usage);

    static Result<Image> create(Device& device, VkImageCreateInfo info, SparseImage& pages);

    SparseImage() = default;
    ~SparseImage();
    SparseImage(const SparseImage&) = delete;
    SparseImage& operator=(const SparseImage&) = delete;

    /// The number of levels whose pages are backed one by one; the smaller levels are one piece,
    /// the mip tail.
    uint32_t paged_levels() const { return static_cast<uint32_t>(levels_.size()); }
    /// As SparseBuffer::commit(). The mip tail is always backed whole: for all layers if they share
    /// one tail, else for the layers of the box.
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
    std::vector<PageSlot> tails_; ///< one in all, or one per layer
    PageMemory metadata_;
};

} // namespace kobalt::vulkan
