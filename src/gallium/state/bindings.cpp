// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <utility>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "gallium/context/with_storage.h"
#include "gallium/state/replaced_images.h"
#include "spirv/push_constants.h"
#include "vulkan/device/device.h"

#include "util/u_math.h"

namespace kobalt::gallium {
namespace {

/// Binds the kept contents of a buffer. False: it has none in that range.
bool apply_kept(Context& context, unsigned stage, unsigned slot) {
    const pipe_constant_buffer& bound = context.bound.stages[stage].constant_buffers[slot];
    bool applied = false;
    Resource::from(bound.buffer)->kept.with([&](const KeptContents& kept) {
        const unsigned end = align(kept.size, 16); // shaders read vec4s
        if (bound.buffer_offset >= end)
            return;
        context.recorder.set_uniform_buffer(render_stage(stage), slot,
                                            Resource::from(kept.buffer)->storage.get(),
                                            kept.offset + bound.buffer_offset,
                                            std::min(bound.buffer_size, end - bound.buffer_offset));
        applied = true;
    });
    return applied;
}

void apply_constant_buffer(Context& context, unsigned stage, unsigned slot) {
    const pipe_constant_buffer& bound = context.bound.stages[stage].constant_buffers[slot];
    if (!bound.buffer) {
        context.recorder.set_uniform_buffer(render_stage(stage), slot, nullptr, 0, 0);
        return;
    }
    Resource& resource = *Resource::from(bound.buffer);
    if (!resource.kept.empty() && apply_kept(context, stage, slot))
        return;
    // Shaders read uniforms as vec4s, but the state tracker's size ends at the last uniform. The
    // upload buffer has room for the rest of the vec4.
    constexpr unsigned uniforms = 0;
    const unsigned size = slot == uniforms ? align(bound.buffer_size, 16) : bound.buffer_size;
    with_storage(context.kobalt_screen(), resource, [&](render::Buffer* buffer) {
        context.recorder.set_uniform_buffer(render_stage(stage), slot, buffer, bound.buffer_offset,
                                            size);
    });
}

/// Releases deferred references. This never frees the buffer: the binding holds one more.
void give_back_deferred(const pipe_constant_buffer& bound, int& deferred) {
    if (deferred)
        p_atomic_add(&bound.buffer->reference.count, -deferred);
    deferred = 0;
}

/// Programs that change a uniform for each draw bind range after range of one buffer, and each call
/// passes a reference. The app's thread is changing the same count at that moment, so releasing one
/// costs more than all the rest here. The references are collected, and released together.
bool bind_other_range(pipe_constant_buffer& bound, int& deferred,
                      const pipe_constant_buffer& source) {
    constexpr int most = 4096;
    if (!source.buffer || source.buffer != bound.buffer)
        return false;
    bound.buffer_offset = source.buffer_offset;
    bound.buffer_size = source.buffer_size;
    if (++deferred == most)
        give_back_deferred(bound, deferred);
    return true;
}

// noinline: else binding another range of the bound buffer would pay for this function's calls.
[[gnu::noinline]] void set_other_constant_buffer(Context& context, pipe_shader_type shader,
                                                 uint slot, bool take_ownership,
                                                 const pipe_constant_buffer* source) {
    pipe_constant_buffer& bound = context.bound.stages[shader].constant_buffers[slot];
    give_back_deferred(bound, context.bound.stages[shader].deferred_releases[slot]);
    if (source && source->user_buffer) {
        const auto alignment = static_cast<unsigned>(
            context.kobalt_screen().device().limits().minUniformBufferOffsetAlignment);
        // Most often the data goes into the buffer that is bound already: its reference is reused.
        u_upload_data(context.const_uploader, 0, source->buffer_size, std::max(alignment, 16u),
                      source->user_buffer, &bound.buffer_offset, &bound.buffer);
        bound.buffer_size = source->buffer_size;
        bound.user_buffer = nullptr;
    } else {
        util_copy_constant_buffer(&bound, source, take_ownership);
    }
    uint32_t& mask = context.per_stage[shader].constant_buffers;
    mask = bound.buffer ? mask | (1u << slot) : mask & ~(1u << slot);
    if (bound.buffer)
        Resource::from(bound.buffer)->bound_before.note(BoundAs::constants, shader);
    apply_constant_buffer(context, shader, slot);
}

void set_constant_buffer(pipe_context* pcontext, pipe_shader_type shader, uint slot,
                         bool take_ownership, const pipe_constant_buffer* source) {
    Context& context = *Context::from(pcontext);
    Bindings::PerStage& bound = context.bound.stages[shader];
    if (source && take_ownership &&
        bind_other_range(bound.constant_buffers[slot], bound.deferred_releases[slot], *source))
        apply_constant_buffer(context, shader, slot);
    else
        set_other_constant_buffer(context, shader, slot, take_ownership, source);
}

void set_sampler_views(pipe_context* pcontext, pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing, bool take_ownership,
                       pipe_sampler_view** views) {
    Context& context = *Context::from(pcontext);
    Bindings::PerStage& bound = context.bound.stages[shader];
    const auto limit = static_cast<unsigned>(bound.views.size());
    for (unsigned i = 0; i < count + unbind_trailing && start + i < limit; ++i) {
        const unsigned slot = start + i;
        pipe_sampler_view* view = views && i < count ? views[i] : nullptr;
        if (take_ownership && view) {
            if (pipe_sampler_view* const before = std::exchange(bound.views[slot], view))
                context.deferred_view_releases.take(*SamplerView::from(before));
        } else {
            pipe_sampler_view_reference(&bound.views[slot], view);
        }
        apply_sampler_view(context, shader, slot);
    }
    uint32_t used = std::min(std::max<uint32_t>(bound.view_count, start + count), limit);
    while (used && !bound.views[used - 1])
        --used;
    bound.view_count = used;
}

void set_shader_buffers(pipe_context* pcontext, pipe_shader_type shader, unsigned start,
                        unsigned count, const pipe_shader_buffer* buffers, unsigned writable) {
    Context& context = *Context::from(pcontext);
    Bindings::PerStage& bound = context.bound.stages[shader];
    for (unsigned i = 0; i < count; ++i) {
        const unsigned slot = start + i;
        const pipe_shader_buffer* source = buffers && buffers[i].buffer ? &buffers[i] : nullptr;
        util_copy_shader_buffer(&bound.shader_buffers[slot], source);
        const bool written = source && (writable & (1u << i));
        if (written) {
            Resource* resource = Resource::from(source->buffer);
            util_range_add(&resource->b, &resource->valid_buffer_range, source->buffer_offset,
                           source->buffer_offset + source->buffer_size);
        }
        const uint32_t bit = 1u << slot;
        uint32_t& mask = context.per_stage[shader].shader_buffers;
        mask = source ? mask | bit : mask & ~bit;
        bound.writable_shader_buffers =
            written ? bound.writable_shader_buffers | bit : bound.writable_shader_buffers & ~bit;
        apply_shader_buffer(context, shader, slot);
    }
}

void rebind(Context& context, BoundAs kind, unsigned stage, const ReplacedBuffers& replaced) {
    const Bindings::PerStage& bound = context.bound.stages[stage];
    const Context::StageMasks& own = context.per_stage[stage];
    switch (kind) {
    case BoundAs::constants:
        u_foreach_bit(slot,
                      own.constant_buffers) if (replaced.has(bound.constant_buffers[slot].buffer))
            apply_constant_buffer(context, stage, slot);
        break;
    case BoundAs::storage:
        u_foreach_bit(slot, own.shader_buffers) if (replaced.has(bound.shader_buffers[slot].buffer))
            apply_shader_buffer(context, stage, slot);
        break;
    case BoundAs::texels:
        u_foreach_bit(slot, own.texel_views) if (replaced.has(bound.views[slot]->texture))
            apply_sampler_view(context, stage, slot);
        break;
    case BoundAs::image:
        u_foreach_bit64(slot, own.image_buffers) if (replaced.has(bound.images[slot].resource))
            apply_image(context, stage, slot);
        break;
    }
}

} // namespace

void apply_shader_buffer(Context& context, unsigned stage, unsigned slot) {
    const pipe_shader_buffer& bound = context.bound.stages[stage].shader_buffers[slot];
    if (!bound.buffer) {
        context.recorder.set_storage_buffer(render_stage(stage), slot, {});
        return;
    }
    Resource& resource = *Resource::from(bound.buffer);
    settle(context, resource);
    resource.bound_before.note(BoundAs::storage, stage);
    with_storage(context.kobalt_screen(), resource, [&](render::Buffer* buffer) {
        context.recorder.set_storage_buffer(render_stage(stage), slot,
                                            {buffer, bound.buffer_offset, bound.buffer_size});
    });
}

void apply_sampler_view(Context& context, unsigned stage, unsigned slot) {
    pipe_sampler_view* view = context.bound.stages[stage].views[slot];
    uint32_t& mask = context.per_stage[stage].texel_views;
    const bool buffer = view && view->texture->target == PIPE_BUFFER;
    mask = buffer ? mask | (1u << slot) : mask & ~(1u << slot);
    note_legacy_texels(context, stage, slot, buffer ? view : nullptr);
    render::ImageView* image = nullptr;
    render::BufferView* texels = nullptr;
    if (buffer) {
        settle(context, *Resource::from(view->texture));
        Resource::from(view->texture)->bound_before.note(BoundAs::texels, stage);
        texels = texel_view(context.kobalt_screen(), *SamplerView::from(view));
    } else if (view) {
        if (context.image_generation || !SamplerView::from(view)->image)
            refresh_sampler_view(context, *SamplerView::from(view));
        image = SamplerView::from(view)->image.get();
    }
    render::ImageView* compared = image ? SamplerView::from(view)->compared.get() : nullptr;
    context.recorder.set_texture(render_stage(stage), slot, image, texels, compared);
    if ((stage != MESA_SHADER_FRAGMENT && stage != MESA_SHADER_VERTEX) ||
        slot >= spirv::shadow_swizzle_slots)
        return;
    uint8_t& known = context.shadow_swizzles[stage == MESA_SHADER_VERTEX][slot];
    const uint8_t swizzle = shadow_swizzle(view);
    if (known != swizzle)
        context.outdated_parameters = spirv::all_parameters;
    known = swizzle;
}

void rebind_buffers(Context& context, const ReplacedBuffers& replaced) {
    if (replaced.one)
        Resource::from(replaced.one)->bound_before.for_each([&](BoundAs kind, unsigned stage) {
            rebind(context, kind, stage, replaced);
        });
    else
        for (unsigned stage = 0; stage < context.per_stage.size(); ++stage)
            for (const BoundAs kind :
                 {BoundAs::constants, BoundAs::storage, BoundAs::texels, BoundAs::image})
                rebind(context, kind, stage, replaced);
    for (uint32_t i = 0; i < context.bound.vertex_buffer_count; ++i) {
        const pipe_vertex_buffer& bound = context.bound.vertex_buffers[i];
        if (!bound.is_user_buffer && replaced.has(bound.buffer.resource)) {
            apply_vertex_buffers(context);
            break;
        }
    }
    rebind_stream_output(context, replaced);
}

void release_bindings(Context& context) {
    for (unsigned stage = 0; stage < context.bound.stages.size(); ++stage) {
        Bindings::PerStage& bound = context.bound.stages[stage];
        bound.bound_shader.reset();
        bound.shader = nullptr;
        for (unsigned slot = 0; slot < bound.constant_buffers.size(); ++slot) {
            pipe_constant_buffer& buffer = bound.constant_buffers[slot];
            give_back_deferred(buffer, bound.deferred_releases[slot]);
            pipe_resource_reference(&buffer.buffer, nullptr);
        }
        context.deferred_view_releases.give_back();
        for (pipe_sampler_view*& view : bound.views)
            pipe_sampler_view_reference(&view, nullptr);
        for (pipe_shader_buffer& buffer : bound.shader_buffers)
            pipe_resource_reference(&buffer.buffer, nullptr);
        for (pipe_image_view& image : bound.images)
            pipe_resource_reference(&image.resource, nullptr);
    }
    for (pipe_vertex_buffer& buffer : context.bound.vertex_buffers)
        pipe_vertex_buffer_unreference(&buffer);
    for (pipe_stream_output_target*& target : context.bound.stream_outputs)
        pipe_so_target_reference(&target, nullptr);
}

void init_binding_functions(Context& context) {
    context.set_constant_buffer = set_constant_buffer;
    context.set_sampler_views = set_sampler_views;
    context.set_shader_buffers = set_shader_buffers;
    init_image_functions(context);
}

} // namespace kobalt::gallium
