// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/shader/descriptor_names.h"

namespace kobalt::gallium {
namespace {

void launch_grid(pipe_context* pcontext, const pipe_grid_info* info) {
    Context& context = *Context::from(pcontext);
    const Shader* shader = context.bound.stages[MESA_SHADER_COMPUTE].shader;
    if (context.compute_dirty) {
        complete_bound_shaders(context, BITFIELD_BIT(MESA_SHADER_COMPUTE));
        context.recorder.bind_stage(render::Stage::compute, shader ? shader->base.get() : nullptr);
        if (context.recorder.checks_descriptors())
            name_bound_stages(context, true);
        context.compute_dirty = false;
    }
    if (!shader || !shader->base || !condition_lets_record(context))
        return;
    if (info->indirect) {
        context.recorder.dispatch_indirect(*Resource::from(info->indirect)->buffer,
                                           info->indirect_offset);
        return;
    }
    if (info->grid[0] && info->grid[1] && info->grid[2])
        context.recorder.dispatch(info->grid[0], info->grid[1], info->grid[2]);
}

void texture_barrier(pipe_context* context, unsigned flags) {
    if (flags & PIPE_TEXTURE_BARRIER_SAMPLER)
        Context::from(context)->recorder.texture_barrier();
    else
        Context::from(context)->recorder.attachment_barrier();
}

// Uses that the recorder tracks itself (transfers, vertex fetch, ...) follow shader writes through
// bound buffers and images; what shaders do among themselves needs the app's barrier.
void memory_barrier(pipe_context* context, unsigned flags) {
    if (flags & ~static_cast<unsigned>(PIPE_BARRIER_UPDATE))
        Context::from(context)->recorder.full_barrier();
}

} // namespace

void init_compute_functions(Context& context) {
    context.launch_grid = launch_grid;
    context.texture_barrier = texture_barrier;
    context.memory_barrier = memory_barrier;
}

} // namespace kobalt::gallium
