// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// State of the compatibility profile that is part of shaders here: each draw has what holds then,
// whatever changed since the last (OpenGL 4.6, compatibility profile, chapters 13 and 15).
#include "fixed_function.h"
#include "separable.h"

namespace kobalt::gltest {
namespace {

class OldStateTest : public FixedFunctionTest {
protected:
    /// Of an evaluation shader: a triangle whose corners are the patch's.
    static std::string between_corners(const std::string& what) {
        return "(gl_TessCoord.x * gl_in[0]." + what + " + gl_TessCoord.y * gl_in[1]." + what +
               " + gl_TessCoord.z * gl_in[2]." + what + ")";
    }
    static void triangle(GLenum mode = GL_TRIANGLES) {
        gl::Begin(mode);
        gl::Vertex2f(-1, -1);
        gl::Vertex2f(3, -1);
        gl::Vertex2f(-1, 3);
        gl::End();
    }
    static void expect_left(const Byte4& colour) { expect_pixel(2, 2, colour); }
    static void expect_right(const Byte4& colour) { expect_pixel(kSize - 3, 2, colour); }
    static void expect_both(const Byte4& colour) {
        expect_left(colour);
        expect_right(colour);
    }
};

TEST_F(OldStateTest, TwoSidesOnAndOff) {
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER,
          "#version 120\nvoid main() { gl_FrontColor = vec4(1, 0, 0, 1); gl_BackColor = vec4(0, "
          "1, 0, 1); gl_Position = gl_Vertex; }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = gl_Color; }"}}));
    gl::FrontFace(GL_CW);
    for (int round = 0; round < 3; ++round) {
        triangle();
        expect_both(kRed);
        gl::Enable(GL_VERTEX_PROGRAM_TWO_SIDE);
        triangle();
        expect_both(kGreen);
        gl::Disable(GL_VERTEX_PROGRAM_TWO_SIDE);
    }
}

// 13.1: the last stage's colours are clamped, not those on their way to it.
TEST_F(OldStateTest, ColoursAreClampedBehindTheLastStage) {
    if (!has_version(4, 0)) {
        GTEST_SKIP() << "no tessellation";
    }
    const std::string version = "#version 400 compatibility\n";
    gl::UseProgram(
        link({{GL_VERTEX_SHADER, version + "void main() { gl_FrontColor = vec4(0, 4, -4, 1); "
                                           "gl_Position = gl_Vertex; }"},
              {GL_TESS_EVALUATION_SHADER,
               version + "layout(triangles) in; void main() { gl_Position = " +
                   between_corners("gl_Position") +
                   "; gl_FrontColor = gl_in[0].gl_FrontColor * 0.25 + vec4(0, 0, 1, 0.75); }"},
              {GL_FRAGMENT_SHADER, version + "void main() { gl_FragColor = gl_Color; }"}}));
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    triangle(GL_PATCHES);
    expect_both(kGreen);
}

// 18.1.1: FIXED_ONLY is about the framebuffer of the draw.
TEST_F(OldStateTest, ColoursAreClampedForTheFramebufferOfTheDraw) {
    gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    gl::ClampColor(GL_CLAMP_VERTEX_COLOR, GL_FIXED_ONLY);
    gl::Color4f(0, 1.5F, -0.5F, 1);
    const Target fixed = make_target({kSize, kSize});
    const Target floats = make_target({kSize, kSize, GL_RGBA32F});
    gl::ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    for (int round = 0; round < 2; ++round) {
        fixed.bind();
        triangle();
        expect_both(kGreen);
        floats.bind();
        triangle();
        expect_near(pixel_float(2, 2), {0, 1.5F, -0.5F, 1}, 0.001F);
    }
    gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FIXED_ONLY);
    gl::ClampColor(GL_CLAMP_VERTEX_COLOR, GL_TRUE);
    gl::ClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
}

// 13.7: the planes are for the last stage's gl_ClipVertex, which reads the one before it.
TEST_F(OldStateTest, ClipVerticesOfStagesThatComeAndGo) {
    if (!has_version(4, 1)) {
        GTEST_SKIP() << "no program pipelines";
    }
    const std::string block = "gl_PerVertex { vec4 gl_Position; vec4 gl_ClipVertex; }";
    const GLuint pipeline = bind_pipeline(
        {{GL_VERTEX_SHADER_BIT,
          separable_of(
              GL_VERTEX_SHADER,
              "#version 410 compatibility\nout " + block +
                  "; void main() { gl_Position = gl_Vertex; gl_ClipVertex = gl_Vertex; }")},
         {GL_FRAGMENT_SHADER_BIT,
          separable_of(GL_FRAGMENT_SHADER,
                       "#version 410 compatibility\nvoid main() { gl_FragColor = "
                       "vec4(0, 1, 0, 1); }")}});
    const GLuint evaluation = separable_of(
        GL_TESS_EVALUATION_SHADER,
        "#version 410 compatibility\nlayout(triangles) in; in " + block +
            " gl_in[gl_MaxPatchVertices]; out " + block +
            "; void main() { gl_Position = " + between_corners("gl_Position") +
            "; gl_ClipVertex = " + between_corners("gl_ClipVertex") + " * vec4(-1, 1, 1, 1); }");
    gl::PatchParameteri(GL_PATCH_VERTICES, 3);
    const std::array<GLdouble, 4> right{1, 0, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE0, right.data());
    gl::Enable(GL_CLIP_PLANE0);
    for (int round = 0; round < 2; ++round) {
        for (const bool mirrored : {false, true}) {
            gl::UseProgramStages(pipeline, GL_TESS_EVALUATION_SHADER_BIT,
                                 mirrored ? evaluation : 0);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            triangle(mirrored ? GL_PATCHES : GL_TRIANGLES);
            expect_left(mirrored ? kGreen : kBlack);
            expect_right(mirrored ? kBlack : kGreen);
        }
    }
}

class OldListTest : public OldStateTest {
protected:
    static void record(const std::function<void()>& calls) {
        gl::NewList(1, GL_COMPILE);
        calls();
        gl::EndList();
    }
};

// 21.4: a list does what its commands do, with attributes of doubles too.
TEST_F(OldListTest, Doubles) {
    if (!has_version(4, 1)) {
        GTEST_SKIP() << "no attributes of doubles";
    }
    const auto doubles = gl_function<void (*)(GLuint, const GLdouble*)>("glVertexAttribL4dv");
    const auto integers = gl_function<void (*)(GLuint, GLint, GLint)>("glVertexAttribI2i");
    const GLuint program = gl::CreateProgram();
    for (const auto& [type, text] :
         {std::pair<GLenum, std::string>{
              GL_VERTEX_SHADER,
              "#version 410 compatibility\nin dvec4 d; in ivec2 i; flat out vec4 c; void main() { "
              "c "
              "= vec4(d) * 0.1 + vec4(i, 0, 0) * 0.01; gl_Position = gl_Vertex; }"},
          {GL_FRAGMENT_SHADER, "#version 410 compatibility\nflat in vec4 c; void main() { "
                               "gl_FragColor = c; }"}}) {
        gl::AttachShader(program, compile({type, text}));
    }
    gl::BindAttribLocation(program, 3, "d");
    gl::BindAttribLocation(program, 5, "i");
    gl::LinkProgram(program);
    ASSERT_TRUE(did_link(program));
    gl::UseProgram(program);
    record([&] {
        gl::Begin(GL_TRIANGLES);
        for (const auto& [x, y] : {std::pair{-1, -1}, {3, -1}, {-1, 3}}) {
            const double more = x + y;
            const std::array<GLdouble, 4> value{1 + more, 2 + more, 3 + more, 4 + more};
            doubles(3, value.data());
            integers(5, 5, 6);
            gl::Vertex2f(static_cast<float>(x), static_cast<float>(y));
        }
        gl::End();
    });
    make_target({kSize, kSize, GL_RGBA32F});
    gl::CallList(1);
    expect_near(pixel_float(3, 3), {0.35F, 0.46F, 0.5F, 0.6F}, 0.001F);
    std::array<GLint, 4> current{};
    gl_function<PFNGLGETVERTEXATTRIBIIVPROC>("glGetVertexAttribIiv")(5, GL_CURRENT_VERTEX_ATTRIB,
                                                                     current.data());
    EXPECT_EQ(current[0], 5);
    EXPECT_EQ(current[1], 6);
}

// 13.3.2: what doesn't fit the transform feedback is an error, and isn't drawn.
TEST_F(OldListTest, PrimitivesThatDoNotFit) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER,
          "#version 150 compatibility\nout float kept; void main() { kept = 1.0; gl_Position = "
          "gl_Vertex; }"},
         {GL_FRAGMENT_SHADER,
          "#version 150 compatibility\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); }"}},
        [](GLuint name) {
            const char* const kept = "kept";
            gl::TransformFeedbackVaryings(name, 1, &kept, GL_INTERLEAVED_ATTRIBS);
        });
    record([] { triangle(); });
    make_black_target({kSize, kSize});
    gl::UseProgram(program);
    make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(16, 0));
    GLuint query = 0;
    gl::GenQueries(1, &query);
    for (const bool fits : {false, true}) {
        gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                           make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(16, 0)));
        gl::BeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        gl::BeginTransformFeedback(fits ? GL_TRIANGLES : GL_LINES);
        gl::CallList(1);
        gl::EndTransformFeedback();
        gl::EndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        EXPECT_EQ(gl::GetError(), fits ? GLenum{GL_NO_ERROR} : GLenum{GL_INVALID_OPERATION});
        GLuint written = 9;
        gl::GetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
        EXPECT_EQ(written, fits ? 1U : 0U);
        expect_both(fits ? kGreen : kBlack);
    }
    gl::DeleteQueries(1, &query);
}

} // namespace
} // namespace kobalt::gltest
