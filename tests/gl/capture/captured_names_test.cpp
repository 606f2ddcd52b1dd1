// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Names of what transform feedback captures (OpenGL 4.6, 11.1.2.1), and programs that it is using.
#include "support.h"

namespace kobalt::gltest {
namespace {

/// Whether a vertex shader with the outputs a, of 4 floats, and b links with `names` captured.
bool links_with(const std::string& version, const std::vector<const char*>& names) {
    const std::string precision = version.ends_with("es\n") ? "precision highp float;\n" : "";
    const GLuint program = gl::CreateProgram();
    for (const Stage& stage :
         {Stage{GL_VERTEX_SHADER, version + "out float a[4]; out float b;\nvoid main() { for (int "
                                            "i = 0; i < 4; ++i) a[i] = float(gl_VertexID); b = "
                                            "a[1]; gl_Position = vec4(b); }\n"},
          Stage{GL_FRAGMENT_SHADER,
                version + precision + "out vec4 result;\nvoid main() { result = vec4(1); }\n"}}) {
        gl::AttachShader(program, compile(stage));
    }
    gl::TransformFeedbackVaryings(program, static_cast<GLsizei>(names.size()), names.data(),
                                  GL_INTERLEAVED_ATTRIBS);
    gl::LinkProgram(program);
    return did_link(program);
}

class CapturedNamesTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 1}; }

    /// It captures "b".
    static GLuint capturing_program() {
        return link({{GL_VERTEX_SHADER, "#version 410 core\nout float b; void main() { "
                                        "b = 1.0; gl_Position = vec4(b); }\n"}},
                    [](GLuint name) {
                        const char* const captured = "b";
                        gl::TransformFeedbackVaryings(name, 1, &captured, GL_INTERLEAVED_ATTRIBS);
                    });
    }
};

TEST_F(CapturedNamesTest, ElementsAreCapturedOnce) {
    const std::string version = "#version 410 core\n";
    EXPECT_TRUE(links_with(version, {"a", "b"}));
    EXPECT_TRUE(links_with(version, {"a[0]", "a[2]", "gl_SkipComponents2", "b"}));
    EXPECT_FALSE(links_with(version, {"a[1]", "a[1]"}));
}

TEST_F(CapturedNamesTest, TheNameOfWhatIsCaptured) {
    const GLuint program = capturing_program();
    const auto name_of =
        gl_function<decltype(&glGetTransformFeedbackVarying)>("glGetTransformFeedbackVarying");
    std::array<char, 8> name{};
    GLsizei size = 0;
    GLenum type = GL_NONE;
    name_of(program, 0, static_cast<GLsizei>(name.size()), nullptr, &size, &type, name.data());
    EXPECT_STREQ(name.data(), "b");
}

// 13.3.1: a program that captures is not linked.
TEST_F(CapturedNamesTest, ProgramsThatAreUsedStay) {
    const GLuint program = capturing_program();
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                       make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<std::uint8_t>(64, 0)));
    gl::UseProgram(program);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::LinkProgram(program);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_OPERATION});
    EXPECT_TRUE(did_link(program));
    gl::EndTransformFeedback();
    gl::LinkProgram(program);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

class CapturedNamesEsTest : public EsTest {};

// ES 3.2, 11.1.2.1: a name is that of an output.
TEST_F(CapturedNamesEsTest, OnlyNamesOfOutputs) {
    const std::string version = "#version 300 es\n";
    EXPECT_TRUE(links_with(version, {"a", "b"}));
    EXPECT_FALSE(links_with(version, {"a", "none", "b"}));
}

class CapturedBuiltinsTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 0, false}; }
};

// Compatibility profile, 11.1.2.1: what is captured is active, whether or not a fragment shader
// reads it.
TEST_F(CapturedBuiltinsTest, ThatNoFragmentShaderReads) {
    make_target();
    const std::string version = "#version 130\n";
    for (const std::string fragment :
         {"void main() { gl_FragColor = vec4(1); }",
          "void main() { gl_FragColor = gl_TexCoord[1] + gl_FogFragCoord; }"}) {
        for (const char* const name :
             {"gl_TexCoord[0]", "gl_TexCoord[1]", "gl_FogFragCoord", "gl_FrontColor",
              "gl_FrontSecondaryColor", "gl_BackColor", "gl_BackSecondaryColor", "gl_ClipVertex"}) {
            const bool number = name == std::string_view("gl_FogFragCoord");
            const GLuint program = link(
                {{GL_VERTEX_SHADER, version + "void main() { gl_Position = vec4(0, 0, 0, 1); " +
                                        name + (number ? " = 0.5; }" : " = vec4(0.5); }")},
                 {GL_FRAGMENT_SHADER, version + fragment}},
                [name](GLuint made) {
                    gl::TransformFeedbackVaryings(made, 1, &name, GL_INTERLEAVED_ATTRIBS);
                });
            const GLuint buffer =
                make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(4, -7.0F));
            gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
            gl::UseProgram(program);
            for (const bool clipped : {false, true}) { // which makes distances of gl_ClipVertex
                (clipped ? gl::Enable : gl::Disable)(GL_CLIP_PLANE0);
                gl::BeginTransformFeedback(GL_POINTS);
                gl::DrawArrays(GL_POINTS, 0, 1);
                gl::EndTransformFeedback();
                std::array<float, 4> captured{};
                gl::GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof captured,
                                     captured.data());
                SCOPED_TRACE(std::string(name) + (clipped ? ", clipped; " : "; ") + fragment);
                EXPECT_EQ(captured[0], 0.5F);
                EXPECT_EQ(captured[3], number ? -7.0F : 0.5F);
                const std::array<float, 4> none{-7, -7, -7, -7};
                gl::BufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof none, none.data());
            }
        }
    }
}

} // namespace
} // namespace kobalt::gltest
