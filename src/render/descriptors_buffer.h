// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <vector>

#include "render/descriptors.h"
#include "vulkan/descriptors/descriptor_buffer.h"

namespace kobalt::render {

/// VK_EXT_descriptor_buffer: descriptors are bytes in a ring; a dirty stage costs writing them and
/// one offset. The ring is bound once for a command buffer.
class BufferDescriptorBinder final : public DescriptorBinder {
public:
    static vulkan::Result<std::unique_ptr<DescriptorBinder>> create(Engine& engine);

    bool write(uint32_t set, const SetLayout& layout,
               std::span<const DescriptorData> changed) override;
    void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
              const PipelineLayoutEntry& layout, uint32_t mask) override;
    void begin_commands() override { buffers_bound_ = false; }
    bool lost_sets() override;
    void retire(uint64_t timeline_value) override { ring_.retire(timeline_value); }

private:
    static constexpr VkDeviceSize ring_bytes = 2u << 20;
    BufferDescriptorBinder(Engine& engine, vulkan::DescriptorRing ring);
    void encode(std::byte* to, const DescriptorData& data) const;

    Engine& engine_;
    vulkan::DescriptorWriter writer_;
    vulkan::DescriptorRing ring_;
    uint64_t generation_;
    std::array<VkDeviceSize, set_count> offsets_{};
    /// Each set as it was written last: the ring is slow to read, and a copy is quicker than
    /// encoding again what did not change.
    std::array<std::vector<std::byte>, set_count> last_;
    bool buffers_bound_ = false;
    bool lost_ = false;
};

} // namespace kobalt::render
