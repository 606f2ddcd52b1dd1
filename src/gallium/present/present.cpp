// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/present/present.h"

#include <cstring>
#include <span>

#include "gallium/drivers/kobalt/mesa_slot.h"
#include "kopper_interface.h"
#include "present/rectangles.h"
#include "present/window_system.h"

namespace kobalt::gallium {

namespace {

static_assert(sizeof(present::SurfaceInfo) == sizeof(kopper_vk_surface_create_storage));

/// Mesa's loader information, or the back buffer whose window a further buffer belongs to. Mesa
/// marks only buffers that come with loader information as display targets.
std::shared_ptr<present::Window> window_for(Screen& screen, const pipe_resource& templ,
                                            const void* loader_private) {
    // The native window belongs to the successor of a lost screen.
    if (!loader_private || screen.device().lost())
        return nullptr;
    if (!(templ.bind & PIPE_BIND_DISPLAY_TARGET)) {
        auto* back = static_cast<pipe_resource*>(const_cast<void*>(loader_private));
        return Resource::from(back)->window;
    }
    const auto& loader = *static_cast<const kopper_loader_info*>(loader_private);
    auto window = screen.windows->open(window_info(loader));
    if (!window) {
        mesa_logw("kobalt: the frames of this window go through Mesa's loader, slowly: %s",
                  window.error().to_string().c_str());
        return nullptr;
    }
    return *window;
}

pipe_resource* resource_create_drawable(pipe_screen* pscreen, const pipe_resource* templ,
                                        const void* loader_private) {
    Screen& screen = *Screen::from(pscreen);
    auto window = window_for(screen, *templ, loader_private);
    pipe_resource* created = screen.resource_create(pscreen, templ);
    if (!created && window) {
        // Without a resource of the window Mesa would take one that belongs to no window.
        // resize_if_needed() tries again.
        pipe_resource pixel = *templ;
        pixel.width0 = pixel.height0 = 1;
        created = screen.resource_create(pscreen, &pixel);
        if (created) {
            created->width0 = templ->width0;
            created->height0 = templ->height0;
        }
    }
    if (!created)
        return nullptr;
    Resource& resource = *Resource::from(created);
    resource.window = std::move(window);
    if (resource.window)
        resource.window->forget(&resource);
    return created;
}

/// Around the rectangles of EGL_KHR_swap_buffers_with_damage, which count from the bottom left.
std::optional<VkRect2D> damage(std::span<const pipe_box> boxes, uint32_t height) {
    if (boxes.empty())
        return std::nullopt;
    VkRect2D around{};
    for (const pipe_box& box : boxes) {
        const int64_t bottom = int64_t{height} - box.y;
        around = present::united(around, present::between(std::max<int64_t>(box.x, 0),
                                                          std::max<int64_t>(bottom - box.height, 0),
                                                          int64_t{box.x} + box.width,
                                                          std::min<int64_t>(bottom, height)));
    }
    return around;
}

bool lags(const Resource& resource) {
    const VkExtent3D& extent = resource.image->storage().extent();
    return extent.width != resource.b.width0 || extent.height != resource.b.height0;
}

/// Where memory was out for a buffer of the bound window, the next frame tries again, and reports
/// it again. Mesa binds the same surfaces only once.
void retry_surfaces(Context& context) {
    const pipe_framebuffer_state bound = context.bound.framebuffer;
    for (unsigned i = 0; i < bound.nr_cbufs; ++i) {
        if (!bound.cbufs[i])
            continue;
        const Surface& surface = *Surface::from(bound.cbufs[i]);
        const Resource& resource = *Resource::from(surface.texture);
        if (!resource.window || !resource.image || (surface.view && !lags(resource)))
            continue;
        context.set_framebuffer_state(&context, &bound);
        return;
    }
}

void flush_frontbuffer(pipe_screen* pscreen, pipe_context* wrapped, pipe_resource* presource,
                       unsigned, unsigned, void* handle, unsigned count, pipe_box* boxes) {
    if (!presource)
        return;
    Resource& resource = *Resource::from(presource);
    if (resource.is_buffer() || !resource.image)
        return;
    // The context's screen need not be the one that Mesa knows.
    Context* const own = wrapped ? own_context(wrapped) : nullptr;
    render::Engine& engine = *(own ? own->kobalt_screen() : *Screen::from(pscreen)).engine;
    if (!resource.window) {
        if (wrapped && !engine.device().lost())
            present_through_loader(wrapped, presource, handle);
        engine.note_frame();
        return;
    }
    Context* const context =
        wrapped ? Context::from(threaded_context_unwrap_sync(wrapped)) : nullptr;
    // The copy is submitted here, so everything drawn so far has to be submitted before.
    if (context && !context->recorder.empty())
        context->flush(context, nullptr, PIPE_FLUSH_END_OF_FRAME);
    const bool swap = is_swap(handle, presource);
    const present::Shown shown = resource.window->present(
        {resource.image, &resource, swap,
         damage(std::span(boxes, count), resource.image->storage().extent().height)});
    if (context && shown == present::Shown::failed) {
        context->out_of_memory.store(true, std::memory_order_relaxed);
        util_debug_message(&context->debug_callback, ERROR, "the window's frame can't be shown");
    }
    if (context && swap)
        retry_surfaces(*context);
    if (swap)
        resource.window->end_frame();
    engine.note_frame();
}

} // namespace

present::WindowInfo window_info(const kopper_loader_info& loader) {
    present::WindowInfo info;
    std::memcpy(static_cast<void*>(&info.surface), &loader.bos, sizeof(info.surface));
    info.surface.next = nullptr;
    info.translucent = loader.has_alpha && !loader.present_opaque;
    info.interval = loader.initial_swap_interval;
    return info;
}

void resize_if_needed(Context& context, Resource& resource) {
    if (!resource.window || !resource.image || !lags(resource))
        return;
    // On failure the old image stays: the frame is clipped, not lost.
    if (allocate_image(context.kobalt_screen(), resource))
        resource.window->forget(&resource);
    else
        context.out_of_memory.store(true, std::memory_order_relaxed);
}

bool refresh_surface(Context& context, Surface& surface) {
    Resource& resource = *Resource::from(surface.texture);
    resize_if_needed(context, resource);
    if (surface.view && &surface.view->image() == resource.image.get())
        return true;
    const auto format = static_cast<pipe_format>(surface.format);
    allow_image_uses(context, resource, uses_of_view(context.kobalt_screen(), resource, format));
    pipe_surface* fresh = context.create_surface(&context, surface.texture, &surface);
    if (!fresh)
        return false;
    surface.view = Surface::from(fresh)->view;
    surface.width = fresh->width;
    surface.height = fresh->height;
    context.surface_destroy(&context, fresh);
    return true;
}

// EGL_KHR_partial_update: the region that the app will draw to. The hint is ignored: frames are
// drawn and copied whole.
void set_damage_region(pipe_screen*, pipe_resource*, unsigned, const pipe_box*) {}

void init_screen_present_functions(Screen& screen) {
    screen.windows = std::make_unique<present::WindowSystem>(screen.device());
    screen.resource_create_drawable = resource_create_drawable;
    screen.flush_frontbuffer = flush_frontbuffer;
    screen.set_damage_region = set_damage_region;
}

} // namespace kobalt::gallium

using kobalt::gallium::Resource;
using kobalt::gallium::Screen;

bool kobalt_present_update(pipe_screen*, pipe_resource* drawable, int* width, int* height) {
    const auto& window = Resource::from(drawable)->window;
    if (const auto size = window ? window->frame_size() : std::nullopt) {
        *width = static_cast<int>(size->width);
        *height = static_cast<int>(size->height);
        return true;
    }
    // The window's size is unknown, so the buffers keep theirs.
    *width = static_cast<int>(drawable->width0);
    *height = drawable->height0;
    return window && !window->lost();
}

bool kobalt_present_check(pipe_resource* drawable) {
    const auto& window = Resource::from(drawable)->window;
    // A window that present::WindowSystem couldn't open gets its frames through the loader, which
    // can't tell that it is gone.
    return !window || !window->lost();
}

bool kobalt_present_is_cpu(const pipe_screen* screen) {
    return static_cast<const Screen*>(screen)->is_cpu;
}

void kobalt_present_set_swap_interval(pipe_screen*, pipe_resource* drawable, int interval) {
    if (const auto& window = Resource::from(drawable)->window)
        window->set_interval(interval);
}

int kobalt_present_query_buffer_age(pipe_context*, pipe_resource* drawable) {
    Resource* resource = Resource::from(drawable);
    if (!resource->window)
        return 0;
    const VkExtent2D extent = {resource->b.width0, resource->b.height0};
    return resource->window->promise_age(resource, extent);
}
