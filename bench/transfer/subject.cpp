// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "subject.h"

namespace kobalt::transfer {

namespace {

GLenum attachment(GLenum external) {
    switch (external) {
    case GL_DEPTH_STENCIL:
        return GL_DEPTH_STENCIL_ATTACHMENT;
    case GL_DEPTH_COMPONENT:
        return GL_DEPTH_ATTACHMENT;
    default:
        return GL_COLOR_ATTACHMENT0;
    }
}

/// Bytes that make normal numbers between 0 and 1 of any floating-point format.
std::vector<std::byte> make_pattern(size_t count) {
    constexpr size_t first = 0x20, kinds = 23;
    std::vector<std::byte> pattern(count);
    for (size_t i = 0; i < count; ++i) {
        pattern[i] = static_cast<std::byte>(first + (i + i / 1021) % kinds);
    }
    return pattern;
}

} // namespace

Subject::Subject(const Format& format, int side)
    : format_(format), side_(side),
      pattern_(make_pattern(static_cast<size_t>(side) * static_cast<size_t>(side) *
                            static_cast<size_t>(format.bytes))) {
    gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl::GenTextures(1, &texture_);
    gl::BindTexture(GL_TEXTURE_2D, texture_);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, format.internal, side, side);
    gl::GenFramebuffers(1, &framebuffer_);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, attachment(format.external), GL_TEXTURE_2D, texture_,
                             0);
}

Subject::~Subject() {
    gl::DeleteFramebuffers(1, &framebuffer_);
    gl::DeleteTextures(1, &texture_);
}

void Subject::upload(const void* at) const {
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, side_, side_, format_.external, format_.type, at);
}

void Subject::read(void* at) const {
    gl::ReadPixels(0, 0, side_, side_, format_.external, format_.type, at);
}

void Subject::get(void* at) const {
    gl::GetTexImage(GL_TEXTURE_2D, 0, format_.external, format_.type, at);
}

void Subject::clear() const {
    upload(std::vector<std::byte>(pattern_.size()).data());
}

bool Subject::holds_pattern() const {
    std::vector<std::byte> found(pattern_.size());
    get(found.data());
    return found == pattern_;
}

} // namespace kobalt::transfer
