// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>

#include "gallium/screen/mesa.h"
#include "render/sync/batch_token.h"
#include "render/sync/external_semaphore.h"

namespace kobalt::gallium {

struct Context;

/// pipe_fence_handle: the completion of a batch. `ready` is signalled once the batch is known: the
/// threaded context returns fences before the driver's thread has executed the flush.
struct Fence {
    Fence() { util_queue_fence_init(&ready); }
    ~Fence();
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    static Fence* from(pipe_fence_handle* handle) { return reinterpret_cast<Fence*>(handle); }
    pipe_fence_handle* handle() { return reinterpret_cast<pipe_fence_handle*>(this); }

    /// Sets the batch and wakes the waiters.
    void set_batch(render::Ref<render::BatchToken> batch);

    std::atomic<int> references{1};
    util_queue_fence ready;
    render::Ref<render::BatchToken> token;
    tc_unflushed_batch_token* threaded_token = nullptr;
    /// A semaphore of GL_EXT_semaphore; null: this is a fence.
    render::Ref<render::ExternalSemaphore> semaphore;
    /// The descriptor of a native fence, owned: created for PIPE_FLUSH_FENCE_FD or, if `token` is
    /// null, imported; else -1.
    int native_fd = -1;
};

/// EGL_ANDROID_native_fence_sync, called before the flush: returns the semaphore that the flush
/// signals. Null: the device can't export one, and the fence is Kobalt's own.
render::Ref<render::ExternalSemaphore> begin_native_fence(Context& context);
/// Called after the flush: sets the batch, and exports the semaphore's file descriptor.
void end_native_fence(Context& context, Fence& fence,
                      render::Ref<render::ExternalSemaphore> exported,
                      render::Ref<render::BatchToken> batch);

/// Makes later commands wait for an imported native fence.
void wait_for_native_fence(Context& context, const Fence& fence);

/// threaded_context_options::create_fence.
pipe_fence_handle* create_unflushed_fence(pipe_context* context, tc_unflushed_batch_token* token);

} // namespace kobalt::gallium
