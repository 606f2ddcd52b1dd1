// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/front_state.h"
#include "gallium/view.h"

namespace kobalt::gallium {
namespace {

void set_shader_images(pipe_context* context, pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing, const pipe_image_view* images) {
    FrontState& state = FrontState::from(context);
    Bindings::PerStage& bound = state.bound.stages[shader];
    for (unsigned i = 0; i < count + unbind_trailing && start + i < bound.images.size(); ++i) {
        const unsigned slot = start + i;
        const pipe_image_view* source =
            images && i < count && images[i].resource ? &images[i] : nullptr;
        if (!source && !bound.images[slot].resource)
            continue;
        util_copy_image_view(&bound.images[slot], source);
        if (source && source->resource->target == PIPE_BUFFER &&
            (source->access & PIPE_IMAGE_ACCESS_WRITE)) {
            Resource* resource = Resource::from(source->resource);
            util_range_add(&resource->b, &resource->valid_buffer_range, source->u.buf.offset,
                           source->u.buf.offset + source->u.buf.size);
        }
        apply_image(state, shader, slot);
    }
}

} // namespace

void apply_image(FrontState& state, unsigned stage, unsigned slot) {
    const pipe_image_view& bound = state.bound.stages[stage].images[slot];
    FrontState::PerStage& own = state.per_stage[stage];
    FrontState::Image& image = own.images[slot];
    const uint64_t bit = uint64_t{1} << slot;
    const bool buffer = bound.resource && bound.resource->target == PIPE_BUFFER;
    own.image_buffers = buffer ? own.image_buffers | bit : own.image_buffers & ~bit;
    FrontState::Image fresh;
    if (bound.resource) {
        ShaderImage made = create_shader_image(state.kobalt_screen(), bound);
        fresh.view = std::move(made.image);
        fresh.texels = std::move(made.texels);
    }
    // The recorder gets the new pointer before the old view goes.
    state.recorder.set_storage_image(render_stage(stage), slot, fresh.view.get(),
                                     fresh.texels.get());
    image = std::move(fresh);
}

void init_image_functions(FrontState& state) {
    state.set_shader_images = set_shader_images;
}

} // namespace kobalt::gallium
