// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "vulkan/device/queue.h"
#include "vulkan/resources/buffer.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace kobalt::vulkan {

/// Writes descriptors as bytes (VK_EXT_descriptor_buffer). Sizes are those of the device with the
/// robustness it was created with. Every function writes size_of(its type) bytes at `to`.
class DescriptorWriter {
public:
    explicit DescriptorWriter(const Device& device);

    /// Bytes of one descriptor of `type`.
    size_t size_of(VkDescriptorType type) const;

    void uniform_buffer(std::byte* to, VkDeviceAddress address, VkDeviceSize range) const;
    void storage_buffer(std::byte* to, VkDeviceAddress address, VkDeviceSize range) const;
    /// `type`: VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER or VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER.
    void texel_buffer(std::byte* to, VkDescriptorType type, VkDeviceAddress address,
                      VkDeviceSize range, VkFormat format) const;
    void combined_image_sampler(std::byte* to, VkSampler sampler, VkImageView view,
                                VkImageLayout layout) const;
    void sampled_image(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void storage_image(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void input_attachment(std::byte* to, VkImageView view, VkImageLayout layout) const;
    void sampler(std::byte* to, VkSampler sampler) const;
    /// A null descriptor of any type but sampler: needs Capability::null_descriptor.
    void null(std::byte* to, VkDescriptorType type) const;

private:
    void get(std::byte* to, VkDescriptorType type, const VkDescriptorDataEXT& data) const;

    VkDevice device_;
    const DeviceDispatch* vk_;
    size_t sizes_[11]; ///< by VkDescriptorType, 0 to 10
};

/// One mapped buffer that holds descriptors and can be bound with vkCmdBindDescriptorBuffersEXT.
class DescriptorBuffer {
public:
    static Result<DescriptorBuffer> create(Device& device, VkDeviceSize size,
                                           const char* name = nullptr,
                                           MemoryKind kind = MemoryKind::device_local_mappable);
    DescriptorBuffer() = default;

    std::byte* mapped() const { return buffer_.mapped(); }
    VkDeviceSize size() const { return buffer_.size(); }
    VkDeviceAddress address() const { return buffer_.address(); }
    VkBuffer handle() const { return buffer_.handle(); }
    /// Ready for vkCmdBindDescriptorBuffersEXT; valid while this buffer lives.
    VkDescriptorBufferBindingInfoEXT binding_info() const;

private:
    Buffer buffer_;
};

/// Room for one set in a descriptor ring.
struct DescriptorSpan {
    std::byte* mapped = nullptr;
    VkDeviceSize offset = 0; ///< bytes into the ring's current buffer, aligned for Vulkan
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
class DescriptorRing {
public:
    static Result<DescriptorRing> create(Device& device, Timeline& timeline,
                                         VkDeviceSize buffer_size = 1u << 20);

    DescriptorRing(DescriptorRing&&) noexcept = default;
    DescriptorRing& operator=(DescriptorRing&& other) noexcept;
    /// Waits for the submissions that use its buffers.
    ~DescriptorRing();

    /// `size` in bytes (DescriptorSetLayout::size()). `reach`: so many bytes from there on lie in
    /// the buffer, for a set of which nothing but the beginning is used: Vulkan wants the rest to
    /// have addresses all the same (VUID-vkCmdSetDescriptorBufferOffsetsEXT-pOffsets-08127).
    Result<DescriptorSpan> allocate(VkDeviceSize size, VkDeviceSize reach = 0);
    /// True if `size` more bytes fit into the current buffer.
    bool fits(VkDeviceSize size) const { return used_ + size <= current_.size(); }
    const DescriptorBuffer& current() const { return current_; }
    /// Changes whenever current() became another buffer.
    uint64_t generation() const { return generation_; }
    /// So many bytes that were allocated from current() will not be bound again.
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
    struct Pending {
        uint64_t value;
        DescriptorBuffer buffer;
    };
    DescriptorRing(Device& device, Timeline& timeline, VkDeviceSize buffer_size);
    void wait_for_uses();
    /// The last of the buffers with room for `wanted` that the timeline has passed, or the end.
    std::deque<Pending>::iterator find_ready(VkDeviceSize wanted);
    Result<void> next_buffer(VkDeviceSize least);

    Device* device_;
    Timeline* timeline_;
    VkDeviceSize buffer_size_;
    VkDeviceSize alignment_;
    DescriptorBuffer current_;
    VkDeviceSize used_ = 0;
    VkDeviceSize wasted_ = 0;    ///< of these
    uint64_t current_value_ = 0; ///< last submission that uses current_
    bool touched_ = false;
    uint64_t generation_ = 0;
    std::vector<DescriptorBuffer> open_;
    std::deque<Pending> pending_;
    size_t created_ = 0;
};

} // namespace kobalt::vulkan
