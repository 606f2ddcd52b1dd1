// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_KHR_blend_equation_advanced: each equation against its formula in the extension's tables X.1
// and X.2.
#include <algorithm>
#include <cmath>
#include <utility>

#include "support.h"

namespace kobalt::gltest {
namespace {

using Rgb = std::array<float, 3>;

float multiply(float s, float d) {
    return s * d;
}
float screen(float s, float d) {
    return s + d - s * d;
}
float hard_light(float s, float d) {
    return s <= 0.5F ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
}
float overlay(float s, float d) {
    return hard_light(d, s);
}
float darken(float s, float d) {
    return std::min(s, d);
}
float lighten(float s, float d) {
    return std::max(s, d);
}
float color_dodge(float s, float d) {
    return d <= 0 ? 0 : s >= 1 ? 1 : std::min(1.0F, d / (1 - s));
}
float color_burn(float s, float d) {
    return d >= 1 ? 1 : s <= 0 ? 0 : 1 - std::min(1.0F, (1 - d) / s);
}
float soft_light(float s, float d) {
    if (s <= 0.5F) {
        return d - (1 - 2 * s) * d * (1 - d);
    }
    if (d <= 0.25F) {
        return d + (2 * s - 1) * d * ((16 * d - 12) * d + 3);
    }
    return d + (2 * s - 1) * (std::sqrt(d) - d);
}
float difference(float s, float d) {
    return std::abs(d - s);
}
float exclusion(float s, float d) {
    return s + d - 2 * s * d;
}

float luminosity(const Rgb& c) {
    return 0.30F * c[0] + 0.59F * c[1] + 0.11F * c[2];
}
float saturation(const Rgb& c) {
    return *std::ranges::max_element(c) - *std::ranges::min_element(c);
}
Rgb clipped(Rgb c) {
    const float light = luminosity(c);
    const float least = *std::ranges::min_element(c), most = *std::ranges::max_element(c);
    for (float& channel : c) {
        if (least < 0) {
            channel = light + (channel - light) * light / (light - least);
        }
        if (most > 1) {
            channel = light + (channel - light) * (1 - light) / (most - light);
        }
    }
    return c;
}
Rgb with_luminosity(Rgb base, const Rgb& of) {
    const float more = luminosity(of) - luminosity(base);
    for (float& channel : base) {
        channel += more;
    }
    return clipped(base);
}
Rgb with_saturation(Rgb base, const Rgb& of, const Rgb& light) {
    const float least = *std::ranges::min_element(base), span = saturation(base);
    for (float& channel : base) {
        channel = span > 0 ? (channel - least) * saturation(of) / span : 0;
    }
    return with_luminosity(base, light);
}

Rgb hue(const Rgb& s, const Rgb& d) {
    return with_saturation(s, d, d);
}
Rgb saturate(const Rgb& s, const Rgb& d) {
    return with_saturation(d, s, d);
}
Rgb coloured(const Rgb& s, const Rgb& d) {
    return with_luminosity(s, d);
}
Rgb luminous(const Rgb& s, const Rgb& d) {
    return with_luminosity(d, s);
}

struct Equation {
    GLenum name;
    const char* text;
    float (*channel)(float, float);
    Rgb (*colour)(const Rgb&, const Rgb&) = nullptr;
};
void PrintTo(const Equation& equation, std::ostream* to) {
    *to << equation.text;
}

constexpr Equation kEquations[] = {
    {GL_MULTIPLY_KHR, "multiply", multiply},
    {GL_SCREEN_KHR, "screen", screen},
    {GL_OVERLAY_KHR, "overlay", overlay},
    {GL_DARKEN_KHR, "darken", darken},
    {GL_LIGHTEN_KHR, "lighten", lighten},
    {GL_COLORDODGE_KHR, "colordodge", color_dodge},
    {GL_COLORBURN_KHR, "colorburn", color_burn},
    {GL_HARDLIGHT_KHR, "hardlight", hard_light},
    {GL_SOFTLIGHT_KHR, "softlight", soft_light},
    {GL_DIFFERENCE_KHR, "difference", difference},
    {GL_EXCLUSION_KHR, "exclusion", exclusion},
    {GL_HSL_HUE_KHR, "hsl_hue", nullptr, hue},
    {GL_HSL_SATURATION_KHR, "hsl_saturation", nullptr, saturate},
    {GL_HSL_COLOR_KHR, "hsl_color", nullptr, coloured},
    {GL_HSL_LUMINOSITY_KHR, "hsl_luminosity", nullptr, luminous},
};

Rgb unmultiplied(const Float4& c) {
    return c[3] > 0 ? Rgb{c[0] / c[3], c[1] / c[3], c[2] / c[3]} : Rgb{};
}

/// f * p0 + Y * p1 + Z * p2, with X = Y = Z = 1 and the overlap of uncorrelated coverage.
Float4 blended(const Equation& equation, const Float4& source, const Float4& target) {
    const float both = source[3] * target[3], source_only = source[3] * (1 - target[3]),
                target_only = target[3] * (1 - source[3]);
    const Rgb s = unmultiplied(source), d = unmultiplied(target);
    Rgb f{};
    if (equation.colour != nullptr) {
        f = equation.colour(s, d);
    } else {
        for (size_t i = 0; i < 3; ++i) {
            f[i] = equation.channel(s[i], d[i]);
        }
    }
    Float4 result{};
    for (size_t i = 0; i < 3; ++i) {
        result[i] = f[i] * both + s[i] * source_only + d[i] * target_only;
    }
    result[3] = both + source_only + target_only;
    return result;
}

constexpr Float4 kColours[] = {
    {0.2F, 0.8F, 0.5F, 1},      {0.9F, 0.1F, 0.4F, 1}, {0.3F, 0.05F, 0.15F, 0.5F},
    {0.6F, 0.55F, 0.1F, 0.75F}, {0, 0, 0, 1},          {1, 1, 1, 1},
    {0.1F, 0.2F, 0.05F, 0.25F}, {0.5F, 0.5F, 0.5F, 1},
};
constexpr int kCount = static_cast<int>(std::size(kColours));

class AdvancedBlendTest : public EsTest, public testing::WithParamInterface<Equation> {
protected:
    Missing missing() const override { return lacks("GL_KHR_blend_equation_advanced"); }
    void prepare() override {
        bind_new_vao();
        program_ = link({{GL_VERTEX_SHADER, "#version 300 es\n" + std::string(kFullscreenVs)},
                         {GL_FRAGMENT_SHADER,
                          "#version 300 es\n#extension GL_KHR_blend_equation_advanced : require\n"
                          "precision highp float; uniform vec4 colour; "
                          "layout(blend_support_all_equations) out; out vec4 result; void main() "
                          "{ result = colour; }"}});
        gl::UseProgram(program_);
    }
    /// Every colour over every other, a pixel each.
    void draw_all() const {
        gl::Enable(GL_SCISSOR_TEST);
        for (int i = 0; i < kCount * kCount; ++i) {
            const Float4& below = kColours[i / kCount];
            gl::Scissor(i % kCount, i / kCount, 1, 1);
            gl::ClearColor(below[0], below[1], below[2], below[3]);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            set_uniform(program_, "colour", kColours[i % kCount]);
            gl::BlendBarrierKHR();
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
        }
        gl::Disable(GL_SCISSOR_TEST);
    }
    GLuint program_ = 0;
};

TEST_P(AdvancedBlendTest, FollowsItsFormula) {
    make_target({kCount, kCount, GL_RGBA8});
    gl::Enable(GL_BLEND);
    gl::BlendEquation(GetParam().name);
    draw_all();
    int changed = 0;
    for (int i = 0; i < kCount * kCount; ++i) {
        const Float4& source = kColours[i % kCount];
        const Float4& target = kColours[i / kCount];
        const Float4 expected = blended(GetParam(), source, target);
        Byte4 bytes{};
        for (size_t c = 0; c < 4; ++c) {
            bytes[c] =
                static_cast<std::uint8_t>(std::lround(std::clamp(expected[c], 0.0F, 1.0F) * 255));
        }
        expect_pixel(i % kCount, i / kCount, bytes, 3);
        changed += expected != source && expected != target;
    }
    EXPECT_GT(changed, kCount);
}

// Two draws over each other, in a multisampled framebuffer as well: the edge's samples differ.
TEST_P(AdvancedBlendTest, SamplesBlendOneByOne) {
    gl::Enable(GL_BLEND);
    gl::BlendEquation(GetParam().name);
    TargetOptions options{4, 4};
    options.samples = 4;
    const Target target = make_target(options);
    gl::Disable(GL_BLEND);
    gl::ClearColor(0.25F, 0.5F, 0.75F, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_BLEND);
    set_uniform(program_, "colour", Float4{0.8F, 0.4F, 0.1F, 1});
    gl::BlendBarrierKHR();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    const Target resolved = make_target({4, 4});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer);
    const Float4 expected = blended(GetParam(), {0.8F, 0.4F, 0.1F, 1}, {0.25F, 0.5F, 0.75F, 1});
    Byte4 bytes{};
    for (size_t c = 0; c < 4; ++c) {
        bytes[c] =
            static_cast<std::uint8_t>(std::lround(std::clamp(expected[c], 0.0F, 1.0F) * 255));
    }
    expect_area(0, 0, 4, 4, bytes, 3);
}

// They go for colours and alpha at once: glBlendEquationSeparate has none of them.
TEST_P(AdvancedBlendTest, IsNoEquationOfItsOwn) {
    gl::BlendEquationSeparate(GetParam().name, GetParam().name);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_ENUM});
}

class GreyBlendTest : public AdvancedBlendTest {};

// The luminosity of a grey is that of its channels but for the last bit: nothing is clipped.
TEST_P(GreyBlendTest, IsNoDivisionByNothing) {
    make_target({16, 16, GL_RGBA8});
    gl::Enable(GL_BLEND);
    gl::BlendEquation(GetParam().name);
    gl::Enable(GL_SCISSOR_TEST);
    for (const Float4& source : {Float4{0, 0, 0, 0}, Float4{1, 1, 1, 1}}) {
        for (int i = 0; i < 256; ++i) {
            const float grey = static_cast<float>(i) / 255;
            gl::Scissor(i % 16, i / 16, 1, 1);
            gl::ClearColor(grey, grey, grey, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            set_uniform(program_, "colour", source);
            gl::BlendBarrierKHR();
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
        }
        for (int i = 0; i < 256; ++i) {
            const bool stays = source[3] == 0 || GetParam().name == GL_HSL_COLOR_KHR;
            const auto grey = static_cast<std::uint8_t>(stays ? i : 255);
            expect_pixel(i % 16, i / 16, {grey, grey, grey, 255}, 1);
        }
    }
    gl::Disable(GL_SCISSOR_TEST);
}

INSTANTIATE_TEST_SUITE_P(Equations, GreyBlendTest,
                         testing::ValuesIn(&kEquations[13], std::end(kEquations)),
                         [](const auto& instance) { return instance.param.text; });
INSTANTIATE_TEST_SUITE_P(Equations, AdvancedBlendTest, testing::ValuesIn(kEquations),
                         [](const auto& instance) { return instance.param.text; });

} // namespace
} // namespace kobalt::gltest
