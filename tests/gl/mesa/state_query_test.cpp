// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What state is when it is asked for, and what it takes.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLint kMost = std::numeric_limits<GLint>::max();
constexpr GLint kLeast = std::numeric_limits<GLint>::min();

class StateQueryTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    static void expect(int error) { EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)); }
};

class StateQueryCompatTest : public CompatTest {};

// GL 4.6, 2.2.2: the nearest there is.
TEST_F(StateQueryTest, ColoursBeyondOneAsIntegers) {
    gl::BlendColor(2.0F, -3.0F, 1.0F, 0.0F);
    Int4 color{};
    gl::GetIntegerv(GL_BLEND_COLOR, color.data());
    EXPECT_EQ(color, (Int4{kMost, -kMost, kMost, 0}));
}

// 9.2.3: values of a framebuffer are those of its attachments, whether or not it was drawn to.
TEST_F(StateQueryTest, ValuesOfAFramebufferAreOfItsAttachments) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const auto value = [](GLenum name) {
        GLint found = -1;
        gl::GetFramebufferParameteriv(GL_FRAMEBUFFER, name, &found);
        return found;
    };
    for (const auto& [samples, format, read_as] :
         {std::tuple{4, GL_RGBA8, GL_RGBA}, {0, GL_R32UI, GL_RED_INTEGER}, {4, GL_RG8, GL_RG}}) {
        GLuint buffer = 0;
        gl::GenRenderbuffers(1, &buffer);
        gl::BindRenderbuffer(GL_RENDERBUFFER, buffer);
        gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, 4, 4);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
        EXPECT_EQ(value(GL_SAMPLES), samples);
        EXPECT_EQ(value(GL_SAMPLE_BUFFERS), samples ? 1 : 0);
        EXPECT_EQ(value(GL_IMPLEMENTATION_COLOR_READ_FORMAT), read_as);
    }
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 0);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    value(GL_IMPLEMENTATION_COLOR_READ_FORMAT);
    expect(GL_INVALID_OPERATION);
}

// Table 23.17: storage sets no level.
TEST_F(StateQueryTest, TheLastLevelIsWhatItWasSetTo) {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    gl::TexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 4, 4);
    GLint level = 0;
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &level);
    EXPECT_EQ(level, 1000);
}

TEST_F(StateQueryTest, UniformsAsIntegers) {
    const GLuint program = vs_fs("uniform float real; uniform uint natural;\n"
                                 "void main() { gl_Position = vec4(real, float(natural), 0, 1); }",
                                 "out vec4 color; void main() { color = vec4(1); }");
    gl::UseProgram(program);
    const GLint real = gl::GetUniformLocation(program, "real");
    const GLint natural = gl::GetUniformLocation(program, "natural");
    const auto as_integer = [&](GLint location) {
        GLint value = 0;
        gl::GetUniformiv(program, location, &value);
        return value;
    };
    gl::Uniform1f(real, 4e9F);
    EXPECT_EQ(as_integer(real), kMost);
    gl::Uniform1f(real, -4e9F);
    EXPECT_EQ(as_integer(real), kLeast);
    gl::Uniform1f(real, -1.6F);
    EXPECT_EQ(as_integer(real), -2);
    gl::Uniform1ui(natural, 0xfffffff0U);
    EXPECT_EQ(as_integer(natural), kMost);
    gl::Uniform1f(real, 1e10F);
    GLuint value = 0;
    gl::GetUniformuiv(program, real, &value);
    EXPECT_EQ(value, std::numeric_limits<GLuint>::max());
}

TEST_F(StateQueryTest, AttributesAsIntegersAreRounded) {
    gl::VertexAttrib4f(3, 1.5F, -1.6F, 2.4F, 3.0F);
    Int4 value{};
    gl::GetVertexAttribiv(3, GL_CURRENT_VERTEX_ATTRIB, value.data());
    EXPECT_EQ(value, (Int4{2, -2, 2, 3}));
}

// GL 4.6, 9.2.8: of a whole cube map no face is attached.
TEST_F(StateQueryTest, FaceOfAnAttachedCubeMap) {
    make_black_target({8, 8});
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 8, 8);
    const auto face = [] {
        GLint value = -1;
        gl::GetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                                GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
                                                &value);
        return value;
    };
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                             cube, 0);
    EXPECT_EQ(face(), GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, cube, 0);
    EXPECT_EQ(face(), GL_NONE);
}

TEST_F(StateQueryTest, FixedSampleLocationsAreABoolean) {
    make_black_target({8, 8});
    gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS, 5);
    GLint value = 0;
    gl::GetFramebufferParameteriv(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS,
                                  &value);
    EXPECT_EQ(value, GL_TRUE);
}

// GL 4.6, 8.10: only their base level is bound to be 0.
TEST_F(StateQueryTest, LastLevelOfARectangle) {
    new_texture(GL_TEXTURE_RECTANGLE);
    gl::TexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAX_LEVEL, 3);
    GLint value = 0;
    gl::GetTexParameteriv(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAX_LEVEL, &value);
    EXPECT_EQ(value, 3);
    gl::TexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_BASE_LEVEL, 3);
    expect(GL_INVALID_OPERATION);
}

// GL 4.6, 4.1.3.
TEST_F(StateQueryTest, LengthOfWhatASyncObjectSaysIsWhatIsWritten) {
    const GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLint value = 7;
    GLsizei length = -1;
    gl::GetSynciv(sync, GL_OBJECT_TYPE, 0, &length, &value);
    EXPECT_EQ(length, 0);
    EXPECT_EQ(value, 7);
    gl::GetSynciv(sync, GL_OBJECT_TYPE, 4, &length, &value);
    EXPECT_EQ(length, 1);
    EXPECT_EQ(value, GL_SYNC_FENCE);
    gl::DeleteSync(sync);
}

// GL 4.6, 20.9 and 2.3.1: an error changes nothing.
TEST_F(StateQueryTest, LabelsThatAreTooLong) {
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(4));
    const auto label = [&] {
        std::array<char, 16> text{};
        gl::GetObjectLabel(GL_BUFFER, buffer, text.size(), nullptr, text.data());
        return std::string(text.data());
    };
    gl::ObjectLabel(GL_BUFFER, buffer, -1, "kept");
    GLint most = 0;
    gl::GetIntegerv(GL_MAX_LABEL_LENGTH, &most);
    const std::string text(static_cast<size_t>(most), 'x');
    for (const GLsizei length : {-1, most, kMost}) {
        gl::ObjectLabel(GL_BUFFER, buffer, length, text.c_str());
        expect(GL_INVALID_VALUE);
        EXPECT_EQ(label(), "kept");
    }
    gl::ObjectLabel(GL_BUFFER, buffer, 3, "shorter");
    EXPECT_EQ(label(), "sho");
}

// GL 4.6, 20.9: INVALID_VALUE where the name is not that of an object. A name that was generated
// becomes one's when it is bound.
TEST_F(StateQueryTest, LabelsOfNamesWithoutObjects) {
    std::array<GLuint, 2> names{};
    gl::GenBuffers(1, &names[0]);
    gl::GenFramebuffers(1, &names[1]);
    const std::array<GLenum, 2> kinds{GL_BUFFER, GL_FRAMEBUFFER};
    std::array<char, 16> text{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        SCOPED_TRACE(kinds.at(i));
        gl::ObjectLabel(kinds.at(i), names.at(i), -1, "none");
        expect(GL_INVALID_VALUE);
        gl::GetObjectLabel(kinds.at(i), names.at(i), text.size(), nullptr, text.data());
        expect(GL_INVALID_VALUE);
    }
    gl::BindBuffer(GL_ARRAY_BUFFER, names[0]);
    gl::BindFramebuffer(GL_FRAMEBUFFER, names[1]);
    for (size_t i = 0; i < kinds.size(); ++i) {
        SCOPED_TRACE(kinds.at(i));
        gl::GetObjectLabel(kinds.at(i), names.at(i), text.size(), nullptr, text.data());
        EXPECT_STREQ(text.data(), "");
        gl::ObjectLabel(kinds.at(i), names.at(i), -1, "label");
        gl::GetObjectLabel(kinds.at(i), names.at(i), text.size(), nullptr, text.data());
        EXPECT_STREQ(text.data(), "label");
        text = {};
    }
    gl::BindFramebuffer(GL_FRAMEBUFFER, 0);
}

// GL 4.6, table 23.3: the offset of a vertex buffer binding is a 64-bit value.
TEST_F(StateQueryTest, OffsetsOfVertexBuffersBeyondAnInt) {
    if (sizeof(GLintptr) < sizeof(GLint64)) {
        GTEST_SKIP() << "a GLintptr has 32 bits";
    }
    bind_new_vao();
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(4));
    for (const GLint64 offset : {GLint64{1} << 32, (GLint64{5} << 32) + 16}) {
        gl::BindVertexBuffer(1, buffer, static_cast<GLintptr>(offset), 16);
        GLint64 found = -1;
        gl::GetInteger64i_v(GL_VERTEX_BINDING_OFFSET, 1, &found);
        EXPECT_EQ(found, offset);
    }
}

// GL 4.6, 13.2.2: the range that was given, whatever the size of the buffer is, and zeros where no
// buffer is bound.
TEST_F(StateQueryTest, RangesOfCaptureBuffers) {
    const auto bind =
        gl_function<PFNGLTRANSFORMFEEDBACKBUFFERRANGEPROC>("glTransformFeedbackBufferRange");
    const auto get = gl_function<PFNGLGETTRANSFORMFEEDBACKI64_VPROC>("glGetTransformFeedbacki64_v");
    GLuint feedback = 0;
    gl::GenTransformFeedbacks(1, &feedback);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(16));
    bind(feedback, 0, buffer, 16, 1024);
    bind(feedback, 1, 0, 8, 32);
    expect(GL_NO_ERROR);
    const auto value = [&](GLenum what, GLuint index) {
        GLint64 found = -1;
        get(feedback, what, index, &found);
        return found;
    };
    EXPECT_EQ(value(GL_TRANSFORM_FEEDBACK_BUFFER_START, 0), 16);
    EXPECT_EQ(value(GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, 0), 1024);
    EXPECT_EQ(value(GL_TRANSFORM_FEEDBACK_BUFFER_START, 1), 0);
    EXPECT_EQ(value(GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, 1), 0);
    gl::BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

// GL 4.6, 6.1.1.
TEST_F(StateQueryTest, BuffersFromBeforeTheirBegin) {
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, std::vector<float>(4096));
    for (const GLenum target : {GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
                                GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER}) {
        gl::BindBufferRange(target, 0, buffer, -4096, 16);
        expect(GL_INVALID_VALUE);
    }
}

TEST_F(StateQueryTest, PerformanceQueriesThatAreNotThere) {
    if (gl::GetFirstPerfQueryIdINTEL == nullptr || has_extension("GL_INTEL_performance_query")) {
        GTEST_SKIP() << "GL_INTEL_performance_query is there, or its functions aren't";
    }
    GLuint name = 0;
    gl::GetFirstPerfQueryIdINTEL(&name);
    EXPECT_NE(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    gl::CreatePerfQueryINTEL(1, &name);
    EXPECT_NE(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    std::array<char, 8> text{"none"};
    gl::GetPerfQueryIdByNameINTEL(text.data(), &name);
    EXPECT_NE(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

// GL 4.6 (Compatibility Profile), table 23.20.
TEST_F(StateQueryCompatTest, TargetOfATexture) {
    new_texture(GL_TEXTURE_2D);
    GLint value = 0;
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_TARGET, &value);
    EXPECT_EQ(value, GL_TEXTURE_2D);
}

TEST_F(StateQueryCompatTest, AttributesBeyondTheLast) {
    if (gl::VertexAttribs4fvNV == nullptr) {
        GTEST_SKIP() << "glVertexAttribs4fvNV isn't there";
    }
    const std::vector<float> values(256, 1.0F);
    for (const GLuint first : {0xffffffffU, 0x7fffffffU, 64U}) {
        gl::VertexAttribs4fvNV(first, 5, values.data());
    }
}

} // namespace
} // namespace kobalt::gltest
