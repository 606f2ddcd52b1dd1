// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kobalt::gltest {

using Uuid = std::array<std::uint8_t, 16>;

/// What a Vulkan program shares with OpenGL: memory with a buffer or an image in it, as an opaque
/// file descriptor. OpenGL's import takes the descriptor.
struct SharedMemory {
    int fd = -1;
    std::uint64_t size = 0;   ///< bytes of the memory
    std::uint64_t offset = 0; ///< of the buffer or image in it
};

/// A Vulkan program with a device of its own on the GPU that OpenGL draws with: the other side of
/// GL_EXT_memory_object_fd and GL_EXT_semaphore_fd. Nothing of Kobalt is in it.
class VulkanPeer {
public:
    /// Null, and why, where there is no Vulkan device with that UUID that exports memory.
    static std::unique_ptr<VulkanPeer> create(const Uuid& device, std::string& why_not);
    ~VulkanPeer();
    VulkanPeer(const VulkanPeer&) = delete;
    VulkanPeer& operator=(const VulkanPeer&) = delete;

    struct ImageShape {
        std::uint32_t width = 0, height = 0;
        bool linear = false;
        bool dedicated = false;
    };
    /// `offset`: where in its memory, at least; the device may ask for more. False: no memory.
    bool make_buffer(std::uint64_t bytes, std::uint64_t offset, SharedMemory& shared) {
        return make_buffer(bytes, offset, shared, false);
    }
    /// The same with a dma-buf for a descriptor; false as well where the device exports none.
    bool make_dma_buf(std::uint64_t bytes, SharedMemory& shared) {
        return make_buffer(bytes, 0, shared, true);
    }
    /// RGBA8, one level. The last buffer and image made are what follows is about.
    bool make_image(const ImageShape& shape, std::uint64_t offset, SharedMemory& shared);
    /// Whether images of linear tiling can be colour attachments, those of make_image().
    bool renders_to_linear() const;
    /// A semaphore that both sides use: its descriptor; -1: the device exports none.
    int make_semaphore(std::size_t index);

    /// Semaphores by index, or -1; without one it waits until the device is done.
    struct Order {
        int wait = -1, signal = -1;
    };
    void fill_buffer(std::uint32_t word, Order order);
    void fill_buffer(std::uint32_t word) { fill_buffer(word, {}); }
    std::vector<std::uint32_t> read_buffer(Order order);
    std::vector<std::uint32_t> read_buffer() { return read_buffer({}); }
    void clear_image(const std::array<float, 4>& colour, Order order);
    void clear_image(const std::array<float, 4>& colour) { clear_image(colour, {}); }
    /// Texels, R in the lowest byte.
    std::vector<std::uint32_t> read_image(Order order);
    std::vector<std::uint32_t> read_image() { return read_image({}); }

private:
    struct Impl;
    VulkanPeer();
    bool make_buffer(std::uint64_t bytes, std::uint64_t offset, SharedMemory& shared, bool dma_buf);
    std::unique_ptr<Impl> impl_;
};

} // namespace kobalt::gltest
