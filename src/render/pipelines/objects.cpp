// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <array>

#include "render/pipelines/pipeline_info.h"
#include "render/pipelines/pipeline_store.h"
#include "render/pipelines/shader_objects.h"
#include "render/pipelines/stage_table.h"

// Draws with shader objects: which draws use them, and how a pipeline replaces the objects.

namespace kobalt::render {
namespace {

/// Whether Vulkan compiles its library together with those of other pre-rasterisation stages.
bool needs_company(Stage stage) {
    return stage == Stage::tess_control || stage == Stage::tess_evaluation ||
           stage == Stage::geometry;
}

/// Whether all state is dynamic, except what comes from the pass and what objects don't need.
bool all_dynamic(const GraphicsKey& key, PreRasterKey plain) {
    plain.stages = key.pre_raster.stages;
    OutputKey output;
    output.color_formats = key.output.color_formats;
    output.depth_stencil_format = key.output.depth_stencil_format;
    output.color_count = key.output.color_count;
    output.samples = key.output.samples;
    return KeyEqual<PreRasterKey>{}(plain, key.pre_raster) &&
           KeyEqual<OutputKey>{}(output, key.output);
}

constexpr std::array object_sizes{ObjectSize::small, ObjectSize::full};
static_assert(object_sizes.size() == object_size_count);

class PrepareJob final : public CompileJob {
public:
    PrepareJob(PipelineStore& store, Ref<ShaderStage> stage)
        : store_(store), stage_(std::move(stage)) {}

private:
    void run() override {
        (void)store_.prepare(*stage_); // a refusal by the device was logged
        stage_.reset();
    }
    void abandon() override { stage_.reset(); }
    PipelineStore& store_;
    Ref<ShaderStage> stage_;
};

} // namespace

vulkan::Result<void> PipelineStore::init() {
    if (core_.paths().objects == ObjectUse::none)
        return {};
    auto made = ShaderObjects::create(core_, layout_cache_);
    if (!made)
        return std::unexpected(made.error());
    objects_ = std::move(*made);
    return {};
}

// Objects have no robustness of their own, and no flag that orders fetches.
std::optional<std::vector<uint32_t>>
PipelineStore::object_bindings(const ShaderStage& stage) const {
    const StageSource& source = stage.source();
    const bool can = objects_ && source.stage != Stage::compute && !stage.fetches_attachments() &&
                     !robustness_of(core_.paths(), source) &&
                     (core_.paths().objects_read_texels || !source.reads_texel_handles);
    return can ? objects_->binding_numbers(stage.set_bindings()) : std::nullopt;
}

ObjectSize PipelineStore::object_size_of(std::span<const uint32_t> numbers) const {
    return objects_->size_of(numbers);
}

bool PipelineStore::draws_objects() const {
    return objects_ && core_.paths().objects == ObjectUse::everything;
}

bool PipelineStore::awaits_object(const ShaderStage& stage, ObjectSize size) const {
    if (!stage.can_be_object())
        return false;
    const bool wanted = draws_objects() || (stage.separable() && combined_);
    return wanted && (size == stage.object_size() ||
                      (size == ObjectSize::full && stage.separable() && full_));
}

bool PipelineStore::prepared(const ShaderStage& stage) const {
    return std::ranges::all_of(object_sizes, [&](ObjectSize size) {
        return !awaits_object(stage, size) || stage.object_ready(size);
    });
}

// A stage that is created meanwhile is in the table and gets marked, or sees that it is wanted.
void PipelineStore::want(std::atomic<bool>& wanted, const ShaderStage& from) {
    if (wanted.exchange(true))
        return;
    for (Ref<ShaderStage>& other : stages_.separable())
        if (other.get() != &from && other->stage() != Stage::compute)
            compiler_.submit(make_ref<PrepareJob>(*this, std::move(other)), Urgency::shader);
}

vulkan::Result<void> PipelineStore::prepare(ShaderStage& stage) {
    if (stage.stage() == Stage::compute)
        return {};
    const bool separable = stage.separable();
    const bool can = stage.can_be_object();
    if (objects_ && separable) {
        if (needs_company(stage.stage()))
            want(combined_, stage);
        if (can && stage.object_size() == ObjectSize::full)
            want(full_, stage);
        if (!can && draws_objects())
            want(libraries_, stage);
    }
    bool made = awaits_object(stage, stage.object_size());
    for (const ObjectSize size : object_sizes)
        if (awaits_object(stage, size))
            made &= stage.object(size) != VK_NULL_HANDLE;
    if (draws_objects() && made && !(separable && libraries_))
        return {};
    return compile_library(stage);
}

vulkan::ShaderObject PipelineStore::make_object(const ShaderStage& stage, ObjectSize size,
                                                bool in_draw) {
    count_compile(in_draw);
    auto compiled =
        objects_->compile(stage.source(), size, stage.set_bindings(), stage.object_bindings());
    if (compiled)
        return std::move(*compiled);
    core_.device().log().error("a shader object could not be made, pipelines serve: " +
                               compiled.error().to_string());
    return {};
}

bool PipelineStore::has_library(const PreRasterKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = pre_rasters_.find(key);
    return found != pre_rasters_.end() && found->second.ready.load(std::memory_order_acquire);
}

bool PipelineStore::takes_objects(const GraphicsKey& key, const GraphicsParts& parts) {
    if (!objects_ || !all_dynamic(key, default_pre_raster_key()))
        return false;
    if (!std::ranges::all_of(parts.stages, [](const ShaderStage* stage) {
            return !stage || stage->can_be_object();
        }))
        return false;
    if (draws_objects())
        return true;
    const bool apart = std::ranges::all_of(
        parts.stages, [](const ShaderStage* stage) { return !stage || stage->separable(); });
    const bool together = std::ranges::any_of(parts.stages, [](const ShaderStage* stage) {
        return stage && needs_company(stage->stage());
    });
    return apart && together && !has_library(key.pre_raster);
}

bool PipelineStore::find_objects(GraphicsPipeline& pipeline, const GraphicsParts& parts) {
    ObjectSize size = ObjectSize::small;
    for (const ShaderStage* stage : parts.stages)
        if (stage)
            size = std::max(size, stage->object_size());
    bool waited = false;
    for (size_t i = 0; i < parts.stages.size(); ++i) {
        ShaderStage* const stage = parts.stages[i];
        pipeline.objects[i] = VK_NULL_HANDLE;
        if (!stage)
            continue;
        waited |= !stage->object_ready(size);
        // A stage that the service hasn't come to yet is compiled here, as with any of its jobs.
        pipeline.objects[i] = stage->object(size, !awaits_object(*stage, size));
        if (!pipeline.objects[i])
            return false;
    }
    pipeline.object_size = size;
    pipeline.object_layout = &objects_->layout(size);
    core_.counters().object_links.fetch_add(1, std::memory_order_relaxed);
    if (waited)
        core_.counters().draw_waits.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void PipelineStore::replace_objects(GraphicsPipeline& pipeline) {
    GraphicsParts parts;
    parts.stages = pipeline.stages;
    if (!core_.paths().pipeline_library)
        count_compile(false);
    auto built = core_.paths().pipeline_library
                     ? link(pipeline, *pipeline.key, parts, false)
                     : build_whole(*pipeline.key, parts, *pipeline.layout);
    if (!built)
        return; // the objects go on
    const std::lock_guard lock(active_mutex_);
    pipeline.batches.store(0, std::memory_order_relaxed); // it has to earn the optimised one anew
    pipeline.binds.store(0, std::memory_order_relaxed);
    pipeline.active = make_ref<LinkedPipeline>(std::move(*built));
    pipeline.by_objects.store(false, std::memory_order_release);
    pipeline.current.store(pipeline.active->handle(), std::memory_order_release);
}

// The shaders of a pipeline that is being built live until its job is over, and so do the entries
// of its libraries. No new job comes, because no draw uses the stage any more.
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
