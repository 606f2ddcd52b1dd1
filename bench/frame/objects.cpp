// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "objects.h"

#include <array>
#include <cstdio>

namespace kobalt::frame {

namespace {

constexpr GLsizei kLogSize = 1024;

GLuint compile(GLenum stage, const std::string& text) {
    const std::string whole = "#version 430 core\n" + text;
    const char* const start = whole.c_str();
    const GLuint shader = gl::CreateShader(stage);
    gl::ShaderSource(shader, 1, &start, nullptr);
    gl::CompileShader(shader);
    return shader;
}

} // namespace

GLuint make_program(const std::string& vertex, const std::string& fragment) {
    const GLuint program = gl::CreateProgram();
    for (const auto& [stage, text] :
         {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
        gl::AttachShader(program, compile(static_cast<GLenum>(stage), text));
    }
    gl::LinkProgram(program);
    GLint good = GL_FALSE;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    if (good != GL_TRUE) {
        std::array<char, kLogSize> log{};
        gl::GetProgramInfoLog(program, kLogSize, nullptr, log.data());
        std::fprintf(stderr, "kobalt-frame: a program doesn't link: %s\n", log.data());
    }
    return program;
}

GLuint make_texture(GLenum format, Size size, int levels) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexStorage2D(GL_TEXTURE_2D, levels, format, size.width, size.height);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                      levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

GLuint make_renderbuffer(GLenum format, Size size, int samples) {
    GLuint renderbuffer = 0;
    gl::GenRenderbuffers(1, &renderbuffer);
    gl::BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, size.width, size.height);
    return renderbuffer;
}

GLuint make_buffer(GLenum target, GLsizeiptr bytes, const void* data, GLenum usage) {
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(target, buffer);
    gl::BufferData(target, bytes, data, usage);
    return buffer;
}

GLuint make_framebuffer(std::span<const GLuint> colours, GLuint depth, GLenum depth_attachment) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    std::array<GLenum, 8> buffers{};
    for (size_t i = 0; i < colours.size(); ++i) {
        buffers.at(i) = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, buffers.at(i), GL_TEXTURE_2D, colours[i], 0);
    }
    gl::DrawBuffers(static_cast<GLsizei>(colours.size()), buffers.data());
    if (colours.empty()) {
        gl::ReadBuffer(GL_NONE);
    }
    if (depth != 0) {
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, depth_attachment, GL_TEXTURE_2D, depth, 0);
    }
    return framebuffer;
}

void use(GLuint framebuffer, Size size) {
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::Viewport(0, 0, size.width, size.height);
}

void bind_texture(int unit, GLuint texture) {
    gl::ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    gl::BindTexture(GL_TEXTURE_2D, texture);
}

void draw_triangle() {
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
}

void invalidate(std::span<const GLenum> attachments) {
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, static_cast<GLsizei>(attachments.size()),
                              attachments.data());
}

void set_state(Depth depth, Blend blend) {
    (depth == Depth::Off ? gl::Disable : gl::Enable)(GL_DEPTH_TEST);
    gl::DepthMask(depth == Depth::Test ? GL_FALSE : GL_TRUE);
    (blend == Blend::Off ? gl::Disable : gl::Enable)(GL_BLEND);
    if (blend == Blend::Add) {
        gl::BlendFunc(GL_ONE, GL_ONE);
    } else if (blend == Blend::Over) {
        gl::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
}

std::string cover() {
    return R"(out vec2 uv;
void main() {
    uv = vec2((gl_VertexID & 1) * 2, gl_VertexID & 2);
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
})";
}

std::string object() {
    return R"(layout(std140, binding = 0) uniform Block { vec4 offsets[4]; };
uniform float place;
out vec2 uv;
void main() {
    uv = vec2((gl_VertexID & 1) * 2, gl_VertexID & 2);
    gl_Position = vec4(uv * 0.2 - 1.0 + place, place, 1.0) + offsets[0];
})";
}

std::string sampling(const std::string& code) {
    return R"(layout(binding = 0) uniform sampler2D a;
layout(binding = 1) uniform sampler2D b;
layout(binding = 2) uniform sampler2D c;
layout(binding = 3) uniform sampler2D d;
in vec2 uv;
layout(location = 0) out vec4 o;
void main() { )" +
           code + " }";
}

Objects::Objects(GLuint program)
    : program_(program), place_(gl::GetUniformLocation(program, "place")) {}

void Objects::draw(int count) const {
    gl::UseProgram(program_);
    for (int i = 0; i < count; ++i) {
        gl::Uniform1f(place_, static_cast<float>(i) * 0.01F);
        draw_triangle();
    }
}

} // namespace kobalt::frame
