// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/shader.h"

#include <string_view>

#include "gallium/context/operations.h"
#include "gallium/shader/helper_shaders.h"

#include "nir.h"
#include "nir/tgsi_to_nir.h"
#include "util/ralloc.h"

namespace kobalt::gallium {
namespace {

/// Mesa's helpers (u_blitter) still use TGSI. The state tracker's own shaders are marked internal,
/// but so are those of the fixed function, which count as programs in GL.
Origin origin_of(const Context& context, bool tgsi, const nir_shader& nir) {
    if (!context.blitter)
        return Origin::start; // the context is being created
    if (tgsi)
        return Origin::blit;
    const std::string_view name = nir.info.name ? nir.info.name : "";
    if (name.starts_with("ff-") || name.starts_with("ARB") || name.starts_with("ATI"))
        return Origin::fixed;
    return nir.info.internal ? Origin::helper : Origin::program;
}

/// Takes ownership of `nir`.
void* create(pipe_context* pcontext, bool tgsi, nir_shader* nir) {
    Context& context = *Context::from(pcontext);
    const Origin origin = origin_of(context, tgsi, *nir);
    if (origin == Origin::blit || origin == Origin::helper) {
        Screen& screen = context.kobalt_screen();
        if (auto known = screen.helper_shaders->take(screen, *nir, context.robust)) {
            ralloc_free(nir);
            return known.release();
        }
    }
    // Mesa makes fixed-function programs for each context, even where nothing ever draws with them,
    // so their builds wait until then. Programs that draws use are bound as soon as they are made,
    // or linked as known ones.
    const bool when_bound = nir->info.name && std::string_view(nir->info.name).starts_with("ff-");
    std::unique_ptr<Shader> shader = new_shader(context.kobalt_screen(), nir, context.robust);
    shader->origin = origin;
    shader->settled.store(origin == Origin::start, std::memory_order_relaxed);
    if (!when_bound)
        begin_shader(context.kobalt_screen(), *shader);
    return shader.release();
}

void* create_graphics(pipe_context* context, const pipe_shader_state* templ) {
    const bool tgsi = templ->type != PIPE_SHADER_IR_NIR;
    return create(context, tgsi,
                  tgsi ? tgsi_to_nir(templ->tokens, context->screen, false)
                       : static_cast<nir_shader*>(templ->ir.nir));
}

void* create_compute(pipe_context* context, const pipe_compute_state* templ) {
    const bool tgsi = templ->ir_type != PIPE_SHADER_IR_NIR;
    return create(context, tgsi,
                  tgsi ? tgsi_to_nir(templ->prog, context->screen, false)
                       : static_cast<nir_shader*>(const_cast<void*>(templ->prog)));
}

template <gl_shader_stage stage>
void bind(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    render::Ref<Shader> reference = take_bound_shader(handle);
    Shader* const shader = reference.get();
    Bindings::PerStage& bound = context.bound.stages[stage];
    if (bound.bound_shader.get() == shader)
        return;
    if (shader)
        begin_shader(context.kobalt_screen(), *shader);
    if (shader && !shader->settled.load(std::memory_order_relaxed))
        settle(context, *shader);
    bound.bound_shader = std::move(reference);
    bound.shader = shader;
    (stage == MESA_SHADER_COMPUTE ? context.compute_dirty : context.stages_dirty) = true;
}

void delete_shader(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* shader = static_cast<Shader*>(handle);
    Bindings::PerStage& bound = context.bound.stages[shader->stage];
    if (bound.bound_shader.get() == shader) {
        bound.bound_shader.reset();
        bound.shader = nullptr;
        context.recorder.bind_stage(render_stage(shader->stage), nullptr);
        context.stages_dirty = context.compute_dirty = true;
    }
    note_executed_delete(context, *shader);
    shader->withdraw_link();
    shader->release();
}

// pipe_screen::is_parallel_shader_compilation_finished (KHR_parallel_shader_compile).
bool compiled(pipe_screen*, void* handle, pipe_shader_type) {
    const auto& shader = *static_cast<const Shader*>(handle);
    return shader.compiled() && (!shader.base || shader.base->prepared());
}

void limit_threads(pipe_screen* screen, unsigned count) {
    Screen::from(screen)->engine->compiler().limit_threads(count);
}

void link_shader(pipe_context* context, void** handles) {
    // A compute shader is alone in its program, so there is nothing to link.
    if (auto* compute = static_cast<Shader*>(handles[MESA_SHADER_COMPUTE])) {
        compute->settled.store(true, std::memory_order_relaxed);
        return;
    }
    BoundShaders stages{};
    for (unsigned i = 0; i < stages.size(); ++i)
        stages[i] = static_cast<Shader*>(handles[i]);
    begin_link(Context::from(context)->kobalt_screen(), stages);
}

} // namespace

void init_shader_functions(Context& context) {
    context.create_vs_state = create_graphics;
    context.create_tcs_state = create_graphics;
    context.create_tes_state = create_graphics;
    context.create_gs_state = create_graphics;
    context.create_fs_state = create_graphics;
    context.create_compute_state = create_compute;
    context.bind_vs_state = bind<MESA_SHADER_VERTEX>;
    context.bind_tcs_state = bind<MESA_SHADER_TESS_CTRL>;
    context.bind_tes_state = bind<MESA_SHADER_TESS_EVAL>;
    context.bind_gs_state = bind<MESA_SHADER_GEOMETRY>;
    context.bind_fs_state = bind<MESA_SHADER_FRAGMENT>;
    context.bind_compute_state = bind<MESA_SHADER_COMPUTE>;
    context.delete_vs_state = delete_shader;
    context.delete_tcs_state = delete_shader;
    context.delete_tes_state = delete_shader;
    context.delete_gs_state = delete_shader;
    context.delete_fs_state = delete_shader;
    context.delete_compute_state = delete_shader;
    context.link_shader = link_shader;
}

const char* refusal_of(const pipe_screen* screen, const void* shader) {
    if (screen->is_parallel_shader_compilation_finished != compiled)
        return nullptr; // the screen of another driver, or a wrapper around this one
    const std::string& why = static_cast<const Shader*>(shader)->refusal();
    return why.empty() ? nullptr : why.c_str();
}

Screen* own_screen(pipe_screen* screen) {
    return screen->is_parallel_shader_compilation_finished == compiled ? Screen::from(screen)
                                                                       : nullptr;
}

void init_screen_compiler_functions(Screen& screen) {
    screen.is_parallel_shader_compilation_finished = compiled;
    screen.set_max_shader_compiler_threads = limit_threads;
}

} // namespace kobalt::gallium
