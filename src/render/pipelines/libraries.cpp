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

VkPipeline PipelineStore::vertex_input_library(const VertexInputKey& key,
                                               const VertexLayout* layout) {
    Library& library = find_or_add(vertex_inputs_, key);
    std::call_once(library.made, [&] {
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_vertex_input(key, layout);
        make(library, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT, info,
             VK_NULL_HANDLE, "vertex input");
    });
    return library.pipeline.get();
}

const PipelineStore::Library& PipelineStore::pre_raster_library(const PreRasterKey& key,
                                                                const GraphicsParts& parts,
                                                                bool in_draw) {
    Library& library = find_or_add(pre_rasters_, key);
    std::call_once(library.made, [&] {
        std::array<ShaderStage*, 4> stages{};
        for (size_t i = 0; i < stages.size(); ++i)
            stages[i] = parts.stages[static_cast<size_t>(pre_raster_stages[i])];
        count_compile(in_draw);
        const auto layout = layout_of(stages);
        if (!layout)
            return refuse(library, layout.error());
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_pre_raster(key, parts);
        make(library, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT, info,
             (*layout)->layout.get(), "pre-rasterisation");
    });
    return library;
}

const PipelineStore::Library& PipelineStore::fragment_library(const FragmentKey& key,
                                                              ShaderStage* stage, bool in_draw) {
    Library& library = find_or_add(fragments_, key);
    std::call_once(library.made, [&] {
        ShaderStage* const stages[] = {stage};
        count_compile(in_draw && stage);
        const auto layout = layout_of(stages);
        if (!layout)
            return refuse(library, layout.error());
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_fragment(key, stage);
        make(library, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT, info,
             (*layout)->layout.get(), "fragment");
    });
    return library;
}

VkPipeline PipelineStore::output_library(const OutputKey& key) {
    Library& library = find_or_add(outputs_, key);
    std::call_once(library.made, [&] {
        PipelineInfo info(core_.paths(), core_.device().limits());
        info.add_output(key);
        make(library, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT, info,
             VK_NULL_HANDLE, "output");
    });
    return library.pipeline.get();
}

void PipelineStore::refuse(Library& library, const vulkan::Error& error) {
    library.refused = error;
    report(error);
}

void PipelineStore::make(Library& library, VkGraphicsPipelineLibraryFlagsEXT part,
                         PipelineInfo& info, VkPipelineLayout layout, const char* name) {
    if (const vulkan::Error* error = info.error())
        return refuse(library, *error);
    auto made = vulkan::create_pipeline_library(core_.device(), part, info.finish(layout),
                                                disk_cache_.for_pipeline(), name,
                                                core_.paths().optimized_links);
    if (made)
        library.pipeline = std::move(*made);
    else
        refuse(library, made.error());
    library.ready.store(static_cast<bool>(library.pipeline), std::memory_order_release);
}

} // namespace kobalt::render
