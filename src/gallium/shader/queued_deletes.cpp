// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"

namespace kobalt::gallium {
namespace {

// What a queue of so many deleted shaders holds is a few megabytes on a CPU device, and the driver
// thread needs milliseconds for them once it gets there.
constexpr int32_t most_queued_deletes = 24;

template <gl_shader_stage stage>
void delete_through_queue(pipe_context* wrapped, void* handle) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    static_cast<Shader*>(handle)->delete_queued = true;
    const int32_t queued = context.queued_deletes.fetch_add(1, std::memory_order_relaxed) + 1;
    context.queue_delete[stage](wrapped, handle);
    if (queued >= most_queued_deletes)
        threaded_context_unwrap_sync(wrapped);
}

} // namespace

void bound_queued_deletes(Context& context, pipe_context* wrapped) {
    context.queue_delete = {wrapped->delete_vs_state,  wrapped->delete_tcs_state,
                            wrapped->delete_tes_state, wrapped->delete_gs_state,
                            wrapped->delete_fs_state,  wrapped->delete_compute_state};
    wrapped->delete_vs_state = delete_through_queue<MESA_SHADER_VERTEX>;
    wrapped->delete_tcs_state = delete_through_queue<MESA_SHADER_TESS_CTRL>;
    wrapped->delete_tes_state = delete_through_queue<MESA_SHADER_TESS_EVAL>;
    wrapped->delete_gs_state = delete_through_queue<MESA_SHADER_GEOMETRY>;
    wrapped->delete_fs_state = delete_through_queue<MESA_SHADER_FRAGMENT>;
    wrapped->delete_compute_state = delete_through_queue<MESA_SHADER_COMPUTE>;
}

void note_executed_delete(Context& context, const Shader& shader) {
    if (shader.delete_queued)
        context.queued_deletes.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace kobalt::gallium
