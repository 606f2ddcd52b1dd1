// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "render/resources/resource.h"

namespace kobalt::render {

/// Released buffers, kept for new ones of the same size and kind. An app that replaces a buffer's
/// contents at each draw gets storage that it released some batches ago, without a Vulkan call and
/// without the allocator, for whose locks the threads that make and release buffers would contend.
/// A buffer comes here when nothing refers to it, the GPU included. Where the cache is full, the
/// buffers that were asked for the longest ago make room. Thread-safe.
class BufferCache {
public:
    /// Above these sizes the storage is freed, because it would be reused too seldom.
    static constexpr VkDeviceSize most_bytes_each = 16u << 20;
    static constexpr VkDeviceSize most_bytes = 80u << 20;

    explicit BufferCache(vulkan::Device& device);
    ~BufferCache() { clear(); }

    /// Creates a buffer that returns here when it is released. Its contents are undefined.
    vulkan::Result<Ref<Buffer>> create(const vulkan::BufferInfo& info);
    /// Takes back a buffer that create() made and nothing refers to. False: it has to be deleted.
    bool take_back(Buffer& gone);
    /// Gives all memory back to Vulkan.
    void clear();
    /// The bytes held in the cache.
    VkDeviceSize bytes() const {
        return returned_bytes_.load(std::memory_order_relaxed) +
               sorted_bytes_.load(std::memory_order_relaxed);
    }

private:
    struct Shape {
        VkDeviceSize size;
        VkBufferUsageFlags usage;
        vulkan::MemoryKind kind;
        bool operator==(const Shape&) const = default;
    };
    struct ShapeHash {
        size_t operator()(const Shape& shape) const {
            return static_cast<size_t>(shape.size * 8 + static_cast<size_t>(shape.kind));
        }
    };
    struct Returned {
        Buffer* buffer;
        Shape shape;
    };
    /// The free buffers of a shape.
    struct Kept {
        std::vector<Buffer*> buffers;
        uint64_t asked = 0; ///< asked_ when the shape was asked for last
    };
    using Free = std::unordered_map<Shape, Kept, ShapeHash>;
    static VkDeviceSize counted(const Shape& shape);
    /// Null: there is none.
    Ref<Buffer> take(const Shape& shape);
    Kept& fitting(const Shape& shape);
    /// Sorts the returned buffers into free_.
    void sort_returned();
    /// Frees `bytes` of shapes that weren't asked for since `asked`, the oldest first, or as much
    /// as there is. Returns the bytes.
    VkDeviceSize free_older(uint64_t asked, VkDeviceSize bytes);

    vulkan::Device& device_;
    const VkDeviceSize most_; ///< in each list: more than was in flight never comes back at once
    /// Guards returned_. Taking a buffer locks it only for an exchange of the lists, so returning
    /// one hardly ever waits, and the two sides write to separate cache lines.
    alignas(64) std::mutex returned_mutex_;
    std::vector<Returned> returned_; ///< with shapes: sorting them reads no buffer
    std::atomic<VkDeviceSize> returned_bytes_{0};
    alignas(64) std::atomic<VkDeviceSize> sorted_bytes_{0};
    std::mutex mutex_; ///< guards what follows
    std::vector<Returned> sorting_;
    Free free_;
    uint64_t asked_ = 0;                 ///< counts calls of take()
    Free::value_type* recent_ = nullptr; ///< the entry of free_ that was looked up last
};

} // namespace kobalt::render
