// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

namespace kobalt::info {

/// `kobalt info`, part three: lists what EGL's surfaceless platform offers with the driver that the
/// environment chooses: OpenGL core, compatibility and ES, each with version, renderer and GLSL.
/// Where a context can't be created, its line says why. Doesn't throw.
std::string gl_report();

} // namespace kobalt::info
