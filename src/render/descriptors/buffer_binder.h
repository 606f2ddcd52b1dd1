// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/descriptors/binder.h"
#include "vulkan/descriptors/descriptor_buffer.h"
#include "vulkan/descriptors/descriptor_ring.h"

namespace kobalt::render {

/// VK_EXT_descriptor_buffer: descriptors are bytes in a ring; a dirty stage costs writing them and
/// one offset. The ring, and beside it the bindless heap, are bound once for a command buffer. On a
/// device that binds one descriptor buffer the ring goes into the heap's as soon as there is one.
class BufferDescriptorBinder final : public DescriptorBinder {
public:
    static vulkan::Result<std::unique_ptr<DescriptorBinder>> create(Core& core, BindlessHeap* heap);

    void encode(StageSet& set, const SetLayout& layout,
                std::span<const DescriptorData> changed) override;
    bool place(StageSet& set, const SetLayout& layout) override;
    bool prepare_bindless() override;
    void bind(VkCommandBuffer commands, VkPipelineBindPoint point,
              const PipelineLayoutEntry& layout, std::span<const StageSet* const, set_count> sets,
              uint32_t mask) override;
    BindlessBind bind_bindless(VkCommandBuffer commands, VkPipelineBindPoint point,
                               const PipelineLayoutEntry& layout) override;
    void begin_commands() override;
    void forget() override { ring_.waste_all(); }
    void retire(uint64_t timeline_value) override { ring_.retire(timeline_value); }

private:
    BufferDescriptorBinder(Core& core, BindlessHeap* heap, vulkan::DescriptorRing ring);
    void encode_one(std::byte* to, const DescriptorData& data) const;
    void note_ring_buffer();
    void bind_buffers(VkCommandBuffer commands);

    Core& core_;
    BindlessHeap* const heap_; ///< null: there are no handles
    vulkan::DescriptorWriter writer_;
    vulkan::DescriptorRing ring_;
    bool buffers_bound_ = false;
    bool heap_bound_ = false; ///< beside the ring
    VkBuffer ring_bound_ = VK_NULL_HANDLE;
    /// By VkPipelineBindPoint, while buffers_bound_: the layouts' use that the heap was bound with.
    std::array<std::optional<LayoutUse>, 2> bindless_current_{};
};

} // namespace kobalt::render
