// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/sync/fence.h"
#include "vulkan/device/device.h"
#include "vulkan/device/queue.h"
#include "vulkan/device/timeline.h"

namespace kobalt::gallium {

namespace {

/// glWaitSync may name a fence whose flush another thread hasn't executed yet: the longest wait for
/// that flush.
constexpr uint64_t foreign_submit_timeout_ns = 1'000'000'000;

/// A submission costs some 20 microseconds of CPU time, so early submissions of one frame are at
/// least this far apart.
constexpr int64_t early_submit_distance_ns = 100'000;

/// Whether this thread executes the queued calls in less time than waking the driver's thread
/// takes: the calls are few, and that thread is idle.
bool quicker_here(struct threaded_context& queue) { // `struct`: Mesa has a function of that name
    constexpr uint64_t few = 128;                   ///< slots of 8 bytes
    return queue.batch_slots[queue.next].num_total_slots <= few &&
           util_queue_fence_is_signalled(&queue.batch_slots[queue.last].fence);
}

/// Reports a lost device to the app's callback, once.
void report_reset(Context& context) {
    if (!context.recorder.device_lost() || !context.reset_callback.reset ||
        context.reset_reported.exchange(true))
        return;
    context.reset_callback.reset(context.reset_callback.data, PIPE_UNKNOWN_CONTEXT_RESET);
}

void flush(pipe_context* pcontext, pipe_fence_handle** out, unsigned flags) {
    Context& context = *Context::from(pcontext);
    const bool native = (flags & PIPE_FLUSH_FENCE_FD) && out;
    const bool deferred = (flags & PIPE_FLUSH_DEFERRED) && out && !native;
    auto exported = native ? begin_native_fence(context) : render::Ref<render::ExternalSemaphore>();
    render::Ref<render::BatchToken> token = deferred && !context.recorder.empty()
                                                ? context.recorder.current_token()
                                                : context.recorder.flush();
    context.early_submit_time_ns = 0;
    context.deferred_index_releases.give_back();
    context.deferred_view_releases.give_back();
    if (out) {
        if (flags & TC_FLUSH_ASYNC) {
            // The threaded context has created the fence already.
            if (*out)
                end_native_fence(context, *Fence::from(*out), std::move(exported),
                                 std::move(token));
        } else {
            auto fence = std::make_unique<Fence>();
            end_native_fence(context, *fence, std::move(exported), std::move(token));
            context.screen->fence_reference(context.screen, out, nullptr);
            *out = fence.release()->handle();
        }
    }
    report_reset(context);
}

void fence_server_sync(pipe_context* pcontext, pipe_fence_handle* handle) {
    Context& context = *Context::from(pcontext);
    if (!handle) // the fence's import failed
        return;
    Fence& fence = *Fence::from(handle);
    if (fence.semaphore) {
        context.recorder.wait_for_semaphore(fence.semaphore);
        return;
    }
    if (!fence.token && fence.native_fd >= 0) {
        wait_for_native_fence(context, fence);
        return;
    }
    // All contexts submit to one queue, in order: once the fence's batch is submitted, everything
    // that this context records executes after it.
    if (!util_queue_fence_is_signalled(&fence.ready) &&
        !util_queue_fence_wait_timeout(&fence.ready,
                                       os_time_get_absolute_timeout(foreign_submit_timeout_ns)))
        return;
    if (!fence.token || fence.token->submitted() ||
        context.recorder.current_token().get() == fence.token.get())
        return;
    fence.token->wait(foreign_submit_timeout_ns);
}

pipe_reset_status get_device_reset_status(pipe_context* pcontext) {
    Context& context = *Context::from(pcontext);
    if (!context.recorder.device_lost() || context.reset_reported.exchange(true))
        return PIPE_NO_RESET;
    // Vulkan doesn't report which context's work lost the device.
    return PIPE_UNKNOWN_CONTEXT_RESET;
}

void set_device_reset_callback(pipe_context* pcontext, const pipe_device_reset_callback* callback) {
    Context& context = *Context::from(pcontext);
    context.reset_callback = callback ? *callback : pipe_device_reset_callback{};
}

} // namespace

void flush_threaded(pipe_context* pcontext, pipe_fence_handle** fence, unsigned flags) {
    struct threaded_context& queue = *threaded_context(pcontext);
    Context& context = *Context::from(queue.pipe);
    // glFinish waits in any case, so this thread executes the calls that the driver's thread hasn't
    // begun: waking that thread, and being woken by it, takes longer. The end of a frame goes to
    // the driver's thread, because the submission may wait for an image of the window.
    const bool waits = flags & PIPE_FLUSH_HINT_FINISH;
    const bool stays = flags & (PIPE_FLUSH_END_OF_FRAME | PIPE_FLUSH_DEFERRED);
    if (waits || (!stays && quicker_here(queue)))
        flags &= ~PIPE_FLUSH_ASYNC;
    context.queue_flush(pcontext, fence, flags);
}

void submit_early(Context& context) {
    if (context.recorder.draws_in_batch() == 0)
        return;
    const int64_t now = os_time_get_nano();
    if (context.early_submit_time_ns != 0 &&
        now - context.early_submit_time_ns < early_submit_distance_ns)
        return;
    vulkan::Timeline& timeline = context.kobalt_screen().device().graphics().timeline();
    if (!timeline.reached(timeline.submitted()))
        return;
    context.recorder.flush();
    context.early_submit_time_ns = now;
}

void init_flush_functions(Context& context) {
    context.flush = flush;
    context.fence_server_sync = fence_server_sync;
    context.get_device_reset_status = get_device_reset_status;
    context.set_device_reset_callback = set_device_reset_callback;
}

} // namespace kobalt::gallium
