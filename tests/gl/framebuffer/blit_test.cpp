// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class BlitTest : public GlTest {
protected:
    /// A target whose four quarters are red, green, blue and white.
    static Target quarters(int size, GLenum format = GL_RGBA8) {
        const Target target = make_target({size, size, format});
        const RectPainter painter;
        painter.draw({-1, -1, 0, 0}, {1, 0, 0, 1});
        painter.draw({0, -1, 1, 0}, {0, 1, 0, 1});
        painter.draw({-1, 0, 0, 1}, {0, 0, 1, 1});
        painter.draw({0, 0, 1, 1}, {1, 1, 1, 1});
        return target;
    }
    static void expect_quarters(int size, const std::array<Byte4, 4>& colours) {
        const int half = size / 2;
        for (int i = 0; i < 4; ++i) {
            expect_area((i % 2) * half, (i / 2) * half, half, half,
                        colours[static_cast<size_t>(i)]);
        }
    }
    static Target blank(int size, GLenum format = GL_RGBA8) {
        const Target target = make_black_target({size, size, format});
        return target;
    }
    static void blit(const Target& from, const Target& to, const std::array<int, 4>& source,
                     const std::array<int, 4>& destination, GLenum filter = GL_NEAREST,
                     GLbitfield mask = GL_COLOR_BUFFER_BIT) {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, to.framebuffer);
        gl::BlitFramebuffer(source[0], source[1], source[2], source[3], destination[0],
                            destination[1], destination[2], destination[3], mask, filter);
        to.bind();
    }
};

TEST_F(BlitTest, Copy) {
    const Target source = quarters(16);
    blit(source, blank(16), {0, 0, 16, 16}, {0, 0, 16, 16});
    expect_quarters(16, {kRed, kGreen, kBlue, kWhite});
}

TEST_F(BlitTest, PartWithOffset) {
    const Target source = quarters(16);
    blit(source, blank(16), {4, 4, 12, 12}, {1, 2, 9, 10});
    expect_area(1, 2, 4, 4, kRed);
    expect_area(5, 6, 4, 4, kWhite);
    expect_pixel(0, 0, kBlack);
    expect_pixel(9, 10, kBlack);
}

TEST_F(BlitTest, Flips) {
    const Target source = quarters(16);
    blit(source, blank(16), {0, 0, 16, 16}, {16, 0, 0, 16});
    expect_quarters(16, {kGreen, kRed, kWhite, kBlue});
    blit(source, blank(16), {0, 0, 16, 16}, {0, 16, 16, 0});
    expect_quarters(16, {kBlue, kWhite, kRed, kGreen});
    blit(source, blank(16), {16, 16, 0, 0}, {0, 0, 16, 16});
    expect_quarters(16, {kWhite, kBlue, kGreen, kRed});
    blit(source, blank(16), {16, 0, 0, 16}, {16, 0, 0, 16});
    expect_quarters(16, {kRed, kGreen, kBlue, kWhite});
}

TEST_F(BlitTest, ScalesUpAndDown) {
    const Target source = quarters(16);
    blit(source, blank(32), {0, 0, 16, 16}, {0, 0, 32, 32});
    expect_quarters(32, {kRed, kGreen, kBlue, kWhite});
    blit(source, blank(8), {0, 0, 16, 16}, {0, 0, 8, 8});
    expect_quarters(8, {kRed, kGreen, kBlue, kWhite});
}

// The pixels whose centres come from inside the source, and the texels that they come from, are
// those of the whole rectangles (OpenGL 4.6, 18.3.1).
TEST_F(BlitTest, SourcesThatReachOutside) {
    struct Case {
        std::array<int, 2> from, to;
        std::array<int, 4> source, destination;
    };
    for (const Case& one : {Case{{22, 17}, {15, 9}, {40, 4, -23, 13}, {11, 4, 7, 7}},
                            Case{{5, 9}, {7, 16}, {13, -10, -17, 33}, {0, 1, 4, 3}},
                            Case{{2, 14}, {20, 14}, {14, -6, -21, 12}, {4, 14, 15, 6}},
                            Case{{8, 8}, {8, 8}, {-3, 2, 10, 20}, {1, 7, 6, -4}}}) {
        std::vector<GLubyte> texels;
        for (int i = 0; i < one.from[0] * one.from[1]; ++i) {
            texels.insert(texels.end(), {static_cast<GLubyte>(i % one.from[0]),
                                         static_cast<GLubyte>(i / one.from[0]), 0, 255});
        }
        const GLuint source =
            bind_texture_target(texture_2d(GL_RGBA8, one.from[0], one.from[1], GL_RGBA,
                                           GL_UNSIGNED_BYTE, texels.data()),
                                one.from[0], one.from[1]);
        const Target target = make_black_target({.width = one.to[0], .height = one.to[1]});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source);
        gl::BlitFramebuffer(one.source[0], one.source[1], one.source[2], one.source[3],
                            one.destination[0], one.destination[1], one.destination[2],
                            one.destination[3], GL_COLOR_BUFFER_BIT, GL_NEAREST);
        target.bind();
        const Picture picture = read_picture(one.to[0], one.to[1]);
        // Where a pixel's centre comes from along an axis; none: from outside.
        const auto origin = [&](int at, int axis) -> std::optional<int> {
            const auto a = static_cast<size_t>(axis);
            const int d0 = one.destination[a], d1 = one.destination[a + 2];
            if (at < std::min(d0, d1) || at >= std::max(d0, d1)) {
                return std::nullopt;
            }
            const double from =
                one.source[a] + (at + 0.5 - d0) * (one.source[a + 2] - one.source[a]) / (d1 - d0);
            if (from < 0 || from >= one.from[a]) {
                return std::nullopt;
            }
            return static_cast<int>(from);
        };
        for (int y = 0; y < one.to[1]; ++y) {
            for (int x = 0; x < one.to[0]; ++x) {
                const auto u = origin(x, 0), v = origin(y, 1);
                const Byte4 expected = u && v ? Byte4{static_cast<std::uint8_t>(*u),
                                                      static_cast<std::uint8_t>(*v), 0, 255}
                                              : kBlack;
                EXPECT_EQ(texel_of(picture, x, y), expected) << x << ", " << y;
            }
        }
    }
}

TEST_F(BlitTest, LinearFilterMixesNeighbours) {
    const Target source = quarters(2);
    blit(source, blank(16), {0, 0, 2, 2}, {0, 0, 16, 16}, GL_LINEAR);
    expect_pixel(0, 0, kRed, 2);
    const Byte4 middle = pixel(8, 0);
    EXPECT_NEAR(middle[0], 120, 24);
    EXPECT_NEAR(middle[1], 136, 24);
}

TEST_F(BlitTest, ScissorApplies) {
    const Target source = quarters(16);
    const Target target = blank(16);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 5, 5);
    blit(source, target, {0, 0, 16, 16}, {0, 0, 16, 16});
    gl::Disable(GL_SCISSOR_TEST);
    expect_area(0, 0, 5, 5, kRed);
    expect_pixel(5, 0, kBlack);
    expect_pixel(12, 12, kBlack);
}

TEST_F(BlitTest, SourceOutsideIsClipped) {
    const Target source = quarters(16);
    blit(source, blank(16), {-8, 0, 8, 16}, {0, 0, 16, 16});
    expect_area(8, 0, 8, 8, kRed);
    expect_area(0, 0, 8, 16, kBlack);
}

// The scissor box cuts what the source's bounds leave, and moves nothing (GL 4.6, 18.3.1).
TEST_F(BlitTest, ScissorBesideASourceThatIsClipped) {
    const Target source = quarters(16);
    const Target target = blank(16);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(2, 3, 6, 5);
    blit(source, target, {-2, -2, 4, 4}, {0, 0, 12, 12});
    gl::Scissor(8, 0, 2, 16); // where the second blit has nothing to draw
    blit(source, target, {-2, 0, 4, 6}, {8, 0, 20, 12});
    gl::Disable(GL_SCISSOR_TEST);
    expect_area(4, 4, 4, 4, kRed);
    EXPECT_EQ(count_pixels(read_picture(16, 16), kRed), 16);
}

TEST_F(BlitTest, FormatsConvert) {
    const Target source = quarters(8);
    blit(source, blank(8, GL_RGBA16F), {0, 0, 8, 8}, {0, 0, 8, 8});
    expect_near(pixel_float(6, 1), {0, 1, 0, 1}, 0.001F);
    blit(source, blank(8, GL_RGB10_A2), {0, 0, 8, 8}, {0, 0, 8, 8});
    expect_quarters(8, {kRed, kGreen, kBlue, kWhite});
}

TEST_F(BlitTest, IntegerFormats) {
    const Target source = make_target({8, 8, GL_RGBA32I});
    const Int4 value{-5, 70000, 3, 4};
    gl::ClearBufferiv(GL_COLOR, 0, value.data());
    const Target target = make_target({16, 16, GL_RGBA32I});
    blit(source, target, {0, 0, 8, 8}, {0, 0, 16, 16});
    EXPECT_EQ(pixel_int(15, 15), value);
}

TEST_F(BlitTest, DepthAndStencil) {
    const Target source = make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::Enable(GL_DEPTH_TEST);
    gl::Enable(GL_STENCIL_TEST);
    gl::ClearDepth(1.0);
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    gl::StencilFunc(GL_ALWAYS, 9, 0xFF);
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    const RectPainter painter;
    painter.draw({-1, -1, 0, 1}, {1, 1, 1, 1}, -0.5F);
    gl::Disable(GL_DEPTH_TEST);
    gl::Disable(GL_STENCIL_TEST);
    const Target target = make_target({8, 8, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    blit(source, target, {0, 0, 8, 8}, {8, 0, 0, 8}, GL_NEAREST,
         GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    std::array<float, 8> depth{};
    std::array<std::uint8_t, 8> stencil{};
    gl::ReadPixels(0, 3, 8, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depth.data());
    gl::ReadPixels(0, 3, 8, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
    EXPECT_NEAR(depth[7], 0.25F, 1e-5F);
    EXPECT_NEAR(depth[0], 1.0F, 1e-5F);
    EXPECT_EQ(stencil[7], 9);
    EXPECT_EQ(stencil[0], 0);
}

/// GL 4.6, 18.3.1, from the last of an array's layers. Where stencil indices can't be written by a
/// shader, each bit is one draw's.
TEST_F(BlitTest, DepthAndStencilOfALayer) {
    const GLuint layers = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH24_STENCIL8, 8, 8, 3, 0, GL_DEPTH_STENCIL,
                   GL_UNSIGNED_INT_24_8, nullptr);
    Target source{.width = 8, .height = 8};
    gl::GenFramebuffers(1, &source.framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, source.framebuffer);
    for (const GLint layer : {0, 1, 2}) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, layers, 0, layer);
        gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25F * static_cast<float>(layer), 100 + layer);
    }
    const Target target = make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
    blit(source, target, {0, 0, 8, 8}, {0, 0, 16, 16}, GL_NEAREST,
         GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    float depth = 0;
    std::uint8_t stencil = 0;
    gl::ReadPixels(9, 9, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    gl::ReadPixels(9, 9, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
    EXPECT_NEAR(depth, 0.5F, 1e-5F);
    EXPECT_EQ(stencil, 102);
}

TEST_F(BlitTest, ToSeveralDrawBuffers) {
    const Target source = quarters(8);
    const GLuint framebuffer = make_target({8, 8}).framebuffer;
    const GLuint texture = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, texture, 0);
    const std::array<GLenum, 2> buffers{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    gl::DrawBuffers(2, buffers.data());
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (const GLenum buffer : buffers) {
        gl::ReadBuffer(buffer);
        expect_quarters(8, {kRed, kGreen, kBlue, kWhite});
    }
}

TEST_F(BlitTest, BlitThenDrawThenBlit) {
    const Target source = quarters(8);
    const Target target = blank(8);
    const RectPainter painter;
    blit(source, target, {0, 0, 8, 8}, {0, 0, 8, 8});
    painter.draw({-1, -1, 0, 0}, {1, 1, 0, 1});
    blit(target, source, {0, 0, 8, 8}, {0, 0, 8, 8});
    expect_quarters(8, {kYellow, kGreen, kBlue, kWhite});
}

} // namespace
} // namespace kobalt::gltest
