// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

struct Context;

/// The threaded context's own functions for handles, behind ours (queue_handles_quickly).
struct QueueHandles {
    decltype(pipe_context::create_texture_handle) create = nullptr;
    decltype(pipe_context::make_texture_handle_resident) make_resident = nullptr;
    decltype(pipe_context::create_image_handle) create_image = nullptr;
    decltype(pipe_context::make_image_handle_resident) make_image_resident = nullptr;
};

/// Handles are made by the app's thread, without a wait for the driver's, and those that it makes
/// resident stay until the driver's thread has come to that. Called once, on a context that was
/// just wrapped.
void queue_handles_quickly(Context& context, pipe_context* wrapped);

} // namespace kobalt::gallium
