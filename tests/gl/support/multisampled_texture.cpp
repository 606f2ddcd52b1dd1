// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "multisampled_texture.h"

namespace kobalt::gltest {

void MultisampledTexture::prepare() {
    bind_new_vao();
    texture_ = texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::GenFramebuffers(1, &framebuffer_);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::Viewport(0, 0, kSize, kSize);
    triangle_ = link(
        {{GL_VERTEX_SHADER, "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 "
                            "? 1.3 : -1.1, gl_VertexID == 2 ? 1.7 : -1.3, 0, 1); }"},
         {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; out vec4 c; void main() "
                              "{ c = vec4(0, 1, 0, 1); }"}});
    rect_ = link(
        {{GL_VERTEX_SHADER,
          "#version 300 es\nuniform vec4 rect; uniform float depth; void main() { gl_Position = "
          "vec4(mix(rect.xy, rect.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1)), depth, 1); }"},
         {GL_FRAGMENT_SHADER, "#version 300 es\nprecision highp float; uniform vec4 colour; out "
                              "vec4 c; void main() { c = colour; }"}});
    gl::ClearColor(0, 0, 0, 1);
}

void MultisampledTexture::call_attach(int samples, GLenum attachment, GLuint texture, GLenum target,
                                      int level) {
    using Function = void(APIENTRYP)(GLenum, GLenum, GLenum, GLuint, GLint, GLsizei);
    const auto function = reinterpret_cast<Function>(
        eglGetProcAddress("glFramebufferTexture2DMultisampleEXT")); // of OpenGL ES alone
    ASSERT_NE(function, nullptr);
    function(GL_FRAMEBUFFER, attachment, target, texture, level, samples);
}

void MultisampledTexture::attach(int samples, GLenum attachment, GLuint texture, GLenum target,
                                 int level) {
    call_attach(samples, attachment, texture, target, level);
    ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
}

GLuint MultisampledTexture::filled_texture(const Byte4& colour, GLenum format) {
    const std::vector<Byte4> texels(static_cast<size_t>(kSize) * kSize, colour);
    return texture_2d(format, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
}

GLuint MultisampledTexture::framebuffer_of(GLuint texture, int samples) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    attach(samples, GL_COLOR_ATTACHMENT0, texture);
    return framebuffer;
}

void MultisampledTexture::draw_triangle() const {
    gl::UseProgram(triangle_);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

void MultisampledTexture::draw_rect(int x, int y, int width, int height, const Float4& colour,
                                    float depth) const {
    gl::UseProgram(rect_);
    const auto at = [](int pixels) { return 2.0F * static_cast<float>(pixels) / kSize - 1.0F; };
    set_uniform(rect_, "rect", Float4{at(x), at(y), at(x + width), at(y + height)});
    set_uniform(rect_, "colour", colour);
    set_uniform(rect_, "depth", depth);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void MultisampledTexture::draw_elsewhere() const {
    GLint bound = 0;
    gl::GetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    bind_texture_target(filled_texture(kRed), kSize, kSize);
    draw_triangle();
    gl::BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

int MultisampledTexture::mixed(int low, int high) {
    const Picture picture = read_picture(kSize, kSize);
    int count = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x)
            count += picture.at(x, y)[1] != low && picture.at(x, y)[1] != high;
    return count;
}

} // namespace kobalt::gltest
