// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>

#include "gallium/context/operations.h"
#include "gallium/shader/passthrough_tess_control.h"
#include "render/pipelines/pipeline_store.h"

// Builds what a link makes known: the variants and libraries of stages that draw together.

namespace kobalt::gallium {
namespace {

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
        const auto linked = screen_.engine->pipelines().compile_program(made, patch_vertices);
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

} // namespace kobalt::gallium
