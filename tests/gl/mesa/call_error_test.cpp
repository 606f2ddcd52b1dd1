// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Errors that calls raise, and which.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

void expect(int error) {
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error));
}

/// An upload into a texture of the internal format, and the error that it raises.
struct Upload {
    GLenum internal;
    GLenum format;
    GLenum type;
    GLenum error;
};

void expect_uploads(std::initializer_list<Upload> uploads) {
    new_texture(GL_TEXTURE_2D);
    for (const auto& [internal, format, type, error] : uploads) {
        gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), 4, 4, 0, format, type,
                       nullptr);
        EXPECT_EQ(gl::GetError(), error)
            << std::hex << internal << " from " << format << " of " << type;
    }
}

class CallErrorTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
};

class CallErrorCompatTest : public CompatTest {};

class CallErrorEsTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }
};

// GL 4.6, 10.3.4.
TEST_F(CallErrorTest, DivisorsOfAttributesBeyondTheLimit) {
    gl::BindVertexArray(0);
    gl::VertexAttribDivisor(std::numeric_limits<GLuint>::max(), 1);
    expect(GL_INVALID_VALUE);
}

// GL 4.6, 8.4.4 and 8.4.4.2.
TEST_F(CallErrorTest, FormatsAndTypesThatDontGoTogether) {
    expect_uploads({{GL_RGBA8UI, GL_RGBA_INTEGER, GL_FLOAT, GL_INVALID_OPERATION},
                    {GL_RG32I, GL_RG_INTEGER, GL_HALF_FLOAT, GL_INVALID_OPERATION},
                    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_5_9_9_9_REV, GL_INVALID_OPERATION}});
    make_target({.color = GL_RGBA8UI});
    Float4 value{};
    gl::ReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_FLOAT, value.data());
    expect(GL_INVALID_OPERATION);
}

// A deletion frees the name and ends the query, so that another one can begin.
TEST_F(CallErrorTest, QueriesThatAreDeletedWhileTheyAreActive) {
    const auto current = [](GLenum target, GLuint index) {
        GLint name = -1;
        gl_function<decltype(&glGetQueryIndexediv)>("glGetQueryIndexediv")(target, index,
                                                                           GL_CURRENT_QUERY, &name);
        return name;
    };
    const auto try_slot = [&](GLenum target, GLuint index) {
        GLuint query = 0;
        gl::GenQueries(1, &query);
        gl::BeginQueryIndexed(target, index, query);
        gl::DeleteQueries(1, &query);
        expect(GL_NO_ERROR);
        EXPECT_FALSE(gl::IsQuery(query));
        EXPECT_EQ(current(target, index), 0);
        GLuint next = 0;
        gl::GenQueries(1, &next); // may have the same name
        gl::BeginQueryIndexed(target, index, next);
        expect(GL_NO_ERROR);
        gl::EndQueryIndexed(target, index);
        expect(GL_NO_ERROR);
        EXPECT_EQ(current(target, index), 0);
        GLuint result = 1;
        gl::GetQueryObjectuiv(next, GL_QUERY_RESULT, &result);
        expect(GL_NO_ERROR);
        gl::GenQueries(1, &query); // those of a context that ends
        gl::BeginQueryIndexed(target, index, query);
        gl::DeleteQueries(1, &query);
        expect(GL_NO_ERROR);
    };
    try_slot(GL_SAMPLES_PASSED, 0);
    try_slot(GL_TIME_ELAPSED, 0);
    try_slot(GL_PRIMITIVES_GENERATED, 1);
    try_slot(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 0);
    try_slot(GL_TRANSFORM_FEEDBACK_OVERFLOW, 0);
    try_slot(GL_PRIMITIVES_SUBMITTED, 0);
}

// GL 4.6, 13.3.2.
TEST_F(CallErrorTest, PipelinesThatAreBoundDuringCapture) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 core\nout vec4 v;\n"
                                 "void main() { v = gl_Position = vec4(0); }"}},
             [](GLuint name) {
                 const char* const varying = "v";
                 gl::TransformFeedbackVaryings(name, 1, &varying, GL_INTERLEAVED_ATTRIBS);
             });
    gl::UseProgram(program);
    bind_new_vao();
    const GLuint buffer = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, std::vector<float>(16));
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    GLuint pipeline = 0;
    gl::GenProgramPipelines(1, &pipeline);
    gl::BeginTransformFeedback(GL_POINTS);
    gl::BindProgramPipeline(pipeline);
    expect(GL_INVALID_OPERATION);
    gl::PauseTransformFeedback();
    gl::BindProgramPipeline(0);
    expect(GL_NO_ERROR);
    gl::ResumeTransformFeedback();
    gl::EndTransformFeedback();
    gl::BindProgramPipeline(0);
    expect(GL_NO_ERROR);
}

// A list sets all values of a parameter, whatever it sets with one value.
TEST_F(CallErrorCompatTest, ListsOfParametersWithSeveralValues) {
    const auto light = gl_function<decltype(&glLightf)>("glLightf");
    const auto get_light = gl_function<decltype(&glGetLightfv)>("glGetLightfv");
    ASSERT_TRUE(light && get_light);
    const auto red_of_light = [&] {
        Float4 value{};
        get_light(GL_LIGHT0, GL_AMBIENT, value.data());
        return value[0];
    };
    const Float4 red{0.5F, 0, 0, 1};
    gl::NewList(1, GL_COMPILE);
    gl::Lightfv(GL_LIGHT0, GL_AMBIENT, red.data());
    light(GL_LIGHT0, GL_SPOT_CUTOFF, 45.0F);
    gl::EndList();
    gl::CallList(1);
    expect(GL_NO_ERROR);
    EXPECT_EQ(red_of_light(), 0.5F);
}

TEST_F(CallErrorCompatTest, SizesOfSecondaryColours) {
    const auto set = gl_function<decltype(&glSecondaryColorPointer)>("glSecondaryColorPointer");
    ASSERT_NE(set, nullptr);
    set(3, GL_FLOAT, 0, nullptr);
    expect(GL_NO_ERROR);
    set(GL_BGRA, GL_UNSIGNED_BYTE, 0, nullptr);
    expect(GL_NO_ERROR);
}

// ES 3.2, 8.5.
TEST_F(CallErrorEsTest, FormatsAndTypesThatDontGoTogether) {
    expect_uploads({{GL_RGBA8UI, GL_RGBA_INTEGER, GL_FLOAT, GL_INVALID_OPERATION},
                    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_5_9_9_9_REV, GL_INVALID_OPERATION},
                    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT, GL_INVALID_OPERATION},
                    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, GL_INVALID_ENUM},
                    {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, GL_NO_ERROR}});
}

// ES 3.2, 8.18.
TEST_F(CallErrorEsTest, FormatsOfStorage) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA, 4, 4);
    expect(GL_INVALID_ENUM);
    for (const GLenum format : std::initializer_list<GLenum>{
             GL_ALPHA8, GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8, GL_RGB565, GL_RGBA8, GL_SRGB8_ALPHA8,
             GL_R11F_G11F_B10F, GL_RGBA32UI, GL_DEPTH_COMPONENT24, GL_DEPTH32F_STENCIL8,
             GL_STENCIL_INDEX8, GL_COMPRESSED_RGBA8_ETC2_EAC, GL_COMPRESSED_R11_EAC}) {
        new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
        EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR}) << std::hex << format;
    }
}

// ES 3.2, 8.6.
TEST_F(CallErrorEsTest, TexelsForCompressedTextures) {
    const std::vector<std::uint8_t> texels(64);
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RGBA8_ETC2_EAC, 8, 8);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    expect(GL_INVALID_OPERATION);
}

} // namespace
} // namespace kobalt::gltest
