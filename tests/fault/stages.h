// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "demo/offscreen/gl_api.h"

namespace kobalt::faults {

/// A program of the stages, linked, whatever comes of it.
GLuint make_stages(std::initializer_list<std::pair<GLenum, std::string>> stages);
bool linked(GLuint program);

} // namespace kobalt::faults
