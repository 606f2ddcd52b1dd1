// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

#ifndef GL_COMPRESSED_RGB_FXT1_3DFX
#define GL_COMPRESSED_RGB_FXT1_3DFX 0x86B0
#define GL_COMPRESSED_RGBA_FXT1_3DFX 0x86B1
#endif

// GL_3DFX_texture_compression_FXT1: blocks of 8x4 texels. No Vulkan device has the format, so its
// texels are decoded when they are written.

namespace kobalt::gltest {
namespace {

/// The words of a block, the lowest bits first.
using Block = std::array<std::uint32_t, 4>;

class Fxt1Test : public CompatTest {
protected:
    Missing missing() const override { return lacks("GL_3DFX_texture_compression_FXT1"); }

    /// The four colours of chroma_block().
    static Byte4 chroma(int index) {
        static constexpr std::array<Byte4, 4> colours{kRed, kGreen, kBlue, kWhite};
        return colours[static_cast<size_t>(index)];
    }

    /// The encoding CC_CHROMA (010): two bits a texel, the left 4x4 texels first, then the right
    /// ones, and behind them four colours of 15 bits, blue lowest.
    template <typename Index>
    static Block chroma_block(Index&& index) {
        Block block{};
        for (unsigned y = 0; y < 4; ++y) {
            for (unsigned x = 0; x < 8; ++x) {
                block[x / 4] |= static_cast<std::uint32_t>(index(x, y)) << ((y * 4 + x % 4) * 2);
            }
        }
        constexpr std::array<std::uint64_t, 4> colours{0x7C00, 0x03E0, 0x001F, 0x7FFF};
        std::uint64_t high = std::uint64_t{1} << 62;
        for (unsigned i = 0; i < 4; ++i) {
            high |= colours[i] << (i * 15);
        }
        block[2] = static_cast<std::uint32_t>(high);
        block[3] = static_cast<std::uint32_t>(high >> 32);
        return block;
    }

    /// A texture of 20x10 texels, which ends in the midst of its blocks; texel (x, y) has colour
    /// index_at(x, y). Returns its blocks.
    static std::vector<Block> upload_chroma() {
        std::vector<Block> blocks;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                blocks.push_back(chroma_block([&](unsigned x, unsigned y) {
                    return index_at(column * 8 + static_cast<int>(x),
                                    row * 4 + static_cast<int>(y));
                }));
            }
        }
        new_texture(GL_TEXTURE_2D);
        gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_FXT1_3DFX, 20, 10, 0,
                                 static_cast<GLsizei>(blocks.size() * sizeof(Block)),
                                 blocks.data());
        return blocks;
    }
    static int index_at(int x, int y) { return (x + 3 * y + x / 8) % 4; }
};

TEST_F(Fxt1Test, BlocksAreDecoded) {
    upload_chroma();
    const Target target = make_target({20, 10});
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "uniform sampler2D t; out vec4 result; void main() { result = "
                          "texelFetch(t, ivec2(gl_FragCoord.xy), 0); }"));
    const Picture picture = read_picture(target.width, target.height);
    for (int y = 0; y < target.height; ++y) {
        for (int x = 0; x < target.width; ++x) {
            EXPECT_EQ(texel_of(picture, x, y), chroma(index_at(x, y))) << x << ", " << y;
        }
    }
}

TEST_F(Fxt1Test, WhatWasWrittenIsReadBack) {
    const std::vector<Block> blocks = upload_chroma();
    GLint size = 0;
    gl::GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_COMPRESSED_IMAGE_SIZE, &size);
    ASSERT_EQ(size, static_cast<GLint>(blocks.size() * sizeof(Block)));
    std::vector<Block> read(blocks.size());
    gl::GetCompressedTexImage(GL_TEXTURE_2D, 0, read.data());
    EXPECT_EQ(read, blocks);
    std::vector<Byte4> texels(20 * 10);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    for (int y = 0; y < 10; ++y) {
        for (int x = 0; x < 20; ++x) {
            EXPECT_EQ(texels[static_cast<size_t>(y * 20 + x)], chroma(index_at(x, y)))
                << x << ", " << y;
        }
    }
}

TEST_F(Fxt1Test, PartOfATexture) {
    upload_chroma();
    const Block green = chroma_block([](unsigned, unsigned) { return 1; });
    // The last column is half a block wide.
    gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 16, 4, 4, 4, GL_COMPRESSED_RGB_FXT1_3DFX,
                                sizeof(green), green.data());
    const auto texel = [](int x, int y) {
        return evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(" + std::to_string(x) + ", " +
                                                    std::to_string(y) + "), 0)");
    };
    expect_near(texel(16, 4), {0, 1, 0, 1}, 0, "first of the part");
    expect_near(texel(19, 7), {0, 1, 0, 1}, 0, "last of the part");
    const auto as_before = [&](int x, int y) {
        const Byte4 colour = chroma(index_at(x, y));
        expect_near(texel(x, y),
                    {static_cast<float>(colour[0]) / 255, static_cast<float>(colour[1]) / 255,
                     static_cast<float>(colour[2]) / 255, 1},
                    0, std::to_string(x) + ", " + std::to_string(y));
    };
    as_before(15, 4);
    as_before(15, 7);
    as_before(16, 3);
    as_before(16, 8);
}

TEST_F(Fxt1Test, OnlyRgbaHasTransparentTexels) {
    // CC_HI (00): three bits a texel, of which 7 is black without alpha.
    const Block transparent{~0U, ~0U, ~0U, 0};
    const auto texel = [&](GLenum format) {
        new_texture(GL_TEXTURE_2D);
        gl::CompressedTexImage2D(GL_TEXTURE_2D, 0, format, 8, 4, 0, sizeof(transparent),
                                 transparent.data());
        return evaluate("uniform sampler2D t;", "texelFetch(t, ivec2(5, 2), 0)");
    };
    expect_near(texel(GL_COMPRESSED_RGB_FXT1_3DFX), {0, 0, 0, 1}, 0, "RGB");
    expect_near(texel(GL_COMPRESSED_RGBA_FXT1_3DFX), {0, 0, 0, 0}, 0, "RGBA");
}

TEST_F(Fxt1Test, CopiedFromTheFramebuffer) {
    make_target({16, 8});
    const RectPainter painter;
    painter.draw({-1, -1, 0, 1}, {1, 0, 0, 1});
    painter.draw({0, -1, 1, 1}, {0, 0, 1, 1});
    new_texture(GL_TEXTURE_2D);
    gl::CopyTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_FXT1_3DFX, 0, 0, 16, 8, 0);
    std::vector<Byte4> texels(16 * 8);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    for (const int x : {0, 7, 8, 15}) {
        const Byte4 colour = x < 8 ? kRed : kBlue;
        const Byte4& read = texels[static_cast<size_t>(5 * 16 + x)];
        expect_near(evaluate("uniform sampler2D t;",
                             "texelFetch(t, ivec2(" + std::to_string(x) + ", 5), 0)"),
                    {x < 8 ? 1.0F : 0.0F, 0, x < 8 ? 0.0F : 1.0F, 1}, 0.04F, std::to_string(x));
        for (size_t channel = 0; channel < 4; ++channel) {
            EXPECT_NEAR(read[channel], colour[channel], 10) << x;
        }
    }
}

TEST_F(Fxt1Test, CompressedByTheDriverWithMipmaps) {
    const std::vector<Byte4> blue(32 * 16, kBlue);
    const GLuint texture =
        texture_2d(GL_COMPRESSED_RGBA_FXT1_3DFX, 32, 16, GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 5);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0; level < 6; ++level) {
        const std::string n = std::to_string(level);
        expect_near(evaluate("uniform sampler2D t;", "textureLod(t, vec2(0.5), " + n + ".0)"),
                    {0, 0, 1, 1}, 0.04F, "level " + n);
    }
}

} // namespace
} // namespace kobalt::gltest
