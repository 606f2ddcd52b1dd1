// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <expected>
#include <string>

#include "demo/offscreen/egl_context.h"

namespace kobalt::fuzz {

/// A context of OpenGL 4.5 that the expected driver draws (expected_renderer.h), current, with all
/// functions loaded. The context is robust, so that what shaders access outside of buffers has a
/// defined end.
std::expected<offscreen::Context, std::string> make_context();
/// What make_context() asks for.
offscreen::ContextRequest context_request();

} // namespace kobalt::fuzz
