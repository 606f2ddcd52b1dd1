// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>

#include "render/queries/query_slot.h"

namespace kobalt::render {

class Engine;

/// The points in a recorder's commands whose times were asked for.
class Timestamps {
public:
    explicit Timestamps(Recorder& recorder) : recorder_(recorder) {}

    /// The time at which everything recorded so far will be done. Inside a pass as well. An empty
    /// slot where the graphics queue has no clock, or nothing can be recorded.
    QuerySlot write();

private:
    Recorder& recorder_;
    Ref<QueryBlock> block_;
};

/// A timestamp that the GPU is past, in nanoseconds of its clock; 0 for an empty slot.
uint64_t nanoseconds(const QuerySlot& timestamp);

/// The graphics queue's clock, now, in nanoseconds. Empty: it has none. Waits for the GPU where the
/// device can't be asked (Capability::calibrated_timestamps). Any thread.
std::optional<uint64_t> gpu_clock(Engine& engine);

} // namespace kobalt::render
