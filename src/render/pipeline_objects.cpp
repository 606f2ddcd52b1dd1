// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "render/engine.h"
#include "render/pipeline_info.h"
#include "render/pipeline_store.h"
#include "render/shader_objects.h"
#include "render/stage_table.h"

// Draws with shader objects: which they are, and how a pipeline takes the objects' place.

namespace kobalt::render {
namespace {

/// Vulkan compiles its library together with those of other stages before the rasteriser.
bool needs_company(Stage stage) {
    return stage == Stage::tess_control || stage == Stage::tess_evaluation ||
           stage == Stage::geometry;
}

/// Nothing of the state belongs to the pipeline but what the pass has and objects don't ask for.
bool all_dynamic(const GraphicsKey& key, PreRasterKey plain) {
    plain.stages = key.pre_raster.stages;
    OutputKey output;
    output.color_formats = key.output.color_formats;
    output.depth_stencil_format = key.output.depth_stencil_format;
    output.color_count = key.output.color_count;
    output.min_samples = key.output.min_samples;
    output.samples = key.output.samples;
    return KeyEqual<PreRasterKey>{}(plain, key.pre_raster) &&
           KeyEqual<OutputKey>{}(output, key.output);
}

class ObjectJob final : public CompileJob {
public:
    explicit ObjectJob(Ref<ShaderStage> stage) : stage_(std::move(stage)) {}

private:
    void run() override {
        (void)stage_->object();
        stage_.reset();
    }
    void abandon() override { stage_.reset(); }
    Ref<ShaderStage> stage_;
};

} // namespace

vulkan::Result<void> PipelineStore::init() {
    if (engine_.paths().objects == ObjectUse::none)
        return {};
    auto made = ShaderObjects::create(engine_);
    if (!made)
        return std::unexpected(made.error());
    objects_ = std::move(*made);
    combined_ = engine_.paths().objects == ObjectUse::always;
    return {};
}

const PipelineLayoutEntry* PipelineStore::object_layout() const {
    return objects_ ? &objects_->layout() : nullptr;
}

void PipelineStore::prepare_object(ShaderStage& stage) {
    if (!objects_ || stage.stage() == Stage::compute)
        return;
    // Who is created meanwhile either is in the table, marked, or sees that objects are wanted.
    if (needs_company(stage.stage()) && !combined_.exchange(true))
        for (Ref<ShaderStage>& other : engine_.stages().separable())
            if (other.get() != &stage && other->stage() != Stage::compute)
                engine_.compiler().submit(make_ref<ObjectJob>(std::move(other)), Urgency::shader);
    if (combined_)
        (void)stage.object();
}

std::optional<ShaderStage::Object> PipelineStore::make_object(const ShaderStage& stage) {
    auto places = objects_ ? objects_->places(stage.set_bindings()) : std::nullopt;
    if (!places)
        return {};
    count_compile(false);
    auto compiled = objects_->compile(stage.source(), stage.set_bindings(), *places);
    if (!compiled) {
        engine_.device().log().error("a shader object could not be made, pipelines serve: " +
                                     compiled.error().to_string());
        return {};
    }
    return ShaderStage::Object{std::move(*compiled), std::move(*places)};
}

bool PipelineStore::has_library(const PreRasterKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = pre_rasters_.find(key);
    return found != pre_rasters_.end() && found->second.ready.load(std::memory_order_acquire);
}

bool PipelineStore::takes_objects(const GraphicsKey& key, const GraphicsParts& parts) {
    if (!objects_ || !all_dynamic(key, default_pre_raster_key()))
        return false;
    // Objects shade by samples where their code says so, and not as glMinSampleShading wishes.
    if (key.fragment.min_samples != 0)
        return false;
    // Objects have no robustness of their own, and no flag that orders fetches.
    const bool apart = std::ranges::all_of(parts.stages, [this](const ShaderStage* stage) {
        return !stage || (stage->separable() && !stage->fetches_attachments() &&
                          !robustness_of(engine_.paths(), stage->source()));
    });
    if (!apart || engine_.paths().objects == ObjectUse::always)
        return apart;
    const bool together = std::ranges::any_of(parts.stages, [](const ShaderStage* stage) {
        return stage && needs_company(stage->stage());
    });
    return together && !has_library(key.pre_raster);
}

bool PipelineStore::find_objects(GraphicsPipeline& pipeline, const GraphicsParts& parts) {
    bool waited = false;
    for (size_t i = 0; i < parts.stages.size(); ++i) {
        ShaderStage* const stage = parts.stages[i];
        pipeline.objects[i] = VK_NULL_HANDLE;
        if (!stage)
            continue;
        waited |= !stage->object_ready();
        const ShaderStage::Object* object = stage->object();
        if (!object)
            return false;
        pipeline.objects[i] = object->shader.get();
    }
    engine_.counters().object_links.fetch_add(1, std::memory_order_relaxed);
    if (waited)
        engine_.counters().draw_waits.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void PipelineStore::replace_objects(GraphicsPipeline& pipeline) {
    GraphicsParts parts;
    parts.stages = pipeline.stages;
    if (!engine_.paths().pipeline_library)
        count_compile(false);
    auto built = engine_.paths().pipeline_library
                     ? link(pipeline, *pipeline.key, parts, false)
                     : reported(build_whole(*pipeline.key, parts, *pipeline.layout));
    if (!built)
        return; // the objects go on
    const std::lock_guard lock(active_mutex_);
    pipeline.batches.store(0, std::memory_order_relaxed); // it has to earn the optimised one anew
    pipeline.binds.store(0, std::memory_order_relaxed);
    pipeline.active = make_ref<LinkedPipeline>(std::move(built));
    pipeline.by_objects.store(false, std::memory_order_release);
    pipeline.current.store(pipeline.active->handle(), std::memory_order_release);
}

// The shaders of a pipeline that is being built live until its job is over, and so do the places of
// its libraries. No new job comes: nobody draws with the stage any more.
void PipelineStore::cancel_jobs_of(const ShaderStage& stage) {
    std::vector<Ref<CompileJob>> jobs;
    {
        const std::scoped_lock lock(mutex_, active_mutex_);
        const auto entry = owned_.find(stage.id());
        if (entry == owned_.end())
            return;
        for (const GraphicsKey* key : entry->second.graphics)
            if (const Ref<CompileJob>& job = graphics_.at(*key).optimizing)
                jobs.push_back(job);
    }
    for (const Ref<CompileJob>& job : jobs)
        job->cancel();
}

} // namespace kobalt::render
