// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Compressed textures, also where the device can't read their format and Mesa decodes them, and
// levels that are generated behind another base level than the first.
#include "support.h"

namespace kobalt::gltest {
namespace {

class DecodedTextureTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of({lacks("GL_ARB_ES3_compatibility"), lacks("GL_ARB_texture_view")});
    }
    /// A block of ETC2 in individual mode, of one grey but for a modifier of 2.
    static std::array<std::uint8_t, 8> block_of(std::uint8_t grey) {
        return {grey, grey, grey, 0, 0, 0, 0, 0};
    }
    static float red(GLuint array, int layer) {
        gl::BindTexture(GL_TEXTURE_2D_ARRAY, array);
        gl::TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        return evaluate("uniform sampler2DArray t;",
                        "texelFetch(t, ivec3(0, 0, " + std::to_string(layer) + "), 0)")[0];
    }
};

// ARB_texture_view: both are of one data store, whichever is written.
TEST_F(DecodedTextureTest, UploadsThroughAViewOfALayer) {
    const GLuint array = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_COMPRESSED_RGB8_ETC2, 4, 4, 3);
    GLuint view = 0;
    gl::GenTextures(1, &view);
    gl::TextureView(view, GL_TEXTURE_2D, array, GL_COMPRESSED_RGB8_ETC2, 0, 1, 1, 1);
    for (const std::uint8_t grey : {0x55, 0xaa}) {
        gl::BindTexture(GL_TEXTURE_2D, view);
        gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_COMPRESSED_RGB8_ETC2, 8,
                                    block_of(grey).data());
        EXPECT_NEAR(red(array, 1), static_cast<float>(grey) / 255, 0.011F);
    }
}

// GL 4.6, 8.14.4: "Mipmap generation replaces texture image levels level_base + 1 through q".
class BaseLevelTest : public GlTest {};

TEST_F(BaseLevelTest, LevelsBehindIt) {
    for (const bool sampled_before : {false, true}) {
        for (const auto& [width, height] : {std::pair{9, 1}, {1, 9}, {9, 2}, {8, 1}}) {
            for (const GLint base : {1, 2}) {
                SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) + ", base " +
                             std::to_string(base));
                new_texture(GL_TEXTURE_2D);
                gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
                const std::vector<std::uint8_t> texels(
                    static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4, 200);
                gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, base);
                gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
                gl::TexImage2D(GL_TEXTURE_2D, base, GL_RGBA8, width, height, 0, GL_RGBA,
                               GL_UNSIGNED_BYTE, texels.data());
                if (sampled_before) {
                    EXPECT_NEAR(evaluate("uniform sampler2D t;", "textureLod(t, vec2(0.5), 0)")[0],
                                200.0F / 255, 0.002F);
                }
                gl::GenerateMipmap(GL_TEXTURE_2D);
                GLint size = 0;
                gl::GetTexLevelParameteriv(GL_TEXTURE_2D, base + 2, GL_TEXTURE_WIDTH, &size);
                EXPECT_EQ(size, std::max(width / 4, 1));
                gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
                for (const char* level : {"0", "1", "2"}) {
                    EXPECT_NEAR(evaluate("uniform sampler2D t;",
                                         "textureLod(t, vec2(0.5), " + std::string(level) + ")")[0],
                                200.0F / 255, 0.002F)
                        << level;
                }
            }
        }
    }
}

class EsDecodedTextureTest : public EsTest {
protected:
    Missing missing() const override { return lacks("GL_OES_texture_view"); }
};

// OES_texture_view: the sRGB and the plain formats of ETC2 are views of each other.
TEST_F(EsDecodedTextureTest, ViewsWithAndWithoutSrgb) {
    const auto make_view = gl_function<PFNGLTEXTUREVIEWPROC>("glTextureViewOES");
    make_black_target({4, 4});
    const GLuint program = link(
        {{GL_VERTEX_SHADER, std::string("#version 300 es\n") + kFullscreenVs},
         {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; uniform sampler2D t; "
                              "out vec4 c; void main() { c = textureLod(t, vec2(0.5), 0.0); }"}});
    // Individual mode: red, with a modifier of 2 in each channel.
    const std::array<std::uint8_t, 8> block{0xff};
    constexpr GLenum kPlain = GL_COMPRESSED_RGB8_ETC2;
    constexpr GLenum kSrgb = GL_COMPRESSED_SRGB8_ETC2;
    for (const auto& [stored, viewed] :
         {std::pair{kPlain, kSrgb}, {kSrgb, kPlain}, {kPlain, kPlain}, {kSrgb, kSrgb}}) {
        SCOPED_TRACE(std::to_string(stored) + " as " + std::to_string(viewed));
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, stored, 4, 4);
        gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, stored, 8, block.data());
        GLuint view = 0;
        gl::GenTextures(1, &view);
        make_view(view, GL_TEXTURE_2D, texture, viewed, 0, 1, 0, 1);
        gl::BindTexture(GL_TEXTURE_2D, view);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        draw_fullscreen(program);
        expect_pixel(1, 1, kRed, 3);
    }
}

} // namespace
} // namespace kobalt::gltest
