// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/stage.h"

#include <algorithm>

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

namespace {

uint64_t next_id() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

namespace {

StageSource pushed_first(StageSource source) {
    const auto rest = std::ranges::stable_partition(source.bindings, &StageBinding::pushed);
    std::ranges::sort(source.bindings.begin(), rest.begin(), {}, &StageBinding::binding);
    return source;
}

} // namespace

ShaderStage::ShaderStage(Engine& engine, StageSource source, uint64_t digest)
    : engine_(engine), source_(std::move(source)),
      pushed_(
          static_cast<size_t>(std::ranges::count(source_.bindings, true, &StageBinding::pushed))),
      digest_(digest), id_(next_id()) {
    for (const StageBinding& binding : pushed_bindings())
        pushes_ |= 1u << binding.binding;
}

vulkan::Result<void> ShaderStage::make() {
    auto layout = engine_.layouts().set_layout(set_bindings(), shader_stage_bit(source_.stage));
    if (!layout)
        return std::unexpected(layout.error());
    set_layout_ = set_bindings().empty() ? nullptr : *layout;
    object_bindings_ = engine_.pipelines().object_bindings(*this);
    if (object_bindings_)
        object_size_ = engine_.pipelines().object_size_of(*object_bindings_);
    return source_.stage == Stage::compute ? engine_.pipelines().compile_compute(*this)
                                           : vulkan::Result<void>{};
}

vulkan::Result<vulkan::ShaderModule> ShaderStage::module() const {
    return vulkan::create_shader_module(engine_.device(), source_.words, source_.name.c_str());
}

vulkan::Result<Ref<ShaderStage>> ShaderStage::create(Engine& engine, StageSource source) {
    const bool separable = source.separable;
    const Ref<ShaderStage> stage =
        engine.stages().find_or_add(engine, pushed_first(std::move(source)));
    std::call_once(stage->made_, [&] { stage->result_ = stage->make(); });
    if (!stage->result_)
        return std::unexpected(stage->result_.error());
    if (separable)
        stage->separable_.store(true); // others may prepare it from here on
    if (auto ready = engine.pipelines().prepare(*stage); !ready)
        return std::unexpected(ready.error());
    return stage;
}

bool ShaderStage::fetches_attachments() const {
    return std::ranges::any_of(source_.bindings, [](const StageBinding& binding) {
        return binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    });
}

bool ShaderStage::fetches_depth_stencil() const {
    return std::ranges::any_of(source_.bindings, [](const StageBinding& binding) {
        return binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT &&
               binding.slot >= depth_fetch_slot;
    });
}

VkShaderEXT ShaderStage::object(ObjectSize size, bool in_draw) {
    if (!can_be_object())
        return VK_NULL_HANDLE;
    Object& one = objects_[static_cast<size_t>(size)];
    std::call_once(one.made, [&] {
        one.shader = engine_.pipelines().make_object(*this, size, in_draw);
        one.ready.store(true, std::memory_order_release);
    });
    return one.shader.get();
}

bool ShaderStage::prepared() const {
    return engine_.pipelines().prepared(*this);
}

// The memory of a stage and all that is linked of it. With lavapipe it is 0.75 MB, machine code
// included: with half of that, twice as many programs were in flight as the limits intend. With
// NVIDIA's driver it is 0.15 MB, and the rest leaves room for other drivers.
uint64_t ShaderStage::retained_bytes() const {
    const VkPhysicalDeviceType type = engine_.device().properties().core.deviceType;
    return (type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 768u : 384u) << 10;
}

ShaderStage::~ShaderStage() {
    engine_.stages().remove(*this);
    engine_.pipelines().forget(*this);
}

vulkan::Result<void> link_stages(Engine& engine,
                                 std::span<ShaderStage* const, graphics_stage_count> stages,
                                 uint32_t patch_vertices) {
    return engine.pipelines().compile_program(stages, patch_vertices);
}

} // namespace kobalt::render
