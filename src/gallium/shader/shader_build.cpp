// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>

#include "gallium/context/operations.h"
#include "gallium/emulation/outline_stages.h"
#include "gallium/shader/descriptor_names.h"
#include "gallium/shader/passthrough_tess_control.h"

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

// When a program is linked, it is known which interfaces don't match between stages and which
// stages Vulkan compiles together. This job builds those variants and libraries, so that no draw
// has to.
class LinkJob final : public render::CompileJob {
public:
    /// `patch_vertices`: builds only for passthrough patches of that size; 0: builds for the size
    /// that the shaders expect, and for any size as a fallback. `program`: the stages are all of
    /// one program, which is refused where they can't be built.
    LinkJob(Screen& screen, std::span<Shader* const> stages, uint32_t patch_vertices,
            bool program = false)
        : screen_(screen), patch_vertices_(patch_vertices), program_(program) {
        for (size_t i = 0; i < std::min(stages.size(), stages_.size()); ++i)
            stages_[i] = render::Ref<Shader>(stages[i]);
    }
    /// Makes this job wait for `job`, an earlier link of one of its shaders. Must not be called
    /// once a shader holds this job.
    void follow(render::Ref<render::CompileJob> job) {
        if (job && !job->done())
            earlier_.push_back(std::move(job));
    }

private:
    void run() override {
        for (const render::Ref<render::CompileJob>& job : std::exchange(earlier_, {}))
            job->finish();
        for (const render::Ref<Shader>& shader : stages_)
            if (shader && shader->build)
                shader->build->finish();
        build();
        abandon();
    }
    // The shaders hold references to this job and the job to them, so release them to avoid a leak.
    void abandon() override {
        stages_ = {};
        earlier_.clear();
    }

    void build() {
        BoundShaders shaders{};
        for (unsigned stage = 0; stage < stages_.size(); ++stage) {
            shaders[stage] = stages_[stage].get();
            if (shaders[stage] && !shaders[stage]->base)
                return; // the program can't draw
        }
        if (Shader* fragment = shaders[MESA_SHADER_FRAGMENT];
            fragment && screen_.shades_samples.load(std::memory_order_relaxed))
            (void)fragment->variant(screen_, {.per_sample = true}, nullptr);
        const Shader* control = shaders[MESA_SHADER_TESS_CTRL];
        Shader* evaluation = shaders[MESA_SHADER_TESS_EVAL];
        if (!evaluation || control)
            return build_together(shaders, control ? control->patch_vertices : 0);
        if (patch_vertices_)
            return build_passing(shaders, patch_vertices_, patch_vertices_);
        const bool vertex = shaders[MESA_SHADER_VERTEX];
        evaluation->linked_with_vertex.store(vertex, std::memory_order_relaxed);
        // Where the patch size is static state, a control shader for any size is of no use: the
        // stages are recompiled for each size. Without a vertex shader, the one for any size is
        // enough as long as nothing draws.
        const render::Paths& paths = screen_.engine->paths();
        const bool apart = paths.pipeline_library || paths.objects != render::ObjectUse::none;
        const bool any = paths.dynamic_patch_size && (apart || !vertex);
        const uint32_t size = evaluation->patch_vertices;
        if (vertex || !any)
            build_passing(shaders, size, size);
        if (any)
            build_passing(shaders, PassthroughControls::any_size, size);
    }

    void build_passing(BoundShaders shaders, uint32_t passed, uint32_t patch_vertices) {
        Shader& evaluation = *shaders[MESA_SHADER_TESS_EVAL];
        Shader& control = screen_.passthrough_controls->get(screen_, shaders[MESA_SHADER_VERTEX],
                                                            evaluation, passed, nullptr);
        if (!control.base)
            return;
        shaders[MESA_SHADER_TESS_CTRL] = &control;
        // Stages of several programs are drawn as shader objects.
        const bool objects = screen_.engine->paths().objects != render::ObjectUse::none;
        build_together(shaders, patch_vertices,
                       !objects || evaluation.linked_with_vertex.load(std::memory_order_relaxed));
        evaluation.linked_patch_sizes.fetch_or(uint64_t{1} << passed, std::memory_order_release);
    }

    /// `library`: also builds the pre-rasterisation pipeline library, if all of its stages exist.
    void build_together(const BoundShaders& shaders, uint32_t patch_vertices, bool library = true) {
        std::array<render::ShaderStage*, render::graphics_stage_count> made{};
        for (unsigned stage = 0; stage < shaders.size(); ++stage) {
            if (!shaders[stage])
                continue;
            render::ShaderStage*& built = made[static_cast<size_t>(render_stage(stage))];
            built = shaders[stage]->variant(screen_, linked_variant(shaders, stage), nullptr);
            if (!built)
                return;
        }
        if (!library)
            return;
        const auto linked = render::link_stages(*screen_.engine, made, patch_vertices);
        if (!linked && program_)
            refuse("the Vulkan driver refused its stages: " + linked.error().to_string());
    }

    void refuse(const std::string& why) {
        for (const render::Ref<Shader>& shader : stages_)
            if (shader && shader->link_refusal.empty())
                shader->link_refusal = why;
    }

    Screen& screen_;
    const uint32_t patch_vertices_;
    const bool program_;
    std::array<render::Ref<Shader>, MESA_SHADER_COMPUTE> stages_; ///< by gl_shader_stage
    std::vector<render::Ref<render::CompileJob>> earlier_;
};

/// Whether a draw with these shaders needs no LinkJob: no variant other than the first, and no
/// stages that are compiled together.
bool fit_as_they_are(Screen& screen, const BoundShaders& shaders) {
    const bool objects = screen.engine->paths().objects != render::ObjectUse::none;
    if (shaders[MESA_SHADER_TESS_EVAL] && !shaders[MESA_SHADER_TESS_CTRL])
        return false;
    for (const Shader* shader : shaders) {
        if (!shader)
            continue;
        if (!shader->compiled() || !shader->base)
            return false;
        const bool alone =
            shader->stage == MESA_SHADER_VERTEX || shader->stage == MESA_SHADER_FRAGMENT;
        if (!alone && !(objects && shader->base->can_be_object()))
            return false;
    }
    for (unsigned stage = 0; stage < shaders.size(); ++stage)
        if (shaders[stage] && !(linked_variant(shaders, stage) == VariantKey{}))
            return false;
    return true;
}

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

void Shader::withdraw_link() {
    render::Ref<render::CompileJob> link;
    {
        const std::lock_guard lock(link_mutex_);
        link = std::move(link_);
    }
    if (link)
        link->withdraw();
}

void Shader::add_link(render::Ref<render::CompileJob> job) {
    const std::lock_guard lock(link_mutex_);
    link_ = std::move(job);
    complete_.store(false, std::memory_order_release);
}

render::Ref<render::CompileJob> Shader::last_link() const {
    const std::lock_guard lock(link_mutex_);
    return link_;
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

void begin_link(Screen& screen, const BoundShaders& stages) {
    // Shaders of a program that is being linked aren't settled yet; those of a program pipeline
    // are.
    const bool program = std::ranges::any_of(stages, [](const Shader* shader) {
        return shader && !shader->settled.load(std::memory_order_relaxed);
    });
    if (!program && fit_as_they_are(screen, stages))
        return;
    for (Shader* shader : stages)
        if (shader)
            begin_shader(screen, *shader);
    const auto job = render::make_ref<LinkJob>(screen, stages, 0u, program);
    // Add all earlier jobs before anything can wait for this one: so the list is complete when
    // another thread runs it, and two jobs made at the same time never wait for each other.
    for (const Shader* shader : stages)
        if (shader)
            job->follow(shader->last_link());
    for (Shader* shader : stages)
        if (shader) {
            shader->settled.store(true, std::memory_order_relaxed);
            shader->add_link(job);
        }
    screen.engine->compiler().submit(job, render::Urgency::shader);
}

void begin_patch_size(Screen& screen, const BoundShaders& shaders, uint32_t patch_vertices) {
    const uint64_t bit = uint64_t{1} << patch_vertices;
    if (shaders[MESA_SHADER_TESS_EVAL]->asked_patch_sizes.fetch_or(bit) & bit)
        return;
    screen.engine->compiler().submit(render::make_ref<LinkJob>(screen, shaders, patch_vertices),
                                     render::Urgency::optimize);
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
