// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/pipeline_store.h"

#include <algorithm>

#include "render/pipelines/disk_cache.h"
#include "render/pipelines/pipeline_info.h"
#include "render/pipelines/shader_objects.h"
#include "render/shaders/compiler_service.h"
#include "vulkan/pipelines/pipeline.h"

namespace kobalt::render {
namespace {

vulkan::Result<void> without_value(const vulkan::Result<VkPipeline>& made) {
    if (!made)
        return std::unexpected(made.error());
    return {};
}

constexpr uint32_t index_of(Stage stage) {
    return static_cast<uint32_t>(stage);
}

} // namespace

PipelineStore::PipelineStore(Core& core, LayoutCache& layouts, CompilerService& compiler,
                             DiskCache& disk_cache)
    : core_(core), layout_cache_(layouts), compiler_(compiler), disk_cache_(disk_cache) {}

PipelineStore::~PipelineStore() {
    for (auto& [key, pipeline] : graphics_)
        if (pipeline.optimizing)
            pipeline.optimizing->cancel();
}

PreRasterKey PipelineStore::default_pre_raster_key() const {
    PreRasterKey key;
    if (!core_.paths().dynamic_state3) {
        key.depth_clip = 1;
        key.negative_one_to_one = 1;
        key.provoking_vertex_last = 1;
        const auto& lines = core_.device().features().line_rasterization;
        key.line_mode = lines.bresenhamLines     ? VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                        : lines.rectangularLines ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
                        : lines.smoothLines      ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT
                                                 : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
    }
    return key;
}

vulkan::Result<const PipelineLayoutEntry*>
PipelineStore::layout_of(std::span<ShaderStage* const> stages) {
    std::array<const SetLayout*, set_count> sets{};
    bool compute = false;
    for (ShaderStage* stage : stages)
        if (stage) {
            sets[descriptor_set_of(stage->stage())] = stage->set_layout();
            compute |= stage->stage() == Stage::compute;
        }
    return layout_cache_.pipeline_layout(sets, compute ? LayoutUse::compute : LayoutUse::graphics);
}

namespace {
thread_local uint64_t compiled_in_draws = 0;
} // namespace

uint64_t PipelineStore::draw_compiles_of_thread() {
    return compiled_in_draws;
}

void PipelineStore::count_compile(bool in_draw) {
    core_.counters().stage_compiles.fetch_add(1, std::memory_order_relaxed);
    if (!in_draw)
        return;
    core_.counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
    ++compiled_in_draws;
}

void PipelineStore::report(const vulkan::Error& error) {
    std::string text = error.to_string();
    {
        const std::lock_guard lock(report_mutex_);
        if (text == last_report_)
            return;
        last_report_ = text;
    }
    core_.device().log().error("a pipeline could not be built, its draws are skipped: " + text);
}

vulkan::Result<void> PipelineStore::compile_compute(ShaderStage& stage) {
    ShaderStage* const stages[] = {&stage};
    auto layout = layout_of(stages);
    if (!layout)
        return std::unexpected(layout.error());
    const auto module = stage.module();
    if (!module)
        return std::unexpected(module.error());
    vulkan::ComputePipelineInfo info;
    info.module = module->get();
    info.layout = (*layout)->layout.get();
    info.flags = pipeline_flags(core_.paths());
    info.name = stage.source().name.c_str();
    const auto robustness = robustness_of(core_.paths(), stage.source());
    info.stage_next = robustness ? &*robustness : nullptr;
    auto pipeline =
        vulkan::create_compute_pipeline(core_.device(), info, disk_cache_.for_pipeline());
    if (!pipeline)
        return std::unexpected(pipeline.error());
    count_compile(false);
    const std::lock_guard lock(mutex_);
    computes_[stage.id()] = {std::move(*pipeline), *layout};
    return {};
}

vulkan::Result<void> PipelineStore::compile_library(ShaderStage& stage) {
    if (!core_.paths().pipeline_library)
        return {};
    if (stage.stage() == Stage::vertex) {
        GraphicsParts parts;
        parts.stages[index_of(Stage::vertex)] = &stage;
        PreRasterKey key = default_pre_raster_key();
        key.stages[0] = stage.id();
        key.view_mask = stage.source().view_mask;
        return without_value(pre_raster_library(key, parts, false));
    } else if (stage.stage() == Stage::fragment) {
        FragmentKey key;
        key.stage = stage.id();
        // The same as in Recorder::Impl::fill_pipeline_state().
        if (stage.source().sample_shading && core_.paths().dynamic_state3)
            key.samples = 1;
        return without_value(fragment_library(key, &stage, false));
    }
    return {};
}

vulkan::Result<void>
PipelineStore::compile_program(std::span<ShaderStage* const, graphics_stage_count> stages,
                               uint32_t patch_vertices) {
    const bool tessellates = stages[index_of(Stage::tess_evaluation)] != nullptr;
    const bool several = tessellates || stages[index_of(Stage::geometry)];
    if (draws_objects()) {
        if (std::ranges::all_of(
                stages, [](const ShaderStage* stage) { return !stage || stage->can_be_object(); }))
            return {};
        for (ShaderStage* stage : stages)
            if (stage)
                if (auto made = compile_library(*stage); !made)
                    return made;
    }
    if (!core_.paths().pipeline_library || !several || !stages[index_of(Stage::vertex)] ||
        (tessellates && !stages[index_of(Stage::tess_control)]))
        return {};
    GraphicsParts parts;
    std::copy(stages.begin(), stages.end(), parts.stages.begin());
    PreRasterKey key = default_pre_raster_key();
    for (size_t i = 0; i < std::size(pre_raster_stages); ++i)
        if (const ShaderStage* stage = stages[index_of(pre_raster_stages[i])])
            key.stages[i] = stage->id();
    if (tessellates && !core_.paths().dynamic_patch_size)
        key.patch_vertices = static_cast<uint8_t>(patch_vertices);
    return without_value(pre_raster_library(key, parts, false));
}

uint64_t PipelineStore::layout_id(const VertexLayout& layout) {
    std::vector<uint32_t> content;
    for (const auto& binding : layout.bindings)
        content.insert(content.end(), {binding.binding, binding.stride, uint32_t{binding.inputRate},
                                       binding.divisor});
    content.push_back(~0u); // ends the bindings: no binding has this number
    for (const auto& attribute : layout.attributes)
        content.insert(content.end(), {attribute.location, attribute.binding,
                                       uint32_t{attribute.format}, attribute.offset});
    const std::lock_guard lock(layouts_mutex_);
    return layouts_.try_emplace(std::move(content), layouts_.size() + 1).first->second;
}

vulkan::Result<vulkan::Pipeline> PipelineStore::build_whole(const GraphicsKey& key,
                                                            const GraphicsParts& parts,
                                                            const PipelineLayoutEntry& layout) {
    PipelineInfo info(core_.paths(), core_.device().limits());
    info.add_vertex_input(key.vertex_input, parts.vertex_layout);
    info.add_pre_raster(key.pre_raster, parts);
    info.add_fragment(key.fragment, parts.stages[index_of(Stage::fragment)]);
    info.add_output(key.output);
    if (const vulkan::Error* error = info.error()) {
        report(*error);
        return std::unexpected(*error);
    }
    auto built = vulkan::create_graphics_pipeline(core_.device(), info.finish(layout.layout.get()),
                                                  disk_cache_.for_pipeline());
    if (!built)
        report(built.error());
    return built;
}

vulkan::Result<void> PipelineStore::build(GraphicsPipeline& pipeline, const GraphicsKey& key,
                                          const GraphicsParts& parts) {
    const auto layout = layout_of(parts.stages);
    if (!layout) {
        report(layout.error());
        return std::unexpected(layout.error());
    }
    pipeline.layout = *layout;
    if (takes_objects(key, parts) && find_objects(pipeline, parts)) {
        pipeline.key = &key;
        pipeline.stages = parts.stages;
        if (core_.paths().objects == ObjectUse::combinations)
            estimate_bytes(pipeline, parts);
        pipeline.by_objects = pipeline.usable = true;
        return {};
    }
    const bool links = core_.paths().pipeline_library;
    if (!links)
        count_compile(true);
    auto built = links ? link(pipeline, key, parts, true) : build_whole(key, parts, **layout);
    if (!built)
        return std::unexpected(built.error());
    const std::lock_guard lock(active_mutex_);
    pipeline.active = make_ref<LinkedPipeline>(std::move(*built));
    pipeline.current.store(pipeline.active->handle(), std::memory_order_release);
    pipeline.usable = true;
    return {};
}

GraphicsPipeline* PipelineStore::graphics(const GraphicsKey& key, const GraphicsParts& parts) {
    GraphicsPipeline* pipeline = nullptr;
    const GraphicsKey* own_key = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto [found, fresh] = graphics_.try_emplace(key);
        if (fresh)
            for_each_stage(key, [&](uint64_t id) { owned_[id].graphics.insert(&found->first); });
        pipeline = &found->second;
        own_key = &found->first;
    }
    (void)pipeline->made.run([&] { return build(*pipeline, *own_key, parts); });
    return pipeline->usable ? pipeline : nullptr;
}

VkPipeline PipelineStore::compute(ShaderStage& stage, const PipelineLayoutEntry*& layout) {
    const std::lock_guard lock(mutex_);
    const auto found = computes_.find(stage.id());
    if (found == computes_.end())
        return VK_NULL_HANDLE;
    layout = found->second.layout;
    return found->second.pipeline.get();
}

void PipelineStore::forget(const ShaderStage& stage) {
    // The shader's own last batch has completed (batches retain shaders), so nothing is in flight.
    // Taken out under the lock and destroyed after it: a draw need not wait for that. Libraries go
    // last, since they may be in use to optimise a pipeline.
    cancel_jobs_of(stage);
    std::vector<vulkan::Pipeline> libraries;
    std::vector<decltype(graphics_)::node_type> pipelines;
    {
        const std::lock_guard lock(mutex_);
        if (const auto compute = computes_.extract(stage.id()))
            libraries.push_back(std::move(compute.mapped().pipeline));
        const auto entry = owned_.extract(stage.id());
        if (!entry)
            return;
        for (const GraphicsKey* key : entry.mapped().graphics) {
            for_each_stage(*key, [&](uint64_t id) {
                if (const auto other = owned_.find(id); other != owned_.end())
                    other->second.graphics.erase(key);
            });
            pipelines.push_back(graphics_.extract(*key));
        }
        for (const PreRasterKey* key : entry.mapped().pre_rasters) {
            for_each_stage(*key, [&](uint64_t id) {
                if (const auto other = owned_.find(id); other != owned_.end())
                    other->second.pre_rasters.erase(key);
            });
            libraries.push_back(std::move(pre_rasters_.extract(*key).mapped().pipeline));
        }
        for (const FragmentKey* key : entry.mapped().fragments)
            libraries.push_back(std::move(fragments_.extract(*key).mapped().pipeline));
        if (!pipelines.empty())
            generation_.fetch_add(1, std::memory_order_release);
    }
    for (auto& pipeline : pipelines) {
        if (const Ref<CompileJob>& optimizing = pipeline.mapped().optimizing)
            optimizing->cancel();
        const std::lock_guard lock(active_mutex_);
        optimized_.remove(pipeline.mapped());
    }
}

} // namespace kobalt::render
