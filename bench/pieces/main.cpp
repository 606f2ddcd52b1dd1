// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// kobalt-pieces [ROUNDS]
//   What small transfers cost that the program waits for: `case <tab> microseconds`. Rectangle
//   textures filled and read back piece by piece, and a sweep of LOD biases with a pixel read each.
//   Run several at once to see how they get along.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "demo/offscreen/egl_context.h"
#include "demo/offscreen/gl_api.h"

namespace {

constexpr int kSize = 64;
constexpr int kPiece = 16;
constexpr int kDefaultRounds = 40;

struct Format {
    const char* name;
    GLint internal;
    GLenum format, type;
};
constexpr std::array kFormats{Format{"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
                              Format{"rg16f", GL_RG16F, GL_RG, GL_FLOAT},
                              Format{"rgb8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE},
                              Format{"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT}};

double microseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// Times a texture written in pieces and read back whole after each piece.
double write_and_read(const Format& format, int rounds) {
    std::vector<std::uint8_t> texels(size_t{kSize} * kSize * 16, 1);
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_RECTANGLE, texture);
    gl::TexImage2D(GL_TEXTURE_RECTANGLE, 0, format.internal, kSize, kSize, 0, format.format,
                   format.type, texels.data());
    int count = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
        for (int x = 0; x < kSize; x += kPiece, ++count) {
            gl::TexSubImage2D(GL_TEXTURE_RECTANGLE, 0, x, x, kPiece, kPiece, format.format,
                              format.type, texels.data());
            gl::GetTexImage(GL_TEXTURE_RECTANGLE, 0, format.format, format.type, texels.data());
        }
    }
    const double each = microseconds_since(begin) / count;
    gl::DeleteTextures(1, &texture);
    return each;
}

/// Times a clear of a framebuffer and a read of one of its pixels.
double clear_and_read(int rounds) {
    GLuint texture = 0, framebuffer = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    std::array<std::uint8_t, 4> pixel{};
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 4 * rounds; ++i) {
        gl::ClearColor(static_cast<float>(i % 2), 0, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::ReadPixels(1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    }
    const double each = microseconds_since(begin) / (4 * rounds);
    gl::DeleteFramebuffers(1, &framebuffer);
    gl::DeleteTextures(1, &texture);
    return each;
}

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : kDefaultRounds;
    if (rounds < 1) {
        std::fprintf(stderr, "usage: kobalt-pieces [ROUNDS], at least 1\n");
        return 2;
    }
    auto context = kobalt::offscreen::Context::create({});
    if (!context) {
        std::fprintf(stderr, "kobalt-pieces: %s\n", context.error().c_str());
        return 1;
    }
    std::printf("# %s\n", reinterpret_cast<const char*>(gl::GetString(GL_RENDERER)));
    for (const Format& format : kFormats) {
        std::printf("write_and_read_%s\t%.1f\n", format.name, write_and_read(format, rounds));
    }
    std::printf("clear_and_read\t%.1f\n", clear_and_read(rounds));
    return gl::GetError() == GL_NO_ERROR ? 0 : 1;
}
