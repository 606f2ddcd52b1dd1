// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/state/replaced_images.h"

#include "gallium/context/operations.h"

// A texture's image is replaced when it needs another use (resource/moved_images.cpp), or has to be
// in memory that can be exported (resource/dma_buf_export.cpp). Each context may have views of the
// former image: it recreates a stale view when the view is used next. It checks the bound views
// once for each replacement, before it draws, dispatches or clears, whichever context replaced the
// image.

namespace kobalt::gallium {
namespace {

bool is_stale(const pipe_surface* surface) {
    if (!surface)
        return false;
    const render::Ref<render::ImageView>& view = static_cast<const Surface*>(surface)->view;
    return view && &view->image() != Resource::from(surface->texture)->image.get();
}

bool is_stale(const pipe_framebuffer_state& framebuffer) {
    for (unsigned i = 0; i < framebuffer.nr_cbufs; ++i)
        if (is_stale(framebuffer.cbufs[i]))
            return true;
    return is_stale(framebuffer.zsbuf);
}

void rebind_images(Context& context, unsigned stage) {
    const Bindings::PerStage& bound = context.bound.stages[stage];
    for (unsigned slot = 0; slot < bound.images.size(); ++slot) {
        const render::Ref<render::ImageView>& view = context.per_stage[stage].images[slot].view;
        if (view && &view->image() != Resource::from(bound.images[slot].resource)->image.get())
            apply_image(context, stage, slot);
    }
}

} // namespace

void refresh_sampler_view(Context& context, SamplerView& view) {
    if (!is_stale(view))
        return;
    Screen& screen = context.kobalt_screen();
    Resource& resource = *Resource::from(view.texture);
    allow_image_uses(context, resource,
                     uses_of_view(screen, resource, static_cast<pipe_format>(view.format)));
    // Retains the former views: the recorder has plain pointers to them until the loop below.
    const render::Ref<render::ImageView> image = view.image, compared = view.compared;
    {
        const std::lock_guard lock(screen.storage_mutex);
        if (!make_image_views(screen, view, view.texture)) {
            note_lost_draw(context, "no memory for a view of its texture");
            return;
        }
    }
    for (unsigned stage = 0; stage < context.bound.stages.size(); ++stage)
        for (unsigned slot = 0; slot < context.bound.stages[stage].view_count; ++slot)
            if (context.bound.stages[stage].views[slot] == &view)
                apply_sampler_view(context, stage, slot);
}

void rebind_replaced_images(Context& context) {
    context.image_generation =
        context.kobalt_screen().image_generation.load(std::memory_order_acquire);
    context.recorder.rename_residents();
    if (is_stale(context.bound.framebuffer))
        context.set_framebuffer_state(&context, &context.bound.framebuffer);
    for (unsigned stage = 0; stage < context.bound.stages.size(); ++stage) {
        const Bindings::PerStage& bound = context.bound.stages[stage];
        for (unsigned slot = 0; slot < bound.view_count; ++slot)
            if (bound.views[slot] && bound.views[slot]->texture->target != PIPE_BUFFER)
                refresh_sampler_view(context, *SamplerView::from(bound.views[slot]));
        rebind_images(context, stage);
    }
}

} // namespace kobalt::gallium
