// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// OpenGL 4.6, 7.4.1: variables without locations match by name between separable programs, arrays,
// matrices and structures too, however the program that reads them uses them, and whether the one
// that writes them is captured or not.
#include "separable.h"

namespace kobalt::gltest {
namespace {

const std::string kGlsl = "#version 450 core\nstruct S { float f; vec3 v; };\n";

class AggregateTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 5}; }
    void prepare() override {
        make_target({.width = 1, .height = 1, .color = GL_RGBA32F});
        bind_new_vao();
    }
    /// The program in front, captured or not.
    static GLuint first(bool captured) {
        return link(
            {{GL_VERTEX_SHADER,
              kGlsl +
                  "out gl_PerVertex { vec4 gl_Position; }; out vec2 a[2]; out mat2 m; out S s; out "
                  "float z; void main() { gl_Position = "
                  "vec4(0, "
                  "0, 0, 1); a = vec2[](vec2(1, 2), vec2(3, 4)); m = mat2(5, 6, 7, 8); s = S(9.0, "
                  "vec3(10, 11, 12)); z = 13.0; }"}},
            [captured](GLuint program) {
                gl::ProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
                if (captured) {
                    const std::array<const char*, 3> names{"a[1]", "m", "s.v"};
                    gl::TransformFeedbackVaryings(program, 3, names.data(), GL_INTERLEAVED_ATTRIBS);
                }
            });
    }
    static Float4 drawn(GLenum mode) {
        gl::DrawArrays(mode, 0, 1);
        return pixel_float(0, 0);
    }
};

/// Captured, or not.
class SeparableAggregateTest : public AggregateTest, public testing::WithParamInterface<bool> {};

TEST_P(SeparableAggregateTest, ReadAtTheCentroid) {
    const GLuint last = separable_of(
        GL_FRAGMENT_SHADER,
        kGlsl +
            "in vec2 a[2]; in mat2 m; in S s; in float z; out vec4 result; void main() { result = "
            "vec4(interpolateAtCentroid(a[1]).y, m[1].x, s.v.z, z); }");
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first(GetParam())}, {GL_FRAGMENT_SHADER_BIT, last}});
    expect_near(drawn(GL_POINTS), {4, 7, 12, 13}, 0);
}

TEST_P(SeparableAggregateTest, ReadByAControlShader) {
    const GLuint control = separable_of(
        GL_TESS_CONTROL_SHADER, kGlsl + "layout(vertices = 1) out; in vec2 a[][2]; in mat2 m[]; in "
                                        "S s[]; in float z[]; out vec4 sum[]; void "
                                        "main() { gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = "
                                        "1.0; sum[gl_InvocationID] = vec4(a[0][1].y, m[0][1].x, "
                                        "s[0].v.z, z[0]); }");
    const GLuint evaluation =
        separable_of(GL_TESS_EVALUATION_SHADER,
                     kGlsl + "layout(isolines, point_mode) in; out gl_PerVertex { vec4 "
                             "gl_Position; }; in vec4 sum[]; out vec4 colour; void "
                             "main() { gl_Position = vec4(0, 0, 0, 1); colour = sum[0]; }");
    const GLuint last =
        separable_of(GL_FRAGMENT_SHADER,
                     kGlsl + "in vec4 colour; out vec4 result; void main() { result = colour; }");
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first(GetParam())},
                   {GL_TESS_CONTROL_SHADER_BIT, control},
                   {GL_TESS_EVALUATION_SHADER_BIT, evaluation},
                   {GL_FRAGMENT_SHADER_BIT, last}});
    gl::PatchParameteri(GL_PATCH_VERTICES, 1);
    expect_near(drawn(GL_PATCHES), {4, 7, 12, 13}, 0);
}

INSTANTIATE_TEST_SUITE_P(Captured, SeparableAggregateTest, testing::Bool());

TEST_F(AggregateTest, CapturedWithoutGaps) {
    bind_pipeline({{GL_VERTEX_SHADER_BIT, first(true)}});
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(9, -1.0F));
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl::Enable(GL_RASTERIZER_DISCARD);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::DrawArrays(GL_POINTS, 0, 1);
    gl::EndTransformFeedback();
    gl::Disable(GL_RASTERIZER_DISCARD);
    std::vector<float> captured(9);
    gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 9 * sizeof(float), captured.data());
    EXPECT_EQ(captured, (std::vector<float>{3, 4, 5, 6, 7, 8, 10, 11, 12}));
}

} // namespace
} // namespace kobalt::gltest
