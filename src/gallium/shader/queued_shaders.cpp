// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"

namespace kobalt::gallium {
namespace {

// The limit on deleted shaders in the queue. That many hold a few megabytes on a CPU device, and
// the driver thread takes milliseconds to free them.
constexpr int32_t most_queued_deletes = 24;

// A tag in a shader's address, in which this bit is otherwise 0.
constexpr uintptr_t queue_reference = 1;

template <gl_shader_stage stage>
void bind_through_queue(pipe_context* wrapped, void* handle) {
    Context& context = *Context::from(threaded_context(wrapped)->pipe);
    if (handle) {
        static_cast<Shader*>(handle)->retain();
        handle = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(handle) | queue_reference);
    }
    context.queue_bind[stage](wrapped, handle);
}

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

void queue_shaders(Context& context, pipe_context* wrapped) {
    context.queue_bind = {wrapped->bind_vs_state,  wrapped->bind_tcs_state,
                          wrapped->bind_tes_state, wrapped->bind_gs_state,
                          wrapped->bind_fs_state,  wrapped->bind_compute_state};
    wrapped->bind_vs_state = bind_through_queue<MESA_SHADER_VERTEX>;
    wrapped->bind_tcs_state = bind_through_queue<MESA_SHADER_TESS_CTRL>;
    wrapped->bind_tes_state = bind_through_queue<MESA_SHADER_TESS_EVAL>;
    wrapped->bind_gs_state = bind_through_queue<MESA_SHADER_GEOMETRY>;
    wrapped->bind_fs_state = bind_through_queue<MESA_SHADER_FRAGMENT>;
    wrapped->bind_compute_state = bind_through_queue<MESA_SHADER_COMPUTE>;
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

render::Ref<Shader> take_bound_shader(void* handle) {
    const auto address = reinterpret_cast<uintptr_t>(handle);
    auto* shader = reinterpret_cast<Shader*>(address & ~queue_reference);
    return address & queue_reference ? render::Ref<Shader>::adopt(shader)
                                     : render::Ref<Shader>(shader);
}

void note_executed_delete(Context& context, const Shader& shader) {
    if (shader.delete_queued)
        context.queued_deletes.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace kobalt::gallium
