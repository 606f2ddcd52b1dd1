// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/stage.h"

#include "render/engine.h"
#include "render/layout_cache.h"
#include "render/pipeline_store.h"
#include "render/stage_table.h"

namespace kobalt::render {

VkShaderStageFlagBits shader_stage_bit(Stage stage) {
    switch (stage) {
    case Stage::vertex:
        return VK_SHADER_STAGE_VERTEX_BIT;
    case Stage::fragment:
        return VK_SHADER_STAGE_FRAGMENT_BIT;
    case Stage::tess_control:
        return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case Stage::tess_evaluation:
        return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case Stage::geometry:
        return VK_SHADER_STAGE_GEOMETRY_BIT;
    case Stage::compute:
        return VK_SHADER_STAGE_COMPUTE_BIT;
    }
    return VK_SHADER_STAGE_ALL;
}

VkPipelineStageFlags2 pipeline_stage_bit(Stage stage) {
    switch (stage) {
    case Stage::vertex:
        return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    case Stage::fragment:
        return VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    case Stage::tess_control:
        return VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT;
    case Stage::tess_evaluation:
        return VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    case Stage::geometry:
        return VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    case Stage::compute:
        return VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    }
    return VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

vulkan::Result<Ref<ShaderStage>> ShaderStage::create(Engine& engine, StageSource source) {
    const uint64_t digest = StageTable::digest(source);
    if (Ref<ShaderStage> equal = engine.stages().find(digest, source))
        return equal;
    auto layout = engine.layouts().set_layout(source.bindings, shader_stage_bit(source.stage));
    if (!layout)
        return std::unexpected(layout.error());
    auto module = vulkan::create_shader_module(engine.device(), source.words, source.name.c_str());
    if (!module)
        return std::unexpected(module.error());
    static std::atomic<uint64_t> next_id{1};
    auto stage = Ref<ShaderStage>::adopt(new ShaderStage);
    stage->engine_ = &engine;
    stage->module_ = std::move(*module);
    stage->set_layout_ = source.bindings.empty() ? nullptr : *layout;
    stage->source_ = std::move(source);
    stage->id_ = next_id.fetch_add(1, std::memory_order_relaxed);
    stage->digest_ = digest;
    if (auto compiled = engine.pipelines().compile_stage(*stage); !compiled)
        return std::unexpected(compiled.error());
    // Two threads may get here with equal stages: the table then has both, which does no harm.
    engine.stages().add(digest, *stage);
    return stage;
}

// lavapipe takes some 0.7 MB for a stage and what is linked of it, NVIDIA's driver a fifth of that.
uint64_t ShaderStage::kept_bytes() const {
    return 384u << 10;
}

ShaderStage::~ShaderStage() {
    if (!engine_)
        return;
    engine_->stages().remove(digest_, *this);
    engine_->pipelines().forget(*this);
}

void link_stages(Engine& engine, std::span<ShaderStage* const, graphics_stage_count> stages) {
    engine.pipelines().compile_program(stages);
}

} // namespace kobalt::render
