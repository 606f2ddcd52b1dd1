// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/resources/sparse.h"

#include <algorithm>
#include <utility>

#include "vulkan/base/round_up.h"
#include "vulkan/base/vma.h"
#include "vulkan/device/debug.h"
#include "vulkan/device/device.h"

namespace kobalt::vulkan {

namespace {

VkBufferCreateInfo sparse_buffer_info(VkDeviceSize size, VkBufferUsageFlags usage) {
    auto info = vk_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;
    info.size = size;
    info.usage = usage;
    return info;
}

} // namespace

PageMemory::PageMemory(Device& device) : device_(&device) {}

PageMemory::PageMemory(PageMemory&& other) noexcept
    : device_(other.device_), pages_(std::exchange(other.pages_, {})) {}

PageMemory& PageMemory::operator=(PageMemory&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(pages_, other.pages_);
    return *this;
}

PageMemory::~PageMemory() {
    if (!pages_.empty() && !device_->given_up())
        vmaFreeMemoryPages(device_->allocator(), pages_.size(), pages_.data());
}

Result<void> PageMemory::add(const VkMemoryRequirements& requirements) {
    VmaAllocationCreateInfo info{};
    info.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    VmaAllocation page = nullptr;
    const VkResult result =
        vmaAllocateMemory(device_->allocator(), &requirements, &info, &page, nullptr);
    if (result != VK_SUCCESS)
        return fail(result, "allocating a page", size_text(requirements.size));
    pages_.push_back(page);
    return {};
}

VkDeviceSize SparseBuffer::page_size(Device& device, VkBufferUsageFlags usage) {
    const VkBufferCreateInfo info = sparse_buffer_info(1, usage);
    auto asked = vk_struct<VkDeviceBufferMemoryRequirements>(
        VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS);
    asked.pCreateInfo = &info;
    auto needs = vk_struct<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2);
    device.vk().GetDeviceBufferMemoryRequirements(device.handle(), &asked, &needs);
    // ARB_sparse_buffer, "New State": a page has at most 65,536 bytes.
    const VkDeviceSize size = needs.memoryRequirements.alignment;
    return size <= 65536 ? size : 0;
}

Result<Buffer> SparseBuffer::create(Device& device, BufferInfo info, SparseBuffer& pages) {
    const VkDeviceSize page = page_size(device, info.usage);
    if (!page)
        return fail(VK_ERROR_FEATURE_NOT_PRESENT, "creating a sparse buffer");
    info.size = round_up(std::max<VkDeviceSize>(info.size, 1), page);
    info.kind = MemoryKind::device_local;
    if (info.size > device.limits().sparseAddressSpaceSize)
        return fail(VK_ERROR_OUT_OF_DEVICE_MEMORY, "creating a sparse buffer",
                    size_text(info.size) + "; the device has addresses for " +
                        size_text(device.limits().sparseAddressSpaceSize));
    const VkBufferCreateInfo create = sparse_buffer_info(info.size, info.usage);
    VkBuffer handle = VK_NULL_HANDLE;
    const VkResult result = device.vk().CreateBuffer(device.handle(), &create, nullptr, &handle);
    if (result != VK_SUCCESS)
        return fail(result, "creating a sparse buffer", size_text(info.size));
    pages.device_ = &device;
    pages.buffer_ = handle;
    device.vk().GetBufferMemoryRequirements(device.handle(), handle, &pages.page_);
    pages.pages_.assign(pages.page_.size / page, nullptr);
    pages.page_.size = pages.page_.alignment = page;
    return Buffer::adopt(device, device.own<BufferHandle>(handle), {}, info, nullptr);
}

SparseBuffer::~SparseBuffer() {
    if (!device_)
        return;
    PageMemory backed(*device_);
    for (const PageSlot page : pages_)
        if (page)
            backed.take(page);
}

Result<void> SparseBuffer::commit(VkDeviceSize offset, VkDeviceSize size, bool backed) {
    const size_t first = offset / page_.size,
                 end =
                     std::min<size_t>((offset + size + page_.size - 1) / page_.size, pages_.size());
    std::vector<size_t> changed;
    for (size_t i = first; i < end; ++i)
        if ((pages_[i] != nullptr) != backed)
            changed.push_back(i);
    if (changed.empty())
        return {};
    PageMemory fresh(*device_);
    std::vector<VkSparseMemoryBind> binds;
    for (const size_t i : changed) {
        VkSparseMemoryBind& bind = binds.emplace_back();
        bind.resourceOffset = i * page_.size;
        bind.size = page_.size;
        if (!backed)
            continue;
        if (auto added = fresh.add(page_); !added)
            return added;
        VmaAllocationInfo at{};
        vmaGetAllocationInfo(device_->allocator(), fresh.pages().back(), &at);
        bind.memory = at.deviceMemory;
        bind.memoryOffset = at.offset;
    }
    VkSparseBufferMemoryBindInfo buffer{buffer_, static_cast<uint32_t>(binds.size()), binds.data()};
    auto info = vk_struct<VkBindSparseInfo>(VK_STRUCTURE_TYPE_BIND_SPARSE_INFO);
    info.bufferBindCount = 1;
    info.pBufferBinds = &buffer;
    const auto value = device_->graphics().bind_sparse(info);
    if (!value)
        return std::unexpected(value.error());
    PageMemory old(*device_);
    for (size_t i = 0; i < changed.size(); ++i) {
        PageSlot& slot = pages_[changed[i]];
        if (slot)
            old.take(slot);
        slot = backed ? fresh.pages()[i] : nullptr;
    }
    fresh.release();
    device_->graphics().deferred().defer(*value, std::move(old));
    return {};
}

VkDeviceSize SparseBuffer::committed_bytes() const {
    return page_.size * static_cast<VkDeviceSize>(std::ranges::count_if(
                            pages_, [](PageSlot page) { return page != nullptr; }));
}

} // namespace kobalt::vulkan
