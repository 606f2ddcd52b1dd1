// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Blending, colour masks and logic operations of several draw buffers, and of formats of other
// kinds.
#include "blend.h"

namespace kobalt::gltest {
namespace {

constexpr std::array<GLenum, 4> kColours{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                         GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};

/// Four colours of 4 x 4 pixels, all of them drawn to; the framebuffer is bound.
GLuint four_colours() {
    const GLuint framebuffer = make_target({4, 4, GL_NONE}).framebuffer;
    for (const GLenum buffer : kColours) {
        const GLuint texture = texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, buffer, texture, 0);
    }
    gl::DrawBuffers(4, kColours.data());
    return framebuffer;
}

/// Of the bound framebuffer, a pixel each.
void expect_colours(const std::array<Byte4, 4>& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
        gl::ReadBuffer(kColours[i]);
        expect_pixel(1, 1, expected[i]);
    }
}

constexpr const char* kRedInFour = "layout(location = 0) out vec4 o[4]; void main() { o[0] = o[1] "
                                   "= o[2] = o[3] = vec4(1, 0, 0, 1); }";

// OpenGL 4.6, 17.3.6 and 17.4.2: what is drawn before, to a framebuffer without colours, is no
// reason for the buffers to be alike.
TEST_F(BlendTest, IndexedEnablesAndMasksBehindADrawOfDepthAlone) {
    const GLuint colours = four_colours();
    const GLuint depth = make_target({4, 4, GL_NONE, GL_DEPTH_COMPONENT24}).framebuffer;
    const GLuint program = vs_fs(kFullscreenVs, kRedInFour);
    gl::Enable(GL_DEPTH_TEST);
    gl::BlendFunc(GL_ONE, GL_ONE);
    for (int round = 0; round < 12; ++round) {
        SCOPED_TRACE(round);
        gl::BindFramebuffer(GL_FRAMEBUFFER, colours);
        gl::ColorMask(1, 1, 1, 1);
        gl::Disable(GL_BLEND);
        draw_fullscreen(program);
        gl::ClearColor(0, 0, 1, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::BindFramebuffer(GL_FRAMEBUFFER, depth);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        draw_fullscreen(program);
        gl::BindFramebuffer(GL_FRAMEBUFFER, colours);
        gl::Enablei(GL_BLEND, 1);
        gl::ColorMaski(2, GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
        draw_fullscreen(program);
        expect_colours({{{255, 0, 0, 255}, {255, 0, 255, 255}, {0, 0, 0, 255}, {255, 0, 0, 255}}});
    }
}

TEST_F(BlendTest, IndexedEnablesAndMasks) {
    (void)four_colours();
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::BlendFunc(GL_ONE, GL_ONE);
    gl::Enablei(GL_BLEND, 1);
    gl::ColorMaski(2, GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl::Enablei(GL_BLEND, 3);
    gl::ColorMaski(3, GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE);
    draw_fullscreen(vs_fs(kFullscreenVs, kRedInFour));
    expect_colours({{{255, 0, 0, 255}, {255, 0, 255, 255}, {0, 0, 0, 255}, {255, 0, 255, 255}}});
}

TEST_F(BlendTest, EveryColourMask) {
    make_target({4, 4});
    for (int mask = 0; mask < 16; ++mask) {
        gl::ColorMask(1, 1, 1, 1);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::ColorMask(mask & 1, (mask >> 1) & 1, (mask >> 2) & 1, (mask >> 3) & 1);
        painter().fill({1, 1, 1, 1});
        Byte4 expected{};
        for (size_t c = 0; c < 4; ++c) {
            expected[c] = (mask >> c) & 1 ? 255 : 0;
        }
        expect_pixel(1, 1, expected);
    }
}

TEST_F(BlendTest, IntegerTargetsIgnoreBlending) {
    make_target({4, 4, GL_RGBA32UI});
    const Uint4 zero{1, 1, 1, 1};
    gl::ClearBufferuiv(GL_COLOR, 0, zero.data());
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    draw_fullscreen(vs_fs(kFullscreenVs, "out uvec4 result; void main() { result = uvec4(5u); }"));
    EXPECT_EQ(pixel_uint(1, 1), (Uint4{5, 5, 5, 5}));
}

// GL 3.3 leaves it open whether these can be drawn to; where they can, they blend.
TEST_F(BlendTest, SignedNormalisedTargets) {
    int drawn = 0;
    for (const GLenum format : {GL_R8_SNORM, GL_RG8_SNORM, GL_RGBA8_SNORM, GL_RGBA16_SNORM}) {
        texture_2d(format, 2, 2, GL_RGBA, GL_FLOAT, nullptr);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        GLint texture = 0;
        gl::GetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                 static_cast<GLuint>(texture), 0);
        if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            continue;
        }
        ++drawn;
        gl::Viewport(0, 0, 2, 2);
        gl::ClearColor(-0.5F, 0.75F, 0.25F, 0.5F);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Enable(GL_BLEND);
        gl::BlendFunc(GL_ONE, GL_ONE);
        RectPainter().fill({-0.25F, 0.5F, -0.75F, 0.25F}); // the second sum is beyond 1
        gl::Disable(GL_BLEND);
        // Fetched, since glReadPixels clamps fixed-point colours to 0..1 by default.
        const Float4 sum = evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(1), 0)");
        EXPECT_NEAR(sum[0], -0.75F, 0.02F) << std::hex << format;
        if (format != GL_R8_SNORM) {
            EXPECT_NEAR(sum[1], 1.0F, 0.02F) << std::hex << format;
        }
        if (format != GL_R8_SNORM && format != GL_RG8_SNORM) {
            EXPECT_NEAR(sum[2], -0.5F, 0.02F) << std::hex << format;
            EXPECT_NEAR(sum[3], 0.75F, 0.02F) << std::hex << format;
        }
    }
    if (drawn == 0) {
        GTEST_SKIP() << "signed normalised formats are for textures only here";
    }
}

} // namespace
} // namespace kobalt::gltest
