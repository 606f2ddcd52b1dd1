// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "small.h"

#include <array>
#include <cstdint>

#include "demo/offscreen/gl_api.h"

namespace kobalt::transfer {

namespace {

constexpr GLsizei kSide = 256, kLevelledSide = 1024;
constexpr GLsizei kLevels = 11;

struct Target {
    GLuint texture = 0, framebuffer = 0;
    Target() {
        gl::GenTextures(1, &texture);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSide, kSide);
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    }
    void bind() const {
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    }
};

void read_pixel() {
    std::uint32_t pixel = 0;
    gl::ReadPixels(kSide / 2, kSide / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
}

void upload_pixel() {
    constexpr std::uint32_t pixel = 0x11223344;
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, kSide / 2, kSide / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                      &pixel);
}

} // namespace

std::vector<Small> small_cases() {
    const Target target;
    GLuint levelled = 0;
    gl::GenTextures(1, &levelled);
    gl::BindTexture(GL_TEXTURE_2D, levelled);
    gl::TexStorage2D(GL_TEXTURE_2D, kLevels, GL_RGBA8, kLevelledSide, kLevelledSide);
    return {{"pixel_up",
             [target] {
                 target.bind();
                 upload_pixel();
             }},
            {"pixel_down",
             [target] {
                 target.bind();
                 read_pixel();
             }},
            {"clear_and_pixel_down",
             [target] {
                 target.bind();
                 gl::Clear(GL_COLOR_BUFFER_BIT);
                 read_pixel();
             }},
            {"mipmaps", [levelled] {
                 gl::BindTexture(GL_TEXTURE_2D, levelled);
                 gl::GenerateMipmap(GL_TEXTURE_2D);
             }}};
}

} // namespace kobalt::transfer
