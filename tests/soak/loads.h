// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "demo/offscreen/egl_context.h"

namespace kobalt::soak {

/// Something that a program may do for ever. Nothing in step() waits for the GPU.
class Load {
public:
    virtual ~Load() = default;
    /// The iteration's number decides what is drawn or uploaded, so that the last one can be told
    /// from those before it.
    virtual void step(std::uint32_t iteration) = 0;
    /// Reads back what step(last) left; empty where it is right, else one line. Called once, after
    /// glFinish.
    virtual std::string wrong_after(std::uint32_t last) = 0;
};

struct LoadKind {
    const char* name;
    const char* what; ///< one iteration, in words
    /// Makes the load with `context` current.
    std::unique_ptr<Load> (*make)(const offscreen::Context& context);
};

/// Those that draw: frames, clears, queries, programs, contexts (loads_draw.cpp).
std::span<const LoadKind> drawing_loads();
/// Those that move data: uploads, replaced buffers, textures, copies (loads_data.cpp).
std::span<const LoadKind> data_loads();

} // namespace kobalt::soak
