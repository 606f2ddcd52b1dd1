// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/context/operations.h"
#include "gallium/emulation/outline_stages.h"
#include "gallium/shader/descriptor_names.h"

#include "nir.h"
#include "nir_serialize.h"
#include "util/blob.h"
#include "util/ralloc.h"
#include "util/u_prim.h"

// Builds shaders from NIR, on whichever thread gets to it first.

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

/// The expected patch size. Most evaluation shaders without a control shader get the corners of a
/// triangle or of a quad.
uint32_t patch_vertices(const nir_shader& nir) {
    if (nir.info.stage == MESA_SHADER_TESS_CTRL)
        return nir.info.tess.tcs_vertices_out;
    if (nir.info.stage != MESA_SHADER_TESS_EVAL)
        return 0;
    return nir.info.tess._primitive_mode == TESS_PRIMITIVE_QUADS ? 4 : 3;
}

std::unique_ptr<Shader> named_shader(const nir_shader& nir) {
    auto shader = std::make_unique<Shader>();
    shader->stage = nir.info.stage;
    shader->name = std::string(_mesa_shader_stage_to_abbrev(nir.info.stage));
    if (nir.info.name)
        shader->name += std::string(" ") + nir.info.name;
    return shader;
}

std::vector<uint8_t> serialized(const nir_shader* nir, bool strip) {
    blob storage;
    blob_init(&storage);
    nir_serialize(&storage, nir, strip);
    std::vector<uint8_t> bytes(storage.data, storage.data + storage.size);
    blob_finish(&storage);
    return bytes;
}

/// Fills in all of `shader` from `nir`, which it frees.
void build_shader(Screen& screen, Shader& shader, nir_shader* nir) {
    shader.last_vertex_stage = !comes_before_vertex_work(nir->info.next_stage);
    spirv::Target target = screen.spirv_target;
    target.last_vertex_stage = shader.last_vertex_stage;
    // Read before prepare(), which may lower the system value to something else.
    shader.uses_draw_id = BITSET_TEST(nir->info.system_values_read, SYSTEM_VALUE_DRAW_ID);
    shader.reads_base_instance =
        BITSET_TEST(nir->info.system_values_read, SYSTEM_VALUE_BASE_INSTANCE);
    for (const gl_system_value id : {SYSTEM_VALUE_VERTEX_ID, SYSTEM_VALUE_VERTEX_ID_ZERO_BASE,
                                     SYSTEM_VALUE_FIRST_VERTEX, SYSTEM_VALUE_BASE_VERTEX})
        shader.reads_vertex_ids |= BITSET_TEST(nir->info.system_values_read, id);
    spirv::prepare(nir, target);
    const bool fragment = shader.stage == MESA_SHADER_FRAGMENT;
    if (fragment)
        shader.texture_coordinates =
            static_cast<uint8_t>(nir->info.inputs_read >> VARYING_SLOT_TEX0);
    if (shader.texture_coordinates)
        lower_sprite_coordinates(nir);
    shader.reads_primitive_id = fragment && lower_primitive_id(nir);
    shader.output_primitive = output_primitive(*nir);
    shader.patch_vertices = patch_vertices(*nir);
    shader.inputs_read = nir->info.inputs_read;
    shader.outputs_written = nir->info.outputs_written;
    shader.tells_lines_apart = fragment && tells_lines_apart(nir);
    shader.varies_in_pixel = fragment && varies_in_pixel(nir);

    if (screen.engine->checks_descriptors())
        shader.descriptor_names = descriptor_names(nir);
    if (auto base = compile_stage(screen, shader, nir, VariantKey{}, shader.facts))
        shader.base = std::move(*base);
    else
        shader.base_refusal = std::move(base.error());
    const bool vertex_work =
        shader.stage == MESA_SHADER_VERTEX || shader.stage == MESA_SHADER_TESS_EVAL;
    shader.cares_for_position =
        vertex_work &&
        (shader.facts.clip_distance_count != 0 || shader.facts.xfb_buffer_mask != 0 ||
         shader.outputs_written & (VARYING_BIT_PSIZ | VARYING_BIT_CLIP_VERTEX) ||
         !screen.spirv_target.depth_clip_control || !shader.last_vertex_stage);
    shader.variable_workgroup = nir->info.workgroup_size_variable;
    // A dispatch needs variants only in a robust context that shares the shader, for a workgroup
    // size, or for legacy formats of buffer textures.
    if (shader.base && (shader.stage != MESA_SHADER_COMPUTE || shader.variable_workgroup ||
                        screen.asks_for_robustness() || texel_slots(shader)))
        shader.prepared = serialize(nir);
    const bool separable = nir->info.separate_shader && !nir->info.internal;
    ralloc_free(nir);
    shader.build_remembered(screen);
    // The next stage is known only at a draw: with a geometry or tessellation stage of another
    // program, this stage's position isn't final.
    if (separable && shader.base && shader.cares_for_position && shader.last_vertex_stage)
        (void)shader.variant(screen, {.other_position = true}, nullptr);
}

/// A shader takes many times more memory as NIR than serialised. An app that links hundreds at once
/// outruns the compiler threads, and malloc never returns the memory that the queue once held. So
/// where the queue is long, shaders wait in it serialised.
constexpr size_t long_queue = 16;

/// Belongs to its shader, which cancels the job before it is destroyed.
class BuildJob final : public render::CompileJob {
public:
    /// Takes ownership of `nir`.
    BuildJob(Screen& screen, Shader& shader, nir_shader* nir)
        : screen_(screen), shader_(shader), nir_(nir) {
        if (screen.engine->compiler().waiting() < long_queue)
            return;
        packed_ = serialize_whole(nir);
        ralloc_free(std::exchange(nir_, nullptr));
    }
    ~BuildJob() override { ralloc_free(nir_); }

private:
    void run() override {
        nir_shader* nir = std::exchange(nir_, nullptr);
        if (!nir)
            nir = deserialize(screen_, shader_.stage, packed_);
        packed_ = {};
        build_shader(screen_, shader_, nir);
    }
    Screen& screen_;
    Shader& shader_;
    nir_shader* nir_; ///< null: already built, or serialised in packed_
    std::vector<uint8_t> packed_;
};

} // namespace

Shader::~Shader() {
    if (build)
        build->cancel();
}

bool Shader::compiled() const {
    if (build && !build->done())
        return false;
    const std::lock_guard lock(link_mutex_);
    return !link_ || link_->done();
}

const std::string& Shader::refusal() const {
    static const std::string none;
    if (!compiled())
        return none;
    return base_refusal.empty() ? link_refusal : base_refusal;
}

bool Shader::complete() {
    if (complete_.load(std::memory_order_acquire))
        return false;
    bool waits = build && !build->done();
    if (waits)
        build->finish();
    std::unique_lock lock(link_mutex_);
    while (link_ && !link_->done()) {
        const render::Ref<render::CompileJob> link = link_;
        lock.unlock();
        link->finish();
        waits = true;
        lock.lock(); // another link may have begun meanwhile
    }
    complete_.store(true, std::memory_order_release);
    return waits;
}

std::vector<uint8_t> serialize(const nir_shader* nir) {
    return serialized(nir, true);
}

std::vector<uint8_t> serialize_whole(const nir_shader* nir) {
    return serialized(nir, false);
}

nir_shader* deserialize(Screen& screen, gl_shader_stage stage, std::span<const uint8_t> bytes) {
    blob_reader reader;
    blob_reader_init(&reader, bytes.data(), bytes.size());
    return nir_deserialize(nullptr, spirv::compiler_options(stage, screen.spirv_target), &reader);
}

nir_shader* prepared_nir(Screen& screen, const Shader& shader) {
    return deserialize(screen, shader.stage, shader.prepared);
}

std::unique_ptr<Shader> create_shader(Screen& screen, nir_shader* nir) {
    std::unique_ptr<Shader> shader = named_shader(*nir);
    build_shader(screen, *shader, nir);
    return shader;
}

std::unique_ptr<Shader> new_shader(Screen& screen, nir_shader* nir, bool robust) {
    std::unique_ptr<Shader> shader = named_shader(*nir);
    shader->robust = robust;
    shader->build = render::make_ref<BuildJob>(screen, *shader, nir);
    shader->begun.store(false, std::memory_order_relaxed);
    return shader;
}

void begin_shader(Screen& screen, Shader& shader) {
    if (!shader.begun.load(std::memory_order_relaxed) &&
        !shader.begun.exchange(true, std::memory_order_relaxed))
        screen.engine->compiler().submit(shader.build, render::Urgency::shader);
}

void complete_bound_shaders(Context& context, uint32_t stages) {
    render::Counters& counters = context.kobalt_screen().engine->counters();
    bool waited = false;
    u_foreach_bit(stage, stages) {
        if (Shader* shader = context.bound.stages[stage].shader) {
            if (shader->complete()) {
                waited = true;
                if (shader->late)
                    counters.late_waits.fetch_add(1, std::memory_order_relaxed);
                context.recorder.slow_path(render::SlowPath::shader_wait, shader->name);
            }
            if (!shader->base)
                util_debug_message(&context.debug_callback, ERROR,
                                   "shader %s can't run on this Vulkan device, its draws are "
                                   "skipped: %s",
                                   shader->name.c_str(), shader->base_refusal.c_str());
        }
    }
    if (waited)
        counters.draw_waits.fetch_add(1, std::memory_order_relaxed);
}

void settle(Context& context, Shader& shader) {
    if (shader.settled.exchange(true, std::memory_order_relaxed))
        return; // another context has settled it
    render::Counters& counters = context.kobalt_screen().engine->counters();
    const auto count = [&](std::atomic<uint64_t>& cause, const char* why) {
        shader.late = true;
        counters.late_shaders.fetch_add(1, std::memory_order_relaxed);
        cause.fetch_add(1, std::memory_order_relaxed);
        context.recorder.slow_path(render::SlowPath::late_shader, shader.name + why);
    };
    switch (shader.origin) {
    case Origin::start:
        break;
    case Origin::program:
        count(counters.late_variants, ", another variant of a program, for other state");
        break;
    case Origin::blit:
        count(counters.late_blit_shaders, ", for a blit or a clear");
        break;
    case Origin::helper:
        count(counters.late_helper_shaders, ", one of Mesa's own");
        break;
    case Origin::fixed:
        count(counters.late_fixed_shaders, ", of the fixed function or in assembly");
        break;
    }
}

} // namespace kobalt::gallium
