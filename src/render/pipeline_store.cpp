// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipeline_store.h"

#include <algorithm>

#include "render/compiler_service.h"
#include "render/engine.h"
#include "render/pipeline_info.h"
#include "vulkan/pipelines/pipeline.h"
#include "vulkan/pipelines/pipeline_library.h"

namespace kobalt::render {
namespace {

constexpr uint32_t index_of(Stage stage) {
    return static_cast<uint32_t>(stage);
}

VkPipelineCreateFlags pipeline_flags(const Engine& engine) {
    return engine.paths().descriptor_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
}

constexpr Stage pre_raster_stages[] = {Stage::vertex, Stage::tess_control, Stage::tess_evaluation,
                                       Stage::geometry};

/// Calls `use` with the id of each stage that the key names.
template <class Use>
void for_each_stage(const PreRasterKey& key, Use use) {
    for (const uint64_t id : key.stages)
        if (id)
            use(id);
}

template <class Use>
void for_each_stage(const GraphicsKey& key, Use use) {
    for_each_stage(key.pre_raster, use);
    if (key.fragment.stage)
        use(key.fragment.stage);
}

/// Replaces a fast-linked pipeline by an optimised one. The pipeline outlives it: forget() cancels.
class OptimizeJob final : public CompileJob {
public:
    OptimizeJob(Engine& engine, GraphicsPipeline& pipeline)
        : engine_(engine), pipeline_(pipeline) {}

private:
    void run() override {
        auto optimized = vulkan::link_pipeline(
            engine_.device(), pipeline_.libraries, pipeline_.layout->layout.get(),
            vulkan::LinkMode::optimized, pipeline_flags(engine_), engine_.disk_cache());
        if (!optimized)
            return; // the linked one works
        pipeline_.optimized = std::move(*optimized);
        pipeline_.current.store(pipeline_.optimized.get(), std::memory_order_release);
        engine_.counters().optimized_links.fetch_add(1, std::memory_order_relaxed);
    }
    Engine& engine_;
    GraphicsPipeline& pipeline_;
};

} // namespace

PipelineStore::PipelineStore(Engine& engine) : engine_(engine) {}

PipelineStore::~PipelineStore() {
    for (auto& [key, pipeline] : graphics_)
        if (pipeline.optimizing)
            pipeline.optimizing->cancel();
}

PreRasterKey PipelineStore::default_pre_raster_key() const {
    PreRasterKey key;
    if (!engine_.paths().dynamic_state3) {
        key.depth_clip = 1;
        key.negative_one_to_one = 1;
        key.provoking_vertex_last = 1;
        const auto& lines = engine_.device().features().line_rasterization;
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
    return engine_.layouts().pipeline_layout(sets, compute);
}

namespace {
thread_local uint64_t compiled_in_draws = 0;
} // namespace

uint64_t PipelineStore::draw_compiles_of_thread() {
    return compiled_in_draws;
}

void PipelineStore::count_compile(bool in_draw) {
    engine_.counters().stage_compiles.fetch_add(1, std::memory_order_relaxed);
    if (!in_draw)
        return;
    engine_.counters().draw_compiles.fetch_add(1, std::memory_order_relaxed);
    ++compiled_in_draws;
}

void PipelineStore::report(const vulkan::Error& error) {
    engine_.device().log().error("a pipeline could not be built, its draws are skipped: " +
                                 error.to_string());
}

vulkan::Result<void> PipelineStore::compile_stage(ShaderStage& stage) {
    if (stage.stage() == Stage::compute) {
        ShaderStage* const stages[] = {&stage};
        auto layout = layout_of(stages);
        if (!layout)
            return std::unexpected(layout.error());
        vulkan::ComputePipelineInfo info;
        info.module = stage.module();
        info.layout = (*layout)->layout.get();
        info.flags = pipeline_flags(engine_);
        info.name = stage.source().name.c_str();
        auto pipeline =
            vulkan::create_compute_pipeline(engine_.device(), info, engine_.disk_cache());
        if (!pipeline)
            return std::unexpected(pipeline.error());
        count_compile(false);
        const std::lock_guard lock(mutex_);
        computes_[stage.id()] = {std::move(*pipeline), *layout};
        return {};
    }
    if (!engine_.paths().pipeline_library)
        return {};
    if (stage.stage() == Stage::vertex) {
        GraphicsParts parts;
        parts.stages[index_of(Stage::vertex)] = &stage;
        PreRasterKey key = default_pre_raster_key();
        key.stages[0] = stage.id();
        if (!pre_raster_library(key, parts, false))
            return vulkan::fail(VK_ERROR_INITIALIZATION_FAILED, "compiling a vertex stage",
                                stage.source().name);
    } else if (stage.stage() == Stage::fragment) {
        FragmentKey key;
        key.stage = stage.id();
        // As Recorder::Impl::fill_pipeline_state() has it.
        if (stage.source().sample_shading && engine_.paths().dynamic_state3)
            key.min_samples = key.samples = 1;
        if (!fragment_library(key, &stage, false))
            return vulkan::fail(VK_ERROR_INITIALIZATION_FAILED, "compiling a fragment stage",
                                stage.source().name);
    }
    return {};
}

void PipelineStore::compile_program(std::span<ShaderStage* const, graphics_stage_count> stages) {
    // Tessellation's patch size is part of the state, so such programs are compiled by their draw
    // where it isn't dynamic.
    const bool several =
        stages[index_of(Stage::geometry)] && !stages[index_of(Stage::tess_evaluation)];
    if (!engine_.paths().pipeline_library || !several || !stages[index_of(Stage::vertex)])
        return;
    GraphicsParts parts;
    std::copy(stages.begin(), stages.end(), parts.stages.begin());
    PreRasterKey key = default_pre_raster_key();
    for (size_t i = 0; i < std::size(pre_raster_stages); ++i)
        if (const ShaderStage* stage = stages[index_of(pre_raster_stages[i])])
            key.stages[i] = stage->id();
    pre_raster_library(key, parts, false);
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

template <class Key>
PipelineStore::Library& PipelineStore::place(LibraryMap<Key>& libraries, const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto [found, fresh] = libraries.try_emplace(key);
    if (fresh) {
        if constexpr (std::is_same_v<Key, PreRasterKey>)
            for_each_stage(key, [&](uint64_t id) { owned_[id].pre_rasters.insert(&found->first); });
        if constexpr (std::is_same_v<Key, FragmentKey>)
            if (key.stage)
                owned_[key.stage].fragments.push_back(&found->first);
    }
    return found->second;
}

VkPipeline PipelineStore::vertex_input_library(const VertexInputKey& key,
                                               const VertexLayout* layout) {
    Library& library = place(vertex_inputs_, key);
    std::call_once(library.made, [&] {
        PipelineInfo info(engine_.paths(), engine_.device().limits());
        info.add_vertex_input(key, layout);
        keep(library,
             vulkan::create_pipeline_library(
                 engine_.device(), VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
                 info.finish(VK_NULL_HANDLE), engine_.disk_cache(), "vertex input"));
    });
    return library.pipeline.get();
}

VkPipeline PipelineStore::pre_raster_library(const PreRasterKey& key, const GraphicsParts& parts,
                                             bool in_draw) {
    Library& library = place(pre_rasters_, key);
    std::call_once(library.made, [&] {
        std::array<ShaderStage*, 4> stages{};
        for (size_t i = 0; i < stages.size(); ++i)
            stages[i] = parts.stages[index_of(pre_raster_stages[i])];
        count_compile(in_draw);
        const auto layout = layout_of(stages);
        if (!layout)
            return report(layout.error());
        PipelineInfo info(engine_.paths(), engine_.device().limits());
        info.add_pre_raster(key, parts);
        keep(library,
             vulkan::create_pipeline_library(
                 engine_.device(), VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
                 info.finish((*layout)->layout.get()), engine_.disk_cache(), "pre-rasterisation"));
    });
    return library.pipeline.get();
}

VkPipeline PipelineStore::fragment_library(const FragmentKey& key, ShaderStage* stage,
                                           bool in_draw) {
    Library& library = place(fragments_, key);
    std::call_once(library.made, [&] {
        ShaderStage* const stages[] = {stage};
        count_compile(in_draw && stage);
        const auto layout = layout_of(stages);
        if (!layout)
            return report(layout.error());
        PipelineInfo info(engine_.paths(), engine_.device().limits());
        info.add_fragment(key, stage);
        keep(library, vulkan::create_pipeline_library(
                          engine_.device(), VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
                          info.finish((*layout)->layout.get()), engine_.disk_cache(), "fragment"));
    });
    return library.pipeline.get();
}

VkPipeline PipelineStore::output_library(const OutputKey& key) {
    Library& library = place(outputs_, key);
    std::call_once(library.made, [&] {
        PipelineInfo info(engine_.paths(), engine_.device().limits());
        info.add_output(key);
        keep(library,
             vulkan::create_pipeline_library(
                 engine_.device(), VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
                 info.finish(VK_NULL_HANDLE), engine_.disk_cache(), "output"));
    });
    return library.pipeline.get();
}

void PipelineStore::keep(Library& library, vulkan::Result<vulkan::Pipeline> made) {
    if (made)
        library.pipeline = std::move(*made);
    else
        report(made.error());
}

vulkan::Result<vulkan::Pipeline> PipelineStore::build_whole(const GraphicsKey& key,
                                                            const GraphicsParts& parts,
                                                            const PipelineLayoutEntry& layout) {
    PipelineInfo info(engine_.paths(), engine_.device().limits());
    info.add_vertex_input(key.vertex_input, parts.vertex_layout);
    info.add_pre_raster(key.pre_raster, parts);
    info.add_fragment(key.fragment, parts.stages[index_of(Stage::fragment)]);
    info.add_output(key.output);
    return vulkan::create_graphics_pipeline(engine_.device(), info.finish(layout.layout.get()),
                                            engine_.disk_cache());
}

vulkan::Result<vulkan::Pipeline> PipelineStore::link(GraphicsPipeline& pipeline,
                                                     const GraphicsKey& key,
                                                     const GraphicsParts& parts) {
    pipeline.libraries = {
        vertex_input_library(key.vertex_input, parts.vertex_layout),
        pre_raster_library(key.pre_raster, parts, true),
        fragment_library(key.fragment, parts.stages[index_of(Stage::fragment)], true),
        output_library(key.output)};
    if (std::ranges::find(pipeline.libraries, VkPipeline{VK_NULL_HANDLE}) !=
        pipeline.libraries.end())
        return vulkan::fail(VK_ERROR_UNKNOWN, "linking without one of the libraries");
    engine_.counters().fast_links.fetch_add(1, std::memory_order_relaxed);
    return vulkan::link_pipeline(engine_.device(), pipeline.libraries,
                                 pipeline.layout->layout.get(), vulkan::LinkMode::fast,
                                 pipeline_flags(engine_), engine_.disk_cache());
}

void PipelineStore::build(GraphicsPipeline& pipeline, const GraphicsKey& key,
                          const GraphicsParts& parts) {
    const auto layout = layout_of(parts.stages);
    if (!layout)
        return report(layout.error());
    pipeline.layout = *layout;
    const bool links = engine_.paths().pipeline_library;
    if (!links)
        count_compile(true);
    auto built = links ? link(pipeline, key, parts) : build_whole(key, parts, **layout);
    if (!built)
        return report(built.error());
    pipeline.linked = std::move(*built);
    if (links && engine_.paths().optimized_links)
        pipeline.optimizing = make_ref<OptimizeJob>(engine_, pipeline);
    pipeline.current.store(pipeline.linked.get(), std::memory_order_release);
    if (pipeline.optimizing)
        engine_.compiler().submit(pipeline.optimizing, Urgency::optimize);
}

GraphicsPipeline* PipelineStore::graphics(const GraphicsKey& key, const GraphicsParts& parts) {
    GraphicsPipeline* pipeline = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto [found, fresh] = graphics_.try_emplace(key);
        if (fresh)
            for_each_stage(key, [&](uint64_t id) { owned_[id].graphics.insert(&found->first); });
        pipeline = &found->second;
    }
    std::call_once(pipeline->made, [&] { build(*pipeline, key, parts); });
    return pipeline->current.load(std::memory_order_relaxed) ? pipeline : nullptr;
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
    // The shader's own last batch has completed (batches keep shaders), so nothing is in flight.
    // Taken out under the lock and destroyed after it: a draw need not wait for that. Libraries go
    // last, since they may be in use to optimise a pipeline.
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
    for (const auto& pipeline : pipelines)
        if (const Ref<CompileJob>& optimizing = pipeline.mapped().optimizing)
            optimizing->cancel();
}

} // namespace kobalt::render
