// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>

#include "demo/offscreen/gl_api.h"

/// What the modes of kobalt-fault-probe share.
namespace kobalt::faults {

/// A line `name=value` for the test.
void print(const char* name, const std::string& value);
/// A program whose fragments have the colour of a GLSL expression.
GLuint make_program(const std::string& colour);
/// Binds a framebuffer of 16x16 pixels and a vertex array.
void make_target();
/// Clears, draws with the program, and compares the green of a pixel.
bool draws(GLuint program, int level = 255);
/// The mode `draw`.
void draw();

/// The modes of the same names: see probe.cpp.
void forks();
void exits();
[[noreturn]] void leave();
[[noreturn]] void stay();
void recover();
void recover_in_threads();
void recover_shared();
void recover_surface();
void recover_image();

} // namespace kobalt::faults
