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

/// What a piglit `.shader_test` says, as far as compiling its shaders goes.
struct ShaderTest {
    std::vector<Source> sources;
    unsigned version = 110; ///< highest GLSL version that the file asks for, times 100
    bool es = false;
    bool compatibility = false;
    bool separable = false;          ///< each stage is a program of its own
    bool expects_link_error = false; ///< the test is that Mesa refuses it
    std::string not_eligible;        ///< why there is nothing to compile; empty where there is
};

/// Reads a test. A file that can't be read is one that is not eligible.
ShaderTest read_shader_test(const std::string& path);

} // namespace kobalt::corpus
