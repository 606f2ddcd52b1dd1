// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>

#include "vulkan/base/vma.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/sparse.h"

namespace kobalt::vulkan {

namespace {

constexpr uint32_t divide_up(uint32_t value, uint32_t step) {
    return (value + step - 1) / step;
}

/// The one aspect that a format has; 0: it has two, whose pages differ.
VkImageAspectFlags single_aspect(VkFormat format) {
    const VkImageAspectFlags aspects = format_aspects(format);
    return aspects & (aspects - 1) ? 0 : aspects;
}

/// The usages of `usage` that the format itself has. With VK_IMAGE_CREATE_EXTENDED_USAGE_BIT an
/// image also has usages of its views' formats, but the query for the page size takes no create
/// flags.
VkImageUsageFlags without_extended(const Device& device, VkFormat format, VkImageUsageFlags usage) {
    const VkFormatFeatureFlags2 features = device.format_properties(format).optimalTilingFeatures;
    if (!(features & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT))
        usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT};
    if (!(features & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT))
        usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    if (!(features & (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
                      VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT)))
        usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
    return usage;
}

} // namespace

/// The binds of one commit(), and the slots that keep the pages.
struct SparseImage::Change {
    std::vector<VkSparseImageMemoryBind> pages;
    std::vector<VkSparseMemoryBind> tails;
    std::vector<PageSlot*> slots; ///< slots of the pages, then of the tails
};

VkExtent3D SparseImage::page_extent(const Device& device, VkFormat format, VkImageType type,
                                    VkSampleCountFlagBits samples, VkImageUsageFlags usage) {
    const VkImageAspectFlags aspect = single_aspect(format);
    auto asked = vk_struct<VkPhysicalDeviceSparseImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SPARSE_IMAGE_FORMAT_INFO_2);
    asked.format = format;
    asked.type = type;
    asked.samples = samples;
    asked.usage = without_extended(device, format, usage);
    asked.tiling = VK_IMAGE_TILING_OPTIMAL;
    std::array<VkSparseImageFormatProperties2, 4> found;
    found.fill(vk_struct<VkSparseImageFormatProperties2>(
        VK_STRUCTURE_TYPE_SPARSE_IMAGE_FORMAT_PROPERTIES_2));
    auto count = static_cast<uint32_t>(found.size());
    device.instance().vk().GetPhysicalDeviceSparseImageFormatProperties2(device.physical(), &asked,
                                                                         &count, found.data());
    for (uint32_t i = 0; aspect && i < count; ++i)
        if (found[i].properties.aspectMask & aspect)
            return found[i].properties.imageGranularity;
    return {};
}

Result<Image> SparseImage::create(Device& device, VkImageCreateInfo info, SparseImage& pages) {
    info.flags |= VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    VkImage handle = VK_NULL_HANDLE;
    const VkResult result = device.vk().CreateImage(device.handle(), &info, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "creating a sparse image",
                    "VkFormat " + std::to_string(static_cast<int>(info.format)));
    ImageHandle image = device.own<ImageHandle>(handle);
    if (auto described = pages.describe(device, handle, info); !described)
        return std::unexpected(described.error());
    return Image::adopt(device, image.release(), {}, info);
}

Result<void> SparseImage::describe(Device& device, VkImage image, const VkImageCreateInfo& info) {
    device_ = &device;
    image_ = image;
    layers_ = info.arrayLayers;
    device.vk().GetImageMemoryRequirements(device.handle(), image, &page_);
    if (page_.size > device.limits().sparseAddressSpaceSize)
        return fail(VK_ERROR_OUT_OF_DEVICE_MEMORY, "creating a sparse image",
                    size_text(page_.size) + "; the device has addresses for " +
                        size_text(device.limits().sparseAddressSpaceSize));
    // The byte size of a page is the alignment of the image's memory (Vulkan's sparse block size).
    page_.size = page_.alignment;
    std::array<VkSparseImageMemoryRequirements, 8> needs{};
    auto count = static_cast<uint32_t>(needs.size());
    device.vk().GetImageSparseMemoryRequirements(device.handle(), image, &count, needs.data());
    const VkImageAspectFlags aspect = single_aspect(info.format);
    bool found = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (needs[i].formatProperties.aspectMask & VK_IMAGE_ASPECT_METADATA_BIT) {
            if (auto bound = bind_metadata(needs[i]); !bound)
                return bound;
        } else if (needs[i].formatProperties.aspectMask & aspect) {
            needs_ = needs[i];
            found = true;
        }
    }
    if (!found)
        return fail(VK_ERROR_FEATURE_NOT_PRESENT, "creating a sparse image",
                    "VkFormat " + std::to_string(static_cast<int>(info.format)));
    const VkExtent3D page = needs_.formatProperties.imageGranularity;
    levels_.resize(std::min(needs_.imageMipTailFirstLod, info.mipLevels));
    for (uint32_t i = 0; i < levels_.size(); ++i) {
        Level& level = levels_[i];
        level.extent = {std::max(info.extent.width >> i, 1u), std::max(info.extent.height >> i, 1u),
                        std::max(info.extent.depth >> i, 1u)};
        level.grid = {divide_up(level.extent.width, page.width),
                      divide_up(level.extent.height, page.height),
                      divide_up(level.extent.depth, page.depth)};
        level.pages.assign(size_t{level.grid[0]} * level.grid[1] * level.grid[2] * layers_,
                           nullptr);
    }
    const bool single = needs_.formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT;
    if (levels_.size() < info.mipLevels && needs_.imageMipTailSize)
        tails_.assign(single ? 1 : layers_, nullptr);
    return {};
}

/// Vulkan 1.3, "Sparse Image": metadata must be backed before the image is used.
Result<void> SparseImage::bind_metadata(const VkSparseImageMemoryRequirements& needs) {
    const bool single = needs.formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT;
    metadata_ = PageMemory(*device_);
    std::vector<VkSparseMemoryBind> binds;
    VkMemoryRequirements piece = page_;
    piece.size = needs.imageMipTailSize;
    for (uint32_t layer = 0; layer < (single ? 1 : layers_) && piece.size; ++layer) {
        if (auto added = metadata_.add(piece); !added)
            return added;
        VmaAllocationInfo at{};
        vmaGetAllocationInfo(device_->allocator(), metadata_.pages().back(), &at);
        binds.push_back({needs.imageMipTailOffset + layer * needs.imageMipTailStride, piece.size,
                         at.deviceMemory, at.offset, VK_SPARSE_MEMORY_BIND_METADATA_BIT});
    }
    if (binds.empty())
        return {};
    VkSparseImageOpaqueMemoryBindInfo opaque{image_, static_cast<uint32_t>(binds.size()),
                                             binds.data()};
    auto info = vk_struct<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO);
    info.imageOpaqueBindCount = 1;
    info.pImageOpaqueBinds = &opaque;
    if (auto bound = device_->graphics().bind_sparse(info); !bound)
        return std::unexpected(bound.error());
    return {};
}

SparseImage::~SparseImage() {
    if (!device_)
        return;
    PageMemory backed(*device_);
    const auto take = [&](std::span<const PageSlot> slots) {
        for (const PageSlot page : slots)
            if (page)
                backed.take(page);
    };
    for (const Level& level : levels_)
        take(level.pages);
    take(tails_);
}

void SparseImage::collect_pages(uint32_t index, const TexelBox& box, bool backed, Change& change) {
    Level& level = levels_[index];
    const VkExtent3D page = needs_.formatProperties.imageGranularity;
    const bool layered = layers_ > 1;
    const auto range = [](int32_t offset, uint32_t extent, uint32_t step, uint32_t end) {
        const auto first = static_cast<uint32_t>(offset);
        return std::pair{std::min(first / step, end),
                         std::min(divide_up(first + extent, step), end)};
    };
    const auto [x0, x1] = range(box.offset.x, box.extent.width, page.width, level.grid[0]);
    const auto [y0, y1] = range(box.offset.y, box.extent.height, page.height, level.grid[1]);
    const auto [z0, z1] = layered
                              ? std::pair{0u, 1u}
                              : range(box.offset.z, box.extent.depth, page.depth, level.grid[2]);
    const auto [l0, l1] =
        layered ? range(box.offset.z, box.extent.depth, 1, layers_) : std::pair{0u, 1u};
    for (uint32_t layer = l0; layer < l1; ++layer)
        for (uint32_t z = z0; z < z1; ++z)
            for (uint32_t y = y0; y < y1; ++y)
                for (uint32_t x = x0; x < x1; ++x) {
                    PageSlot& slot =
                        level.pages[((size_t{layer} * level.grid[2] + z) * level.grid[1] + y) *
                                        level.grid[0] +
                                    x];
                    if ((slot != nullptr) == backed)
                        continue;
                    change.slots.push_back(&slot);
                    VkSparseImageMemoryBind& bind = change.pages.emplace_back();
                    bind.subresource = {needs_.formatProperties.aspectMask, index, layer};
                    bind.offset = {static_cast<int32_t>(x * page.width),
                                   static_cast<int32_t>(y * page.height),
                                   static_cast<int32_t>(z * page.depth)};
                    bind.extent = {std::min(page.width, level.extent.width - x * page.width),
                                   std::min(page.height, level.extent.height - y * page.height),
                                   std::min(page.depth, level.extent.depth - z * page.depth)};
                }
}

void SparseImage::collect_tail(const TexelBox& box, bool backed, Change& change) {
    for (uint32_t i = 0; i < tails_.size(); ++i) {
        const bool named =
            tails_.size() == 1 || (i >= static_cast<uint32_t>(box.offset.z) &&
                                   i < static_cast<uint32_t>(box.offset.z) + box.extent.depth);
        if (!named || (tails_[i] != nullptr) == backed)
            continue;
        change.slots.push_back(&tails_[i]);
        change.tails.push_back({needs_.imageMipTailOffset + i * needs_.imageMipTailStride,
                                needs_.imageMipTailSize, VK_NULL_HANDLE, 0, 0});
    }
}

Result<void> SparseImage::commit(uint32_t level, const TexelBox& box, bool backed) {
    Change change;
    if (level < levels_.size())
        collect_pages(level, box, backed, change);
    else
        collect_tail(box, backed, change);
    if (change.slots.empty())
        return {};
    PageMemory fresh(*device_);
    if (backed) {
        const auto back = [&](auto& bind, VkDeviceSize size) -> Result<void> {
            VkMemoryRequirements piece = page_;
            piece.size = size;
            if (auto added = fresh.add(piece); !added)
                return added;
            VmaAllocationInfo at{};
            vmaGetAllocationInfo(device_->allocator(), fresh.pages().back(), &at);
            bind.memory = at.deviceMemory;
            bind.memoryOffset = at.offset;
            return {};
        };
        for (VkSparseImageMemoryBind& bind : change.pages)
            if (auto done = back(bind, page_.size); !done)
                return done;
        for (VkSparseMemoryBind& bind : change.tails)
            if (auto done = back(bind, bind.size); !done)
                return done;
    }
    VkSparseImageMemoryBindInfo pages{image_, static_cast<uint32_t>(change.pages.size()),
                                      change.pages.data()};
    VkSparseImageOpaqueMemoryBindInfo tails{image_, static_cast<uint32_t>(change.tails.size()),
                                            change.tails.data()};
    auto info = vk_struct<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO);
    info.imageBindCount = change.pages.empty() ? 0 : 1;
    info.pImageBinds = &pages;
    info.imageOpaqueBindCount = change.tails.empty() ? 0 : 1;
    info.pImageOpaqueBinds = &tails;
    const auto value = device_->graphics().bind_sparse(info);
    if (!value)
        return std::unexpected(value.error());
    PageMemory old(*device_);
    for (size_t i = 0; i < change.slots.size(); ++i) {
        if (*change.slots[i])
            old.take(*change.slots[i]);
        *change.slots[i] = backed ? fresh.pages()[i] : nullptr;
    }
    fresh.release();
    device_->graphics().deferred().defer(*value, std::move(old));
    return {};
}

VkDeviceSize SparseImage::committed_bytes() const {
    VkDeviceSize bytes = 0;
    for (const Level& level : levels_)
        bytes += page_.size * static_cast<VkDeviceSize>(std::ranges::count_if(
                                  level.pages, [](PageSlot page) { return page != nullptr; }));
    for (const PageSlot tail : tails_)
        bytes += tail ? needs_.imageMipTailSize : 0;
    return bytes;
}

} // namespace kobalt::vulkan
