// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/queue.h"
#include "vulkan/resources/buffer.h"

#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace kobalt::vulkan {

enum class StagingDirection { upload, download };

/// A piece of a staging chunk. For downloads `pin` keeps the bytes from being used again until
/// they were read: hold the span till then.
struct StagingSpan {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0; ///< bytes into `buffer`
    std::span<std::byte> mapped;
    VkDeviceAddress address = 0; ///< device address of the first byte
    std::shared_ptr<const Buffer> pin;
};

/// Memory for copies to or from the device, carved from persistently mapped chunks that are used
/// again once the timeline has passed them. The ring never waits: while every chunk is busy it
/// grows. Used by one thread at a time (one ring a context).
class StagingRing {
public:
    StagingRing(Device& device, Timeline& timeline, StagingDirection direction,
                VkDeviceSize chunk_size = 4u << 20, VkBufferUsageFlags extra_usage = 0);
    /// Waits for the submissions that use its chunks (the only wait there is).
    ~StagingRing();
    StagingRing(const StagingRing&) = delete;
    StagingRing& operator=(const StagingRing&) = delete;

    /// `alignment` in bytes, a power of two or any multiple needed by a texel block. A request
    /// larger than a chunk gets a chunk of its own. Fails only when out of memory.
    Result<StagingSpan> allocate(VkDeviceSize size, VkDeviceSize alignment = 16);

    /// The submission `value` uses everything allocated since the last call.
    void retire(uint64_t value);

    /// Makes the device's writes visible to the host. Call it after the timeline has passed the
    /// span.
    void invalidate(const StagingSpan& span) const;

    size_t chunks_created() const { return chunks_created_; }
    VkDeviceSize bytes_held() const { return bytes_held_; }

private:
    struct Chunk {
        std::shared_ptr<Buffer> buffer;
        VkDeviceSize used = 0;
        uint64_t value = 0;   ///< last submission that uses it
        bool touched = false; ///< allocated from since the last retire()
    };
    Result<Chunk> take(VkDeviceSize size);
    bool idle(const Chunk& chunk);
    StagingSpan carve(Chunk& chunk, VkDeviceSize offset, VkDeviceSize size);

    Device& device_;
    Timeline& timeline_;
    StagingDirection direction_;
    VkDeviceSize chunk_size_;
    VkBufferUsageFlags usage_;
    Chunk current_;
    std::vector<Chunk> open_;   ///< full, not retired yet
    std::deque<Chunk> pending_; ///< retired, by value
    size_t chunks_created_ = 0;
    VkDeviceSize bytes_held_ = 0;
};

} // namespace kobalt::vulkan
