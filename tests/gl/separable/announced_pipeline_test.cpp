// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the stages of a program pipeline need of each other is built when it is bound or validated,
// and not by its first draw.
#include "counters.h"
#include "fresh_text.h"
#include "pixel_grid.h"
#include "separable.h"

namespace kobalt::gltest {
namespace {

class AnnouncedPipelineTest : public GridTestOf<PipelineTestOf<CountedTest>> {
protected:
    /// Writes location 0 alone.
    static GLuint vertex_program() {
        return separable_of(
            GL_VERTEX_SHADER,
            kSeparableHeader + kFreshUniform +
                "out gl_PerVertex { vec4 gl_Position; }; layout(location = 0) out float red; void "
                "main() { red = 0.2; gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & "
                "2) * 2.0 - 1.0, " +
                fresh_zero() + ", 1); }");
    }
    /// Reads `location` as well.
    static GLuint fragment_program(int location) {
        return separable_of(
            GL_FRAGMENT_SHADER,
            kSeparableHeader + kFreshUniform +
                "layout(location = 0) in float red; layout(location = " + std::to_string(location) +
                ") in vec2 other; out vec4 result; void main() { result = "
                "vec4(red, 1, other.x, 1.0 + " +
                fresh_zero() + "); }");
    }
    static GLuint bind_pair(GLuint vertex, GLuint fragment) {
        return bind_pipeline({{GL_VERTEX_SHADER_BIT, vertex}, {GL_FRAGMENT_SHADER_BIT, fragment}});
    }
    /// Into the next pixel.
    void draw_and_expect_no_compile() {
        const Spent spent = measure([&] {
            draw({});
            gl::Finish();
        });
        const Byte4 seen = pixel(drawn_++, 0);
        EXPECT_NEAR(seen[0], 51, 1);
        EXPECT_EQ(seen[1], 255);
        EXPECT_EQ(seen[3], 255);
        // Nothing is linked where the device has neither pipeline libraries nor shader objects:
        // there each draw's pipeline is compiled whole, at its first use.
        if (spent.at("object-links") == 0 && spent.at("fast-links") == 0 &&
            spent.at("draw-compiles") != 0) {
            GTEST_SKIP() << "the device compiles whole pipelines alone";
        }
        EXPECT_EQ(spent.at("draw-compiles"), 0);
        EXPECT_EQ(spent.at("late-shaders"), 0);
    }
    int drawn_ = 0;
};

TEST_F(AnnouncedPipelineTest, InputsThatNobodyWrites) {
    const GLuint vertex = vertex_program();
    for (int location = 1; location < 4; ++location) {
        bind_pair(vertex, fragment_program(location));
        draw_and_expect_no_compile();
    }
}

TEST_F(AnnouncedPipelineTest, StagesThatAreChangedWhileBound) {
    const GLuint vertex = vertex_program();
    const GLuint pipeline = bind_pair(vertex, fragment_program(1));
    for (int location = 2; location < 4; ++location) {
        gl::UseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment_program(location));
        gl::ValidateProgramPipeline(pipeline);
        draw_and_expect_no_compile();
    }
}

} // namespace
} // namespace kobalt::gltest
