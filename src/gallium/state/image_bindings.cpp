// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/context/view.h"

namespace kobalt::gallium {
namespace {

void set_shader_images(pipe_context* pcontext, pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing, const pipe_image_view* images) {
    Context& context = *Context::from(pcontext);
    Bindings::PerStage& bound = context.bound.stages[shader];
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
        apply_image(context, shader, slot);
    }
}

} // namespace

void apply_image(Context& context, unsigned stage, unsigned slot) {
    const pipe_image_view& bound = context.bound.stages[stage].images[slot];
    Context::StageMasks& own = context.per_stage[stage];
    Context::Image& image = own.images[slot];
    const uint64_t bit = uint64_t{1} << slot;
    const bool buffer = bound.resource && bound.resource->target == PIPE_BUFFER;
    own.image_buffers = buffer ? own.image_buffers | bit : own.image_buffers & ~bit;
    Context::Image fresh;
    if (bound.resource) {
        Screen& screen = context.kobalt_screen();
        Resource& resource = *Resource::from(bound.resource);
        if (buffer) {
            settle(context, resource);
            resource.bound_before.note(BoundAs::image, stage);
        } else {
            allow_image_uses(
                context, resource,
                uses_of_view(screen, resource, static_cast<pipe_format>(bound.format), true));
        }
        ShaderImage made = find_shader_image(screen, bound);
        fresh.view = std::move(made.image);
        fresh.texels = std::move(made.texels);
    }
    // The recorder gets the new pointer before the old view is released.
    context.recorder.set_storage_image(render_stage(stage), slot, fresh.view.get(),
                                       fresh.texels.get());
    image = std::move(fresh);
}

void init_image_functions(Context& context) {
    context.set_shader_images = set_shader_images;
}

} // namespace kobalt::gallium
