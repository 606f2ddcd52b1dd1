// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"
#include "render/recorder/recorder.h"

namespace kobalt::gallium {

/// pipe_stream_output_target: one transform feedback buffer and its append position.
struct StreamOutput : pipe_stream_output_target {
    static StreamOutput* from(pipe_stream_output_target* target) {
        return static_cast<StreamOutput*>(target);
    }
    render::Ref<render::StreamOutputTarget> target;
};

struct Context;

/// The number of vertices that glDrawTransformFeedback draws from `target`. Waits for the device,
/// so it is only for draws whose primitives must be converted, which needs that number.
uint32_t captured_vertices(Context& context, render::StreamOutputTarget& target);

} // namespace kobalt::gallium
