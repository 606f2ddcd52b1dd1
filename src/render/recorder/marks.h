// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/recorder/impl.h"

// These functions mark what each change of a binding outdates: sets, pushed bindings, accesses of
// the open pass. They are inline, since apps change bindings between most draws.

namespace kobalt::render {

inline void Recorder::Impl::mark_set(Stage stage) {
    if (stage == Stage::compute)
        compute.dirty = true;
    else
        stages_dirty |= 1u << static_cast<uint32_t>(stage);
}

inline void Recorder::Impl::mark(Stage stage) {
    mark_set(stage);
    stages_pending_access |= 1u << static_cast<uint32_t>(stage);
}

inline void Recorder::Impl::mark_slot(Stage stage, uint64_t& time) {
    time = ++state(stage).times.now;
    mark(stage);
}

inline void Recorder::Impl::mark_all(Stage stage) {
    state(stage).access_pending_from = 0;
    mark(stage);
    // The placeholder where no texture is bound depends on the shader.
    if (stage == Stage::fragment)
        outdated_pushes |= 1u << pushed_texture_binding;
}

inline void Recorder::Impl::mark_range(Stage stage, uint32_t slot) {
    SlotTimes& times = state(stage).times;
    times.uniform_buffer(slot) = ++times.now;
    // Whatever shader is bound now, the next draw may use one that gets the buffer pushed.
    const uint32_t bit = pushed_buffer_bit(stage, slot);
    outdated_pushes |= bit;
    if (!(bit & bound_pushes))
        mark_set(stage);
}

inline void Recorder::Impl::mark_buffer(Stage stage, uint32_t slot) {
    mark_range(stage, slot);
    const uint32_t bit = pushed_buffer_bit(stage, slot);
    pushes_pending_access |= bit;
    if (!(bit & bound_pushes))
        mark(stage);
}

inline void Recorder::Impl::mark_texture(Stage stage, uint32_t slot) {
    constexpr uint32_t bit = 1u << pushed_texture_binding;
    SlotTimes& times = state(stage).times;
    if (slot != 0 || stage != Stage::fragment || !(bound_pushes & bit)) {
        mark_slot(stage, times.texture(slot));
        return;
    }
    times.texture(0) = ++times.now;
    outdated_pushes |= bit;
    pushes_pending_access |= bit;
}

} // namespace kobalt::render
