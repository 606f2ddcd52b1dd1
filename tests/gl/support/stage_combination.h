// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "counters.h"
#include "fresh_text.h"
#include "pixel_grid.h"
#include "separable.h"

namespace kobalt::gltest {

inline constexpr int kStageKinds = 2; ///< programs of each stage
/// In front of each shader.
inline const std::string kCombinationHeader =
    kSeparableHeader + "#extension GL_ARB_tessellation_shader : enable\n" + kFreshUniform;

/// Separable programs of one stage each, two of a kind, in a program pipeline.
class StageCombinationTest : public GridTestOf<PipelineTestOf<CountedTest>> {
protected:
    void prepare() override {
        GridTestOf<PipelineTestOf<CountedTest>>::prepare();
        for (int i = 0; i < kStageKinds; ++i) {
            vertex_.at(i) = separable(GL_VERTEX_SHADER, vertex_text(i));
            geometry_.at(i) = separable(GL_GEOMETRY_SHADER, geometry_text(i));
            fragment_.at(i) = separable(GL_FRAGMENT_SHADER, fragment_text(i));
        }
    }
    /// What stage number `i` of its kind brings to a colour.
    static std::string level(int i) { return std::to_string(51 * (i + 1)) + ".0 / 255.0"; }
    static std::uint8_t byte(int i) { return static_cast<std::uint8_t>(51 * (i + 1)); }
    /// `mark`: the location of another output, which is 1; 0: there is none.
    static std::string vertex_text(int i, int mark = 0) {
        const std::string place = "layout(location = " + std::to_string(mark) + ") out float one;";
        return "out gl_PerVertex { vec4 gl_Position; };\n"
               "layout(location = 0) out float red;\n" +
               (mark ? place : std::string()) + "void main() { " + (mark ? "one = 1.0;" : "") +
               " gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * "
               "2.0 - 1.0, 0, 1); red = " +
               level(i) + " + " + fresh_zero() + "; }";
    }
    static std::string geometry_text(int i) {
        return "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
               "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
               "out gl_PerVertex { vec4 gl_Position; };\n"
               "layout(location = 0) in float red[]; layout(location = 0) out vec2 colour;\n"
               "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; "
               "colour = vec2(red[i], " +
               level(i) + " + " + fresh_zero() + "); EmitVertex(); } }";
    }
    static std::string fragment_text(int i) {
        return "layout(location = 0) in vec2 colour; out vec4 result; void main() { result = "
               "vec4(colour, " +
               level(i) + " + " + fresh_zero() + ", 1); }";
    }
    static GLuint separable(GLenum type, const std::string& body) {
        return separable_of(type, kCombinationHeader + body);
    }
    /// Nothing was compiled. Without shader objects the device compiles such combinations at their
    /// first use, and no counter tells whether it could do better.
    /// `links`: some stages are linked together, and may draw with pipelines.
    static void expect_no_compile(const Spent& spent, bool links = false) {
        if (spent.at("object-links") == 0 && spent.at("draw-compiles") != 0) {
            GTEST_SKIP() << "the device has no shader objects";
        }
        EXPECT_EQ(spent.at("draw-compiles"), 0);
        EXPECT_EQ(spent.at("late-shaders"), 0);
        if (!links) {
            EXPECT_EQ(spent.at("fast-links"), 0);
        }
    }
    std::array<GLuint, kStageKinds> vertex_{}, geometry_{}, fragment_{};
};

} // namespace kobalt::gltest
