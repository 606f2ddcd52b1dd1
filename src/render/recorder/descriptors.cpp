// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>

#include "render/recorder/impl.h"

namespace kobalt::render {

void Recorder::Impl::forget_sets() {
    for (auto& by_stage : sets)
        by_stage.clear();
    if (binder)
        binder->forget();
    bound_sets.fill(nullptr);
    compute.bound_layout = nullptr;
    for (uint32_t i = 0; i < stage_count; ++i) {
        stages[i].set = nullptr;
        mark_all(static_cast<Stage>(i));
    }
}

bool Recorder::Impl::place_set(const StageState& bound, ShaderSet& own, const SetLayout& layout,
                               const uint32_t* numbers) {
    // A pushed set costs its content each time that it is bound.
    const bool stays = !layout.pushed();
    if (stays && own.recent.find(own.set, binder->generation()))
        return true;
    if (const auto& outdated = own.recent.outdated(); !outdated.empty()) {
        descriptor_data.clear();
        const std::span<const StageBinding> bindings = bound.shader->set_bindings();
        outdated.for_each([&](uint32_t i) {
            fill_descriptor(
                bound, bindings[i],
                descriptor_data.emplace_back(DescriptorData{.index = numbers ? numbers[i] : i}));
        });
        binder->encode(own.set, layout, descriptor_data);
        own.recent.encoded();
        tally.descriptors += descriptor_data.size();
    }
    if (!binder->place(own.set, layout))
        return false;
    ++tally.descriptor_writes;
    descriptor_bytes += own.set.content.empty() ? layout.layout.size() : own.set.content.size();
    if (stays)
        own.recent.remember(own.set);
    return true;
}

bool Recorder::Impl::write_stage(Stage stage) {
    StageState& bound = state(stage);
    if (!bound.shader || !bound.shader->set_layout())
        return true;
    const std::span<const StageBinding> bindings = bound.shader->set_bindings();
    const SetForm form = stage == Stage::compute ? SetForm::of_pipelines : graphics_form;
    const bool object = form != SetForm::of_pipelines;
    if (!bound.set)
        bound.set = &sets[static_cast<size_t>(form)]
                         .try_emplace(bound.shader->id(), bindings.size())
                         .first->second;
    ShaderSet& own = *bound.set;
    const SetLayout& layout =
        object ? *wanted_layout->sets[descriptor_set_of(stage)] : *bound.shader->set_layout();
    if (own.retained_in != batch->id())
        for (const StageBinding& binding : bindings)
            retain_bound(bound, binding);
    bool changed = false;
    bound.times.for_each_changed(bindings, own.outdated_from, [&](const StageBinding& binding) {
        const auto index = static_cast<uint32_t>(&binding - bindings.data());
        changed |= own.recent.name(index, name_of(bound, binding));
        retain_bound(bound, binding);
    });
    own.outdated_from = bound.times.next();
    own.retained_in = batch->id();
    if ((changed || own.set.generation != binder->generation()) &&
        !place_set(bound, own, layout, object ? bound.shader->object_bindings().data() : nullptr))
        return false;
    if (stage != Stage::compute) // whose set number another stage has as well
        bound_sets[descriptor_set_of(stage)] = &own.set;
    return true;
}

namespace {

/// The first set that two layouts don't have in common: those before it stay bound (Vulkan 1.3,
/// 14.2.2). `before`: null where none was bound.
uint32_t first_difference(const PipelineLayoutEntry* before, const PipelineLayoutEntry& now) {
    if (!before)
        return 0;
    const auto [other, own] = std::ranges::mismatch(before->sets, now.sets);
    return static_cast<uint32_t>(own - now.sets.begin());
}

} // namespace

bool Recorder::Impl::update_descriptors() {
    const PipelineLayoutEntry* layout = wanted_layout;
    uint32_t rebind = 0; // mask of set numbers
    if (layout != bound_layout) {
        rebind = binder->disturbs_all() ? ~0u : ~0u << first_difference(bound_layout, *layout);
        forget_pushes(); // even if this program doesn't push: the next may
    }
    const uint32_t uses = program->stages_with_sets();
    if (const uint32_t needed = pushes_needed())
        push(needed);
    uint32_t pending = stages_dirty & uses;
    if (const uint64_t before = binder->generation(); program->handle_stages()) {
        if (!binder->prepare_bindless())
            return false;
        if (binder->generation() != before)
            pending = uses;
    }
    for (uint64_t generation = 0; generation != binder->generation();) {
        // If the generation changes meanwhile, all sets are placed in the new one.
        if (generation)
            pending = uses;
        generation = binder->generation();
        for (; pending; pending &= pending - 1) {
            const auto stage = static_cast<Stage>(std::countr_zero(pending));
            if (!write_stage(stage))
                return false;
            rebind |= 1u << descriptor_set_of(stage);
        }
    }
    // The accesses of all changes were added before.
    for (pending = stages_dirty; pending; pending &= pending - 1) {
        StageState& bound = state(static_cast<Stage>(std::countr_zero(pending)));
        bound.access_pending_from = bound.times.next();
    }
    stages_dirty = stages_pending_access = 0;
    if (program->handle_stages()) {
        const BindlessBind bind = bind_bindless(VK_PIPELINE_BIND_POINT_GRAPHICS, *layout);
        if (bind == BindlessBind::failed)
            return false;
        if (bind == BindlessBind::bound_alone)
            rebind = ~0u;
    }
    // The sets of the graphics stages have their stages' numbers plus one.
    static_assert(descriptor_set_of(Stage::vertex) == 1 && descriptor_set_of(Stage::geometry) == 5);
    if (const uint32_t mask = rebind & uses << 1) {
        binder->bind(commands(), VK_PIPELINE_BIND_POINT_GRAPHICS, *layout, bound_sets, mask);
        ++tally.descriptor_binds;
    }
    bound_layout = layout;
    return true;
}

} // namespace kobalt::render
