// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/pipelines/shader_stage.h"

#include <algorithm>

#include "render/layouts/layout_cache.h"
#include "render/pipelines/pipeline_store.h"
#include "render/pipelines/stage_table.h"

namespace kobalt::render {

namespace {

uint64_t next_id() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

StageSource pushed_first(StageSource source) {
    const auto rest = std::ranges::stable_partition(source.bindings, &StageBinding::pushed);
    std::ranges::sort(source.bindings.begin(), rest.begin(), {}, &StageBinding::binding);
    return source;
}

} // namespace

ShaderStage::ShaderStage(PipelineStore& store, StageSource source, uint64_t digest)
    : store_(store), source_(std::move(source)),
      pushed_(
          static_cast<size_t>(std::ranges::count(source_.bindings, true, &StageBinding::pushed))),
      digest_(digest), id_(next_id()) {
    for (const StageBinding& binding : pushed_bindings())
        pushes_ |= 1u << binding.binding;
}

vulkan::Result<void> ShaderStage::make() {
    auto layout = store_.layouts().set_layout(set_bindings(), shader_stage_bit(source_.stage));
    if (!layout)
        return std::unexpected(layout.error());
    set_layout_ = set_bindings().empty() ? nullptr : *layout;
    object_bindings_ = store_.object_bindings(*this);
    if (object_bindings_)
        object_size_ = store_.object_size_of(*object_bindings_);
    return source_.stage == Stage::compute ? store_.compile_compute(*this) : vulkan::Result<void>{};
}

vulkan::Result<vulkan::ShaderModule> ShaderStage::module() const {
    return vulkan::create_shader_module(store_.core().device(), source_.words,
                                        source_.name.c_str());
}

vulkan::Result<Ref<ShaderStage>> ShaderStage::create(PipelineStore& store, StageSource source) {
    const bool separable = source.separable;
    const Ref<ShaderStage> stage =
        store.stages().find_or_add(store, pushed_first(std::move(source)));
    if (auto made = stage->made_.run([&] { return stage->make(); }); !made)
        return std::unexpected(made.error());
    if (separable)
        stage->separable_.store(true); // others may prepare it from here on
    if (auto ready = store.prepare(*stage); !ready)
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
        one.shader = store_.make_object(*this, size, in_draw);
        one.ready.store(true, std::memory_order_release);
    });
    return one.shader.get();
}

bool ShaderStage::prepared() const {
    return store_.prepared(*this);
}

// The memory of a stage and all that is linked of it. With lavapipe it is 0.75 MB, machine code
// included: with half of that, twice as many programs were in flight as the limits intend. With
// NVIDIA's driver it is 0.15 MB, and the rest leaves room for other drivers.
uint64_t ShaderStage::retained_bytes() const {
    const VkPhysicalDeviceType type = store_.core().device().properties().core.deviceType;
    return (type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 768u : 384u) << 10;
}

ShaderStage::~ShaderStage() {
    store_.stages().remove(*this);
    store_.forget(*this);
}

} // namespace kobalt::render
