// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/descriptors/buffer_binder.h"

#include <bit>
#include <cstring>

#include "render/bindless/heap.h"
#include "vulkan/descriptors/descriptor_commands.h"

namespace kobalt::render {

vulkan::Result<std::unique_ptr<DescriptorBinder>>
BufferDescriptorBinder::create(Core& core, BindlessHeap* heap) {
    auto ring = vulkan::DescriptorRing::create(core.device(), core.device().graphics().timeline(),
                                               descriptor_ring_bytes);
    if (!ring)
        return std::unexpected(ring.error());
    return std::unique_ptr<DescriptorBinder>(
        new BufferDescriptorBinder(core, heap, std::move(*ring)));
}

BufferDescriptorBinder::BufferDescriptorBinder(Core& core, BindlessHeap* heap,
                                               vulkan::DescriptorRing ring)
    : core_(core), heap_(heap), writer_(core.device()), ring_(std::move(ring)) {
    generation_ = ring_.generation() + 1;
}

// The content lies in ordinary memory: the ring is slow to read, and a copy is faster than encoding
// unchanged descriptors again.
void BufferDescriptorBinder::encode(StageSet& set, const SetLayout& layout,
                                    std::span<const DescriptorData> changed) {
    // All of it, except for shader objects: their sets have more descriptors than a shader uses.
    if (set.content.size() < layout.layout.size()) {
        VkDeviceSize used = set.content.size();
        for (const DescriptorData& item : changed)
            if (layout.offsets[item.index] >= used)
                used = layout.end(item.index);
        set.content.resize(static_cast<size_t>(used));
    }
    for (const DescriptorData& item : changed)
        encode_one(set.content.data() + layout.offsets[item.index], item);
    if (set.generation == generation_)
        ring_.waste(set.content.size());
    set.generation = 0;
}

bool BufferDescriptorBinder::place(StageSet& set, const SetLayout& layout) {
    const auto span = ring_.allocate(set.content.size(), layout.layout.size());
    if (!span)
        return false;
    note_ring_buffer();
    set.offset = span->offset;
    set.generation = generation_;
    std::memcpy(span->mapped, set.content.data(), set.content.size());
    return true;
}

/// The ring may have gone on to another buffer: sets in the old one can't be bound beside this one.
void BufferDescriptorBinder::note_ring_buffer() {
    const uint64_t generation = ring_.generation() + 1;
    if (generation == generation_)
        return;
    generation_ = generation;
    buffers_bound_ &= ring_.current().handle() == ring_bound_;
}

bool BufferDescriptorBinder::prepare_bindless() {
    if (!core_.paths().shared_descriptor_buffer || ring_.in_area())
        return true;
    BindlessHeap& heap = *heap_;
    if (!heap.prepare() || !ring_.move_into(*heap.ring_area()))
        return false;
    note_ring_buffer();
    return true;
}

void BufferDescriptorBinder::encode_one(std::byte* to, const DescriptorData& item) const {
    if (item.bytes) {
        std::memcpy(to, item.bytes, writer_.size_of(item.type));
        return;
    }
    const bool memory = item.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
                        item.type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
                        item.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (memory && !item.address)
        return writer_.null(to, item.type);
    switch (item.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        writer_.uniform_buffer(to, item.address, item.range);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        writer_.storage_buffer(to, item.address, item.range);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        writer_.texel_buffer(to, item.type, item.address, item.range, item.format);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        writer_.storage_image(to, item.view, VK_IMAGE_LAYOUT_GENERAL);
        break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        writer_.input_attachment(to, item.view, VK_IMAGE_LAYOUT_GENERAL);
        break;
    default:
        writer_.combined_image_sampler(to, item.sampler, item.view, VK_IMAGE_LAYOUT_GENERAL);
        break;
    }
}

void BufferDescriptorBinder::begin_commands() {
    ring_.turn();
    BindlessHeap* heap = core_.paths().shared_descriptor_buffer ? heap_ : nullptr;
    if (vulkan::DescriptorArea* area = heap ? heap->ring_area() : nullptr)
        (void)ring_.move_into(*area); // if that fails the ring stays, until a draw needs it there
    generation_ = ring_.generation() + 1;
    buffers_bound_ = false;
}

void BufferDescriptorBinder::bind_buffers(VkCommandBuffer commands) {
    BindlessHeap* heap = heap_;
    const bool shared = core_.paths().shared_descriptor_buffer;
    const vulkan::DescriptorBuffer* bindless = heap && !shared ? heap->buffer() : nullptr;
    const VkDescriptorBufferBindingInfoEXT infos[] = {
        ring_.current().binding_info(),
        bindless ? bindless->binding_info() : VkDescriptorBufferBindingInfoEXT{}};
    core_.device().vk().CmdBindDescriptorBuffersEXT(commands, bindless ? 2 : 1, infos);
    ring_.touch(); // sets of earlier submissions may be bound again
    buffers_bound_ = true;
    ring_bound_ = ring_.current().handle();
    heap_bound_ = bindless || ring_.in_area();
    bindless_current_ = {};
    ++disturbances_; // all offsets became invalid, of compute and graphics
    ++counts.rebinds;
}

BindlessBind BufferDescriptorBinder::bind_bindless(VkCommandBuffer commands,
                                                   VkPipelineBindPoint point,
                                                   const PipelineLayoutEntry& layout) {
    std::optional<LayoutUse>& current = bindless_current_[point];
    if (buffers_bound_ && current == layout.use)
        return BindlessBind::current;
    if (!heap_ || !heap_->prepare())
        return BindlessBind::failed;
    const bool shared = core_.paths().shared_descriptor_buffer;
    if (shared && !ring_.in_area()) // the area has no room for the sets of this draw
        return BindlessBind::failed;
    auto result = BindlessBind::bound;
    if (!buffers_bound_ || !heap_bound_) {
        // The heap came after the buffers were bound, which makes all offsets invalid.
        if (buffers_bound_)
            result = BindlessBind::bound_alone;
        bind_buffers(commands);
    }
    const uint32_t heap_index = shared ? 0 : 1;
    constexpr VkDeviceSize offset = 0;
    vulkan::set_descriptor_offsets(core_.device(), commands, point, layout.layout.get(), 0,
                                   {&offset, 1}, &heap_index);
    current = layout.use;
    return result;
}

void BufferDescriptorBinder::bind(VkCommandBuffer commands, VkPipelineBindPoint point,
                                  const PipelineLayoutEntry& layout,
                                  std::span<const StageSet* const, set_count> sets, uint32_t mask) {
    if (!buffers_bound_)
        bind_buffers(commands);
    if (bindless_current_[point] != layout.use) // these sets unbind it
        bindless_current_[point].reset();
    constexpr uint32_t ring_index[set_count] = {};
    std::array<VkDeviceSize, set_count> offsets;
    while (mask) {
        const auto first = static_cast<uint32_t>(std::countr_zero(mask));
        uint32_t count = 0;
        for (; mask & (1u << (first + count)); ++count) {
            mask &= ~(1u << (first + count));
            offsets[count] = sets[first + count]->offset;
        }
        counts.offsets += count;
        vulkan::set_descriptor_offsets(core_.device(), commands, point, layout.layout.get(), first,
                                       std::span(offsets).first(count), ring_index);
    }
}

} // namespace kobalt::render
