// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "render/engine/engine.h"

namespace kobalt::render {

/// The engine's counters by name, for the HUD, GL_AMD_performance_monitor, KOBALT_STATS and
/// KOBALT_CSV, which all report the same. Each counts from the start of the process.
std::span<const char* const> counter_names();
/// `index` counts in counter_names().
uint64_t counter_value(Engine& engine, size_t index);

} // namespace kobalt::render
