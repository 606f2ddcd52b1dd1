// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>

#include "gallium/screen/mesa.h"
#include "render/batch_token.h"
#include "render/external_semaphore.h"

namespace kobalt::gallium {

struct Context;

/// pipe_fence_handle: the completion of a batch. `ready` is signalled once the batch is known: the
/// threaded context hands fences out before the driver's thread has come to the flush.
struct Fence {
    Fence() { util_queue_fence_init(&ready); }
    ~Fence();
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    static Fence* from(pipe_fence_handle* handle) { return reinterpret_cast<Fence*>(handle); }
    pipe_fence_handle* handle() { return reinterpret_cast<pipe_fence_handle*>(this); }

    /// Names the batch and lets waiters through.
    void resolve(render::Ref<render::BatchToken> batch);

    std::atomic<int> references{1};
    util_queue_fence ready;
    render::Ref<render::BatchToken> token;
    tc_unflushed_batch_token* threaded_token = nullptr;
    /// GL_EXT_semaphore's; null: it is a fence.
    render::Ref<render::ExternalSemaphore> semaphore;
    /// A native fence: what PIPE_FLUSH_FENCE_FD asked for or, without `token`, one that came in;
    /// or -1; owned.
    int native_fd = -1;
};

/// EGL_ANDROID_native_fence_sync, in front of the flush: the semaphore that it signals. Null: the
/// device has none such, and the fence is Kobalt's own.
render::Ref<render::ExternalSemaphore> begin_native_fence(Context& context);
/// Behind the flush: names the batch, and takes the file descriptor of the semaphore.
void end_native_fence(Context& context, Fence& fence,
                      render::Ref<render::ExternalSemaphore> exported,
                      render::Ref<render::BatchToken> batch);

/// Commands from here on wait for a native fence that came in.
void wait_for_native_fence(Context& context, const Fence& fence);

/// threaded_context_options::create_fence.
pipe_fence_handle* create_unflushed_fence(pipe_context* context, tc_unflushed_batch_token* token);

} // namespace kobalt::gallium
