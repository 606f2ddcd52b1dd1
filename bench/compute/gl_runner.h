// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "runner.h"

namespace kobalt::compute {

/// A device's UUID, as Vulkan's deviceUUID.
using Uuid = std::array<std::uint8_t, 16>;

/// Runs jobs in the current OpenGL context, by GL_ARB_gl_spirv. The error says what it lacks.
Result<std::unique_ptr<Runner>> make_gl_runner();

/// The device of the current context; zeroes where it doesn't tell (GL_EXT_memory_object).
Uuid gl_device();

} // namespace kobalt::compute
