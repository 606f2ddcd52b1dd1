// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <algorithm>
#include <numeric>

#include <EGL/egl.h>

#ifndef GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV
#define GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV 0x92BF
#define GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV 0x934D
#define GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV 0x934E
#define GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV 0x934F
#endif

namespace kobalt::gltest {
namespace {

/// GL_NV_alpha_to_coverage_dither_control.
class AlphaDitherTest : public GlTest {
protected:
    static constexpr int kSize = 8, kSamples = 4;
    using Masks = std::array<int, kSize * kSize>; ///< the samples that a pixel's alpha covered

    Missing missing() const override { return lacks("GL_NV_alpha_to_coverage_dither_control"); }
    void prepare() override {
        control_ = reinterpret_cast<void (*)(GLenum)>(
            eglGetProcAddress("glAlphaToCoverageDitherControlNV"));
        ASSERT_NE(control_, nullptr);
    }

    void control(GLenum mode) const { control_(mode); }

    static Masks covered_by(float alpha) {
        return covered_by([alpha] { RectPainter().fill({1, 1, 1, alpha}); });
    }
    static Masks covered_by(const std::function<void()>& draw) {
        GLuint texture = 0, framebuffer = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
        gl::TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, kSamples, GL_RGBA8, kSize, kSize,
                                  GL_TRUE);
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                                 texture, 0);
        EXPECT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
        gl::Viewport(0, 0, kSize, kSize);
        gl::ClearColor(0, 0, 0, 0);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        draw();
        gl::Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);

        make_target({kSize, kSize, GL_R32F});
        draw_fullscreen(vs_fs(kFullscreenVs, R"(
uniform sampler2DMS t;
out vec4 result;
void main() {
    float mask = 0.0;
    for (int i = 0; i < 4; ++i)
        if (texelFetch(t, ivec2(gl_FragCoord.xy), i).r > 0.5)
            mask += float(1 << i);
    result = vec4(mask);
})"));
        std::array<float, kSize * kSize> read{};
        gl::ReadPixels(0, 0, kSize, kSize, GL_RED, GL_FLOAT, read.data());
        Masks masks{};
        std::ranges::transform(read, masks.begin(),
                               [](float mask) { return static_cast<int>(mask); });
        return masks;
    }
    static int bits(int mask) { return __builtin_popcount(static_cast<unsigned>(mask)); }
    /// The share of all samples.
    static float share(const Masks& masks) {
        const int sum = std::accumulate(masks.begin(), masks.end(), 0,
                                        [](int so_far, int mask) { return so_far + bits(mask); });
        return static_cast<float>(sum) / static_cast<float>(kSize * kSize * kSamples);
    }

private:
    void (*control_)(GLenum) = nullptr;
};

TEST_F(AlphaDitherTest, DisabledItIsTheSameInEachPixel) {
    control(GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV);
    for (const float alpha : {0.0F, 0.25F, 0.4F, 0.5F, 0.6F, 1.0F}) {
        const Masks masks = covered_by(alpha);
        EXPECT_EQ(std::ranges::count(masks, masks[0]), kSize * kSize) << alpha;
        EXPECT_NEAR(static_cast<float>(bits(masks[0])), alpha * kSamples,
                    alpha == 0 || alpha == 1 ? 0 : 0.99F);
    }
}

TEST_F(AlphaDitherTest, EnabledItDiffersFromPixelToPixel) {
    control(GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    const Masks masks = covered_by(0.4F);
    for (int y = 0; y < kSize; y += 2) {
        for (int x = 0; x < kSize; x += 2) {
            const auto at = static_cast<size_t>(y * kSize + x);
            EXPECT_FALSE(masks[at] == masks[at + 1] && masks[at] == masks[at + kSize] &&
                         masks[at] == masks[at + kSize + 1])
                << x << ", " << y;
        }
    }
    for (const float alpha : {0.0F, 0.3F, 0.4F, 0.8F, 1.0F}) {
        EXPECT_NEAR(share(covered_by(alpha)), alpha, alpha == 0 || alpha == 1 ? 0 : 0.06F);
    }
}

TEST_F(AlphaDitherTest, AlphaIsOneOnlyBehindIt) {
    control(GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV);
    gl::Enable(GL_SAMPLE_ALPHA_TO_ONE);
    const Masks masks = covered_by(0.5F);
    gl::Disable(GL_SAMPLE_ALPHA_TO_ONE);
    EXPECT_EQ(bits(masks[0]), 2);
    EXPECT_EQ(std::ranges::count(masks, masks[0]), kSize * kSize);
}

TEST_F(AlphaDitherTest, ShadersMaskWhatAlphaCovers) {
    if (!has_extension("GL_ARB_sample_shading")) {
        GTEST_SKIP() << "GL_ARB_sample_shading is not offered";
    }
    control(GL_ALPHA_TO_COVERAGE_DITHER_DISABLE_NV);
    const Masks by_alpha = covered_by(0.5F);
    const auto by_both = [](const std::string& body) {
        return covered_by([&body] {
            draw_fullscreen(vs_fs(kFullscreenVs, "#extension GL_ARB_sample_shading : require\n"
                                                 "out vec4 result;\nvoid main() {\n" +
                                                     body + "\n}"));
        });
    };
    for (int mask = 0; mask < 16; ++mask) {
        const std::string set = "gl_SampleMask[0] = " + std::to_string(mask) + ";";
        EXPECT_EQ(by_both(set + "result = vec4(1, 1, 1, 0.5);")[9], by_alpha[9] & mask) << mask;
        EXPECT_EQ(by_both("result = vec4(1, 1, 1, 0.5);" + set)[9], by_alpha[9] & mask) << mask;
    }
}

TEST_F(AlphaDitherTest, ModeIsKept) {
    GLint mode = 0;
    gl::GetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &mode);
    EXPECT_EQ(mode, GL_ALPHA_TO_COVERAGE_DITHER_DEFAULT_NV);
    control(GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    gl::GetIntegerv(GL_ALPHA_TO_COVERAGE_DITHER_MODE_NV, &mode);
    EXPECT_EQ(mode, GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV);
    control(GL_RGBA);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_ENUM});
}

} // namespace
} // namespace kobalt::gltest
