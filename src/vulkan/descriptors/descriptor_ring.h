// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/descriptors/descriptor_area.h"
#include "vulkan/device/queue.h"

#include <deque>
#include <vector>

namespace kobalt::vulkan {

/// Room for one set in a descriptor ring.
struct DescriptorSpan {
    std::byte* mapped = nullptr;
    VkDeviceSize offset = 0; ///< bytes into current(), aligned for Vulkan
};

/// Descriptor memory for command buffers being recorded. Sets are carved from the current buffer;
/// when it is full allocate() moves to another one, and the caller sees by generation() that the
/// buffers must be bound again. Buffers are used again once the timeline has passed them, the most
/// recent first. The ring never waits. Used by one thread at a time.
///
/// Where each draw replaces its set, using up a whole buffer would touch megabytes although only a
/// few kilobytes are in flight. So turn() moves to another buffer as soon as much of this one is
/// waste. The amount of memory touched then depends on how much the GPU still reads.
///
/// The memory is device-local where the CPU can write it. With NVIDIA's driver it is system memory:
/// a set has a few bytes for each draw, and each would cost a transfer over the bus. On an H200,
/// draws that change a uniform buffer's range went from 4.5 to 6.1 million a second, draws through
/// texture handles from 4.4 to 7.0, and GPU-bound frames took as long as before.
///
/// A ring can also move into an area of a buffer that holds other descriptors. From then on it uses
/// parts of the area, which several rings share, and waits only if no part is left.
class DescriptorRing {
public:
    static Result<DescriptorRing> create(Device& device, Timeline& timeline,
                                         VkDeviceSize buffer_size = 1u << 20);

    DescriptorRing(DescriptorRing&& other) noexcept;
    DescriptorRing& operator=(DescriptorRing&& other) noexcept;
    /// Waits for the submissions that use its buffers.
    ~DescriptorRing();

    /// `size` in bytes (DescriptorSetLayout::size()). `reach`: at least this many bytes from the
    /// set's start lie inside the buffer. It serves sets of which only the beginning is used:
    /// Vulkan requires the rest to be in range too
    /// (VUID-vkCmdSetDescriptorBufferOffsetsEXT-pOffsets-08127).
    Result<DescriptorSpan> allocate(VkDeviceSize size, VkDeviceSize reach = 0);
    /// True if `size` more bytes fit into the current buffer or part.
    bool fits(VkDeviceSize size) const { return used_ + size <= current_.size; }
    /// The buffer to bind.
    const DescriptorBuffer& current() const {
        return current_.in_area ? area_->buffer() : current_.own;
    }
    /// Changes whenever current() became another buffer, or another part of it.
    uint64_t generation() const { return generation_; }
    /// Moves on into a part of `area`, which has to outlive the ring, and takes parts of it from
    /// now on. VK_ERROR_OUT_OF_DEVICE_MEMORY: no part is free, and the ring stays where it is.
    Result<void> move_into(DescriptorArea& area);
    /// Whether current() is the area's buffer; false where the area had no part left.
    bool in_area() const { return current_.in_area; }
    /// This many of the bytes allocated since generation() changed will not be bound again.
    void waste(VkDeviceSize bytes) { wasted_ += bytes; }
    /// None of the bytes allocated since generation() changed will be bound again.
    void waste_all() { wasted_ = used_; }
    /// Between two submissions, where the buffers are bound again anyway: moves to another buffer
    /// if an eighth of this one is waste and at most as much is still in use, since the used part
    /// has to be allocated again. Stays where moving would take more than two buffers.
    void turn();
    /// The next submission uses current(), even if nothing is allocated for it.
    void touch() { touched_ = true; }
    /// The submission `value` uses everything allocated since the last call.
    void retire(uint64_t value);
    size_t buffers_created() const { return created_; }

private:
    /// What sets are carved from: a buffer of the ring's own, or a part of the area.
    struct Part {
        DescriptorBuffer own;
        std::byte* mapped = nullptr; ///< its first byte
        VkDeviceSize begin = 0;      ///< its offset in the buffer
        VkDeviceSize size = 0;       ///< bytes; 0: none
        bool in_area = false;
    };
    struct Pending {
        uint64_t value;
        Part part;
    };
    DescriptorRing(Device& device, Timeline& timeline, VkDeviceSize buffer_size);
    /// Waits for the submissions that use its own buffers. The area's parts need no wait: each is
    /// given back with the last submission that may use it.
    void leave();
    /// The most recent of the ring's own buffers that has room for `wanted` and that the timeline
    /// has passed, or the end.
    std::deque<Pending>::iterator find_ready(VkDeviceSize wanted);
    Part part_of_area(VkDeviceSize begin) const;
    /// Retires `part`: submissions up to `value` use it, and nothing is allocated from it any
    /// longer.
    void give_away(Part part, uint64_t value);
    void move_to(Part next, uint64_t value);
    Result<void> next_part(VkDeviceSize least);

    Device* device_;
    Timeline* timeline_;
    VkDeviceSize buffer_size_;
    VkDeviceSize alignment_;
    DescriptorArea* area_ = nullptr;
    Part current_;
    VkDeviceSize used_ = 0;
    VkDeviceSize wasted_ = 0;    ///< bytes of used_ that are not bound again
    uint64_t current_value_ = 0; ///< last submission that uses current_
    bool touched_ = false;
    uint64_t generation_ = 0;
    std::vector<Part> open_;
    std::deque<Pending> pending_;
    size_t created_ = 0;
};

} // namespace kobalt::vulkan
