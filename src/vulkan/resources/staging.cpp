// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/resources/staging.h"

#include "vulkan/base/address_space.h"
#include "vulkan/base/round_up.h"
#include "vulkan/device/device.h"

#include <algorithm>

namespace kobalt::vulkan {

namespace {

/// Chunks larger than the standard one are kept for reuse up to this sum of all bytes held.
constexpr VkDeviceSize most_bytes_held = by_address_space(128u << 20, 32u << 20);

} // namespace

StagingRing::StagingRing(Device& device, Timeline& timeline, StagingDirection direction,
                         VkDeviceSize chunk_size, VkBufferUsageFlags extra_usage)
    : device_(device), timeline_(timeline), direction_(direction), chunk_size_(chunk_size),
      usage_(extra_usage |
             (direction == StagingDirection::upload ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT
                                                    : VK_BUFFER_USAGE_TRANSFER_DST_BIT)) {}

StagingRing::~StagingRing() {
    uint64_t last = current_.value;
    for (const Chunk& chunk : open_)
        last = std::max(last, chunk.value);
    for (const Chunk& chunk : pending_)
        last = std::max(last, chunk.value);
    timeline_.wait_to_destroy(last);
}

bool StagingRing::idle(const Chunk& chunk) {
    // A pinned download chunk still holds bytes that nobody has read.
    return chunk.buffer.use_count() == 1 && timeline_.reached(chunk.value);
}

Result<StagingRing::Chunk> StagingRing::take(VkDeviceSize size) {
    const VkDeviceSize wanted = std::max(size, chunk_size_);
    for (auto chunk = pending_.begin(); chunk != pending_.end();) {
        if (!idle(*chunk)) {
            ++chunk;
            continue;
        }
        const VkDeviceSize bytes = chunk->buffer->size();
        // Skip chunks much larger than asked for: a small allocation would hold them.
        if (bytes >= wanted && bytes <= 2 * wanted) {
            Chunk found = std::move(*chunk);
            pending_.erase(chunk);
            found.used = 0;
            return found;
        }
        if (bytes > chunk_size_ && bytes_held_ > most_bytes_held) {
            bytes_held_ -= bytes;
            chunk = pending_.erase(chunk);
            continue;
        }
        ++chunk;
    }
    BufferInfo info;
    info.size = wanted;
    info.usage = usage_;
    info.kind = direction_ == StagingDirection::upload ? MemoryKind::upload : MemoryKind::readback;
    info.name = direction_ == StagingDirection::upload ? "staging upload" : "staging download";
    Result<Buffer> buffer = Buffer::create(device_, info);
    if (!buffer)
        return std::unexpected(buffer.error());
    Chunk chunk;
    chunk.buffer = std::make_shared<Buffer>(std::move(*buffer));
    ++chunks_created_;
    bytes_held_ += wanted;
    return chunk;
}

StagingSpan StagingRing::carve(Chunk& chunk, VkDeviceSize offset, VkDeviceSize size) {
    chunk.used = offset + size;
    chunk.touched = true;
    StagingSpan span;
    span.buffer = chunk.buffer->handle();
    span.offset = offset;
    span.mapped = chunk.buffer->bytes().subspan(offset, size);
    if (chunk.buffer->address())
        span.address = chunk.buffer->address() + offset;
    if (direction_ == StagingDirection::download)
        span.pin = chunk.buffer;
    return span;
}

Result<StagingSpan> StagingRing::allocate(VkDeviceSize size, VkDeviceSize alignment) {
    if (size > chunk_size_) {
        Result<Chunk> chunk = take(size);
        if (!chunk)
            return std::unexpected(chunk.error());
        open_.push_back(std::move(*chunk));
        return carve(open_.back(), 0, size);
    }
    if (current_.buffer) {
        // Start over in a chunk that nothing uses any longer. This doesn't query the device.
        if (!current_.touched && current_.value <= timeline_.known_completed() &&
            current_.buffer.use_count() == 1)
            current_.used = 0;
        const VkDeviceSize offset = round_up(current_.used, alignment);
        if (offset + size <= current_.buffer->size())
            return carve(current_, offset, size);
    }
    Result<Chunk> next = take(size);
    if (!next)
        return std::unexpected(next.error());
    if (current_.buffer) {
        if (current_.touched)
            open_.push_back(std::move(current_));
        else
            pending_.push_back(std::move(current_));
    }
    current_ = std::move(*next);
    return carve(current_, 0, size);
}

void StagingRing::retire(uint64_t value) {
    for (Chunk& chunk : open_) {
        chunk.value = value;
        chunk.touched = false;
        pending_.push_back(std::move(chunk));
    }
    open_.clear();
    if (current_.touched) {
        current_.value = value;
        current_.touched = false;
    }
}

void StagingRing::invalidate(const StagingSpan& span) const {
    if (span.pin)
        span.pin->invalidate(span.offset, span.mapped.size());
}

} // namespace kobalt::vulkan
