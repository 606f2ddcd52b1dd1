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

GLenum error_of_upload(GLenum internal, GLenum format, GLenum type) {
    gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), 4, 4, 0, format, type, nullptr);
    return gl::GetError();
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

class CallErrorEs1Test : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 1, 1, false}; }
};

// GL 4.6, 10.3 and 10.5.
TEST_F(CallErrorTest, ArraysWithoutAnArrayObject) {
    const auto get_pointer =
        gl_function<decltype(&glGetVertexAttribPointerv)>("glGetVertexAttribPointerv");
    const auto get_float = gl_function<decltype(&glGetVertexAttribfv)>("glGetVertexAttribfv");
    const auto get_integer = gl_function<decltype(&glGetVertexAttribIiv)>("glGetVertexAttribIiv");
    ASSERT_TRUE(get_pointer && get_float && get_integer);
    std::array<GLint, 4> integers{};
    std::array<float, 4> floats{};
    void* pointer = nullptr;
    const auto all = [&](int error) {
        gl::EnableVertexAttribArray(0);
        expect(error);
        gl::VertexAttribDivisor(0, 1);
        expect(error);
        gl::GetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, integers.data());
        expect(error);
        get_float(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, floats.data());
        expect(error);
        get_integer(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, integers.data());
        expect(error);
        get_pointer(0, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
        expect(error);
    };
    gl::BindVertexArray(0);
    all(GL_INVALID_OPERATION);
    gl::VertexAttribDivisor(std::numeric_limits<GLuint>::max(), 1);
    expect(GL_INVALID_VALUE);
    get_float(0, GL_CURRENT_VERTEX_ATTRIB, floats.data());
    expect(GL_NO_ERROR);
    bind_new_vao();
    all(GL_NO_ERROR);
}

// GL 4.6, 8.4.4 and 8.4.4.2.
TEST_F(CallErrorTest, FormatsAndTypesThatDontGoTogether) {
    new_texture(GL_TEXTURE_2D);
    const GLenum mismatch = GL_INVALID_OPERATION;
    EXPECT_EQ(error_of_upload(GL_RGBA8UI, GL_RGBA_INTEGER, GL_FLOAT), mismatch);
    EXPECT_EQ(error_of_upload(GL_RG32I, GL_RG_INTEGER, GL_HALF_FLOAT), mismatch);
    EXPECT_EQ(error_of_upload(GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_5_9_9_9_REV), mismatch);
    make_target({.color = GL_RGBA8UI});
    Float4 value{};
    gl::ReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_FLOAT, value.data());
    expect(GL_INVALID_OPERATION);
}

// GL 4.6, 8.19.
// GL 4.6, 2.3.1.
TEST_F(CallErrorTest, ReadsOfWhatIsNoFormat) {
    make_target({4, 4});
    std::array<std::uint8_t, 16> value{};
    gl::ReadPixels(0, 0, 1, 1, GL_TEXTURE_2D, GL_UNSIGNED_BYTE, value.data());
    expect(GL_INVALID_ENUM);
}

TEST_F(CallErrorTest, StorageOfStencilsWithoutASize) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_STENCIL_INDEX, 4, 4);
    expect(GL_INVALID_ENUM);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_STENCIL_INDEX8, 4, 4);
    expect(GL_NO_ERROR);
}

// GL 4.6, 4.2.2: the name goes at once, the query when it is ended.
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
        EXPECT_EQ(current(target, index), static_cast<GLint>(query));
        GLuint next = 0;
        gl::GenQueries(1, &next); // may have the same name
        gl::BeginQueryIndexed(target, index, next);
        expect(GL_INVALID_OPERATION);
        gl::EndQueryIndexed(target, index);
        expect(GL_NO_ERROR);
        EXPECT_EQ(current(target, index), 0);
        gl::BeginQueryIndexed(target, index, next);
        gl::EndQueryIndexed(target, index);
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
TEST_F(CallErrorTest, PipelinesThatAreBoundAgainDuringCapture) {
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
    gl::BeginTransformFeedback(GL_POINTS);
    gl::BindProgramPipeline(0);
    expect(GL_INVALID_OPERATION);
    gl::PauseTransformFeedback();
    gl::BindProgramPipeline(0);
    expect(GL_NO_ERROR);
    gl::ResumeTransformFeedback();
    gl::EndTransformFeedback();
    gl::BindProgramPipeline(0);
    expect(GL_NO_ERROR);
}

TEST_F(CallErrorTest, WhatCoreProfilesDontHave) {
    gl::Enable(GL_SAMPLE_COVERAGE_INVERT);
    expect(GL_INVALID_ENUM);
    for (const GLenum name : {GL_POINT_SIZE_MIN, GL_POINT_SIZE_MAX}) {
        gl::PointParameteri(name, 1);
        expect(GL_INVALID_ENUM);
    }
    gl::PointParameteri(GL_POINT_FADE_THRESHOLD_SIZE, 1);
    expect(GL_NO_ERROR);
}

TEST_F(CallErrorCompatTest, OneValueForParametersOfSeveral) {
    const auto light = gl_function<decltype(&glLightf)>("glLightf");
    const auto get_light = gl_function<decltype(&glGetLightfv)>("glGetLightfv");
    ASSERT_TRUE(light && get_light);
    const auto red_of_light = [&] {
        Float4 value{};
        get_light(GL_LIGHT0, GL_AMBIENT, value.data());
        return value[0];
    };
    light(GL_LIGHT0, GL_AMBIENT, 1.0F);
    expect(GL_INVALID_ENUM);
    gl_function<decltype(&glLighti)>("glLighti")(GL_LIGHT0, GL_POSITION, 1);
    expect(GL_INVALID_ENUM);
    gl_function<decltype(&glLightModelf)>("glLightModelf")(GL_LIGHT_MODEL_AMBIENT, 1.0F);
    expect(GL_INVALID_ENUM);
    gl::Fogf(GL_FOG_COLOR, 1.0F);
    expect(GL_INVALID_ENUM);
    gl_function<decltype(&glTexGend)>("glTexGend")(GL_S, GL_OBJECT_PLANE, 1.0);
    expect(GL_INVALID_ENUM);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 1);
    expect(GL_INVALID_ENUM);
    gl::PointParameteri(GL_POINT_DISTANCE_ATTENUATION, 1);
    expect(GL_INVALID_ENUM);

    // A list sets all values.
    const Float4 red{0.5F, 0, 0, 1};
    gl::NewList(1, GL_COMPILE);
    gl::Lightfv(GL_LIGHT0, GL_AMBIENT, red.data());
    light(GL_LIGHT0, GL_SPOT_CUTOFF, 45.0F);
    gl::EndList();
    gl::CallList(1);
    expect(GL_NO_ERROR);
    EXPECT_EQ(red_of_light(), 0.5F);
}

TEST_F(CallErrorCompatTest, FourComponentsOfSecondaryColours) {
    const auto set = gl_function<decltype(&glSecondaryColorPointer)>("glSecondaryColorPointer");
    ASSERT_NE(set, nullptr);
    set(4, GL_FLOAT, 0, nullptr);
    expect(GL_INVALID_VALUE);
    set(3, GL_FLOAT, 0, nullptr);
    expect(GL_NO_ERROR);
    set(GL_BGRA, GL_UNSIGNED_BYTE, 0, nullptr);
    expect(GL_NO_ERROR);
}

// ES 3.2, 8.5.
TEST_F(CallErrorEsTest, FormatsAndTypesThatDontGoTogether) {
    new_texture(GL_TEXTURE_2D);
    const GLenum mismatch = GL_INVALID_OPERATION;
    EXPECT_EQ(error_of_upload(GL_RGBA8UI, GL_RGBA_INTEGER, GL_FLOAT), mismatch);
    EXPECT_EQ(error_of_upload(GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_5_9_9_9_REV), mismatch);
    EXPECT_EQ(error_of_upload(GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT), mismatch);
    EXPECT_EQ(error_of_upload(GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8), GLenum{GL_INVALID_ENUM});
    EXPECT_EQ(error_of_upload(GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV),
              GLenum{GL_NO_ERROR});
}

// ES 3.2, 8.18.
TEST_F(CallErrorEsTest, FormatsOfStorage) {
    for (const GLenum format : std::initializer_list<GLenum>{
             1, 4, GL_R3_G3_B2, GL_INTENSITY8, GL_LUMINANCE12, GL_RGB4, GL_RGBA2, GL_RGBA12,
             GL_SRGB, GL_STENCIL_INDEX, GL_STENCIL_INDEX16, GL_ALPHA16, GL_RGBA}) {
        new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
        EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_ENUM}) << std::hex << format;
    }
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

TEST_F(CallErrorEsTest, WhatOnlyOthersHave) {
    constexpr GLenum external = 0x8D65;
    GLint value = 0;
    gl::TexImage3D(GL_PROXY_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 4, 4, 6, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, nullptr);
    expect(GL_INVALID_ENUM);
    GLuint sampler = 0;
    gl::GenSamplers(1, &sampler);
    gl::BindSampler(0, sampler);
    gl::GetSamplerParameteriv(sampler, GL_TEXTURE_CUBE_MAP_SEAMLESS, &value);
    expect(GL_INVALID_ENUM);
    gl::GetIntegeri_v(GL_TEXTURE_MATRIX, 0, &value);
    expect(GL_INVALID_ENUM);
    gl::Enable(external);
    expect(GL_INVALID_ENUM);
}

TEST_F(CallErrorEs1Test, WhatEs1Lacks) {
    for (const GLenum array :
         {GL_INDEX_ARRAY, GL_EDGE_FLAG_ARRAY, GL_FOG_COORD_ARRAY, GL_SECONDARY_COLOR_ARRAY}) {
        gl::EnableClientState(array);
        expect(GL_INVALID_ENUM);
    }
    gl::EnableClientState(GL_COLOR_ARRAY);
    expect(GL_NO_ERROR);
    gl::MatrixMode(GL_TEXTURE0);
    expect(GL_INVALID_ENUM);
    gl::MatrixMode(GL_TEXTURE);
    expect(GL_NO_ERROR);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE4_NV);
    expect(GL_INVALID_ENUM);
    gl::Enable(GL_TEXTURE_3D);
    expect(GL_INVALID_ENUM);
}

TEST_F(CallErrorEs1Test, OneValueForParametersOfSeveral) {
    using Set = void (*)(GLenum, GLint);
    using SetOf = void (*)(GLenum, GLenum, GLint);
    gl_function<SetOf>("glLightx")(GL_LIGHT0, GL_AMBIENT, 1);
    expect(GL_INVALID_ENUM);
    gl_function<Set>("glLightModelx")(GL_LIGHT_MODEL_AMBIENT, 1);
    expect(GL_INVALID_ENUM);
    gl_function<Set>("glFogx")(GL_FOG_COLOR, 1);
    expect(GL_INVALID_ENUM);
    gl_function<Set>("glPointParameterx")(GL_POINT_DISTANCE_ATTENUATION, 1);
    expect(GL_INVALID_ENUM);
    gl_function<SetOf>("glLightx")(GL_LIGHT0, GL_SPOT_EXPONENT, 1 << 16);
    gl_function<Set>("glFogx")(GL_FOG_MODE, GL_LINEAR);
    expect(GL_NO_ERROR);
}

} // namespace
} // namespace kobalt::gltest
