// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/recorder.h"

#include <algorithm>
#include <cstring>

#include "render/recorder/impl.h"

// The setters of a recorder's state. Each compares, stores and marks what the next draw has to
// check.

namespace kobalt::render {
namespace {

template <class T>
bool assign(T& to, const T& value) {
    if (to == value)
        return false;
    to = value;
    return true;
}

bool assign_range(BufferRange& to, const BufferRange& from) {
    if (to.buffer == from.buffer && to.offset == from.offset && to.size == from.size)
        return false;
    to = from;
    return true;
}

void note_filled(uint32_t& mask, uint32_t slot, const Buffer* buffer) {
    const uint32_t bit = 1u << slot;
    mask = buffer ? mask | bit : mask & ~bit;
}

} // namespace

void Recorder::bind_stage(Stage stage, ShaderStage* shader) {
    Ref<ShaderStage>& bound = impl_->state(stage).shader;
    if (bound.get() == shader)
        return;
    if (stage == Stage::fragment && impl_->blend && impl_->blend->alpha_to_coverage &&
        Impl::writes_alpha(bound.get()) != Impl::writes_alpha(shader))
        impl_->dirty |= dirty_samples | dirty_pipeline_state;
    bound = Ref(shader);
    impl_->state(stage).set = nullptr;
    impl_->mark_all(stage);
    if (stage == Stage::compute) {
        impl_->compute.pipeline = VK_NULL_HANDLE;
        return;
    }
    impl_->dirty |= dirty_program;
    impl_->bound_pushes &= ~pushed_bindings_of(stage);
    if (shader)
        impl_->bound_pushes |= shader->pushes();
}

void Recorder::set_uniform_buffer(Stage stage, uint32_t slot, Buffer* buffer, VkDeviceSize offset,
                                  VkDeviceSize size) {
    if (slot >= max_slots)
        return;
    BufferRange& bound = impl_->state(stage).uniform_buffers[slot];
    if (bound.buffer != buffer) {
        set_other_uniform_buffer(stage, slot, {buffer, offset, size});
    } else if (bound.offset != offset || bound.size != size) {
        bound.offset = offset;
        bound.size = size;
        if (buffer && batch_)
            batch_->add_part(*buffer, ByteRange::of(offset, size));
        impl_->mark_range(stage, slot);
    }
}

// noinline: the common case, another range of the same buffer, would pay for the call in it.
[[gnu::noinline]] void Recorder::set_other_uniform_buffer(Stage stage, uint32_t slot,
                                                          const BufferRange& range) {
    StageState& state = impl_->state(stage);
    state.uniform_buffers[slot] = range;
    note_filled(state.filled_uniform_buffers, slot, range.buffer);
    impl_->retain(range.buffer);
    impl_->mark_buffer(stage, slot);
}

void Recorder::set_storage_buffer(Stage stage, uint32_t slot, const BufferRange& range) {
    if (slot >= max_slots || !assign_range(impl_->state(stage).storage_buffers[slot], range))
        return;
    StageState& state = impl_->state(stage);
    note_filled(state.filled_storage_buffers, slot, range.buffer);
    impl_->retain(range.buffer);
    impl_->mark_slot(stage, state.times.storage_buffer(slot));
}

void Recorder::set_texture(Stage stage, uint32_t slot, ImageView* view, BufferView* texel_buffer,
                           ImageView* compared) {
    if (slot >= max_slots)
        return;
    StageState& state = impl_->state(stage);
    const bool view_changed = state.views[slot].assign(view);
    const bool compared_changed = state.compared_views[slot].assign(compared);
    if (!state.texel_buffers[slot].assign(texel_buffer) && !view_changed && !compared_changed)
        return;
    impl_->mark_texture(stage, slot);
}

void Recorder::set_sampler(Stage stage, uint32_t slot, Sampler* sampler) {
    if (slot >= max_slots || !impl_->state(stage).samplers[slot].assign(sampler))
        return;
    impl_->mark_texture(stage, slot);
}

void Recorder::set_storage_image(Stage stage, uint32_t slot, ImageView* view,
                                 BufferView* texel_buffer) {
    if (slot >= max_image_slots)
        return;
    StageState& state = impl_->state(stage);
    const bool view_changed = state.images[slot].assign(view);
    if (!state.image_texels[slot].assign(texel_buffer) && !view_changed)
        return;
    impl_->mark_slot(stage, state.times.image(slot));
}

void Recorder::set_push_constants(uint32_t offset, std::span<const std::byte> data) {
    if (offset + data.size() > push_constant_bytes)
        return;
    uint32_t changed = 0;
    // Most of the data is unchanged, which comparing several words at once detects.
    constexpr size_t step = 16;
    for (size_t from = 0; from < data.size(); from += step) {
        const std::span part = data.subspan(from, std::min(step, data.size() - from));
        uint32_t* const words = &impl_->push_constants[(offset + from) / 4];
        if (part.size() == step && std::memcmp(words, part.data(), step) == 0)
            continue;
        for (size_t i = 0; i < part.size() / 4; ++i) {
            uint32_t now;
            std::memcpy(&now, &part[4 * i], 4);
            changed |= uint32_t{words[i] != now} << ((offset + from) / 4 + i);
            words[i] = now;
        }
    }
    impl_->outdated_words |= changed;
    if (!impl_->program || changed & impl_->program->push_constant_words())
        impl_->dirty |= dirty_push_constants;
}

void Recorder::set_vertex_layout(const VertexLayout* layout) {
    if (!assign(impl_->fetch.layout, layout))
        return;
    impl_->dirty |= dirty_vertex_input | dirty_vertex_buffers;
    if (!engine_.paths().dynamic_vertex_input)
        impl_->dirty |= dirty_pipeline_state;
}

void Recorder::set_vertex_buffers(uint32_t first, std::span<const VertexBuffer> buffers) {
    for (size_t i = 0; i < buffers.size() && first + i < max_vertex_buffers; ++i) {
        VertexBuffer& bound = impl_->fetch.buffers[first + i];
        const VertexBuffer& now = buffers[i];
        if (bound == now)
            continue;
        const uint32_t bit = 1u << (first + i);
        if (bound.buffer != now.buffer) {
            impl_->retain(now.buffer);
            note_filled(impl_->fetch.filled, first + static_cast<uint32_t>(i), now.buffer);
            impl_->fetch.pending |= bit;
        }
        bound = now;
        impl_->recorded.vertex_buffers &= ~bit;
        impl_->dirty |= dirty_vertex_buffers;
    }
}

void Recorder::set_index_buffer(Buffer* buffer, VkDeviceSize offset, VkIndexType type) {
    if (impl_->fetch.indices == buffer && impl_->fetch.index_offset == offset &&
        impl_->fetch.index_type == type)
        return;
    impl_->fetch.indices = buffer;
    impl_->retain(buffer);
    impl_->fetch.index_offset = offset;
    impl_->fetch.index_type = type;
    impl_->dirty |= dirty_index_buffer;
}

void Recorder::set_rasterizer(const RasterizerState* state) {
    const RasterizerState* const before = impl_->rasterizer;
    if (!assign(impl_->rasterizer, state))
        return;
    impl_->dirty |= dirty_rasterizer;
    if (!before || !state || before->scissor != state->scissor ||
        before->rasterizer_discard != state->rasterizer_discard)
        impl_->dirty |= dirty_scissor;
    if (!engine_.paths().dynamic_state3 || (before && before->conservative) ||
        (state && state->conservative))
        impl_->dirty |= dirty_pipeline_state;
}

void Recorder::set_depth_stencil(const DepthStencilState* state) {
    if (assign(impl_->depth_stencil, state))
        impl_->dirty |= dirty_depth_stencil;
}

void Recorder::set_blend(const BlendState* state) {
    const BlendState* const before = impl_->blend;
    if (!assign(impl_->blend, state))
        return;
    impl_->dirty |= dirty_blend;
    if (!before || !state || before->alpha_to_coverage != state->alpha_to_coverage ||
        before->alpha_to_one != state->alpha_to_one)
        impl_->dirty |= dirty_samples;
    if (!engine_.paths().dynamic_state3 || !engine_.paths().dynamic_logic_op)
        impl_->dirty |= dirty_pipeline_state;
}

void Recorder::set_blend_constants(const float rgba[4]) {
    std::memcpy(impl_->blend_constants.data(), rgba, 4 * sizeof(float));
    impl_->dirty |= dirty_blend_constants;
}

void Recorder::set_stencil_reference(uint32_t front, uint32_t back) {
    const bool changed = assign(impl_->stencil_front, front);
    if (assign(impl_->stencil_back, back) || changed)
        impl_->dirty |= dirty_stencil_reference;
}

void Recorder::set_sample_mask(uint32_t mask) {
    if (!assign(impl_->sample_mask, mask))
        return;
    impl_->dirty |= dirty_samples;
    if (!engine_.paths().dynamic_state3)
        impl_->dirty |= dirty_pipeline_state;
}

void Recorder::set_viewports(uint32_t first, std::span<const VkViewport> viewports) {
    for (size_t i = 0; i < viewports.size() && first + i < max_viewports; ++i)
        impl_->viewports[first + i] = viewports[i];
    impl_->viewport_count = std::min(
        std::max<uint32_t>(impl_->viewport_count, first + static_cast<uint32_t>(viewports.size())),
        max_viewports);
    impl_->dirty |= dirty_viewport;
    if (impl_->rasterizer && impl_->rasterizer->depth_bias) // for clamps_offset_depth()
        impl_->dirty |= dirty_rasterizer;
}

void Recorder::set_scissors(uint32_t first, std::span<const VkRect2D> scissors) {
    for (size_t i = 0; i < scissors.size() && first + i < max_viewports; ++i)
        impl_->scissors[first + i] = scissors[i];
    impl_->dirty |= dirty_scissor;
}

} // namespace kobalt::render
