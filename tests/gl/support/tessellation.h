// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <string>
#include <vector>

#include "support.h"

namespace kobalt::gltest {

/// In front of each shader of a TessellatedProgram.
inline const std::string kTessellationHeader =
    "#version 330 core\n#extension GL_ARB_tessellation_shader : require\n";

/// The shaders of a program; empty: the program has none of that stage.
struct TessellatedProgram {
    std::string control;
    std::string evaluation;
    std::string vertex = "void main() { gl_Position = vec4(0, 0, 0, 1); }";
    std::string fragment = "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }";
    std::string geometry = {};
    /// Captured in interleaved mode.
    std::vector<const char*> captured = {};

    GLuint link() const {
        std::vector<Stage> stages;
        for (const auto& [type, body] : {std::pair{GL_VERTEX_SHADER, &vertex},
                                         {GL_TESS_CONTROL_SHADER, &control},
                                         {GL_TESS_EVALUATION_SHADER, &evaluation},
                                         {GL_GEOMETRY_SHADER, &geometry},
                                         {GL_FRAGMENT_SHADER, &fragment}}) {
            if (!body->empty()) {
                stages.push_back({static_cast<GLenum>(type), kTessellationHeader + *body});
            }
        }
        return gltest::link(stages, [&](GLuint name) {
            if (!captured.empty()) {
                gl::TransformFeedbackVaryings(name, static_cast<GLsizei>(captured.size()),
                                              captured.data(), GL_INTERLEAVED_ATTRIBS);
            }
        });
    }
};

/// A black target of 32 x 32 pixels, on a device that tessellates.
class TessellatingTest : public GlTest {
protected:
    static constexpr int kSize = 32;
    Missing missing() const override { return lacks("GL_ARB_tessellation_shader"); }
    void prepare() override {
        make_black_target({kSize, kSize});
        bind_new_vao();
    }
    static void draw(GLuint program, int patch_vertices, int vertices) {
        gl::UseProgram(program);
        gl::PatchParameteri(GL_PATCH_VERTICES, patch_vertices);
        gl::DrawArrays(GL_PATCHES, 0, vertices);
    }
    static int count(const Byte4& colour) {
        return count_pixels(read_picture(kSize, kSize), colour);
    }
    /// A control shader of one vertex that sets all levels alike; needs no input.
    static std::string levels(const std::string& level) {
        return "layout(vertices = 1) out; void main() { for (int i = 0; i < 4; ++i) "
               "gl_TessLevelOuter[i] = " +
               level + "; gl_TessLevelInner[0] = gl_TessLevelInner[1] = " + level + "; }";
    }
};

} // namespace kobalt::gltest
