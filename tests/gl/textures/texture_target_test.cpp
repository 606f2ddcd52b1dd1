// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#include <numeric>

namespace kobalt::gltest {
namespace {

class TextureTargetTest : public GlTest {
protected:
    /// Texels with red = first, first + 1, … and green = 100.
    static std::vector<std::uint8_t> ramp(size_t texels, int first = 0) {
        std::vector<std::uint8_t> data(texels * 4);
        for (size_t i = 0; i < texels; ++i) {
            data[i * 4] = static_cast<std::uint8_t>(first + static_cast<int>(i));
            data[i * 4 + 1] = 100;
            data[i * 4 + 3] = 255;
        }
        return data;
    }
    static float red(const std::string& sampler, const std::string& call) {
        const Float4 value = evaluate("uniform " + sampler + " t;", call);
        EXPECT_NEAR(value[1] * 255.0F, 100.0F, 0.01F) << sampler << " " << call;
        return value[0] * 255.0F;
    }
    /// A texture of four samples, red 50, 100, 150 and 200 in each texel.
    static void draw_samples() {
        const GLuint texture = new_texture(GL_TEXTURE_2D_MULTISAMPLE);
        gl::TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 4, 4, GL_TRUE);
        bind_texture_target(texture, 4, 4);
        const RectPainter painter;
        gl::Enable(GL_SAMPLE_MASK);
        for (GLuint sample = 0; sample < 4; ++sample) {
            gl::SampleMaski(0, 1U << sample);
            painter.fill({static_cast<float>(sample + 1) * 50.0F / 255.0F, 0, 0, 1});
        }
        gl::Disable(GL_SAMPLE_MASK);
    }
    static std::vector<float> row_of_numbers(int size) {
        std::vector<float> numbers(static_cast<size_t>(size));
        std::iota(numbers.begin(), numbers.end(), 0.0F);
        return numbers;
    }
    /// The expression for each pixel of a row, where `t` is row_of_numbers(size).
    static std::vector<float> read_row(GLenum target, int size, const std::string& call) {
        new_texture(target);
        gl::TexImage2D(target, 0, GL_R32F, size, 1, 0, GL_RED, GL_FLOAT,
                       row_of_numbers(size).data());
        make_target({size, 1, GL_R32F});
        draw_fullscreen(vs_fs(kFullscreenVs,
                              std::string("uniform ") +
                                  (target == GL_TEXTURE_2D ? "sampler2D" : "sampler2DRect") +
                                  " t; out vec4 result; void main() { result = " + call + "; }"));
        std::vector<float> read(static_cast<size_t>(size));
        gl::ReadPixels(0, 0, size, 1, GL_RED, GL_FLOAT, read.data());
        return read;
    }
};

TEST_F(TextureTargetTest, OneDimensional) {
    new_texture(GL_TEXTURE_1D);
    gl::TexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, ramp(8).data());
    EXPECT_NEAR(red("sampler1D", "texture(t, 5.5 / 8.0)"), 5, 0.01F);
    EXPECT_NEAR(red("sampler1D", "texelFetch(t, 7, 0)"), 7, 0.01F);
    EXPECT_NEAR(red("sampler1D", "textureLodOffset(t, 2.5 / 8.0, 0.0, -1)"), 1, 0.01F);
    EXPECT_EQ(evaluate_int("uniform sampler1D t;", "ivec4(textureSize(t, 0))")[0], 8);
}

TEST_F(TextureTargetTest, TwoDimensional) {
    texture_2d(GL_RGBA8, 8, 4, GL_RGBA, GL_UNSIGNED_BYTE, ramp(32).data());
    EXPECT_NEAR(red("sampler2D", "texture(t, vec2(5.5 / 8.0, 2.5 / 4.0))"), 21, 0.01F);
    EXPECT_NEAR(red("sampler2D", "texelFetch(t, ivec2(7, 3), 0)"), 31, 0.01F);
    EXPECT_NEAR(red("sampler2D", "texelFetchOffset(t, ivec2(3, 2), 0, ivec2(1, -1))"), 12, 0.01F);
    EXPECT_NEAR(red("sampler2D", "textureProj(t, vec3(5.5 / 4.0, 2.5 / 2.0, 2.0))"), 21, 0.01F);
    const Int4 size = evaluate_int("uniform sampler2D t;", "ivec4(textureSize(t, 0), 0, 0)");
    EXPECT_EQ(size, (Int4{8, 4, 0, 0}));
}

TEST_F(TextureTargetTest, ThreeDimensional) {
    new_texture(GL_TEXTURE_3D);
    gl::TexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 3, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ramp(60).data());
    EXPECT_NEAR(red("sampler3D", "texture(t, vec3(1.5 / 4.0, 2.5 / 3.0, 3.5 / 5.0))"),
                1 + 2 * 4 + 3 * 12, 0.01F);
    EXPECT_NEAR(red("sampler3D", "texelFetch(t, ivec3(3, 0, 4), 0)"), 51, 0.01F);
    EXPECT_EQ(evaluate_int("uniform sampler3D t;", "ivec4(textureSize(t, 0), 0)"),
              (Int4{4, 3, 5, 0}));
}

TEST_F(TextureTargetTest, ThreeDimensionalLinearBetweenSlices) {
    new_texture(GL_TEXTURE_3D);
    gl::TexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl::TexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl::TexImage3D(GL_TEXTURE_3D, 0, GL_R32F, 1, 1, 2, 0, GL_RED, GL_FLOAT,
                   std::array<float, 2>{0, 1}.data());
    EXPECT_NEAR(evaluate("uniform sampler3D t;", "texture(t, vec3(0.5))")[0], 0.5F, 0.01F);
}

TEST_F(TextureTargetTest, CubeFaces) {
    new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLuint face = 0; face < 6; ++face) {
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 2, 2, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, ramp(4, static_cast<int>(face) * 10).data());
    }
    const std::array<const char*, 6> directions{"vec3(1, 0.5, 0.5)", "vec3(-1, 0.5, 0.5)",
                                                "vec3(0.5, 1, 0.5)", "vec3(0.5, -1, 0.5)",
                                                "vec3(0.5, 0.5, 1)", "vec3(0.5, 0.5, -1)"};
    // Table 3.23 of the 3.3 specification gives s and t on each face; texel = s + 2 * t.
    const std::array<int, 6> texel{0, 1, 3, 1, 1, 0};
    for (size_t face = 0; face < 6; ++face) {
        EXPECT_NEAR(red("samplerCube", std::string("texture(t, ") + directions[face] + ")"),
                    static_cast<float>(face * 10 + static_cast<size_t>(texel[face])), 0.01F)
            << "face " << face;
    }
}

TEST_F(TextureTargetTest, SeamlessCubeFiltersAcrossEdges) {
    new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    for (GLuint face = 0; face < 6; ++face) {
        const float value = face == 0 ? 1.0F : 0.0F;
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT,
                       &value);
    }
    gl::Enable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    EXPECT_NEAR(evaluate("uniform samplerCube t;", "texture(t, vec3(1.0, 0.0, 0.999))")[0], 0.5F,
                0.05F);
    gl::Disable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
}

TEST_F(TextureTargetTest, Rectangle) {
    new_texture(GL_TEXTURE_RECTANGLE);
    gl::TexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA8, 7, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ramp(35).data());
    EXPECT_NEAR(red("sampler2DRect", "texture(t, vec2(4.5, 3.5))"), 25, 0.01F);
    EXPECT_NEAR(red("sampler2DRect", "texelFetch(t, ivec2(6, 4))"), 34, 0.01F);
    EXPECT_EQ(evaluate_int("uniform sampler2DRect t;", "ivec4(textureSize(t), 0, 0)"),
              (Int4{7, 5, 0, 0}));
}

/// A whole number is the lower edge of its texel, and not of the one before.
// Mesa's frontend or the driver divides by the size, and the device multiplies by it again: none of
// the roundings may end in the texel before.
TEST_F(TextureTargetTest, RectangleEdges) {
    for (const int size : {3, 129, 1000, 1023}) {
        const std::vector<float> numbers = row_of_numbers(size);
        // What the division may lose: where that isn't enough, coordinates have fewer bits than
        // floats in the device, and which texel is on the other side of an edge is its choice.
        if (read_row(GL_TEXTURE_2D, size,
                     "texture(t, vec2(floor(gl_FragCoord.x) * (1.0 + 1.0 / 4194304.0) / " +
                         std::to_string(size) + ".0, 0.5))") != numbers)
            GTEST_SKIP() << "the device places coordinates close behind an edge before it";
        EXPECT_EQ(
            read_row(GL_TEXTURE_RECTANGLE, size, "texture(t, vec2(floor(gl_FragCoord.x), 0.5))"),
            numbers);
    }
    // Row 3 by an offset from row -1, whose edge is a whole number: upwards is the next one.
    new_texture(GL_TEXTURE_RECTANGLE);
    gl::TexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA8, 7, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ramp(35).data());
    EXPECT_NEAR(red("sampler2DRect", "textureOffset(t, vec2(1.5, -1.0), ivec2(0, 4))"), 22, 0.01F);
    EXPECT_NEAR(red("sampler2DRect", "textureProjOffset(t, vec3(-3.0, 2.0, -2.0), ivec2(0, 4))"),
                22, 0.01F);
}

TEST_F(TextureTargetTest, OneDimensionalArray) {
    new_texture(GL_TEXTURE_1D_ARRAY);
    gl::TexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, 8, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ramp(24).data());
    EXPECT_NEAR(red("sampler1DArray", "texture(t, vec2(3.5 / 8.0, 2.0))"), 19, 0.01F);
    EXPECT_NEAR(red("sampler1DArray", "texelFetch(t, ivec2(7, 1), 0)"), 15, 0.01F);
    EXPECT_NEAR(red("sampler1DArray", "texture(t, vec2(3.5 / 8.0, 9.0))"), 19, 0.01F);
    EXPECT_EQ(evaluate_int("uniform sampler1DArray t;", "ivec4(textureSize(t, 0), 0, 0)"),
              (Int4{8, 3, 0, 0}));
}

// Levels that don't tell the width of the first: each is kept apart until the texture is used.
TEST_F(TextureTargetTest, LevelsOfOneDimensionalArraysOfOddWidth) {
    new_texture(GL_TEXTURE_1D_ARRAY);
    gl::TexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl::TexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MAX_LEVEL, 1000);
    for (const GLint level : {0, 1, 2}) {
        const GLsizei width = 5 >> level;
        gl::TexImage2D(GL_TEXTURE_1D_ARRAY, level, GL_RGBA8, width, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       ramp(static_cast<std::size_t>(width) * 3, 100 * level).data());
    }
    gl::TexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MAX_LEVEL, 2);
    EXPECT_NEAR(red("sampler1DArray", "texelFetch(t, ivec2(4, 2), 0)"), 14, 0.01F);
    EXPECT_NEAR(red("sampler1DArray", "texelFetch(t, ivec2(1, 1), 1)"), 103, 0.01F);
    EXPECT_NEAR(red("sampler1DArray", "texelFetch(t, ivec2(0, 2), 2)"), 202, 0.01F);
}

TEST_F(TextureTargetTest, TwoDimensionalArray) {
    new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ramp(96).data());
    EXPECT_NEAR(red("sampler2DArray", "texture(t, vec3(1.5 / 4.0, 2.5 / 4.0, 5.0))"), 89, 0.01F);
    EXPECT_NEAR(red("sampler2DArray", "texture(t, vec3(0.1, 0.1, 2.4))"), 32, 0.01F);
    EXPECT_NEAR(red("sampler2DArray", "texelFetch(t, ivec3(3, 3, 5), 0)"), 95, 0.01F);
}

TEST_F(TextureTargetTest, Buffer) {
    const GLuint buffer =
        make_buffer(GL_TEXTURE_BUFFER, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
    expect_near(evaluate("uniform samplerBuffer t;", "texelFetch(t, 1)"), {5, 6, 7, 8}, 0);
    EXPECT_EQ(evaluate_int("uniform samplerBuffer t;", "ivec4(textureSize(t))")[0], 2);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32F, buffer);
    expect_near(evaluate("uniform samplerBuffer t;", "texelFetch(t, 6)"), {7, 0, 0, 1}, 0);
    EXPECT_EQ(evaluate_int("uniform samplerBuffer t;", "ivec4(textureSize(t))")[0], 8);
}

TEST_F(TextureTargetTest, BufferFormats) {
    const std::vector<std::uint8_t> bytes{0, 51, 255, 102, 200, 201, 202, 203};
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, bytes);
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
    expect_near(evaluate("uniform samplerBuffer t;", "texelFetch(t, 0)"), {0, 0.2F, 1, 0.4F},
                1e-5F);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R8UI, buffer);
    EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;", "texelFetch(t, 5)"),
              (Uint4{201, 0, 0, 1}));
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RG16UI, buffer);
    EXPECT_EQ(evaluate_uint("uniform usamplerBuffer t;", "texelFetch(t, 1)"),
              (Uint4{200 + 201 * 256, 202 + 203 * 256, 0, 1}));
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R8I, buffer);
    EXPECT_EQ(evaluate_int("uniform isamplerBuffer t;", "texelFetch(t, 2)"), (Int4{-1, 0, 0, 1}));
}

TEST_F(TextureTargetTest, BufferSeesLaterUpdates) {
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<float>{1, 2, 3, 4});
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
    EXPECT_EQ(evaluate("uniform samplerBuffer t;", "texelFetch(t, 0)")[0], 1);
    const std::array<float, 8> more{9, 8, 7, 6, 5, 4, 3, 2};
    gl::BufferSubData(GL_TEXTURE_BUFFER, 0, 16, more.data());
    EXPECT_EQ(evaluate("uniform samplerBuffer t;", "texelFetch(t, 0)")[0], 9);
    gl::BufferData(GL_TEXTURE_BUFFER, sizeof(more), more.data(), GL_STATIC_DRAW);
    EXPECT_EQ(evaluate("uniform samplerBuffer t;", "texelFetch(t, 1)")[0], 5);
}

TEST_F(TextureTargetTest, Multisample) {
    draw_samples();
    const Float4 value =
        evaluate("uniform sampler2DMS t;",
                 "vec4(texelFetch(t, ivec2(1, 2), 0).r, texelFetch(t, ivec2(1, 2), 1).r, "
                 "texelFetch(t, ivec2(1, 2), 2).r, texelFetch(t, ivec2(1, 2), 3).r) * 255.0");
    expect_near(value, {50, 100, 150, 200}, 0.01F);
}

// The answer may be no for any texel; it is never yes for these.
TEST_F(TextureTargetTest, SamplesThatDifferAreNotIdentical) {
    if (!has_extension("GL_EXT_shader_samples_identical"))
        GTEST_SKIP() << "GL_EXT_shader_samples_identical is not offered";
    draw_samples();
    make_target({1, 1, GL_RGBA32F});
    draw_fullscreen(vs_fs(kFullscreenVs, R"(
        #extension GL_EXT_shader_samples_identical : require
        uniform sampler2DMS t;
        out vec4 result;
        void main() {
            result = vec4(textureSamplesIdenticalEXT(t, ivec2(1, 2)),
                          texelFetch(t, ivec2(1, 2), 1).r, 0, 1);
        })"));
    expect_near(pixel_float(0, 0), {0, 100.0F / 255.0F, 0, 1}, 0.005F);
}

TEST_F(TextureTargetTest, MultisampleArray) {
    const GLuint texture = new_texture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY);
    gl::TexImage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 4, GL_RGBA8, 4, 4, 3, GL_TRUE);
    for (int layer = 0; layer < 3; ++layer) {
        bind_texture_target(texture, 4, 4, 0, layer);
        gl::ClearColor(static_cast<float>(layer) * 0.5F, 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    const Float4 value = evaluate("uniform sampler2DMSArray t;",
                                  "vec4(texelFetch(t, ivec3(1, 2, 0), 0).r, texelFetch(t, ivec3(1, "
                                  "2, 1), 1).r, texelFetch(t, ivec3(3, 3, 2), 3).r, 1.0)");
    expect_near(value, {0, 0.5F, 1, 1}, 0.005F);
}

TEST_F(TextureTargetTest, CubeMapArray) {
    if (!has_version(4, 0) && !has_extension("GL_ARB_texture_cube_map_array")) {
        GTEST_SKIP() << "GL_ARB_texture_cube_map_array is not offered";
    }
    new_texture(GL_TEXTURE_CUBE_MAP_ARRAY);
    std::vector<std::uint8_t> data;
    for (int layer = 0; layer < 12; ++layer) {
        const auto face = ramp(4, layer * 4);
        data.insert(data.end(), face.begin(), face.end());
    }
    gl::TexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 2, 2, 12, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   data.data());
    const std::string declaration =
        "#extension GL_ARB_texture_cube_map_array : enable\nuniform samplerCubeArray t;";
    // Extension lines come before other declarations, so this shader is written out.
    const GLuint program =
        link({{GL_VERTEX_SHADER, std::string("#version 330 core\n") + kFullscreenVs},
              {GL_FRAGMENT_SHADER, "#version 330 core\n" + declaration +
                                       "out vec4 result; void main() { result = texture(t, "
                                       "vec4(0.5, 0.5, 1.0, 1.0)); }"}});
    make_target({1, 1});
    draw_fullscreen(program);
    EXPECT_EQ(pixel(0, 0)[0], (6 + 4) * 4 + 1);
}

TEST_F(TextureTargetTest, VertexShaderSamples) {
    texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, ramp(16).data());
    const GLuint program = vs_fs(
        "uniform sampler2D t; flat out vec4 v; void main() { v = texelFetch(t, ivec2(2, 3), 0) "
        "+ textureLod(t, vec2(0.1), 0.0); gl_Position = vec4(0, 0, 0, 1); }",
        "flat in vec4 v; out vec4 result; void main() { result = v; }");
    make_target({1, 1, GL_RGBA32F});
    bind_new_vao();
    gl::UseProgram(program);
    gl::DrawArrays(GL_POINTS, 0, 1);
    EXPECT_NEAR(pixel_float(0, 0)[0] * 255.0F, 14, 0.01F);
}

TEST_F(TextureTargetTest, IncompleteTextureReadsBlack) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, ramp(64).data());
    expect_near(evaluate("uniform sampler2D t;", "texture(t, vec2(0.5))"), {0, 0, 0, 1}, 0);
}

TEST_F(TextureTargetTest, NothingBoundReadsBlackWithSamplesToo) {
    expect_near(evaluate("uniform sampler2DMS t;", "texelFetch(t, ivec2(0), 0)"), {0, 0, 0, 1}, 0);
    expect_near(evaluate("uniform sampler2DMSArray t;", "texelFetch(t, ivec3(0), 0)"), {0, 0, 0, 1},
                0);
}

TEST_F(TextureTargetTest, LargestTwoDimensionalRow) {
    GLint size = 0;
    gl::GetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    std::vector<std::uint8_t> row(static_cast<size_t>(size));
    std::iota(row.begin(), row.end(), std::uint8_t{0});
    texture_2d(GL_R8, size, 1, GL_RED, GL_UNSIGNED_BYTE, row.data());
    const Float4 value = evaluate(
        "uniform sampler2D t; uniform int last;", "texelFetch(t, ivec2(last, 0), 0) * 255.0",
        [&](GLuint program) { gl::Uniform1i(gl::GetUniformLocation(program, "last"), size - 2); });
    EXPECT_NEAR(value[0], static_cast<float>((size - 2) % 256), 0.01F);
}

// OpenGL 4.6, 11.1.3.5: what isn't complete is (0, 0, 0, 1), in integers as well.
TEST_F(TextureTargetTest, IncompleteTexturesOfIntegers) {
    const Int4 black{0, 0, 0, 1};
    const std::array<std::int32_t, 4> texel{5, 6, 7, 8};
    const GLuint texture = texture_2d(GL_RGBA32I, 1, 1, GL_RGBA_INTEGER, GL_INT, texel.data());
    const auto read = [](const std::string& sampler, const std::string& place) {
        return evaluate_int("uniform " + sampler + " t;", "ivec4(texture(t, " + place + "))");
    };
    EXPECT_EQ(read("isampler2D", "vec2(0.5)"), (Int4{5, 6, 7, 8}));
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    EXPECT_EQ(read("isampler2D", "vec2(0.5)"), black);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    EXPECT_EQ(read("isampler2D", "vec2(0.5)"), (Int4{5, 6, 7, 8}));
    gl::DeleteTextures(1, &texture);
    for (const auto& [sampler, place] : {std::pair{"isampler2D", "vec2(0.5)"},
                                         {"usampler2D", "vec2(0.5)"},
                                         {"isampler3D", "vec3(0.5)"},
                                         {"usamplerCube", "vec3(0.5)"},
                                         {"isampler2DArray", "vec3(0.5)"},
                                         {"usampler1D", "0.5"}}) {
        EXPECT_EQ(read(sampler, place), black) << sampler;
    }
}

} // namespace
} // namespace kobalt::gltest
