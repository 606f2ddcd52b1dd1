// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "render/pipelines/disk_cache.h"
#include "render/pipelines/pipeline_info.h"
#include "render/pipelines/pipeline_store.h"
#include "render/shaders/compiler_service.h"
#include "vulkan/pipelines/pipeline_library.h"

// Links of pipeline libraries: fast ones inside draws, and the optimised ones that replace them.

namespace kobalt::render {
namespace {

/// Optimises a fast-linked pipeline, or builds the pipeline for draws with shader objects. The
/// pipeline outlives the job: forget() cancels the job.
class OptimizeJob final : public CompileJob {
public:
    OptimizeJob(PipelineStore& store, GraphicsPipeline& pipeline)
        : store_(store), pipeline_(pipeline) {}

private:
    void run() override {
        if (pipeline_.by_objects.load(std::memory_order_relaxed))
            return store_.replace_objects(pipeline_);
        store_.replace(pipeline_, store_.link_optimized(pipeline_));
    }
    PipelineStore& store_;
    GraphicsPipeline& pipeline_;
};

} // namespace

vulkan::Result<vulkan::Pipeline>
PipelineStore::link_optimized(const GraphicsPipeline& pipeline) const {
    return vulkan::link_pipeline(core_.device(), pipeline.libraries, pipeline.layout->layout.get(),
                                 vulkan::LinkMode::optimized, pipeline_flags(core_.paths()),
                                 disk_cache_.for_pipeline());
}

vulkan::Result<vulkan::Pipeline> PipelineStore::link(GraphicsPipeline& pipeline,
                                                     const GraphicsKey& key,
                                                     const GraphicsParts& parts, bool in_draw) {
    const std::array<vulkan::Result<VkPipeline>, 4> libraries{
        vertex_input_library(key.vertex_input, parts.vertex_layout),
        pre_raster_library(key.pre_raster, parts, in_draw),
        fragment_library(key.fragment, parts.stages[static_cast<size_t>(Stage::fragment)], in_draw),
        output_library(key.output)};
    for (size_t i = 0; i < libraries.size(); ++i) {
        if (!libraries[i])
            return std::unexpected(libraries[i].error());
        pipeline.libraries[i] = *libraries[i];
    }
    estimate_bytes(pipeline, parts);
    auto linked = link_fast(pipeline, in_draw);
    if (!linked)
        report(linked.error());
    return linked;
}

void PipelineStore::estimate_bytes(GraphicsPipeline& pipeline, const GraphicsParts& parts) {
    if (!core_.paths().optimized_links || pipeline.bytes != 0)
        return; // never set, or set once: recorders read it
    size_t spirv_bytes = 0;
    for (const ShaderStage* stage : parts.stages)
        if (stage)
            spirv_bytes += std::span(stage->source().words).size_bytes();
    pipeline.bytes = optimized_bytes(spirv_bytes);
}

vulkan::Result<vulkan::Pipeline> PipelineStore::link_fast(const GraphicsPipeline& pipeline,
                                                          bool in_draw) {
    core_.counters().fast_links.fetch_add(1, std::memory_order_relaxed);
    const auto link = [&](VkPipelineCreateFlags flags) {
        return vulkan::link_pipeline(core_.device(), pipeline.libraries,
                                     pipeline.layout->layout.get(), vulkan::LinkMode::fast,
                                     pipeline_flags(core_.paths()) | flags,
                                     disk_cache_.for_pipeline());
    };
    if (core_.paths().checked_links) {
        auto linked = link(VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
        if (linked || linked.error().result != VK_PIPELINE_COMPILE_REQUIRED)
            return linked;
        count_compile(in_draw);
    }
    return link(0);
}

Ref<LinkedPipeline> PipelineStore::active(GraphicsPipeline& pipeline) {
    {
        const std::lock_guard lock(active_mutex_);
        if (pipeline.active || !pipeline.usable)
            return pipeline.active;
    }
    auto linked = link_fast(pipeline, true);
    if (!linked) {
        if (pipeline.usable.exchange(false))
            report(linked.error());
        return {};
    }
    const auto made = make_ref<LinkedPipeline>(std::move(*linked));
    const std::lock_guard lock(active_mutex_);
    if (!pipeline.active) { // else another recorder was faster
        pipeline.active = made;
        pipeline.current.store(made->handle(), std::memory_order_release);
    }
    return pipeline.active;
}

void PipelineStore::optimize(GraphicsPipeline& pipeline) {
    std::vector<Ref<LinkedPipeline>> dropped; // outside of the lock
    const Ref<CompileJob> job = make_ref<OptimizeJob>(*this, pipeline);
    {
        const std::lock_guard lock(active_mutex_);
        std::vector<LinkUse*> evicted;
        if (pipeline.by_objects.load(std::memory_order_relaxed)) {
            if (pipeline.optimizing)
                return;
        } else if (!optimized_.admit(pipeline, evicted))
            return;
        for (LinkUse* link : evicted) {
            auto& victim = static_cast<GraphicsPipeline&>(*link);
            victim.active->end(core_.counters().evicted_links);
            dropped.push_back(std::move(victim.active));
            victim.current.store(VK_NULL_HANDLE, std::memory_order_release);
            endings_.fetch_add(1, std::memory_order_release);
        }
        pipeline.optimizing = job;
    }
    compiler_.submit(job, Urgency::optimize);
}

void PipelineStore::replace(GraphicsPipeline& pipeline,
                            vulkan::Result<vulkan::Pipeline> optimized) {
    // Recorders and batches retain the replaced pipeline while they use it; the last release
    // deletes it.
    Ref<LinkedPipeline> replaced;
    const std::lock_guard lock(active_mutex_);
    if (!optimized)
        return optimized_.remove(pipeline);
    optimized_.ready(pipeline);
    replaced = std::exchange(pipeline.active, make_ref<LinkedPipeline>(std::move(*optimized)));
    if (replaced) {
        replaced->end(core_.counters().replaced_links);
        endings_.fetch_add(1, std::memory_order_release);
    }
    pipeline.current.store(pipeline.active->handle(), std::memory_order_release);
    core_.counters().optimized_links.fetch_add(1, std::memory_order_relaxed);
}

} // namespace kobalt::render
