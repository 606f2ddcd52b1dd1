// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "render/resource.h"

namespace kobalt::render {

/// Storage of buffers that are gone, for new ones of the same size and kind: an app that replaces a
/// buffer's contents at each draw gets what it let go of some batches ago, without a Vulkan call. A
/// buffer comes here when nothing refers to it, the GPU included. Thread-safe.
class BufferCache {
public:
    /// Beyond these the storage is freed: it would be reused too seldom.
    static constexpr VkDeviceSize most_bytes_each = 16u << 20;
    static constexpr VkDeviceSize most_bytes = 80u << 20;

    explicit BufferCache(vulkan::Device& device) : device_(device) {}

    /// A buffer whose storage returns here. What it holds is undefined.
    vulkan::Result<Ref<Buffer>> create(const vulkan::BufferInfo& info);
    /// Takes back what a buffer that create() made had.
    void put(vulkan::Buffer storage);
    /// Gives all memory back to Vulkan.
    void clear();
    /// What lies here.
    VkDeviceSize bytes() const;

private:
    /// What a small buffer is counted as: it also takes an object of Vulkan's.
    static constexpr VkDeviceSize least_bytes = 512;

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
    vulkan::Buffer take(const Shape& shape);

    vulkan::Device& device_;
    mutable std::mutex mutex_; ///< guards what follows
    std::unordered_map<Shape, std::vector<vulkan::Buffer>, ShapeHash> free_;
    VkDeviceSize bytes_ = 0; ///< of all that is in free_, as counted
};

} // namespace kobalt::render
