// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/sync/fence.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

namespace {

void fence_reference(pipe_screen*, pipe_fence_handle** target, pipe_fence_handle* source) {
    if (source)
        Fence::from(source)->references.fetch_add(1, std::memory_order_relaxed);
    Fence* old = *target ? Fence::from(*target) : nullptr;
    *target = source;
    if (old && old->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        std::default_delete<Fence>{}(old);
}

/// Waits for a sync file of Linux, which polls as readable once it is signalled.
bool wait_on_file(int fd, uint64_t timeout_ns) {
    const bool forever = timeout_ns == OS_TIMEOUT_INFINITE;
    const uint64_t milliseconds = timeout_ns / 1'000'000 + (timeout_ns % 1'000'000 ? 1 : 0);
    pollfd waited{fd, POLLIN, 0};
    int ready;
    do
        ready = poll(&waited, 1,
                     forever ? -1 : static_cast<int>(std::min<uint64_t>(milliseconds, INT32_MAX)));
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

bool fence_finish(pipe_screen*, pipe_context* pcontext, pipe_fence_handle* handle,
                  uint64_t timeout_ns) {
    Fence& fence = *Fence::from(handle);
    // A timeout that exceeds the clock's range is treated as infinite.
    const int64_t deadline = os_time_get_absolute_timeout(timeout_ns);
    if (static_cast<uint64_t>(deadline) == OS_TIMEOUT_INFINITE)
        timeout_ns = OS_TIMEOUT_INFINITE;
    if (!util_queue_fence_is_signalled(&fence.ready)) {
        if (fence.threaded_token)
            threaded_context_flush(pcontext, fence.threaded_token, timeout_ns == 0);
        if (timeout_ns == 0 && !util_queue_fence_is_signalled(&fence.ready))
            return false;
        if (timeout_ns == OS_TIMEOUT_INFINITE)
            util_queue_fence_wait(&fence.ready);
        else if (!util_queue_fence_wait_timeout(&fence.ready, deadline))
            return false;
    }
    if (!fence.token && fence.native_fd >= 0)
        return wait_on_file(fence.native_fd, timeout_ns);
    if (!fence.token || fence.token->completed())
        return true;
    if (!fence.token->submitted() && pcontext) {
        Context* context = Context::from(threaded_context_unwrap_sync(pcontext));
        if (context->recorder.current_token().get() == fence.token.get())
            context->recorder.flush();
    }
    if (timeout_ns == 0)
        return fence.token->completed();
    if (timeout_ns == OS_TIMEOUT_INFINITE)
        return fence.token->wait(UINT64_MAX);
    const int64_t now = os_time_get_nano();
    return fence.token->wait(deadline > now ? static_cast<uint64_t>(deadline - now) : 0);
}

} // namespace

Fence::~Fence() {
    tc_unflushed_batch_token_reference(&threaded_token, nullptr);
    util_queue_fence_destroy(&ready);
    if (native_fd >= 0)
        close(native_fd);
}

void Fence::set_batch(render::Ref<render::BatchToken> batch) {
    token = std::move(batch);
    if (!util_queue_fence_is_signalled(&ready))
        util_queue_fence_signal(&ready);
}

pipe_fence_handle* create_unflushed_fence(pipe_context*, tc_unflushed_batch_token* token) {
    auto fence = std::make_unique<Fence>();
    util_queue_fence_reset(&fence->ready);
    tc_unflushed_batch_token_reference(&fence->threaded_token, token);
    return fence.release()->handle();
}

void init_screen_fence_functions(Screen& screen) {
    screen.fence_reference = fence_reference;
    screen.fence_finish = fence_finish;
}

} // namespace kobalt::gallium
