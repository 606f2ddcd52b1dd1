// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

namespace kobalt::gltest {
namespace {

class DepthStencilTest : public GlTest {
protected:
    void prepare() override {
        make_target({16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8});
        gl::ClearColor(0, 0, 0, 1);
        gl::ClearDepth(0.5);
        gl::ClearStencil(0);
        clear();
        painter_ = std::make_unique<RectPainter>();
    }
    static void clear() {
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    }
    const RectPainter& painter() const { return *painter_; }
    static float depth_at(int x, int y) {
        float value = -1;
        gl::ReadPixels(x, y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &value);
        return value;
    }
    static int stencil_at(int x, int y) {
        std::uint8_t value = 0;
        gl::ReadPixels(x, y, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &value);
        return value;
    }
    static constexpr std::array<GLenum, 8> kFunctions{
        GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
    static bool compare(GLenum function, double a, double b) {
        switch (function) {
        case GL_LESS:
            return a < b;
        case GL_EQUAL:
            return a == b;
        case GL_LEQUAL:
            return a <= b;
        case GL_GREATER:
            return a > b;
        case GL_NOTEQUAL:
            return a != b;
        case GL_GEQUAL:
            return a >= b;
        default:
            return function == GL_ALWAYS;
        }
    }

private:
    std::unique_ptr<RectPainter> painter_;
};

TEST_F(DepthStencilTest, DepthFunctions) {
    gl::Enable(GL_DEPTH_TEST);
    for (const GLenum function : kFunctions) {
        for (const float z : {-0.5F, 0.0F, 0.5F}) {
            // What is in the buffer was drawn too, so that EQUAL compares equal values.
            gl::DepthFunc(GL_ALWAYS);
            painter().fill({0, 0, 0, 1}, 0.0F);
            gl::DepthFunc(function);
            painter().fill({0, 1, 0, 1}, z);
            expect_pixel(3, 3, compare(function, z, 0.0) ? kGreen : kBlack);
        }
    }
}

TEST_F(DepthStencilTest, DepthMask) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_LESS);
    gl::DepthMask(GL_FALSE);
    painter().fill({1, 0, 0, 1}, -0.8F);
    EXPECT_NEAR(depth_at(4, 4), 0.5F, 1e-6F);
    gl::DepthMask(GL_TRUE);
    painter().fill({0, 1, 0, 1}, -0.5F);
    EXPECT_NEAR(depth_at(4, 4), 0.25F, 1e-6F);
}

TEST_F(DepthStencilTest, NoDepthWriteWithoutDepthTest) {
    painter().fill({1, 0, 0, 1}, -0.8F);
    EXPECT_NEAR(depth_at(4, 4), 0.5F, 1e-6F);
}

TEST_F(DepthStencilTest, DepthRange) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    gl::DepthRange(0.25, 0.75);
    painter().fill({1, 0, 0, 1}, 0.5F);
    EXPECT_NEAR(depth_at(4, 4), 0.625F, 1e-6F);
    gl::DepthRange(1.0, 0.0);
    painter().fill({1, 0, 0, 1}, 0.5F);
    EXPECT_NEAR(depth_at(4, 4), 0.25F, 1e-6F);
    gl::DepthRange(0.0, 0.0);
    painter().fill({1, 0, 0, 1}, 0.5F);
    EXPECT_NEAR(depth_at(4, 4), 0.0F, 1e-6F);
}

TEST_F(DepthStencilTest, NearAndFarPlanesClip) {
    painter().fill({1, 0, 0, 1}, 1.5F);
    painter().fill({1, 0, 0, 1}, -1.5F);
    expect_area(0, 0, 16, 16, kBlack);
}

TEST_F(DepthStencilTest, DepthClampKeepsGeometry) {
    gl::Enable(GL_DEPTH_CLAMP);
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1}, 1.5F);
    painter().draw({0, -1, 1, 1}, {0, 1, 0, 1}, -1.5F);
    gl::Disable(GL_DEPTH_CLAMP);
    expect_area(0, 0, 16, 16, kGreen);
    EXPECT_NEAR(depth_at(2, 2), 1.0F, 1e-6F);
    EXPECT_NEAR(depth_at(12, 2), 0.0F, 1e-6F);
}

TEST_F(DepthStencilTest, FragmentShaderDepth) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "in vec2 uv; out vec4 result; void main() { result = vec4(0, "
                          "1, 0, 1); gl_FragDepth = uv.x; }"));
    EXPECT_NEAR(depth_at(4, 4), 4.5F / 16, 1e-5F);
    EXPECT_NEAR(depth_at(15, 0), 15.5F / 16, 1e-5F);
}

TEST_F(DepthStencilTest, DiscardKeepsDepth) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "in vec2 uv; out vec4 result; void main() { if (uv.x < 0.5) "
                          "discard; result = vec4(0, 1, 0, 1); gl_FragDepth = 0.125; "
                          "}"));
    EXPECT_NEAR(depth_at(2, 2), 0.5F, 1e-6F);
    EXPECT_NEAR(depth_at(12, 2), 0.125F, 1e-6F);
    expect_pixel(2, 2, kBlack);
    expect_pixel(12, 2, kGreen);
}

TEST_F(DepthStencilTest, FragCoordZMatchesDepth) {
    make_target({4, 4, GL_RGBA32F, GL_DEPTH_COMPONENT32F});
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    const GLuint program = vs_fs(
        "void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - "
        "1.0, 0.3, 1) * 2.0; }",
        "out vec4 result; void main() { result = gl_FragCoord; }");
    draw_fullscreen(program);
    const Float4 value = pixel_float(2, 1);
    expect_near(value, {2.5F, 1.5F, 0.65F, 0.5F}, 1e-5F);
    EXPECT_NEAR(depth_at(2, 1), 0.65F, 1e-5F);
}

TEST_F(DepthStencilTest, StencilFunctions) {
    gl::Enable(GL_STENCIL_TEST);
    for (const GLenum function : kFunctions) {
        for (const int stored : {1, 2, 3}) {
            gl::ClearStencil(stored | 0xF0);
            clear();
            gl::StencilFunc(function, 2 | 0x30, 0x0F);
            gl::StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
            painter().fill({0, 1, 0, 1});
            expect_pixel(3, 3, compare(function, 2, stored) ? kGreen : kBlack);
        }
    }
}

TEST_F(DepthStencilTest, StencilOperations) {
    gl::Enable(GL_STENCIL_TEST);
    struct Case {
        GLenum operation;
        int before;
        int after;
    };
    for (const Case& test :
         {Case{GL_KEEP, 7, 7}, Case{GL_ZERO, 7, 0}, Case{GL_REPLACE, 7, 0x42}, Case{GL_INCR, 7, 8},
          Case{GL_INCR, 255, 255}, Case{GL_DECR, 7, 6}, Case{GL_DECR, 0, 0},
          Case{GL_INVERT, 7, 0xF8}, Case{GL_INCR_WRAP, 255, 0}, Case{GL_DECR_WRAP, 0, 255}}) {
        gl::ClearStencil(test.before);
        clear();
        gl::StencilFunc(GL_ALWAYS, 0x42, 0xFF);
        gl::StencilOp(GL_KEEP, GL_KEEP, test.operation);
        painter().fill({0, 1, 0, 1});
        EXPECT_EQ(stencil_at(5, 5), test.after) << "operation 0x" << std::hex << test.operation;
    }
}

TEST_F(DepthStencilTest, StencilFailAndDepthFail) {
    gl::Enable(GL_STENCIL_TEST);
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_LESS);
    gl::StencilOp(GL_REPLACE, GL_INVERT, GL_INCR);
    gl::StencilFunc(GL_NEVER, 3, 0xFF);
    painter().draw({-1, -1, -0.5F, 1}, {1, 0, 0, 1}, -0.5F);
    gl::StencilFunc(GL_ALWAYS, 3, 0xFF);
    painter().draw({-0.5F, -1, 0, 1}, {1, 0, 0, 1}, 0.5F);
    painter().draw({0, -1, 1, 1}, {0, 1, 0, 1}, -0.5F);
    EXPECT_EQ(stencil_at(1, 1), 3);
    EXPECT_EQ(stencil_at(6, 1), 255);
    EXPECT_EQ(stencil_at(12, 1), 1);
    expect_pixel(1, 1, kBlack);
    expect_pixel(6, 1, kBlack);
    expect_pixel(12, 1, kGreen);
}

TEST_F(DepthStencilTest, StencilWriteMask) {
    gl::Enable(GL_STENCIL_TEST);
    gl::ClearStencil(0xFF);
    clear();
    gl::StencilMask(0x0F);
    gl::StencilFunc(GL_ALWAYS, 0x55, 0xFF);
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    painter().fill({0, 1, 0, 1});
    EXPECT_EQ(stencil_at(5, 5), 0xF5);
    gl::StencilMask(0xFF);
}

TEST_F(DepthStencilTest, TwoSidedStencil) {
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFuncSeparate(GL_FRONT, GL_ALWAYS, 10, 0xFF);
    gl::StencilFuncSeparate(GL_BACK, GL_ALWAYS, 20, 0xFF);
    gl::StencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_REPLACE);
    gl::StencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_REPLACE);
    painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1}); // strip order gives a front face
    painter().draw({1, -1, 0, 1}, {0, 1, 0, 1});  // mirrored: a back face
    EXPECT_EQ(stencil_at(2, 2), 10);
    EXPECT_EQ(stencil_at(13, 2), 20);
    gl::StencilMaskSeparate(GL_FRONT, 0x02);
    gl::StencilMaskSeparate(GL_BACK, 0x04);
    gl::StencilFunc(GL_ALWAYS, 0, 0xFF);
    painter().draw({-1, -1, 0, 1}, {0, 1, 0, 1});
    painter().draw({1, -1, 0, 1}, {0, 1, 0, 1});
    EXPECT_EQ(stencil_at(2, 2), 8);
    EXPECT_EQ(stencil_at(13, 2), 16);
    gl::StencilMask(0xFF);
}

TEST_F(DepthStencilTest, StencilMasksLaterDraws) {
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_ALWAYS, 1, 0xFF);
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    gl::ColorMask(0, 0, 0, 0);
    painter().draw({-0.5F, -0.5F, 0.5F, 0.5F}, {1, 1, 1, 1});
    gl::ColorMask(1, 1, 1, 1);
    gl::StencilFunc(GL_EQUAL, 1, 0xFF);
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    painter().fill({0, 1, 0, 1});
    expect_area(4, 4, 8, 8, kGreen);
    EXPECT_EQ(count_pixels(read_picture(16, 16), kGreen), 64);
}

TEST_F(DepthStencilTest, DepthSurvivesAChangeOfFramebuffer) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_LESS);
    GLint framebuffer = 0;
    gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    painter().draw({-1, -1, 0, 1}, {1, 0, 0, 1}, -0.5F);
    make_target();
    painter().fill({1, 1, 1, 1});
    gl::BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer));
    gl::Viewport(0, 0, 16, 16);
    painter().fill({0, 1, 0, 1}, -0.25F);
    expect_area(0, 0, 8, 16, kRed);
    expect_area(8, 0, 8, 16, kGreen);
}

// OpenGL 4.6, 8.11.4: as glReadPixels packs them.
TEST_F(DepthStencilTest, StencilTexelsOfEveryType) {
    if (!has_version(4, 4)) {
        GTEST_SKIP() << "OpenGL 4.4 is not offered";
    }
    constexpr std::array<std::uint8_t, 4> kIndices{0, 1, 100, 127};
    texture_2d(GL_STENCIL_INDEX8, 4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, kIndices.data());
    const auto read = [&]<typename T>(GLenum type, T) {
        SCOPED_TRACE(type);
        std::array<T, 5> texels{};
        texels[4] = T{7};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, type, texels.data());
        EXPECT_EQ(texels, (std::array<T, 5>{0, 1, 100, 127, 7}));
    };
    gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
    read(GL_UNSIGNED_BYTE, std::uint8_t{});
    read(GL_BYTE, std::int8_t{});
    read(GL_UNSIGNED_SHORT, std::uint16_t{});
    read(GL_SHORT, std::int16_t{});
    read(GL_UNSIGNED_INT, std::uint32_t{});
    read(GL_INT, std::int32_t{});
    read(GL_FLOAT, float{});
}

// OpenGL 4.6, 8.6, from a buffer of stencil and from one of both.
TEST_F(DepthStencilTest, StencilTexelsFromTheFramebuffer) {
    if (!has_version(4, 4)) {
        GTEST_SKIP() << "OpenGL 4.4 is not offered";
    }
    for (const GLenum format : {GL_STENCIL_INDEX8, GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8}) {
        SCOPED_TRACE(format);
        make_target({4, 4, GL_RGBA8, format});
        gl::ClearStencil(0x5A);
        gl::Clear(GL_STENCIL_BUFFER_BIT);
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(1, 1, 1, 1);
        gl::ClearStencil(0xC3);
        gl::Clear(GL_STENCIL_BUFFER_BIT);
        gl::Disable(GL_SCISSOR_TEST);
        constexpr std::array<std::uint8_t, 9> kBefore{1, 2, 3, 4, 5, 6, 7, 8, 9};
        gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
        texture_2d(GL_STENCIL_INDEX8, 3, 3, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, kBefore.data());
        gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, 2, 1);
        std::array<std::uint8_t, 9> texels{};
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, texels.data());
        EXPECT_EQ(texels, (std::array<std::uint8_t, 9>{1, 2, 3, 4, 0xC3, 0x5A, 7, 8, 9}));
    }
}

TEST_F(DepthStencilTest, TestsWithoutAttachmentsPass) {
    make_target({8, 8});
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_NEVER);
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_NEVER, 0, 0xFF);
    painter().fill({0, 1, 0, 1});
    expect_pixel(3, 3, kGreen);
}

} // namespace
} // namespace kobalt::gltest
