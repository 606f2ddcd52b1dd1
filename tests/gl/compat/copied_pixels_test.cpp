// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glCopyPixels (OpenGL 4.6, compatibility profile, 18.3.1): what is read is transferred as by
// glReadPixels, and drawn as by glDrawPixels.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

constexpr float kDepth = 0.5F;
constexpr GLint kStencil = 11;

/// Pixels are copied from the lower left quarter to the upper right one.
class CopiedPixelsTest : public FixedFunctionTest {
protected:
    static constexpr int kHalf = kSize / 2;
    void prepare() override {
        FixedFunctionTest::prepare();
        gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
        gl::Enable(GL_SCISSOR_TEST);
        gl::Scissor(0, 0, kHalf, kHalf);
        gl::ClearColor(0, 1, 0, 1);
        gl::ClearDepth(kDepth);
        gl::ClearStencil(kStencil);
        gl::Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        gl::Disable(GL_SCISSOR_TEST);
    }
    static void copy(GLenum type) {
        gl::RasterPos2i(0, 0);
        gl::CopyPixels(0, 0, kHalf, kHalf, type);
    }
    static void copy_depths(GLenum type) {
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_ALWAYS);
        copy(type);
        gl::Disable(GL_DEPTH_TEST);
    }
    static void expect_copied(const Byte4& color) {
        expect_area(kHalf, kHalf, kHalf, kHalf, color);
        expect_area(0, 0, kHalf, kHalf, kGreen);
    }
    static void expect_depths(float copied) {
        std::vector<float> depths(std::size_t{kSize} * kSize);
        gl::ReadPixels(0, 0, kSize, kSize, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
        EXPECT_NEAR(depths.front(), kDepth, 1e-6F);
        for (int y = kHalf; y < kSize; ++y) {
            for (int x = kHalf; x < kSize; ++x) {
                ASSERT_NEAR(depths[static_cast<std::size_t>(y * kSize + x)], copied, 1e-6F)
                    << x << ", " << y;
            }
        }
    }
    static void expect_indices(int copied) {
        std::vector<std::uint8_t> indices(std::size_t{kSize} * kSize);
        gl::ReadPixels(0, 0, kSize, kSize, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, indices.data());
        EXPECT_EQ(indices.front(), kStencil);
        for (int y = kHalf; y < kSize; ++y) {
            for (int x = kHalf; x < kSize; ++x) {
                ASSERT_EQ(indices[static_cast<std::size_t>(y * kSize + x)], copied)
                    << x << ", " << y;
            }
        }
    }
    /// Reads and tests are without transfers again after `copies`.
    static void with_transfers(const std::function<void()>& copies) {
        gl::PixelTransferf(GL_DEPTH_SCALE, 0.5F);
        gl::PixelTransferf(GL_DEPTH_BIAS, 0.125F);
        gl::PixelTransferi(GL_INDEX_SHIFT, 1);
        gl::PixelTransferi(GL_INDEX_OFFSET, 1);
        copies();
        gl::PixelTransferf(GL_DEPTH_SCALE, 1);
        gl::PixelTransferf(GL_DEPTH_BIAS, 0);
        gl::PixelTransferi(GL_INDEX_SHIFT, 0);
        gl::PixelTransferi(GL_INDEX_OFFSET, 0);
    }
};

TEST_F(CopiedPixelsTest, ChannelsAreMasked) {
    gl::ClearColor(1, 0, 1, 0);
    gl::Scissor(kHalf, kHalf, kHalf, kHalf);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    gl::ColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
    copy(GL_COLOR);
    gl::ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    expect_copied({0, 0, 255, 255});
}

TEST_F(CopiedPixelsTest, TexturesAreApplied) {
    one_texel({255, 51, 255, 255});
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    copy(GL_COLOR);
    gl::Disable(GL_TEXTURE_2D);
    expect_copied({0, 51, 0, 255});
}

TEST_F(CopiedPixelsTest, StencilTestRejects) {
    gl::Enable(GL_STENCIL_TEST);
    gl::StencilFunc(GL_NEVER, 0, 0xff);
    copy(GL_COLOR);
    expect_copied(kBlack);
    gl::StencilFunc(GL_ALWAYS, 0, 0xff);
    copy(GL_COLOR);
    gl::Disable(GL_STENCIL_TEST);
    expect_copied(kGreen);
}

TEST_F(CopiedPixelsTest, DepthsAreScaledAndBiased) {
    copy_depths(GL_DEPTH);
    expect_depths(kDepth);
    with_transfers([] { copy_depths(GL_DEPTH); });
    expect_depths(kDepth * 0.5F + 0.125F);
}

TEST_F(CopiedPixelsTest, IndicesAreShiftedOffsetAndMapped) {
    copy(GL_STENCIL);
    expect_indices(kStencil);
    with_transfers([] { copy(GL_STENCIL); });
    expect_indices(2 * kStencil + 1);
    std::array<float, 16> map{};
    map[kStencil] = 77;
    gl::PixelMapfv(GL_PIXEL_MAP_S_TO_S, static_cast<GLsizei>(map.size()), map.data());
    gl::PixelTransferi(GL_MAP_STENCIL, GL_TRUE);
    copy(GL_STENCIL);
    gl::PixelTransferi(GL_MAP_STENCIL, GL_FALSE);
    expect_indices(77);
}

TEST_F(CopiedPixelsTest, BothAreTransferred) {
    with_transfers([] { copy_depths(GL_DEPTH_STENCIL); });
    expect_depths(kDepth * 0.5F + 0.125F);
    expect_indices(2 * kStencil + 1);
}

// 18.1.2: fragments of depths take the rest from the raster position.
TEST_F(CopiedPixelsTest, DepthsHaveTheRasterColour) {
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    for (const float scale : {1.0F, 0.5F}) {
        gl::Color4f(1, 0, 0, 1);
        gl::RasterPos2i(0, 0);
        gl::Color4f(0, 0, 1, 1);
        gl::PixelTransferf(GL_DEPTH_SCALE, scale);
        gl::CopyPixels(0, 0, kHalf, kHalf, GL_DEPTH);
        gl::PixelTransferf(GL_DEPTH_SCALE, 1);
        expect_copied(kRed);
        expect_depths(kDepth * scale);
    }
}

} // namespace
} // namespace kobalt::gltest
