// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "target.h"

#include <cmath>
#include <cstdio>

#include "demo/offscreen/gl_api.h"

namespace kobalt::sso {

namespace {

constexpr int kAcross = 24;
constexpr int kCellSize = 2;
constexpr int kSize = kAcross * kCellSize;
static_assert(kAcross * kAcross == Target::kCells);
// Allows for rounding, and for the small amount that shaders add to their colours so that no
// compiler can drop their work.
constexpr float kTolerance = 4.0F;

Outcome compare(const std::uint8_t* pixel, const Colour& colour, int cell) {
    for (size_t channel = 0; channel < 4; ++channel) {
        if (std::abs(static_cast<float>(pixel[channel]) - 255.0F * colour[channel]) > kTolerance) {
            std::array<char, 128> text{};
            std::snprintf(text.data(), text.size(),
                          "wrong picture: cell %d is (%d, %d, %d, %d), not (%.0f, %.0f, %.0f, "
                          "%.0f)",
                          cell, pixel[0], pixel[1], pixel[2], pixel[3], 255.0F * colour[0],
                          255.0F * colour[1], 255.0F * colour[2], 255.0F * colour[3]);
            return failed(text.data());
        }
    }
    return {};
}

} // namespace

Target::Target(bool judged) : judged_(judged) {
    GLuint framebuffer = 0;
    GLuint colour = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::GenRenderbuffers(1, &colour);
    gl::BindRenderbuffer(GL_RENDERBUFFER, colour);
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kSize, kSize);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    clear();
    use_cell(0);
}

void Target::clear() {
    gl::ClearColor(0, 0, 0, 0);
    gl::Clear(GL_COLOR_BUFFER_BIT);
}

void Target::use_cell(int cell) {
    gl::Viewport(cell % kAcross * kCellSize, cell / kAcross * kCellSize, kCellSize, kCellSize);
}

Outcome Target::expect(int count, const std::function<Colour(int)>& colour_of) const {
    std::vector<std::uint8_t> picture(size_t{kSize} * kSize * 4);
    gl::ReadPixels(0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, picture.data());
    for (int cell = 0; judged_ && cell < count; ++cell) {
        const int x = cell % kAcross * kCellSize;
        const int y = cell / kAcross * kCellSize;
        const Outcome same =
            compare(&picture[static_cast<size_t>(y * kSize + x) * 4], colour_of(cell), cell);
        if (!same) {
            return same;
        }
    }
    return no_gl_error();
}

Outcome Target::expect_cell(int cell, const Colour& colour) const {
    std::array<std::uint8_t, 4> pixel{};
    gl::ReadPixels(cell % kAcross * kCellSize, cell / kAcross * kCellSize, 1, 1, GL_RGBA,
                   GL_UNSIGNED_BYTE, pixel.data());
    const Outcome same = judged_ ? compare(pixel.data(), colour, cell) : Outcome{};
    return same ? no_gl_error() : same;
}

Outcome no_gl_error() {
    const GLenum error = gl::GetError();
    if (error == GL_NO_ERROR) {
        return {};
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "GL error 0x%04x", error);
    return failed(text.data());
}

} // namespace kobalt::sso
