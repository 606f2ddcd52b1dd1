// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GL_EXT_window_rectangles: only what is inside of rectangles is drawn, or only what is outside.

namespace kobalt::gltest {
namespace {

constexpr int kSize = 16;

class WindowRectangleTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_EXT_window_rectangles"); }
    void prepare() override {
        target_ = make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8});
        clear({0, 0, 0, 1});
    }
    static void clear(const Float4& colour) {
        gl::ClearColor(colour[0], colour[1], colour[2], colour[3]);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    static void use(GLenum mode, const std::vector<GLint>& boxes = {}) {
        gl::WindowRectanglesEXT(mode, static_cast<GLsizei>(boxes.size() / 4),
                                boxes.empty() ? nullptr : boxes.data());
    }
    static bool inside(const std::vector<GLint>& boxes, int x, int y) {
        bool found = false;
        for (size_t i = 0; i < boxes.size(); i += 4) {
            found |= x >= boxes[i] && x < boxes[i] + boxes[i + 2] && y >= boxes[i + 1] &&
                     y < boxes[i + 1] + boxes[i + 3];
        }
        return found;
    }
    /// Expects green where the rectangles let something through, and black elsewhere.
    static void expect_clipped(GLenum mode, const std::vector<GLint>& boxes) {
        const Picture picture = read_picture(kSize, kSize);
        int wrong = 0;
        for (int y = 0; y < kSize; ++y) {
            for (int x = 0; x < kSize; ++x) {
                const bool drawn = inside(boxes, x, y) == (mode == GL_INCLUSIVE_EXT);
                wrong += texel_of(picture, x, y) != (drawn ? kGreen : kBlack) ? 1 : 0;
            }
        }
        EXPECT_EQ(wrong, 0) << boxes.size() / 4 << " rectangles";
    }
    /// Each way to use rectangles, with black before.
    template <typename Draw>
    void each(const Draw& draw) {
        const std::vector<GLint> one{3, 2, 5, 7};
        const std::vector<GLint> four{0, 0, 2, 2, 5, 1, 3, 9, 6, 7, 10, 2, -3, 12, 5, 40};
        for (const GLenum mode : {GL_INCLUSIVE_EXT, GL_EXCLUSIVE_EXT}) {
            for (const auto& boxes : {std::vector<GLint>{}, one, four}) {
                use(GL_EXCLUSIVE_EXT);
                clear({0, 0, 0, 1});
                use(mode, boxes);
                draw();
                use(GL_EXCLUSIVE_EXT);
                expect_clipped(mode, boxes);
            }
        }
    }
    Target target_;
};

TEST_F(WindowRectangleTest, Draws) {
    const RectPainter painter;
    each([&] { painter.fill({0, 1, 0, 1}); });
}

TEST_F(WindowRectangleTest, Clears) {
    each([&] { clear({0, 1, 0, 1}); });
}

TEST_F(WindowRectangleTest, Blits) {
    const Target source = make_target({kSize, kSize});
    clear({0, 1, 0, 1});
    target_.bind();
    each([&] {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer);
    });
}

// Where shaders write no stencil a blit clears it first: that is clipped as well.
TEST_F(WindowRectangleTest, BlitsOfStencil) {
    const Target source = make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8});
    gl::ClearStencil(0x5a);
    gl::Clear(GL_STENCIL_BUFFER_BIT);
    target_.bind();
    gl::ClearStencil(0x33);
    const RectPainter painter;
    each([&] {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_STENCIL_BUFFER_BIT,
                            GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target_.framebuffer);
        use(GL_EXCLUSIVE_EXT);
        gl::Enable(GL_STENCIL_TEST);
        gl::StencilFunc(GL_EQUAL, 0x5a, 0xff);
        painter.fill({0, 1, 0, 1});
        gl::Disable(GL_STENCIL_TEST);
    });
}

// A texture is no framebuffer: what fills it otherwise isn't clipped.
TEST_F(WindowRectangleTest, OtherCopiesAreWhole) {
    clear({0, 1, 0, 1});
    use(GL_INCLUSIVE_EXT);
    const GLuint texture = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, kSize, kSize);
    use(GL_EXCLUSIVE_EXT);
    bind_texture_target(texture, kSize, kSize);
    expect_area(0, 0, kSize, kSize, kGreen);
}

TEST_F(WindowRectangleTest, Errors) {
    std::array<GLint, 1> most{};
    gl::GetIntegerv(GL_MAX_WINDOW_RECTANGLES_EXT, most.data());
    EXPECT_GE(most[0], 4);
    use(GL_ALWAYS);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
    use(GL_INCLUSIVE_EXT, {0, 0, -1, 1});
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE));
    use(GL_INCLUSIVE_EXT, std::vector<GLint>(static_cast<size_t>(most[0] + 1) * 4, 1));
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_VALUE));
}

} // namespace
} // namespace kobalt::gltest
