// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/shader.h"
#include "gallium/context/operations.h"
#include "gallium/emulation/outline_stages.h"

#include "nir.h"
#include "nir/tgsi_to_nir.h"
#include "nir_serialize.h"
#include "util/blob.h"
#include "util/ralloc.h"
#include "util/u_prim.h"

namespace kobalt::gallium {
namespace {

bool comes_before_vertex_work(gl_shader_stage next) {
    return next == MESA_SHADER_TESS_CTRL || next == MESA_SHADER_TESS_EVAL ||
           next == MESA_SHADER_GEOMETRY;
}

mesa_prim output_primitive(const nir_shader& nir) {
    if (nir.info.stage == MESA_SHADER_GEOMETRY)
        return u_reduced_prim(nir.info.gs.output_primitive);
    if (nir.info.stage != MESA_SHADER_TESS_EVAL)
        return MESA_PRIM_COUNT;
    if (nir.info.tess.point_mode)
        return MESA_PRIM_POINTS;
    return nir.info.tess._primitive_mode == TESS_PRIMITIVE_ISOLINES ? MESA_PRIM_LINES
                                                                    : MESA_PRIM_TRIANGLES;
}

void* create_graphics(pipe_context* context, const pipe_shader_state* templ) {
    Screen& screen = Context::from(context)->kobalt_screen();
    nir_shader* nir = templ->type == PIPE_SHADER_IR_NIR
                          ? static_cast<nir_shader*>(templ->ir.nir)
                          : tgsi_to_nir(templ->tokens, &screen, false);
    std::unique_ptr<Shader> shader = create_shader(screen, nir);
    if (!shader->base)
        util_debug_message(&context->debug, ERROR, "shader %s can't run on this Vulkan device",
                           shader->name.c_str());
    return shader.release();
}

void* create_compute(pipe_context* context, const pipe_compute_state* templ) {
    Screen& screen = Context::from(context)->kobalt_screen();
    nir_shader* nir = templ->ir_type == PIPE_SHADER_IR_NIR
                          ? static_cast<nir_shader*>(const_cast<void*>(templ->prog))
                          : tgsi_to_nir(templ->prog, &screen, false);
    return create_shader(screen, nir).release();
}

template <gl_shader_stage stage>
void bind(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* shader = static_cast<Shader*>(handle);
    Bindings::PerStage& bound = context.bound.stages[stage];
    if (bound.kept.get() == shader)
        return;
    bound.kept = render::Ref<Shader>(shader);
    bound.shader = shader;
    if (stage == MESA_SHADER_COMPUTE)
        context.recorder.bind_stage(render::Stage::compute, shader ? shader->base.get() : nullptr);
    else
        context.stages_dirty = true;
}

void delete_shader(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* shader = static_cast<Shader*>(handle);
    Bindings::PerStage& bound = context.bound.stages[shader->stage];
    if (bound.kept.get() == shader) {
        bound.kept.reset();
        bound.shader = nullptr;
        context.recorder.bind_stage(render_stage(shader->stage), nullptr);
        context.stages_dirty = true;
    }
    shader->release();
}

// Stages that Vulkan compiles together are built here, so that no draw has to.
void link_shader(pipe_context* context, void** handles) {
    Screen& screen = Context::from(context)->kobalt_screen();
    std::array<render::ShaderStage*, render::graphics_stage_count> stages{};
    bool any = false;
    for (unsigned i = 0; i < PIPE_SHADER_COMPUTE; ++i) {
        auto* shader = static_cast<Shader*>(handles[i]);
        if (!shader || !shader->base)
            continue;
        stages[static_cast<size_t>(render_stage(i))] = shader->base.get();
        any = true;
    }
    // Interfaces that don't match end to end are known here, so their variants are built here.
    auto* vertex = static_cast<Shader*>(handles[PIPE_SHADER_VERTEX]);
    auto* geometry = static_cast<Shader*>(handles[PIPE_SHADER_GEOMETRY]);
    auto* fragment = static_cast<Shader*>(handles[PIPE_SHADER_FRAGMENT]);
    if (vertex && vertex->base && !handles[PIPE_SHADER_TESS_EVAL])
        stages[static_cast<size_t>(render::Stage::vertex)] = vertex->variant(
            screen, vertex_variant(*vertex, !geometry, geometry ? geometry : fragment), false);
    if (geometry && geometry->base)
        stages[static_cast<size_t>(render::Stage::geometry)] =
            geometry->variant(screen, vertex_variant(*geometry, true, fragment), false);
    if (any)
        render::link_stages(*screen.engine, stages);
}

} // namespace

Shader::~Shader() = default;

std::vector<uint8_t> serialize(const nir_shader* nir) {
    blob storage;
    blob_init(&storage);
    nir_serialize(&storage, nir, true);
    std::vector<uint8_t> bytes(storage.data, storage.data + storage.size);
    blob_finish(&storage);
    return bytes;
}

nir_shader* prepared_nir(Screen& screen, const Shader& shader) {
    blob_reader reader;
    blob_reader_init(&reader, shader.prepared.data(), shader.prepared.size());
    return nir_deserialize(nullptr, spirv::compiler_options(shader.stage, screen.spirv_target),
                           &reader);
}

std::unique_ptr<Shader> create_shader(Screen& screen, nir_shader* nir) {
    auto shader = std::make_unique<Shader>();
    shader->stage = nir->info.stage;
    shader->name = std::string(_mesa_shader_stage_to_abbrev(nir->info.stage));
    if (nir->info.name)
        shader->name += std::string(" ") + nir->info.name;
    shader->last_vertex_stage = !comes_before_vertex_work(nir->info.next_stage);

    spirv::Target target = screen.spirv_target;
    target.last_vertex_stage = shader->last_vertex_stage;
    // Asked before preparing, which may turn the value into something else.
    shader->uses_draw_id = BITSET_TEST(nir->info.system_values_read, SYSTEM_VALUE_DRAW_ID);
    spirv::prepare(nir, target);
    if (shader->stage == MESA_SHADER_FRAGMENT)
        shader->texture_coordinates =
            static_cast<uint8_t>(nir->info.inputs_read >> VARYING_SLOT_TEX0);
    if (shader->texture_coordinates)
        lower_sprite_coordinates(nir);
    shader->output_primitive = output_primitive(*nir);
    shader->outputs_written = nir->info.outputs_written;
    shader->tells_lines_apart = shader->stage == MESA_SHADER_FRAGMENT && tells_lines_apart(nir);

    shader->varies_in_pixel = shader->stage == MESA_SHADER_FRAGMENT && varies_in_pixel(nir);

    shader->base = compile_stage(screen, *shader, nir, VariantKey{}, shader->facts);
    shader->reads_parameters = shader->facts.push_constant_bytes != 0;
    const bool vertex_work =
        shader->stage == MESA_SHADER_VERTEX || shader->stage == MESA_SHADER_TESS_EVAL;
    shader->cares_for_position =
        vertex_work && (shader->facts.clip_distance_count != 0 ||
                        !screen.spirv_target.depth_clip_control || !shader->last_vertex_stage);
    if (shader->base && shader->stage != MESA_SHADER_COMPUTE)
        shader->prepared = serialize(nir);
    ralloc_free(nir);
    shader->build_remembered(screen);
    return shader;
}

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

} // namespace kobalt::gallium
