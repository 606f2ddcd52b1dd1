// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <fcntl.h>
#include <unistd.h>

#include "gallium/context/operations.h"
#include "gallium/sync/fence.h"
#include "vulkan/commands/sync.h"
#include "vulkan/device/device.h"

// Semaphores shared with other devices and processes: GL_EXT_semaphore_fd (opaque descriptors), and
// EGL_ANDROID_native_fence_sync (descriptors of Linux' sync files).

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

constexpr auto opaque_fd = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr auto sync_fd = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;

/// pipe_context::create_fence_fd. The caller still owns the descriptor. Null after one message in
/// Mesa's log.
void create_fence_fd(pipe_context* pcontext, pipe_fence_handle** out, int fd, pipe_fd_type type) {
    Screen& screen = Context::from(pcontext)->kobalt_screen();
    *out = nullptr;
    const bool native = type == PIPE_FD_TYPE_NATIVE_SYNC;
    auto semaphore = vulkan::import_semaphore(screen.device(), fd, native ? sync_fd : opaque_fd);
    if (!semaphore) {
        mesa_loge("kobalt: %s", semaphore.error().to_string().c_str());
        return;
    }
    auto fence = std::make_unique<Fence>();
    if (native)
        fence->native_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0); // each wait imports it again
    else
        fence->semaphore = render::make_ref<render::ExternalSemaphore>(std::move(*semaphore));
    *out = fence.release()->handle();
}

void fence_server_signal(pipe_context* pcontext, pipe_fence_handle* handle) {
    Context& context = *Context::from(pcontext);
    if (!handle || !Fence::from(handle)->semaphore) // the semaphore's import failed
        return;
    for (const render::Ref<render::Resource>& resource : context.leaving)
        context.recorder.release_external(*resource);
    context.leaving.clear();
    context.recorder.signal_semaphore(Fence::from(handle)->semaphore);
}

/// EXT_external_objects, "Waiting for Semaphores" and "Signaling Semaphores": Mesa calls this for
/// each resource that the app names, after the wait or before the signal. Mesa also calls it for a
/// texture that an EGLImage is made of, with PIPE_BIND_SHARED.
void flush_resource(pipe_context* pcontext, pipe_resource* presource) {
    Context& context = *Context::from(pcontext);
    Resource& resource = *Resource::from(presource);
    if (resource.b.bind & PIPE_BIND_SHARED)
        make_exportable(context, resource);
    // Imported dma-bufs are acquired once, before their first use, and never released.
    if (resource.is_buffer() || !resource.image ||
        resource.image->outside != VK_QUEUE_FAMILY_EXTERNAL)
        return;
    if (resource.image->away)
        context.recorder.acquire_external(*resource.image);
    else
        context.leaving.emplace_back(resource.image.get());
}

int fence_get_fd(pipe_screen*, pipe_fence_handle* handle) {
    const Fence& fence = *Fence::from(handle);
    return fence.native_fd < 0 ? -1 : fcntl(fence.native_fd, F_DUPFD_CLOEXEC, 0);
}

} // namespace

render::Ref<render::ExternalSemaphore> begin_native_fence(Context& context) {
    Screen& screen = context.kobalt_screen();
    if (!screen.caps.native_fence_fd)
        return {};
    auto semaphore = vulkan::create_semaphore(screen.device(), "native fence", sync_fd);
    if (!semaphore) {
        mesa_loge("kobalt: %s", semaphore.error().to_string().c_str());
        return {};
    }
    auto exported = render::make_ref<render::ExternalSemaphore>(std::move(*semaphore));
    context.recorder.signal_semaphore(exported);
    return exported;
}

void end_native_fence(Context& context, Fence& fence,
                      render::Ref<render::ExternalSemaphore> exported,
                      render::Ref<render::BatchToken> batch) {
    if (exported && batch->submitted()) {
        auto fd =
            vulkan::export_semaphore(context.kobalt_screen().device(), exported->handle(), sync_fd);
        if (fd)
            fence.native_fd = *fd;
        else
            mesa_loge("kobalt: %s", fd.error().to_string().c_str());
    }
    fence.set_batch(std::move(batch));
}

void wait_for_native_fence(Context& context, const Fence& fence) {
    auto semaphore =
        vulkan::import_semaphore(context.kobalt_screen().device(), fence.native_fd, sync_fd);
    if (semaphore)
        context.recorder.wait_for_semaphore(
            render::make_ref<render::ExternalSemaphore>(std::move(*semaphore)));
    else
        mesa_loge("kobalt: %s", semaphore.error().to_string().c_str());
}

void init_screen_semaphores(Screen& screen) {
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    vulkan::Device& device = screen.device();
    if (!device.has(Capability::external_semaphore_fd))
        return;
    caps.fence_signal = vulkan::semaphore_features(device, opaque_fd) &
                        VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    constexpr VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
    caps.native_fence_fd = (vulkan::semaphore_features(device, sync_fd) & both) == both;
    screen.fence_get_fd = fence_get_fd;
}

void init_semaphore_functions(Context& context) {
    context.flush_resource = flush_resource;
    if (!context.kobalt_screen().device().has(Capability::external_semaphore_fd))
        return;
    context.create_fence_fd = create_fence_fd;
    context.fence_server_signal = fence_server_signal;
}

} // namespace kobalt::gallium
