// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// As lax as the drivers that programs were written on: calls that are errors by the letter of the
// specification, that programs make all the same, and that other drivers accept. No call may raise
// an error. The shaders are in lax_shader_test.cpp.
#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kExternal = 0x8D65;  // GL_TEXTURE_EXTERNAL_OES
constexpr GLenum kBlueFirst = 0x80E1; // GL_BGRA_EXT
constexpr GLenum kUnusedBit = 0x10;   // of those that glMemoryBarrier takes

struct Call {
    const char* name;
    void (*make)();
    const char* needs = nullptr; ///< an extension
};

template <typename Base>
class LaxCallTest : public Base, public testing::WithParamInterface<Call> {
protected:
    Missing missing() const override {
        const char* const needs = GetParam().needs;
        return needs ? this->lacks(needs) : Missing{};
    }
    static void expect_no_error() {
        GetParam().make();
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    }
};

class CoreContext : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 5}; }
};

class Es32Context : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 2, false}; }
};

class Es11Context : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 1, 1, false}; }
};

class LaxCoreTest : public LaxCallTest<CoreContext> {};
class LaxCompatTest : public LaxCallTest<CompatTest> {};
class LaxEsTest : public LaxCallTest<Es32Context> {};
class LaxEs1Test : public LaxCallTest<Es11Context> {};

template <typename Function, typename... Arguments>
void call(const char* name, Arguments... arguments) {
    if (const auto function = gl_function<Function>(name)) {
        function(arguments...);
    }
}

void set_parameter(const char* name, GLenum parameter, GLfloat value) {
    call<void(APIENTRY*)(GLenum, GLfloat)>(name, parameter, value);
}

void set_parameter_of(const char* name, GLenum object, GLenum parameter, GLfloat value) {
    call<void(APIENTRY*)(GLenum, GLenum, GLfloat)>(name, object, parameter, value);
}

void set_fixed(const char* name, GLenum parameter, GLint value) {
    call<void(APIENTRY*)(GLenum, GLint)>(name, parameter, value);
}

void unbind_range(GLenum target, GLsizeiptr size) {
    gl::BindBufferRange(target, 0, 0, 0, size);
}

void store(GLenum format) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
}

/// There is no level to be made behind the only one, whose format could not be filtered.
void make_no_level() {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, 4, 4, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    gl::GenerateMipmap(GL_TEXTURE_2D);
}

void make_no_level_of_an_incomplete_cube() {
    new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, 0);
    gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    gl::GenerateMipmap(GL_TEXTURE_CUBE_MAP);
}

/// Another query of the target begins though the one that was active has never ended.
void begin_behind_a_deleted_query() {
    std::array<GLuint, 2> queries{};
    gl::GenQueries(2, queries.data());
    gl::BeginQuery(GL_SAMPLES_PASSED, queries[0]);
    gl::DeleteQueries(1, queries.data());
    gl::BeginQuery(GL_SAMPLES_PASSED, queries[1]);
    gl::EndQuery(GL_SAMPLES_PASSED);
}

void stamp_a_query_that_was_not_generated() {
    GLuint query = 0;
    gl::GenQueries(1, &query);
    gl::DeleteQueries(1, &query);
    gl::QueryCounter(query, GL_TIMESTAMP);
}

/// The pipeline that is bound already: nothing changes.
void bind_the_same_pipeline_during_capture() {
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
    gl::EndTransformFeedback();
}

void attach_an_array_as_one_image() {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 8, 8, 6);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_ARRAY, texture, 0);
}

void clear_the_depth_of_depth_and_stencil() {
    const GLuint texture =
        texture_2d(GL_DEPTH24_STENCIL8, 4, 4, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, nullptr);
    const GLuint depth = 0;
    gl::ClearTexImage(texture, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &depth);
}

void find_a_uniform_by_empty_brackets() {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 330 core\nuniform float values[2];\n"
                                 "void main() { gl_Position = vec4(values[0] + values[1]); }"}});
    EXPECT_NE(gl::GetUniformLocation(program, "values[]"), -1);
}

constexpr Call kCoreCalls[] = {
    {"EnableVertexAttribArrayWithoutAnArrayObject", [] { gl::EnableVertexAttribArray(0); }},
    {"VertexAttribDivisorWithoutAnArrayObject", [] { gl::VertexAttribDivisor(0, 1); }},
    {"GetVertexAttribWithoutAnArrayObject",
     [] {
         std::array<GLint, 4> values{};
         gl::GetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, values.data());
     }},
    {"GetVertexAttribPointerWithoutAnArrayObject",
     [] {
         void* pointer = nullptr;
         call<decltype(&glGetVertexAttribPointerv)>("glGetVertexAttribPointerv", 0U,
                                                    GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
     }},
    {"TexStorageOfStencilWithoutASize", [] { store(GL_STENCIL_INDEX); }},
    {"BeginQueryBehindADeletedOne", begin_behind_a_deleted_query},
    {"QueryCounterOfANewName", stamp_a_query_that_was_not_generated},
    {"BindProgramPipelineDuringCapture", bind_the_same_pipeline_during_capture},
    {"EnableSampleCoverageInvert", [] { gl::Enable(GL_SAMPLE_COVERAGE_INVERT); }},
    {"PointSizeMin", [] { gl::PointParameteri(GL_POINT_SIZE_MIN, 1); }},
    {"PointSizeMax", [] { gl::PointParameteri(GL_POINT_SIZE_MAX, 1); }},
    {"FramebufferTexture2DOfAnArray", attach_an_array_as_one_image},
    {"TransformFeedbackBufferBaseOfANewName",
     [] {
         GLuint feedback = 0;
         gl::GenTransformFeedbacks(1, &feedback);
         gl::TransformFeedbackBufferBase(feedback, 0, 0);
     }},
    {"MemoryBarrierOfUnknownBits", [] { gl::MemoryBarrier(kUnusedBit); }},
    {"BindBufferRangeUnbindsUniforms", [] { unbind_range(GL_UNIFORM_BUFFER, 0); }},
    {"BindBufferRangeUnbindsStorage", [] { unbind_range(GL_SHADER_STORAGE_BUFFER, -1); }},
    {"BindBufferRangeUnbindsCounters", [] { unbind_range(GL_ATOMIC_COUNTER_BUFFER, -1); }},
    {"BindBufferRangeUnbindsCaptures", [] { unbind_range(GL_TRANSFORM_FEEDBACK_BUFFER, 0); }},
    {"GenerateMipmapOfIntegersWithOneLevel", make_no_level},
    {"GenerateMipmapOfAnIncompleteCube", make_no_level_of_an_incomplete_cube},
    {"ClearTexImageOfDepthAlone", clear_the_depth_of_depth_and_stencil},
    {"GetUniformLocationWithEmptyBrackets", find_a_uniform_by_empty_brackets},
};

TEST_P(LaxCoreTest, RaisesNoError) {
    expect_no_error();
}

// One value where the specification wants several.
constexpr Call kCompatCalls[] = {
    {"LightAmbient", [] { set_parameter_of("glLightf", GL_LIGHT0, GL_AMBIENT, 1); }},
    {"LightPosition", [] { set_parameter_of("glLightf", GL_LIGHT0, GL_POSITION, 1); }},
    {"LightModelAmbient", [] { set_parameter("glLightModelf", GL_LIGHT_MODEL_AMBIENT, 1); }},
    {"MaterialAmbient", [] { gl::Materialf(GL_FRONT, GL_AMBIENT, 1); }},
    {"FogColor", [] { gl::Fogf(GL_FOG_COLOR, 1); }},
    {"TexGenPlane", [] { set_parameter_of("glTexGenf", GL_S, GL_OBJECT_PLANE, 1); }},
    {"TexEnvColor", [] { gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 1); }},
    {"PointAttenuation", [] { gl::PointParameteri(GL_POINT_DISTANCE_ATTENUATION, 1); }},
    {"SecondaryColorsOfFour",
     [] {
         call<decltype(&glSecondaryColorPointer)>("glSecondaryColorPointer", 4, GL_FLOAT, 0,
                                                  nullptr);
     }},
};

TEST_P(LaxCompatTest, RaisesNoError) {
    expect_no_error();
}

void point_to(GLint size, GLenum type, GLsizei stride) {
    bind_new_vao();
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>(16));
    gl::VertexAttribPointer(0, size, type, GL_TRUE, stride, nullptr);
}

void blit_within_an_image() {
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    bind_texture_target(texture, 8, 8);
    GLint from = 0;
    gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &from);
    bind_texture_target(texture, 8, 8);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(from));
    gl::BlitFramebuffer(0, 0, 2, 2, 4, 4, 6, 6, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void bind_an_image_of_samples() {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
    call<decltype(&glTexStorage2DMultisample)>("glTexStorage2DMultisample",
                                               GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 4, 4,
                                               static_cast<GLboolean>(GL_TRUE));
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
}

GLuint new_sampler() {
    GLuint sampler = 0;
    gl::GenSamplers(1, &sampler);
    gl::BindSampler(0, sampler);
    return sampler;
}

constexpr Call kEsCalls[] = {
    {"VertexAttribPointerOfBlueFirst", [] { point_to(GL_BGRA, GL_UNSIGNED_BYTE, 0); }},
    {"VertexAttribPointerWithALongStride",
     [] {
         GLint most = 0;
         gl::GetIntegerv(GL_MAX_VERTEX_ATTRIB_STRIDE, &most);
         point_to(4, GL_FLOAT, most + 4);
     }},
    {"PackImageHeight", [] { gl::PixelStorei(GL_PACK_IMAGE_HEIGHT, 0); }},
    {"PackSkipImages", [] { gl::PixelStorei(GL_PACK_SKIP_IMAGES, 0); }},
    {"GetPackImageHeight",
     [] {
         GLint value = 0;
         gl::GetIntegerv(GL_PACK_IMAGE_HEIGHT, &value);
     }},
    {"BiasOfASampler", [] { gl::SamplerParameteri(new_sampler(), GL_TEXTURE_LOD_BIAS, 0); }},
    {"GetBiasOfASampler",
     [] {
         GLint value = 0;
         gl::GetSamplerParameteriv(new_sampler(), GL_TEXTURE_LOD_BIAS, &value);
     }},
    {"GetSwizzleOfATexture",
     [] {
         std::array<GLint, 4> values{};
         new_texture(GL_TEXTURE_2D);
         gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, values.data());
     }},
    {"GetDoubleBufferOfAFramebuffer",
     [] {
         GLint value = 0;
         make_target();
         gl::GetFramebufferParameteriv(GL_FRAMEBUFFER, GL_DOUBLEBUFFER, &value);
     }},
    {"MemoryBarrierOfQueryBuffers", [] { gl::MemoryBarrier(GL_QUERY_BUFFER_BARRIER_BIT); }},
    {"MemoryBarrierOfUnknownBits", [] { gl::MemoryBarrier(kUnusedBit); }},
    {"TexStorageOfFourBits", [] { store(GL_RGB4); }},
    {"TexStorageOfTwelveBits", [] { store(GL_RGBA12); }},
    {"TexStorageOfIntensity", [] { store(GL_INTENSITY8); }},
    {"TexImageOfBlueFirstFromRedFirst",
     [] {
         new_texture(GL_TEXTURE_2D);
         gl::TexImage2D(GL_TEXTURE_2D, 0, kBlueFirst, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
     },
     "GL_EXT_texture_format_BGRA8888"},
    {"TexImageOfAProxy",
     [] {
         gl::TexImage3D(GL_PROXY_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 4, 4, 6, 0, GL_RGBA,
                        GL_UNSIGNED_BYTE, nullptr);
     }},
    {"GetTextureMatrix",
     [] {
         std::array<GLint, 16> values{};
         gl::GetIntegeri_v(GL_TEXTURE_MATRIX, 0, values.data());
     }},
    {"EnableExternalTextures", [] { gl::Enable(kExternal); }, "GL_OES_EGL_image_external"},
    {"BlitWithinAnImage", blit_within_an_image},
    {"BindImageTextureOfSamples", bind_an_image_of_samples},
    {"BindBufferRangeUnbinds", [] { unbind_range(GL_UNIFORM_BUFFER, 0); }},
    {"GenerateMipmapOfIntegersWithOneLevel", make_no_level},
    {"GenerateMipmapOfAnIncompleteCube", make_no_level_of_an_incomplete_cube},
};

TEST_P(LaxEsTest, RaisesNoError) {
    expect_no_error();
}

constexpr Call kEs1Calls[] = {
    {"IndexArray", [] { gl::EnableClientState(GL_INDEX_ARRAY); }},
    {"EdgeFlagArray", [] { gl::EnableClientState(GL_EDGE_FLAG_ARRAY); }},
    {"FogCoordArray", [] { gl::EnableClientState(GL_FOG_COORD_ARRAY); }},
    {"SecondaryColorArray", [] { gl::EnableClientState(GL_SECONDARY_COLOR_ARRAY); }},
    {"MatrixModeOfAUnit", [] { gl::MatrixMode(GL_TEXTURE0); }},
    {"Combine4", [] { gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE4_NV); }},
    {"EnableTexture3D", [] { gl::Enable(GL_TEXTURE_3D); }},
    {"ActiveTextureBehindTheLastUnit",
     [] {
         GLint units = 0;
         gl::GetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
         gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(units));
     }},
    {"LightAmbient",
     [] { call<void(APIENTRY*)(GLenum, GLenum, GLint)>("glLightx", GL_LIGHT0, GL_AMBIENT, 1); }},
    {"LightModelAmbient", [] { set_fixed("glLightModelx", GL_LIGHT_MODEL_AMBIENT, 1); }},
    {"FogColor", [] { set_fixed("glFogx", GL_FOG_COLOR, 1); }},
    {"PointAttenuation", [] { set_fixed("glPointParameterx", GL_POINT_DISTANCE_ATTENUATION, 1); }},
};

TEST_P(LaxEs1Test, RaisesNoError) {
    expect_no_error();
}

constexpr auto kNameOf = [](const auto& instance) { return instance.param.name; };
INSTANTIATE_TEST_SUITE_P(Calls, LaxCoreTest, testing::ValuesIn(kCoreCalls), kNameOf);
INSTANTIATE_TEST_SUITE_P(Calls, LaxCompatTest, testing::ValuesIn(kCompatCalls), kNameOf);
INSTANTIATE_TEST_SUITE_P(Calls, LaxEsTest, testing::ValuesIn(kEsCalls), kNameOf);
INSTANTIATE_TEST_SUITE_P(Calls, LaxEs1Test, testing::ValuesIn(kEs1Calls), kNameOf);

} // namespace
} // namespace kobalt::gltest
