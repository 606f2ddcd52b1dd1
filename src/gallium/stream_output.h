// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/mesa.h"
#include "render/recorder.h"

namespace kobalt::gallium {

/// pipe_stream_output_target: one transform feedback buffer and its append position.
struct StreamOutput : pipe_stream_output_target {
    static StreamOutput* from(pipe_stream_output_target* target) {
        return static_cast<StreamOutput*>(target);
    }
    render::Ref<render::StreamOutputTarget> target;
};

} // namespace kobalt::gallium
