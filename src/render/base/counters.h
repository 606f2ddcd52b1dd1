// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "render/base/slow_path.h"

namespace kobalt::render {

/// What the HUD and the tests read. Relaxed atomics: exact totals, no ordering.
struct Counters {
    std::atomic<uint64_t> draws{0}, dispatches{0}, passes{0}, barriers{0}, batches{0};
    std::atomic<uint64_t> translations{0};   ///< of NIR to SPIR-V; an earlier run made the others
    std::atomic<uint64_t> stage_compiles{0}; ///< shader compilations, all of them
    std::atomic<uint64_t> draw_compiles{0};  ///< those that a draw had to wait for
    /// Needs of an earlier run's draws beyond linking, built at link or when a shader is made. The
    /// refused needs come from a damaged or foreign cache.
    std::atomic<uint64_t> remembered_needs{0}, refused_needs{0};
    std::atomic<uint64_t> draw_waits{0}; ///< draws that waited for shaders still in the making
    /// Shaders that no glLinkProgram made: all, and by cause. The causes are blits; the state
    /// tracker's own shaders (clears, bitmaps, pixel transfers); fixed-function and assembly
    /// programs; variants of GL programs that the state tracker made for other state.
    std::atomic<uint64_t> late_shaders{0}, late_blit_shaders{0}, late_helper_shaders{0},
        late_fixed_shaders{0}, late_variants{0};
    std::atomic<uint64_t> late_waits{0}; ///< those that a draw had to wait for
    std::atomic<uint64_t> fast_links{0}, optimized_links{0};
    std::atomic<uint64_t> object_links{0}; ///< links that use shader objects instead
    /// Destroyed links: fast ones that an optimised one replaced, and optimised ones that were
    /// evicted.
    std::atomic<uint64_t> replaced_links{0}, evicted_links{0};
    std::atomic<uint64_t> descriptors{0}; ///< encoded: those of a set that changed
    std::atomic<uint64_t> descriptor_writes{0}, descriptor_binds{0};
    /// Binds of the bindless set: one for each command buffer that draws through handles, where
    /// nothing disturbs it.
    std::atomic<uint64_t> bindless_binds{0};
    std::atomic<uint64_t> moved_images{0}; ///< textures that a new use moved to another image
    std::atomic<uint64_t> descriptor_offsets{
        0}; ///< sets made current: an offset each, a set, or a push
    std::atomic<uint64_t> descriptor_rebinds{0};                     ///< descriptor buffers bound
    std::array<std::atomic<uint64_t>, slow_path_count> slow_paths{}; ///< by SlowPath
};

} // namespace kobalt::render
