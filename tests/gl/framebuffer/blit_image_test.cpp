// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glBlitFramebuffer from and to images of textures, by which image of which format it is.
#include "support.h"

namespace kobalt::gltest {
namespace {

class BlitImageTest : public GlTest {
protected:
    static GLuint new_framebuffer() {
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        return framebuffer;
    }
    /// From the read framebuffer, which stays, to the other, which is read afterwards.
    static void blit_to(GLuint framebuffer) {
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    }
};

const std::vector<Byte4> kTexels(16, Byte4{51, 102, 153, 204});

// GL 4.6, 9.4.1: no other image has to be there.
TEST_F(BlitImageTest, FromALevelWithoutTheFirst) {
    const Target target = make_target({4, 4});
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    gl::TexImage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, kTexels.data());
    new_framebuffer();
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 1);
    blit_to(target.framebuffer);
    expect_area(0, 0, 4, 4, kTexels[0]);
}

// Nothing samples that level, but it is attached.
TEST_F(BlitImageTest, FromALevelBelowTheBase) {
    const Target target = make_target({4, 4});
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    for (const int level : {0, 2}) {
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 4 >> level, 4 >> level, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, kTexels.data());
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    new_framebuffer();
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        GTEST_SKIP() << "levels that are not sampled are not drawn to"; // as 9.4.1 has it
    }
    blit_to(target.framebuffer);
    expect_area(0, 0, 4, 4, kTexels[0]);
}

TEST_F(BlitImageTest, FromAFaceWithoutTheFirst) {
    const Target target = make_target({4, 4});
    constexpr GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_Y;
    const GLuint texture = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexImage2D(face, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, kTexels.data());
    new_framebuffer();
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, face, texture, 0);
    blit_to(target.framebuffer);
    expect_area(0, 0, 4, 4, kTexels[0]);
}

// GL 4.6, 18.3.1: what is read becomes what each draw buffer has of it, the others aside.
TEST_F(BlitImageTest, ToDrawBuffersOfOtherComponents) {
    constexpr std::array<GLenum, 4> formats{GL_R8, GL_RG8, GL_RGB8, GL_RGBA8};
    constexpr std::array<GLenum, 3> buffers{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                            GL_COLOR_ATTACHMENT2};
    const auto attach = [](GLenum attachment, GLenum format) {
        const GLuint texture = texture_2d(format, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, kTexels.data());
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
    };
    const auto try_order = [&](size_t source, std::array<size_t, 3> targets) {
        const GLuint target = new_framebuffer();
        for (size_t i = 0; i < targets.size(); ++i) {
            attach(buffers.at(i), formats.at(targets.at(i)));
        }
        gl::DrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
        clear_to_black();
        new_framebuffer();
        attach(GL_COLOR_ATTACHMENT0, formats.at(source));
        blit_to(target);
        for (size_t i = 0; i < targets.size(); ++i) {
            SCOPED_TRACE(i);
            Byte4 wanted = kBlack;
            const size_t components = std::min(source, targets.at(i)) + 1;
            std::copy_n(kTexels[0].begin(), components, wanted.begin());
            gl::ReadBuffer(buffers.at(i));
            expect_area(0, 0, 4, 4, wanted);
        }
    };
    try_order(3, {0, 3, 2});
    try_order(3, {2, 3, 0});
    try_order(3, {1, 2, 3});
    try_order(2, {3, 2, 0});
    try_order(1, {3, 1, 2});
}

class BlitImageEsTest : public BlitImageTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 3, 0, false}; }
    /// What comes of a blit from 0, 0 to 4, 4 between framebuffers that `attach` makes.
    template <typename Attach>
    static GLenum error_of_blit(const Attach& attach) {
        const GLuint from = new_framebuffer();
        attach(0);
        new_framebuffer();
        attach(1);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from);
        gl::BlitFramebuffer(0, 0, 2, 2, 4, 4, 6, 6, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        return gl::GetError();
    }
};

// ES 3.2, 16.2.1: the images of one texture are not the same buffer.
TEST_F(BlitImageEsTest, BetweenImagesOfOneTexture) {
    constexpr GLenum none = GL_NO_ERROR;
    const GLuint levels = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 16, 16);
    const auto level = [=](int number) {
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, levels,
                                 number);
    };
    EXPECT_EQ(error_of_blit([&](int i) { level(i); }), none);

    const GLuint array = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 8, 8, 3);
    const auto layer = [=](int number) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, number);
    };
    EXPECT_EQ(error_of_blit([&](int i) { layer(i); }), none);

    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 8, 8);
    const auto face = [=](int number) {
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                 GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(number), cube,
                                 0);
    };
    EXPECT_EQ(error_of_blit([&](int i) { face(i); }), none);
}

} // namespace
} // namespace kobalt::gltest
