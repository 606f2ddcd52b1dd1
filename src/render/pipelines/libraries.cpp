// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/disk_cache.h"
#include "render/pipelines/pipeline_info.h"
#include "render/pipelines/pipeline_store.h"
#include "vulkan/pipelines/pipeline_library.h"

// The libraries that pipelines are linked from: one for each key, made by the first thread to ask.

namespace kobalt::render {

template <class Key>
PipelineStore::Library& PipelineStore::find_or_add(LibraryMap<Key>& libraries, const Key& key) {
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

template <class Make>
vulkan::Result<VkPipeline> PipelineStore::made_once(Library& library, Make&& make) {
    const vulkan::Result<void> made = library.made.run([&] {
        const vulkan::Result<void> result = make();
        if (!result)
            report(result.error());
        return result;
    });
    if (!made)
        return std::unexpected(made.error());
    return library.pipeline.get();
}

vulkan::Result<VkPipeline> PipelineStore::vertex_input_library(const VertexInputKey& key,
                                                               const VertexLayout* layout) {
    Library& library = find_or_add(vertex_inputs_, key);
    return made_once(library, [&]() -> vulkan::Result<void> {
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_vertex_input(key, layout);
        return make(library, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, info,
                    VK_NULL_HANDLE, "vertex input");
    });
}

vulkan::Result<VkPipeline> PipelineStore::pre_raster_library(const PreRasterKey& key,
                                                             const GraphicsParts& parts,
                                                             bool in_draw) {
    Library& library = find_or_add(pre_rasters_, key);
    return made_once(library, [&]() -> vulkan::Result<void> {
        std::array<ShaderStage*, 4> stages{};
        for (size_t i = 0; i < stages.size(); ++i)
            stages[i] = parts.stages[static_cast<size_t>(pre_raster_stages[i])];
        count_compile(in_draw);
        const auto layout = layout_of(stages);
        if (!layout)
            return std::unexpected(layout.error());
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_pre_raster(key, parts);
        return make(library, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, info,
                    (*layout)->layout.get(), "pre-rasterisation");
    });
}

vulkan::Result<VkPipeline> PipelineStore::fragment_library(const FragmentKey& key,
                                                           ShaderStage* stage, bool in_draw) {
    Library& library = find_or_add(fragments_, key);
    return made_once(library, [&]() -> vulkan::Result<void> {
        ShaderStage* const stages[] = {stage};
        count_compile(in_draw && stage);
        const auto layout = layout_of(stages);
        if (!layout)
            return std::unexpected(layout.error());
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_fragment(key, stage);
        return make(library, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, info,
                    (*layout)->layout.get(), "fragment");
    });
}

vulkan::Result<VkPipeline> PipelineStore::output_library(const OutputKey& key) {
    Library& library = find_or_add(outputs_, key);
    return made_once(library, [&]() -> vulkan::Result<void> {
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_output(key);
        return make(library, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, info,
                    VK_NULL_HANDLE, "output");
    });
}

vulkan::Result<void> PipelineStore::make(Library& library, VkGraphicsPipelineLibraryFlagsEXT part,
                                         PipelineInfo& info, VkPipelineLayout layout,
                                         const char* name) {
    if (const vulkan::Error* error = info.error())
        return std::unexpected(*error);
    auto made = vulkan::create_pipeline_library(core_.device(), part, info.finish(layout),
                                                disk_cache_.for_pipeline(), name,
                                                core_.paths().optimized_links);
    if (!made)
        return std::unexpected(made.error());
    library.pipeline = std::move(*made);
    library.ready.store(true, std::memory_order_release);
    return {};
}

} // namespace kobalt::render
