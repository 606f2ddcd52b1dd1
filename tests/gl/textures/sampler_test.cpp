// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "sampler.h"

namespace kobalt::gltest {
namespace {

TEST_F(SamplerTest, ExplicitLod) {
    numbered_levels();
    for (int level = 0; level < 5; ++level) {
        const std::string n = std::to_string(level);
        EXPECT_EQ(sampled("textureLod(t, vec2(0.5), " + n + ".0)"), level);
        EXPECT_EQ(sampled("texelFetch(t, ivec2(0), " + n + ")"), level);
    }
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 99.0)"), 4);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), -5.0)"), 0);
}

TEST_F(SamplerTest, LinearBetweenLevels) {
    numbered_levels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
    EXPECT_NEAR(sampled("textureLod(t, vec2(0.5), 1.5)"), 1.5F, 0.02F);
    EXPECT_NEAR(sampled("textureLod(t, vec2(0.5), 2.25)"), 2.25F, 0.02F);
}

TEST_F(SamplerTest, BaseAndMaxLevel) {
    numbered_levels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 0.0)"), 1);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 9.0)"), 3);
    EXPECT_EQ(sampled("vec4(textureSize(t, 0).x)"), 8);
    EXPECT_EQ(sampled("vec4(textureSize(t, 1).x)"), 4);
}

TEST_F(SamplerTest, MinAndMaxLod) {
    numbered_levels();
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, 2.0F);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 0.0)"), 2);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, -1000.0F);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, 1.0F);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 4.0)"), 1);
}

TEST_F(SamplerTest, LodBias) {
    numbered_levels();
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 2.0F);
    EXPECT_EQ(sampled("textureLod(t, vec2(0.5), 1.0)"), 3);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 0.0F);
    EXPECT_EQ(sampled("textureGrad(t, vec2(0.5), vec2(4.0 / 16.0, 0), vec2(0))"), 2);
    EXPECT_EQ(sampled("textureGrad(t, vec2(0.5), vec2(0), vec2(0, 8.0 / 16.0))"), 3);
}

TEST_F(SamplerTest, ImplicitLodAndShaderBias) {
    numbered_levels();
    make_target({4, 4, GL_RGBA32F});
    const GLuint program =
        vs_fs(kFullscreenVs, "in vec2 uv; uniform sampler2D t; uniform float bias; "
                             "out vec4 result; void main() { result = texture(t, "
                             "uv, bias); }");
    set_uniform(program, "bias", 0.0F);
    draw_fullscreen(program);
    EXPECT_EQ(pixel_float(2, 2)[0], 2);
    set_uniform(program, "bias", 1.0F);
    draw_fullscreen(program);
    EXPECT_EQ(pixel_float(2, 2)[0], 3);
    set_uniform(program, "bias", -2.0F);
    draw_fullscreen(program);
    EXPECT_EQ(pixel_float(2, 2)[0], 0);
}

TEST_F(SamplerTest, GeneratedMipmaps) {
    new_texture(GL_TEXTURE_2D);
    std::vector<float> data(16 * 16);
    for (size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<float>(i % 16 < 8 ? 0 : 8);
    }
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 16, 16, 0, GL_RED, GL_FLOAT, data.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    EXPECT_EQ(sampled("texelFetch(t, ivec2(1, 1), 3)"), 8);
    EXPECT_EQ(sampled("texelFetch(t, ivec2(0, 1), 3)"), 0);
    EXPECT_NEAR(sampled("texelFetch(t, ivec2(0, 0), 4)"), 4, 0.01F);
    GLint width = 0;
    gl::GetTexLevelParameteriv(GL_TEXTURE_2D, 4, GL_TEXTURE_WIDTH, &width);
    EXPECT_EQ(width, 1);
}

TEST_F(SamplerTest, GeneratedMipmapsOfArraysCubesAndVolumes) {
    const std::vector<std::uint8_t> white(8 * 8 * 8 * 4, 255);
    for (const auto& [target, sampler, coordinate] :
         {std::tuple{GL_TEXTURE_2D_ARRAY, "sampler2DArray", "vec3(0.5, 0.5, 5.0)"},
          {GL_TEXTURE_3D, "sampler3D", "vec3(0.5)"},
          {GL_TEXTURE_CUBE_MAP, "samplerCube", "vec3(0.1, 0.1, -1.0)"},
          {GL_TEXTURE_1D, "sampler1D", "0.5"}}) {
        const auto name = static_cast<GLenum>(target);
        new_texture(name);
        gl::TexParameteri(name, GL_TEXTURE_MAX_LEVEL, 1000);
        gl::TexParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
        if (name == GL_TEXTURE_CUBE_MAP) {
            for (GLuint face = 0; face < 6; ++face) {
                gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 8, 8, 0, GL_RGBA,
                               GL_UNSIGNED_BYTE, white.data());
            }
        } else if (name == GL_TEXTURE_1D) {
            gl::TexImage1D(name, 0, GL_RGBA8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        } else {
            gl::TexImage3D(name, 0, GL_RGBA8, 8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        }
        gl::GenerateMipmap(name);
        const Float4 value = evaluate(std::string("uniform ") + sampler + " t;",
                                      std::string("textureLod(t, ") + coordinate + ", 3.0)");
        expect_near(value, {1, 1, 1, 1}, 0.01F, sampler);
    }
}

TEST_F(SamplerTest, SrgbMipmapsAverageLinearLight) {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    const std::array<std::uint8_t, 16> checker{0,   0,   0,   255, 255, 255, 255, 255,
                                               255, 255, 255, 255, 0,   0,   0,   255};
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   checker.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    EXPECT_NEAR(sampled("texelFetch(t, ivec2(0), 1)"), 0.5F, 0.01F);
}

TEST_F(SamplerTest, Swizzle) {
    const std::array<std::uint8_t, 4> texel{51, 102, 153, 204};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    const std::array<GLint, 4> swizzle{GL_ALPHA, GL_ONE, GL_RED, GL_ZERO};
    gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), {0.8F, 1, 0.2F, 0},
                0.001F);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_BLUE);
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), {0.8F, 0.6F, 0.2F, 0},
                0.001F);
}

TEST_F(SamplerTest, SwizzleOneOnIntegers) {
    const std::array<std::uint32_t, 4> texel{5, 6, 7, 8};
    texture_2d(GL_RGBA32UI, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texel.data());
    const std::array<GLint, 4> swizzle{GL_ONE, GL_ALPHA, GL_ZERO, GL_RED};
    gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
    EXPECT_EQ(evaluate_uint("uniform usampler2D t;", "texture(t, vec2(0.5))"), (Uint4{1, 8, 0, 5}));
}

TEST_F(SamplerTest, WrapModes) {
    two_texels();
    const auto wrap = [](GLint mode) { gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, mode); };
    wrap(GL_REPEAT);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 0);
    EXPECT_EQ(sampled("texture(t, vec2(-0.25, 0.5))"), 1);
    wrap(GL_MIRRORED_REPEAT);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 1);
    EXPECT_EQ(sampled("texture(t, vec2(-0.75, 0.5))"), 1);
    EXPECT_EQ(sampled("texture(t, vec2(2.25, 0.5))"), 0);
    wrap(GL_CLAMP_TO_EDGE);
    EXPECT_EQ(sampled("texture(t, vec2(7.0, 0.5))"), 1);
    EXPECT_EQ(sampled("texture(t, vec2(-7.0, 0.5))"), 0);
}

TEST_F(SamplerTest, BorderColours) {
    two_texels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    for (const Float4& border : {Float4{0, 0, 0, 0}, Float4{0, 0, 0, 1}, Float4{1, 1, 1, 1},
                                 Float4{0.25F, 0.5F, 0.75F, 0.5F}}) {
        gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
        // The texture is R32F: only red comes from the border.
        EXPECT_NEAR(sampled("texture(t, vec2(2.0, 0.5))"), border[0], 0.01F);
    }
    const std::array<std::uint8_t, 4> texel{255, 255, 255, 255};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const Float4 border{0.2F, 0.4F, 0.6F, 0.8F};
    gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5, 3.0))"), border, 0.01F);
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5, 0.5))"), {1, 1, 1, 1},
                0.01F);
}

TEST_F(SamplerTest, IntegerBorderColour) {
    const std::array<std::int32_t, 4> texel{1, 2, 3, 4};
    texture_2d(GL_RGBA32I, 1, 1, GL_RGBA_INTEGER, GL_INT, texel.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    const std::array<GLint, 4> border{-5, 70000, 0, 9};
    gl::TexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
    EXPECT_EQ(evaluate_int("uniform isampler2D t;", "texture(t, vec2(2.0, 0.5))"),
              (Int4{-5, 70000, 0, 9}));
}

TEST_F(SamplerTest, LinearFilter) {
    two_texels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    EXPECT_NEAR(sampled("texture(t, vec2(0.5, 0.5))"), 0.5F, 0.01F);
    EXPECT_NEAR(sampled("texture(t, vec2(0.375, 0.5))"), 0.25F, 0.01F);
    EXPECT_NEAR(sampled("texture(t, vec2(0.1, 0.5))"), 0.0F, 0.01F);
}

TEST_F(SamplerTest, ShadowCompareFunctions) {
    const float depth = 0.5F;
    texture_2d(GL_DEPTH_COMPONENT32F, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    struct Compare {
        GLint function;
        std::array<int, 3> result; // for references 0.25, 0.5, 0.75
    };
    for (const Compare& test : {Compare{GL_LEQUAL, {1, 1, 0}}, Compare{GL_GEQUAL, {0, 1, 1}},
                                Compare{GL_LESS, {1, 0, 0}}, Compare{GL_GREATER, {0, 0, 1}},
                                Compare{GL_EQUAL, {0, 1, 0}}, Compare{GL_NOTEQUAL, {1, 0, 1}},
                                Compare{GL_ALWAYS, {1, 1, 1}}, Compare{GL_NEVER, {0, 0, 0}}}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, test.function);
        const Float4 value =
            evaluate("uniform sampler2DShadow t;",
                     "texture(t, vec3(0.5, 0.5, 0.25)), texture(t, vec3(0.5, 0.5, 0.5)), "
                     "texture(t, vec3(0.5, 0.5, 0.75)), 0");
        for (size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(value[i], static_cast<float>(test.result[i]))
                << "function 0x" << std::hex << test.function << " reference " << i;
        }
    }
}

TEST_F(SamplerTest, ShadowOfArraysAndCubes) {
    const std::vector<float> depth(4 * 3, 0.5F);
    new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, 2, 2, 3, 0, GL_DEPTH_COMPONENT,
                   GL_FLOAT, depth.data());
    gl::TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    EXPECT_EQ(
        evaluate("uniform sampler2DArrayShadow t;", "texture(t, vec4(0.5, 0.5, 2.0, 0.4))")[0], 1);
    EXPECT_EQ(
        evaluate("uniform sampler2DArrayShadow t;", "texture(t, vec4(0.5, 0.5, 2.0, 0.6))")[0], 0);
    new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLuint face = 0; face < 6; ++face) {
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_DEPTH_COMPONENT32F, 2, 2, 0,
                       GL_DEPTH_COMPONENT, GL_FLOAT, depth.data());
    }
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    EXPECT_EQ(evaluate("uniform samplerCubeShadow t;", "texture(t, vec4(0, 1, 0, 0.4))")[0], 1);
    EXPECT_EQ(evaluate("uniform samplerCubeShadow t;", "texture(t, vec4(0, 1, 0, 0.6))")[0], 0);
}

TEST_F(SamplerTest, SamplerObjectsOverrideTextures) {
    two_texels();
    std::array<GLuint, 2> samplers{};
    gl::GenSamplers(2, samplers.data());
    for (const GLuint sampler : samplers) {
        gl::SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    gl::SamplerParameteri(samplers[0], GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl::SamplerParameteri(samplers[1], GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    gl::BindSampler(0, samplers[0]);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 0);
    gl::BindSampler(0, samplers[1]);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 1);
    gl::SamplerParameteri(samplers[1], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 0);
    gl::BindSampler(0, 0);
    EXPECT_EQ(sampled("texture(t, vec2(1.25, 0.5))"), 1);
}

TEST_F(SamplerTest, OneTextureThroughTwoSamplers) {
    const GLuint texture = two_texels();
    std::array<GLuint, 2> samplers{};
    gl::GenSamplers(2, samplers.data());
    for (GLuint unit = 0; unit < 2; ++unit) {
        gl::ActiveTexture(GL_TEXTURE0 + unit);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::BindSampler(unit, samplers[unit]);
        const GLint filter = unit == 0 ? GL_NEAREST : GL_LINEAR;
        gl::SamplerParameteri(samplers[unit], GL_TEXTURE_MIN_FILTER, filter);
        gl::SamplerParameteri(samplers[unit], GL_TEXTURE_MAG_FILTER, filter);
        gl::SamplerParameteri(samplers[unit], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    }
    const Float4 value = evaluate(
        "uniform sampler2D a; uniform sampler2D b;",
        "texture(a, vec2(0.45, 0.5)).r, texture(b, vec2(0.5, 0.5)).r, 0, 0", [](GLuint program) {
            set_uniform(program, "a", 0);
            set_uniform(program, "b", 1);
        });
    EXPECT_EQ(value[0], 0);
    EXPECT_NEAR(value[1], 0.5F, 0.01F);
}

TEST_F(SamplerTest, StateChangesBetweenDrawsOfOneTexture) {
    two_texels();
    make_target({4, 1, GL_RGBA32F});
    const GLuint program =
        vs_fs(kFullscreenVs, "uniform sampler2D t; out vec4 result; void main() { "
                             "result = texture(t, vec2(1.25, 0.5)); }");
    gl::Enable(GL_SCISSOR_TEST);
    const std::array<GLint, 4> modes{GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT, GL_REPEAT};
    for (int i = 0; i < 4; ++i) {
        gl::Scissor(i, 0, 1, 1);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, modes[static_cast<size_t>(i)]);
        draw_fullscreen(program);
    }
    const std::array<float, 4> expected{0, 1, 1, 0};
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(pixel_float(i, 0)[0], expected[static_cast<size_t>(i)]) << i;
    }
}

// OpenGL 4.6, 8.14.3: GL_NEAREST reads the base level, of integers as of all else.
TEST_F(SamplerTest, IntegersWithoutMipmaps) {
    new_texture(GL_TEXTURE_2D);
    for (int level = 0; level < 3; ++level) {
        const int size = 4 >> level;
        const std::vector<GLint> texels(static_cast<size_t>(size * size), level + 1);
        gl::TexImage2D(GL_TEXTURE_2D, level, GL_R32I, size, size, 0, GL_RED_INTEGER, GL_INT,
                       texels.data());
    }
    const auto read = [](GLint base, GLint filter, const std::string& lod) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, base);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        return evaluate_int("uniform isampler2D t;", "textureLod(t, vec2(0.5), " + lod + ")")[0];
    };
    EXPECT_EQ(read(0, GL_NEAREST, "2.0"), 1);
    EXPECT_EQ(read(1, GL_NEAREST, "1.0"), 2);
    EXPECT_EQ(read(0, GL_NEAREST_MIPMAP_NEAREST, "2.0"), 3);
}

TEST_F(SamplerTest, Anisotropy) {
    if (!has_extension("GL_EXT_texture_filter_anisotropic")) {
        GTEST_SKIP() << "GL_EXT_texture_filter_anisotropic is not offered";
    }
    numbered_levels();
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl::TexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 8.0F);
    // A footprint of 8 x 1 texels may be sampled anywhere between level 0 and level 3.
    const float value = sampled("textureGrad(t, vec2(0.5), vec2(0.5, 0), vec2(0, 1.0 / 16.0))");
    EXPECT_GE(value, 0.0F);
    EXPECT_LE(value, 3.05F);
}

} // namespace
} // namespace kobalt::gltest
