// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include "compiler/shader_enums.h"

namespace kobalt::corpus {

/// One GLSL source of a test.
struct Source {
    gl_shader_stage stage;
    std::string text;
};

/// The contents of a piglit `.shader_test` that matter for compiling its shaders.
struct ShaderTest {
    std::vector<Source> sources;
    unsigned version = 110; ///< highest GLSL version that the file asks for, times 100
    bool es = false;
    bool compatibility = false;
    bool separable = false;          ///< each stage is a program of its own
    bool expects_link_error = false; ///< the test expects Mesa to refuse it
    std::string not_eligible; ///< why there is nothing to compile; empty if there is something
};

/// Reads a test. A file that can't be read is not eligible.
ShaderTest read_shader_test(const std::string& path);

} // namespace kobalt::corpus
