// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/descriptors_buffer.h"

#include <cstring>

#include "render/engine.h"

namespace kobalt::render {

vulkan::Result<std::unique_ptr<DescriptorBinder>> BufferDescriptorBinder::create(Engine& engine) {
    auto ring = vulkan::DescriptorRing::create(engine.device(),
                                               engine.device().graphics().timeline(), ring_bytes);
    if (!ring)
        return std::unexpected(ring.error());
    return std::unique_ptr<DescriptorBinder>(new BufferDescriptorBinder(engine, std::move(*ring)));
}

BufferDescriptorBinder::BufferDescriptorBinder(Engine& engine, vulkan::DescriptorRing ring)
    : engine_(engine), writer_(engine.device()), ring_(std::move(ring)),
      generation_(ring_.generation()) {}

bool BufferDescriptorBinder::write(uint32_t set, const SetLayout& layout,
                                   std::span<const DescriptorData> changed) {
    const auto span = ring_.allocate(layout.layout.size());
    if (!span)
        return false;
    if (ring_.generation() != generation_) {
        // The ring moved to another buffer: sets in the old one can't be bound beside this one.
        generation_ = ring_.generation();
        buffers_bound_ = false;
        lost_ = true;
    }
    offsets_[set] = span->offset;
    std::vector<std::byte>& bytes = last_[set];
    const auto size = static_cast<size_t>(layout.layout.size());
    if (bytes.size() < size)
        bytes.resize(size);
    for (const DescriptorData& item : changed)
        encode(bytes.data() + layout.layout.offset(item.index), item);
    std::memcpy(span->mapped, bytes.data(), size);
    return true;
}

void BufferDescriptorBinder::encode(std::byte* to, const DescriptorData& item) const {
    switch (item.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        writer_.uniform_buffer(to, item.address, item.range);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        writer_.storage_buffer(to, item.address, item.range);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        writer_.uniform_texel_buffer(to, item.address, item.range, item.format);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        writer_.storage_texel_buffer(to, item.address, item.range, item.format);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        writer_.storage_image(to, item.view, VK_IMAGE_LAYOUT_GENERAL);
        break;
    default:
        writer_.combined_image_sampler(to, item.sampler, item.view, VK_IMAGE_LAYOUT_GENERAL);
        break;
    }
}

bool BufferDescriptorBinder::lost_sets() {
    const bool lost = lost_;
    lost_ = false;
    return lost;
}

void BufferDescriptorBinder::bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                                  const PipelineLayoutEntry& layout, uint32_t mask) {
    const auto& vk = engine_.device().vk();
    if (!buffers_bound_) {
        const VkDescriptorBufferBindingInfoEXT info = ring_.current().binding_info();
        vk.CmdBindDescriptorBuffersEXT(commands, 1, &info);
        buffers_bound_ = true;
    }
    constexpr uint32_t ring_index[set_count] = {};
    while (mask) {
        const auto first = static_cast<uint32_t>(__builtin_ctz(mask));
        uint32_t count = 0;
        while (mask & (1u << (first + count)))
            mask &= ~(1u << (first + count++));
        vk.CmdSetDescriptorBufferOffsetsEXT(commands, point, layout.layout.get(), first, count,
                                            ring_index, &offsets_[first]);
    }
}

} // namespace kobalt::render
