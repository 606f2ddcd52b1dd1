// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Draws that differ in a texture's parameters alone, hundreds of them in one frame. Neither a level
// of detail bias nor a swizzle is part of a shader or of a pipeline, so none compiles or links.
// test_sweep_calls.py counts the Vulkan commands of these scenes.
#include "counters.h"

namespace kobalt::gltest {
namespace {

class SamplerSweepTest : public CountedTest {
protected:
    static constexpr int kValues = 256;

    void prepare() override {
        CountedTest::prepare();
        target_ = make_target({kValues, 1, GL_RGBA32F});
        bind_new_vao();
        gl::UseProgram(vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                                            "result = texture(t, gl_FragCoord.xy / 16.0); }"));
    }

    /// Draws pixel `i` of the target after `change(i)`, for each value, and expects that this
    /// compiles and links nothing.
    void sweep(int values, const std::function<void(int)>& change) const {
        const Spent spent = measure_warm([&] {
            target_.bind();
            for (int i = 0; i < values; ++i) {
                change(i);
                gl::Viewport(i, 0, 1, 1);
                gl::DrawArrays(GL_TRIANGLES, 0, 3);
            }
        });
        EXPECT_EQ(spent.at("draws"), static_cast<std::uint64_t>(values));
        for (const char* const name :
             {"stage-compiles", "draw-compiles", "fast-links", "late-shaders"}) {
            EXPECT_EQ(spent.at(name), 0U) << name;
        }
        EXPECT_LE(spent.at("passes"), spent.at("batches") + 1) << "a change ends no pass";
    }

private:
    Target target_;
};

TEST_F(SamplerSweepTest, LodBiases) {
    new_texture(GL_TEXTURE_2D);
    for (int level = 0; level < 5; ++level) {
        const int size = 16 >> level;
        const std::vector<float> data(static_cast<size_t>(size * size), static_cast<float>(level));
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_R32F, size, size, 0, GL_RED, GL_FLOAT, data.data());
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 4);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    const auto bias = [](int i) { return static_cast<float>(i) * 4.0F / kValues; };
    sweep(kValues, [&](int i) { gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, bias(i)); });
    // OpenGL 4.6, 8.14: a texel for each pixel makes the level of detail the bias. Level 0 is
    // magnified; of two levels that are equally near, either may be taken.
    for (int i = 0; i < kValues; ++i) {
        EXPECT_NEAR(pixel_float(i, 0)[0], bias(i), 0.5F + 1.0F / 32) << "bias " << bias(i);
    }
}

TEST_F(SamplerSweepTest, Swizzles) {
    constexpr std::array<Float4, 1> texel{Float4{0.125F, 0.25F, 0.5F, 0.75F}};
    texture_2d(GL_RGBA32F, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
    constexpr std::array<GLint, 6> sources{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE};
    constexpr std::array<float, 6> values{0.125F, 0.25F, 0.5F, 0.75F, 0, 1};
    // lavapipe compiles functions for each new swizzle, so these are a few of the 1,296.
    constexpr int kSwizzles = 36;
    const auto source = [](int i, int channel) {
        return static_cast<size_t>((i / (channel % 2 == 0 ? 1 : 6) + channel / 2) % 6);
    };
    sweep(kSwizzles, [&](int i) {
        std::array<GLint, 4> swizzle{};
        for (int channel = 0; channel < 4; ++channel) {
            swizzle.at(static_cast<size_t>(channel)) = sources.at(source(i, channel));
        }
        gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
    });
    for (int i = 0; i < kSwizzles; ++i) {
        const Float4 found = pixel_float(i, 0);
        for (int channel = 0; channel < 4; ++channel) {
            EXPECT_EQ(found.at(static_cast<size_t>(channel)), values.at(source(i, channel)))
                << "swizzle " << i << ", channel " << channel;
        }
    }
}

} // namespace
} // namespace kobalt::gltest
