// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/frame_slot.h"

#include <algorithm>
#include <cstring>

#include <unistd.h>

#include "vulkan/resources/external_memory.h"

namespace kobalt::present {

namespace {

constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
constexpr auto host_allocation = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

/// The alignment of the address and the size of imported memory, bytes.
size_t granularity(const vulkan::Device& device) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (!device.has(vulkan::Capability::external_memory_host))
        return page;
    return std::max(page,
                    static_cast<size_t>(
                        device.properties().external_memory_host.minImportedHostPointerAlignment));
}

vulkan::BufferInfo buffer_info(size_t bytes) {
    vulkan::BufferInfo info;
    info.size = bytes;
    info.usage = usage;
    info.kind = vulkan::MemoryKind::readback;
    info.name = "frame for the window system";
    return info;
}

} // namespace

bool FrameSlot::holds(size_t bytes) const {
    constexpr size_t small = 1 << 18;
    return bytes <= capacity_ && capacity_ / 4 <= std::max(bytes, small);
}

vulkan::Result<void> FrameSlot::reserve(vulkan::Device& device, FrameSink& sink, size_t bytes) {
    // A window that is being resized asks for another size with each frame: a quarter more saves
    // most allocations. One that has become much smaller gives its memory back.
    if (holds(bytes))
        return {};
    const size_t unit = granularity(device);
    const size_t wanted = (bytes + bytes / 4 + unit - 1) / unit * unit;

    buffer_.reset();
    pages_.reset();
    capacity_ = 0;
    direct_ = false;
    auto pages = sink.allocate(wanted);
    if (!pages)
        return std::unexpected(pages.error());
    pages_ = std::move(*pages);
    import_pages(device);
    if (!direct_) {
        auto staging = vulkan::Buffer::create(device, buffer_info(wanted));
        if (!staging)
            return std::unexpected(staging.error());
        buffer_ = std::move(*staging);
    }
    capacity_ = wanted;
    return {};
}

void FrameSlot::import_pages(vulkan::Device& device) {
    if (!pages_ || !device.has(vulkan::Capability::external_memory_host) ||
        !vulkan::imports_buffers(device, host_allocation, usage))
        return;
    const std::span<std::byte> bytes = pages_->bytes();
    if (reinterpret_cast<uintptr_t>(bytes.data()) % granularity(device))
        return;
    vulkan::ExternalMemory memory;
    memory.type = host_allocation;
    memory.host = bytes.data();
    memory.size = bytes.size();
    // A driver may refuse pages of shared memory: the frame is then copied once more.
    auto imported = vulkan::import_buffer(device, buffer_info(bytes.size()), memory, 0);
    if (!imported)
        return;
    buffer_ = std::move(*imported);
    direct_ = true;
}

Picture FrameSlot::picture(const PixelLayout& layout) const {
    const size_t size = size_t{layout.stride(extent.width)} * extent.height;
    Picture picture;
    picture.extent = extent;
    picture.damage = damage;
    picture.pages = pages_.get();
    buffer_.invalidate(0, size);
    if (!pages_) {
        picture.pixels = buffer_.bytes().first(size);
        return picture;
    }
    picture.pixels = pages_->bytes().first(size);
    if (!direct_) {
        const std::span<std::byte> rows = picture.damaged_rows(layout);
        const auto first = rows.data() - picture.pixels.data();
        std::memcpy(rows.data(), buffer_.bytes().data() + first, rows.size());
    }
    return picture;
}

} // namespace kobalt::present
