// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "render/descriptors/null_views.h"
#include "render/recorder/impl.h"

// What the descriptors of a stage name: the objects at its binding points, or placeholders where
// nothing is bound.

namespace kobalt::render {

const Buffer& Recorder::Impl::name_null_buffer(VkDeviceSize limit,
                                               VkDescriptorBufferInfo& named) const {
    const Buffer& target = engine.null_buffer();
    named = {target.handle(), 0, std::min(target.size(), limit)};
    return target;
}

ImageView* Recorder::Impl::attachment(uint32_t slot) const {
    return slot == depth_fetch_slot     ? fetched_depth
           : slot == stencil_fetch_slot ? fetched_stencil
                                        : framebuffer.color[slot];
}

void Recorder::Impl::name_texture(const StageState& bound, const StageBinding& binding,
                                  VkImageView& view, VkSampler& sampler) const {
    const ImageView* compared =
        binding.compares ? bound.compared_views[binding.slot].get() : nullptr;
    const ImageView* named = compared ? compared : bound.views[binding.slot].get();
    // The placeholder for an incomplete texture is a texture of floats.
    const bool integers =
        binding.shape.texels == Texels::sint || binding.shape.texels == Texels::uint;
    if (integers && named && named->image().is_placeholder.load(std::memory_order_relaxed))
        named = nullptr;
    if (!named)
        named = engine.null_views().get(binding.shape);
    view = named ? named->handle() : VK_NULL_HANDLE;
    sampler = (bound.samplers[binding.slot] ? *bound.samplers[binding.slot] : engine.null_sampler())
                  .handle();
}

void Recorder::Impl::fill_descriptor(const StageState& bound, const StageBinding& binding,
                                     DescriptorData& data) {
    data.type = binding.type;
    const auto buffer = [&](const BufferRange& range, VkDeviceSize limit) {
        VkDescriptorBufferInfo named;
        const Buffer& target = name_range(range, limit, named);
        data.buffer = named.buffer;
        data.offset = named.offset;
        data.range = named.range;
        data.address = paths.descriptor_buffer ? target.address() + named.offset : 0;
    };
    const auto texels = [&](BufferView* view) {
        if (!view)
            view = engine.null_views().texels(binding.shape.texels);
        if (!view)
            return; // a null descriptor
        data.bytes = view->descriptor();
        data.texel_buffer = view->handle();
        data.format = view->format;
        data.range = view->size;
        data.address = paths.descriptor_buffer ? view->buffer().address() + view->offset : 0;
    };
    const auto image = [&](ImageView* view) {
        if (!view)
            view = engine.null_views().get(binding.shape);
        if (view) // else a null descriptor
            data.view = view->handle();
    };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        buffer(bound.uniform_buffers[binding.slot], engine.device().limits().maxUniformBufferRange);
        break;
    // A placeholder buffer would keep what one shader stores for all others to read, and it would
    // have a length.
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: {
        const BufferRange& range = bound.storage_buffers[binding.slot];
        const bool memory = range.buffer && range.size && range.offset < range.buffer->size();
        if (memory || !paths.null_descriptor)
            buffer(range, engine.device().limits().maxStorageBufferRange);
        else
            data.range = VK_WHOLE_SIZE; // Vulkan wants this with a null buffer
        break;
    }
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        if (bound.texel_buffers[binding.slot] || !paths.null_descriptor)
            texels(bound.texel_buffers[binding.slot]);
        break;
    // Nothing is bound, or nothing that fits the shader's type: loads are zero and stores are lost
    // (OpenGL 4.6, 8.26), which only a null descriptor does.
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (bound.image_texels[binding.slot] || !paths.null_descriptor)
            texels(bound.image_texels[binding.slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: {
        ImageView* view = bound.images[binding.slot];
        if (view)
            view = (view->image().storage().samples() > 1) == binding.shape.multisampled
                       ? view->as(binding.shape.type)
                       : nullptr;
        if (view || !paths.null_descriptor)
            image(view);
        break;
    }
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        image(attachment(binding.slot));
        break;
    default:
        name_texture(bound, binding, data.view, data.sampler);
        break;
    }
}

namespace {

template <class T>
uint64_t serial_of(const T& object) {
    return object ? object->serial() : 0;
}

DescriptorName name_of_range(const BufferRange& range) {
    return {serial_of(range.buffer), range.offset, range.size};
}

} // namespace

DescriptorName Recorder::Impl::name_of(const StageState& bound, const StageBinding& binding) const {
    const uint32_t slot = binding.slot;
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return name_of_range(bound.uniform_buffers[slot]);
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return name_of_range(bound.storage_buffers[slot]);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return {bound.texel_buffers[slot].serial()};
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return {bound.image_texels[slot].serial()};
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return {bound.images[slot].serial()};
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return {serial_of(attachment(slot))};
    default: {
        const uint64_t compared = binding.compares ? bound.compared_views[slot].serial() : 0;
        return {compared ? compared : bound.views[slot].serial(), bound.samplers[slot].serial()};
    }
    }
}

// The engine's placeholders live as long as the engine, so they need not be retained.
void Recorder::Impl::retain_bound(const StageState& bound, const StageBinding& binding) {
    const uint32_t slot = binding.slot;
    const auto retain_object = [&](const RefCounted* object) {
        if (object)
            batch->retain(*object);
    };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        break; // retain_bound(Batch&) retained it at the batch's begin
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        if (slot == depth_fetch_slot || slot == stencil_fetch_slot)
            retain_object(attachment(slot)); // the pass retains the colours
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        retain_object(bound.texel_buffers[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        retain_object(bound.image_texels[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        retain_object(bound.images[slot]);
        break;
    default:
        retain_object(bound.views[slot]);
        retain_object(bound.compared_views[slot]);
        retain_object(bound.samplers[slot]);
        break;
    }
}

} // namespace kobalt::render
