// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/screen/mesa.h"

namespace kobalt::gallium {

struct Context;

/// The threaded context's own functions for handles, which queue_handles_quickly() wraps.
struct QueueHandles {
    decltype(pipe_context::create_texture_handle) create = nullptr;
    decltype(pipe_context::make_texture_handle_resident) make_resident = nullptr;
    decltype(pipe_context::create_image_handle) create_image = nullptr;
    decltype(pipe_context::make_image_handle_resident) make_image_resident = nullptr;
};

/// Lets the app's thread create handles without waiting for the driver's thread. A handle that it
/// makes resident stays alive until the driver's thread has executed that. Called once, on a
/// context that was just wrapped.
void queue_handles_quickly(Context& context, pipe_context* wrapped);

} // namespace kobalt::gallium
