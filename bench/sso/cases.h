// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "demo/offscreen/egl_context.h"
#include "driver.h"
#include "figures.h"
#include "options.h"
#include "process.h"

namespace kobalt::sso {

/// The inputs of a case. Its context is current.
struct Job {
    const Options& options;
    const offscreen::Context& context;
    const Driver& driver;
    const Figures& figures;
    std::uint64_t seed;      ///< this case's own, so that no other case has made the same shaders
    Clock::time_point begin; ///< before the context was made
};

/// One measurement, run in a process of its own.
struct Case {
    const char* name;
    const char* what;
    Outcome (*run)(const Job& job);
};

std::span<const Case> first_use_cases(); ///< each combination of separable stages, drawn first
std::span<const Case> swap_cases();      ///< other stages or programs at each draw
std::span<const Case> change_cases();    ///< another uniform, block or texture at each draw
std::span<const Case> many_cases();      ///< many objects alive, in turn
std::span<const Case> bindless_cases();  ///< ARB_bindless_texture
std::span<const Case> dispatch_cases();  ///< compute shaders
std::span<const Case> loading_cases();   ///< programs made by the hundred
std::span<const Case> thread_cases();    ///< draws with a wait each, and threads that draw
std::span<const Case> start_cases();     ///< the start of a process

} // namespace kobalt::sso
