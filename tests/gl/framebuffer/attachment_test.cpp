// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What may be attached to framebuffers, when they are complete with it, and what is said of it.
#include "support.h"

namespace kobalt::gltest {
namespace {

class AttachmentTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    void prepare() override {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    }
};

class AttachmentEsTest : public AttachmentTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 2, false}; }
};

void expect_error(int error) {
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error));
}

void expect_status(int status) {
    EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), static_cast<GLenum>(status));
}

/// A texture of the target with 6 layers, faces or slices.
GLuint texture_of(GLenum target) {
    const GLuint texture = new_texture(target);
    if (target == GL_TEXTURE_1D_ARRAY) {
        gl::TexStorage2D(target, 1, GL_RGBA8, 8, 6);
    } else if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY) {
        gl_function<decltype(&glTexStorage3DMultisample)>("glTexStorage3DMultisample")(
            target, 4, GL_RGBA8, 8, 8, 6, GL_TRUE);
    } else if (target == GL_TEXTURE_CUBE_MAP) {
        gl::TexStorage2D(target, 1, GL_RGBA8, 8, 8);
    } else {
        gl::TexStorage3D(target, 1, GL_RGBA8, 8, 8, 6);
    }
    return texture;
}

void expect_bounded_layers(GLenum target) {
    const GLuint texture = texture_of(target);
    gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 5);
    expect_status(GL_FRAMEBUFFER_COMPLETE);
    gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 6);
    expect_error(GL_NO_ERROR);
    expect_status(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
}

void expect_one_target_of_layers() {
    constexpr std::array<std::pair<GLenum, GLenum>, 3> pairs{
        {{GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D},
         {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP},
         {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_ARRAY}}};
    for (const auto& [one, other] : pairs) {
        const auto attach = [](GLenum attachment, GLenum target) {
            gl::FramebufferTexture(GL_FRAMEBUFFER, attachment, texture_of(target), 0);
        };
        attach(GL_COLOR_ATTACHMENT0, one);
        attach(GL_COLOR_ATTACHMENT1, other);
        expect_status(GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS);
        attach(GL_COLOR_ATTACHMENT1, one);
        expect_status(GL_FRAMEBUFFER_COMPLETE);
    }
}

void expect_layers(std::initializer_list<GLenum> targets) {
    for (const GLenum target : targets) {
        SCOPED_TRACE(target);
        const GLuint texture = texture_of(target);
        const auto layer = [] {
            GLint value = -1;
            gl::GetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                                    GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER,
                                                    &value);
            return value;
        };
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 3);
        EXPECT_EQ(layer(), 3);
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
        EXPECT_EQ(layer(), 0);
    }
}

// GL 4.6, 9.4.1.
TEST_F(AttachmentTest, LayersBehindTheLast) {
    for (const GLenum target : {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY}) {
        expect_bounded_layers(target);
    }
}

// GL 4.6, 9.4.2.
TEST_F(AttachmentTest, LayersOfDifferentTargets) {
    expect_one_target_of_layers();
}

// GL 4.6, 9.2.3 and 9.2.8.
TEST_F(AttachmentTest, LayerThatIsAttached) {
    expect_layers({GL_TEXTURE_1D_ARRAY, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D,
                   GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_2D_MULTISAMPLE_ARRAY});
}

void expect_positions_without_attachments() {
    for (const GLenum size : {GL_FRAMEBUFFER_DEFAULT_WIDTH, GL_FRAMEBUFFER_DEFAULT_HEIGHT}) {
        gl::FramebufferParameteri(GL_FRAMEBUFFER, size, 8);
    }
    gl::FramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, 4);
    GLint samples = 0;
    gl::GetIntegerv(GL_SAMPLES, &samples);
    ASSERT_GE(samples, 4);
    for (GLint i = 0; i < samples; ++i) {
        std::array<float, 2> position{-1, -1};
        gl::GetMultisamplefv(GL_SAMPLE_POSITION, static_cast<GLuint>(i), position.data());
        expect_error(GL_NO_ERROR);
        for (const float coordinate : position) {
            EXPECT_GE(coordinate, 0);
            EXPECT_LE(coordinate, 1);
        }
    }
    std::array<float, 2> position{};
    gl::GetMultisamplefv(GL_SAMPLE_POSITION, static_cast<GLuint>(samples), position.data());
    expect_error(GL_INVALID_VALUE);
}

// GL 4.6, 14.3.1.
TEST_F(AttachmentTest, SamplePositionsWithoutAttachments) {
    expect_positions_without_attachments();
}

// ES 3.2, 9.4.1, 9.4.2, 9.2.3, 9.2.8 and 13.4.
TEST_F(AttachmentEsTest, LayersBehindTheLast) {
    expect_bounded_layers(GL_TEXTURE_2D_MULTISAMPLE_ARRAY);
}

TEST_F(AttachmentEsTest, LayersOfDifferentTargets) {
    expect_one_target_of_layers();
}

TEST_F(AttachmentEsTest, LayerThatIsAttached) {
    expect_layers({GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP_ARRAY,
                   GL_TEXTURE_2D_MULTISAMPLE_ARRAY});
}

TEST_F(AttachmentEsTest, SamplePositionsWithoutAttachments) {
    expect_positions_without_attachments();
}

} // namespace
} // namespace kobalt::gltest
