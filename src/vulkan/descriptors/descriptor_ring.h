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
/// buffers must be bound again. Buffers are used again once the timeline has passed them, the last
/// of those first; it never waits. Used by one thread at a time.
///
/// Where draw after draw replaces its set, going through a whole buffer would touch megabytes for
/// what a few kilobytes in flight need. So turn() begins anew as soon as much of the buffer is
/// waste: what is touched follows from what the GPU still reads.
///
/// The memory is the GPU's own where the CPU can write it. With NVIDIA's driver it is the system's:
/// a set is a few bytes for each draw, which cost a transfer over the bus each. On an H200 draws
/// that change a uniform buffer's range went from 4.5 to 6.1 million a second, draws through
/// texture handles from 4.4 to 7.0, and frames that the GPU bounds took as long as before.
///
/// A ring can move into an area of a buffer that holds other descriptors, too. Its buffers are the
/// area's parts from then on, which all rings there share; only where there is no part left does it
/// wait for one.
class DescriptorRing {
public:
    static Result<DescriptorRing> create(Device& device, Timeline& timeline,
                                         VkDeviceSize buffer_size = 1u << 20);

    DescriptorRing(DescriptorRing&& other) noexcept;
    DescriptorRing& operator=(DescriptorRing&& other) noexcept;
    /// Waits for the submissions that use its buffers.
    ~DescriptorRing();

    /// `size` in bytes (DescriptorSetLayout::size()). `reach`: so many bytes from there on lie in
    /// the buffer, for a set of which nothing but the beginning is used: Vulkan wants the rest to
    /// have addresses all the same (VUID-vkCmdSetDescriptorBufferOffsetsEXT-pOffsets-08127).
    Result<DescriptorSpan> allocate(VkDeviceSize size, VkDeviceSize reach = 0);
    /// True if `size` more bytes fit into the current buffer or part.
    bool fits(VkDeviceSize size) const { return used_ + size <= current_.size; }
    /// What to bind.
    const DescriptorBuffer& current() const {
        return current_.in_area ? area_->buffer() : current_.own;
    }
    /// Changes whenever current() became another buffer, or another part of it.
    uint64_t generation() const { return generation_; }
    /// Moves on into a part of `area`, which has to outlive the ring, and takes parts of it from
    /// now on. VK_ERROR_OUT_OF_DEVICE_MEMORY: none can be had, and it stays where it is.
    Result<void> move_into(DescriptorArea& area);
    /// Whether current() is the area's buffer. It is not where the area had no part left.
    bool in_area() const { return current_.in_area; }
    /// So many bytes that were allocated since generation() changed will not be bound again.
    void waste(VkDeviceSize bytes) { wasted_ += bytes; }
    /// The same for all of them.
    void waste_all() { wasted_ = used_; }
    /// Between two submissions, where the buffers are bound again anyway: moves to another buffer
    /// if an eighth of this one is waste and no more than that is still of use, since that has to
    /// be allocated again. Stays where it would need more than two buffers for it.
    void turn();
    /// The next submission uses current(), even if nothing is allocated for it.
    void touch() { touched_ = true; }
    /// Everything allocated since the last call is used by the submission `value`.
    void retire(uint64_t value);
    size_t buffers_created() const { return created_; }

private:
    /// What sets are carved from: a buffer of the ring's own, or a part of the area.
    struct Part {
        DescriptorBuffer own;
        std::byte* mapped = nullptr; ///< its first byte
        VkDeviceSize begin = 0;      ///< of it in the buffer
        VkDeviceSize size = 0;       ///< bytes; 0: none
        bool in_area = false;
    };
    struct Pending {
        uint64_t value;
        Part part;
    };
    DescriptorRing(Device& device, Timeline& timeline, VkDeviceSize buffer_size);
    /// Waits for the submissions that use its own buffers. The area's parts need no wait: they go
    /// back with the last submission that may use them.
    void leave();
    /// The last of the own buffers with room for `wanted` that the timeline has passed, or the end.
    std::deque<Pending>::iterator find_ready(VkDeviceSize wanted);
    Part part_of_area(VkDeviceSize begin) const;
    /// Submissions up to `value` use it; nothing is allocated from it any longer.
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
    VkDeviceSize wasted_ = 0;    ///< of these
    uint64_t current_value_ = 0; ///< last submission that uses current_
    bool touched_ = false;
    uint64_t generation_ = 0;
    std::vector<Part> open_;
    std::deque<Pending> pending_;
    size_t created_ = 0;
};

} // namespace kobalt::vulkan
