// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/shader/descriptor_names.h"

namespace kobalt::gallium {
namespace {

VariantKey compute_key(const Context& context, const Shader& shader) {
    VariantKey key;
    key.robust = context.robust && !shader.robust; // it was created by another context
    key.texels = read_legacy_texels(context, shader);
    return key;
}

render::ShaderStage* compute_stage(Context& context) {
    Shader* shader = context.bound.stages[MESA_SHADER_COMPUTE].shader;
    return shader
               ? shader->variant(context.kobalt_screen(), compute_key(context, *shader), &context)
               : nullptr;
}

/// The workgroup size is part of a Vulkan pipeline, so each size is a variant. It is built in the
/// first dispatch of that size, and in later runs of the app together with the shader.
void bind_workgroup_size(Context& context, Shader& shader, const pipe_grid_info& info) {
    Screen& screen = context.kobalt_screen();
    VariantKey key = compute_key(context, shader);
    std::copy_n(info.block, 3, key.workgroup_size.begin());
    if (key.workgroup_size == screen.spirv_target.workgroup_size)
        key.workgroup_size = {}; // the size of the first build
    context.recorder.bind_stage(render::Stage::compute, shader.variant(screen, key, &context));
}

void launch_grid(pipe_context* pcontext, const pipe_grid_info* info) {
    Context& context = *Context::from(pcontext);
    Shader* shader = context.bound.stages[MESA_SHADER_COMPUTE].shader;
    rebind_if_storage_replaced(context);
    if (context.compute_dirty) {
        complete_bound_shaders(context, BITFIELD_BIT(MESA_SHADER_COMPUTE));
        context.recorder.bind_stage(render::Stage::compute, compute_stage(context));
        if (context.recorder.checks_descriptors())
            name_bound_stages(context, true);
        context.compute_dirty = false;
    }
    if (shader && !shader->base)
        note_lost_draw(context, "its shader was refused");
    if (!shader || !shader->base || !condition_lets_record(context))
        return;
    if (shader->variable_workgroup)
        bind_workgroup_size(context, *shader, *info);
    if (info->indirect) {
        const render::Ref arguments = settled_storage(context, info->indirect);
        context.recorder.dispatch_indirect(*arguments, info->indirect_offset);
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

// The recorder ignores the individual bits: see render/recorder/barrier.cpp.
void memory_barrier(pipe_context* context, unsigned) {
    Context::from(context)->recorder.memory_barrier();
}

} // namespace

void init_compute_functions(Context& context) {
    context.launch_grid = launch_grid;
    context.texture_barrier = texture_barrier;
    context.memory_barrier = memory_barrier;
}

} // namespace kobalt::gallium
