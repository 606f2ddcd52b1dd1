// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/handles.h"

#include "gallium/context/operations.h"
#include "gallium/context/view.h"
#include "render/bindless/heap.h"
#include "render/descriptors/null_views.h"

// Texture and image handles (ARB_bindless_texture).

namespace kobalt::gallium {
namespace {

/// More sampler states than any app is expected to use. Above this number, samplers that no handle
/// uses are released.
constexpr size_t many_samplers = 256;
constexpr unsigned gl_read_only = 0x88B8; ///< GL_READ_ONLY

uint64_t tell(const vulkan::Error& error) {
    mesa_loge("kobalt: %s; there is no texture handle", error.to_string().c_str());
    return 0;
}

uint64_t create_texel_handle(Screen& screen, render::BindlessHeap& heap, SamplerView& view) {
    // Nothing updates the handle's descriptor later, so the buffer must keep its storage.
    Resource::from(view.texture)->is_shared = true;
    render::BufferView* texels = texel_view(screen, view);
    if (!texels)
        texels = screen.engine->null_views().texels(render::Texels::floating);
    if (!texels)
        return 0;
    const auto handle = heap.create(render::Ref(texels));
    return handle ? (*handle)->value() : tell(handle.error());
}

/// The image view for a new handle, which moves with its texture from now on. The caller holds
/// Screen::storage_mutex until the handle is made.
render::Ref<render::ImageView> settled_view(Screen& screen, SamplerView& view, bool compares) {
    render::Ref<render::ImageView> settled = compares && view.compared ? view.compared : view.image;
    if (is_stale(view)) { // the driver's thread may be about to refresh it
        SamplerView fresh;
        static_cast<pipe_sampler_view&>(fresh) = view;
        settled.reset();
        if (make_image_views(screen, fresh, view.texture))
            settled = fresh.image;
    }
    if (settled)
        settled->image().has_handle.store(true, std::memory_order_relaxed);
    return settled;
}

ImageUses uses_of_handle(Screen& screen, const pipe_sampler_view& view) {
    return uses_of_view(screen, *Resource::from(view.texture),
                        static_cast<pipe_format>(view.format));
}

ImageUses uses_of_handle(Screen& screen, const pipe_image_view& view) {
    return uses_of_view(screen, *Resource::from(view.resource),
                        static_cast<pipe_format>(view.format), true);
}

/// May be called by any thread: it uses nothing of the context, unless the texture needs a move or
/// is a buffer.
uint64_t create_texture_handle(pipe_context* pcontext, pipe_sampler_view* pview,
                               const pipe_sampler_state* state) {
    Screen& screen = *Screen::from(pcontext->screen);
    render::BindlessHeap* heap = screen.engine->bindless();
    if (!heap || !pview)
        return 0;
    SamplerView& view = *SamplerView::from(pview);
    if (view.texture->target == PIPE_BUFFER) {
        settle(*Context::from(pcontext), *Resource::from(view.texture));
        return create_texel_handle(screen, *heap, view);
    }
    Resource& resource = *Resource::from(view.texture);
    const ImageUses uses = uses_of_handle(screen, view);
    if (needs_move(screen, resource, uses))
        allow_image_uses(*Context::from(pcontext), resource, uses);
    // A sampler that compares uses the view without a swizzle, as with Recorder::set_texture().
    const bool compares = state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE;
    render::Ref<render::Sampler> sampler = screen.handle_samplers.get(screen.device(), *state);
    const std::lock_guard lock(screen.storage_mutex);
    render::Ref<render::ImageView> image = settled_view(screen, view, compares);
    if (!image || !sampler)
        return 0;
    const auto handle = heap->create(std::move(image), std::move(sampler));
    return handle ? (*handle)->value() : tell(handle.error());
}

/// The handle of a buffer's texels.
uint64_t create_texel_image_handle(Screen& screen, render::BindlessHeap& heap,
                                   const pipe_image_view& view) {
    Resource& resource = *Resource::from(view.resource);
    resource.is_shared = true; // as for texture handles
    if (view.access & PIPE_IMAGE_ACCESS_WRITE)
        util_range_add(&resource.b, &resource.valid_buffer_range, view.u.buf.offset,
                       view.u.buf.offset + view.u.buf.size);
    ShaderImage made = find_shader_image(screen, view);
    if (!made.texels)
        return 0;
    const auto handle = heap.create_image(std::move(made.texels));
    return handle ? (*handle)->value() : tell(handle.error());
}

/// May be called by any thread: it uses nothing of the context, unless the texture needs a move or
/// is a buffer.
uint64_t create_image_handle(pipe_context* pcontext, const pipe_image_view* view) {
    Screen& screen = *Screen::from(pcontext->screen);
    render::BindlessHeap* heap = screen.engine->bindless();
    if (!heap || !view->resource)
        return 0;
    Resource& resource = *Resource::from(view->resource);
    if (resource.is_buffer()) {
        settle(*Context::from(pcontext), resource);
        return create_texel_image_handle(screen, *heap, *view);
    }
    const ImageUses uses = uses_of_handle(screen, *view);
    if (needs_move(screen, resource, uses))
        allow_image_uses(*Context::from(pcontext), resource, uses);
    const std::lock_guard lock(screen.storage_mutex);
    ShaderImage made = find_shader_image(screen, *view);
    if (!made.image)
        return 0;
    made.image->image().has_handle.store(true, std::memory_order_relaxed);
    const auto handle = heap->create_image(std::move(made.image));
    return handle ? (*handle)->value() : tell(handle.error());
}

/// Deletes a texture or image handle.
void delete_handle(pipe_context* context, uint64_t handle) {
    if (render::BindlessHeap* heap = Screen::from(context->screen)->engine->bindless())
        heap->drop(handle);
}

void make_handle_resident(pipe_context* pcontext, uint64_t handle, bool writes, bool resident) {
    Context& context = *Context::from(pcontext);
    render::BindlessHeap* heap = context.kobalt_screen().engine->bindless();
    if (!heap)
        return;
    if (!resident) {
        context.recorder.make_nonresident(handle);
        return;
    }
    if (auto found = context.threaded ? heap->find_announced(handle) : heap->find(handle))
        context.recorder.make_resident(std::move(found), writes);
}

void make_texture_handle_resident(pipe_context* context, uint64_t handle, bool resident) {
    make_handle_resident(context, handle, false, resident);
}

/// `access`: GL's enum (glMakeImageHandleResidentARB).
void make_image_handle_resident(pipe_context* context, uint64_t handle, unsigned access,
                                bool resident) {
    make_handle_resident(context, handle, access != gl_read_only, resident);
}

// The threaded context waits for its thread before it creates a handle. Only two kinds of handles
// need that: a buffer texture's, as a queued call may be about to replace the buffer's storage, and
// one whose texture has to be moved, which the recorder does.
uint64_t create_at_once(pipe_context* wrapped, pipe_sampler_view* view,
                        const pipe_sampler_state* state) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    if (view && view->texture->target == PIPE_BUFFER) {
        // From here on the threaded context queues no more replacements of the storage.
        Resource::from(view->texture)->is_shared = true;
        return context.queue_handles.create(wrapped, view, state);
    }
    Screen& screen = context.kobalt_screen();
    if (view && needs_move(screen, *Resource::from(view->texture), uses_of_handle(screen, *view)))
        return context.queue_handles.create(wrapped, view, state);
    return create_texture_handle(&context, view, state);
}

uint64_t create_image_at_once(pipe_context* wrapped, const pipe_image_view* view) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    if (view->resource && view->resource->target == PIPE_BUFFER) {
        Resource::from(view->resource)->is_shared = true;
        return context.queue_handles.create_image(wrapped, view);
    }
    Screen& screen = context.kobalt_screen();
    if (view->resource &&
        needs_move(screen, *Resource::from(view->resource), uses_of_handle(screen, *view)))
        return context.queue_handles.create_image(wrapped, view);
    return create_image_handle(&context, view);
}

// Another context may delete the handle before this one's queue executes the call.
void make_resident_through_queue(pipe_context* wrapped, uint64_t handle, bool resident) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    render::BindlessHeap* heap = context.kobalt_screen().engine->bindless();
    if (resident && heap)
        heap->announce(handle);
    context.queue_handles.make_resident(wrapped, handle, resident);
}

void make_image_resident_through_queue(pipe_context* wrapped, uint64_t handle, unsigned access,
                                       bool resident) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    render::BindlessHeap* heap = context.kobalt_screen().engine->bindless();
    if (resident && heap)
        heap->announce(handle);
    context.queue_handles.make_image_resident(wrapped, handle, access, resident);
}

} // namespace

render::Ref<render::Sampler> HandleSamplers::get(vulkan::Device& device,
                                                 const pipe_sampler_state& state) {
    const std::string_view bytes(reinterpret_cast<const char*>(&state), sizeof(state));
    const std::lock_guard lock(mutex_);
    if (const auto found = samplers_.find(bytes); found != samplers_.end())
        return found->second;
    if (samplers_.size() >= many_samplers)
        std::erase_if(samplers_, [](const auto& entry) { return entry.second->references() == 1; });
    render::Ref<render::Sampler> made = make_sampler(device, state);
    if (made)
        samplers_.emplace(bytes, made);
    return made;
}

void HandleSamplers::clear() {
    const std::lock_guard lock(mutex_);
    samplers_.clear();
}

void queue_handles_quickly(Context& context, pipe_context* wrapped) {
    context.queue_handles = {wrapped->create_texture_handle, wrapped->make_texture_handle_resident,
                             wrapped->create_image_handle, wrapped->make_image_handle_resident};
    wrapped->create_texture_handle = create_at_once;
    wrapped->make_texture_handle_resident = make_resident_through_queue;
    wrapped->create_image_handle = create_image_at_once;
    wrapped->make_image_handle_resident = make_image_resident_through_queue;
}

void init_handle_functions(Context& context) {
    context.create_texture_handle = create_texture_handle;
    context.delete_texture_handle = delete_handle;
    context.make_texture_handle_resident = make_texture_handle_resident;
    context.create_image_handle = create_image_handle;
    context.delete_image_handle = delete_handle;
    context.make_image_handle_resident = make_image_handle_resident;
}

} // namespace kobalt::gallium
