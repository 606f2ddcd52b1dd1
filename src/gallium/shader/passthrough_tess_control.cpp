// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"

#include "nir.h"

namespace kobalt::gallium {

// GL lets an evaluation shader run without a control shader (OpenGL 4.6, Tessellation: the patch
// passes through, with default levels); Vulkan wants both.
Shader* passthrough_tess_control(Context& context) {
    const Shader& vertex = *context.bound.stages[MESA_SHADER_VERTEX].shader;
    for (const Context::Passthrough& made : context.passthrough)
        if (made.outputs == vertex.outputs_written && made.patch_vertices == context.patch_vertices)
            return made.shader.get();

    Screen& screen = context.kobalt_screen();
    unsigned locations[64];
    unsigned count = 0;
    u_foreach_bit64(slot, vertex.outputs_written) locations[count++] = slot;
    nir_shader* nir = nir_create_passthrough_tcs_impl(
        spirv::compiler_options(MESA_SHADER_TESS_CTRL, screen.spirv_target), locations, count,
        static_cast<uint8_t>(context.patch_vertices));
    nir->info.next_stage = MESA_SHADER_TESS_EVAL;
    screen.engine->counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
    context.recorder.slow_path(render::SlowPath::draw_compile,
                               "a control shader that passes patches through");
    context.passthrough.push_back(
        {vertex.outputs_written, context.patch_vertices, create_shader(screen, nir)});
    return context.passthrough.back().shader.get();
}

} // namespace kobalt::gallium
