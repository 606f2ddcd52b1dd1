// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/null_views.h"
#include "render/recorder_impl.h"

namespace kobalt::render {

void Recorder::Impl::resolve(const StageState& bound, const StageBinding& binding,
                             DescriptorData& data) {
    data.type = binding.type;
    const auto buffer = [&](const BufferRange& range, VkDeviceSize limit) {
        const Buffer& target = range.buffer ? *range.buffer : engine.null_buffer();
        data.buffer = target.handle();
        data.offset = range.buffer ? range.offset : 0;
        const VkDeviceSize left = target.size() > data.offset ? target.size() - data.offset : 0;
        data.range = std::min({range.buffer ? range.size : left, left, limit});
        if (data.range == 0) {
            data.buffer = engine.null_buffer().handle();
            data.address = paths.descriptor_buffer ? engine.null_buffer().address() : 0;
            data.offset = 0;
            data.range = 16;
            return;
        }
        data.address = paths.descriptor_buffer ? target.address() + data.offset : 0;
    };
    const auto texels = [&](BufferView* view) {
        const BufferView& target = view ? *view : engine.null_texel_view(binding.shape.texels);
        batch->keep(target);
        data.texel_buffer = target.handle();
        data.format = target.format;
        data.range = target.size;
        data.address = paths.descriptor_buffer ? target.buffer().address() + target.offset : 0;
    };
    const auto image = [&](ImageView* view) {
        if (!view)
            view = engine.null_views().get(binding.shape);
        if (!view)
            return; // a null descriptor
        batch->keep(*view);
        data.view = view->handle();
    };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        buffer(bound.uniform_buffers[binding.slot], engine.device().limits().maxUniformBufferRange);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        buffer(bound.storage_buffers[binding.slot], engine.device().limits().maxStorageBufferRange);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        texels(bound.texel_buffers[binding.slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        texels(bound.image_texels[binding.slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        image(bound.images[binding.slot]);
        break;
    default: {
        ImageView* compared = binding.compares ? bound.compared_views[binding.slot] : nullptr;
        image(compared ? compared : bound.views[binding.slot]);
        const Sampler& sampler =
            bound.samplers[binding.slot] ? *bound.samplers[binding.slot] : engine.null_sampler();
        batch->keep(sampler);
        data.sampler = sampler.handle();
        break;
    }
    }
}

bool Recorder::Impl::write_stage(Stage stage, bool again) {
    StageState& bound = state(stage);
    if (!bound.shader || !bound.shader->set_layout())
        return true;
    const std::span<const StageBinding> bindings = bound.shader->bindings();
    resolved.clear();
    for (uint32_t i = 0; i < bindings.size(); ++i)
        if (bound.changed.has(bindings[i]))
            resolve(bound, bindings[i], resolved.emplace_back(DescriptorData{.index = i}));
    const SetLayout& layout = *bound.shader->set_layout();
    if (!resolved.empty() || again) {
        if (!binder->write(descriptor_set_of(stage), layout, resolved))
            return false;
        ++tally.descriptor_writes;
        tally.descriptors += resolved.size();
        descriptor_bytes += layout.layout.size();
    }
    bound.changed = {.all = false};
    return true;
}

bool Recorder::Impl::update_descriptors() {
    const PipelineLayoutEntry* layout = pipeline->layout;
    uint32_t rebind = 0;
    if (layout != bound_layout)
        // Sets past the first that differs are disturbed (Vulkan 1.3, 14.2.2): all are bound again,
        // which costs offsets, not descriptors.
        rebind = all_graphics_stages;
    uint32_t pending = stages_dirty & all_graphics_stages;
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (uint32_t i = 0; i < graphics_stage_count; ++i)
            if (pending & (1u << i) && !write_stage(static_cast<Stage>(i), attempt > 0))
                return false;
        rebind |= pending;
        if (!binder->lost_sets())
            break;
        // The ring moved to another buffer in between: everything is written into the new one.
        pending = all_graphics_stages;
    }
    (void)binder->lost_sets();
    stages_dirty &= ~all_graphics_stages;
    uint32_t sets = 0;
    for (uint32_t i = 0; i < graphics_stage_count; ++i)
        if (rebind & (1u << i) && stages[i].shader && stages[i].shader->set_layout())
            sets |= 1u << descriptor_set_of(static_cast<Stage>(i));
    if (sets) {
        binder->bind(commands(), VK_PIPELINE_BIND_POINT_GRAPHICS, *layout, sets);
        ++tally.descriptor_binds;
    }
    if (layout != bound_layout)
        dirty |= dirty_push_constants;
    bound_layout = layout;
    return true;
}

} // namespace kobalt::render
