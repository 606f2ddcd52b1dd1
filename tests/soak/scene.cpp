// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "scene.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kobalt::soak {

Byte4 colour_of(std::uint32_t iteration) {
    // Odd factors: 256 iterations pass before a channel repeats its values.
    return {static_cast<std::uint8_t>(iteration * 37 + 11),
            static_cast<std::uint8_t>(iteration * 101 + 5),
            static_cast<std::uint8_t>(iteration * 173 + 77), 255};
}

namespace {

std::array<float, 4> as_floats(const Byte4& colour) {
    std::array<float, 4> result{};
    std::ranges::transform(colour, result.begin(),
                           [](std::uint8_t value) { return static_cast<float>(value) / 255.0F; });
    return result;
}

GLuint compile_shader(GLenum type, const std::string& source) {
    const std::string text = "#version 330 core\n" + source;
    const char* pointer = text.c_str();
    const GLuint shader = gl::CreateShader(type);
    gl::ShaderSource(shader, 1, &pointer, nullptr);
    gl::CompileShader(shader);
    return shader;
}

} // namespace

void set_clear_colour(const Byte4& colour) {
    const auto value = as_floats(colour);
    gl::ClearColor(value[0], value[1], value[2], value[3]);
}

Target::Target(int size) : size_(size), texture_(new_texture(size, size, nullptr)) {
    gl::GenFramebuffers(1, &framebuffer_);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    bind();
}

Target::~Target() {
    gl::DeleteFramebuffers(1, &framebuffer_);
    gl::DeleteTextures(1, &texture_);
}

void Target::bind() const {
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl::Viewport(0, 0, size_, size_);
}

GLuint new_texture(int width, int height, const void* data) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, data);
    return texture;
}

GLuint link_program(const std::string& vertex, const std::string& fragment) {
    const GLuint program = gl::CreateProgram();
    for (const GLuint shader :
         {compile_shader(GL_VERTEX_SHADER, vertex), compile_shader(GL_FRAGMENT_SHADER, fragment)}) {
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    gl::LinkProgram(program);
    GLint good = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        std::array<char, 1024> log{};
        gl::GetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
        std::fprintf(stderr, "kobalt-soak: a program doesn't link: %s\n", log.data());
        gl::DeleteProgram(program);
        return 0;
    }
    return program;
}

Painter::Painter()
    : program_(
          link_program("uniform vec4 rect; void main() { gl_Position = vec4(mix(rect.xy, "
                       "rect.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1)), 0, 1); }",
                       "uniform vec4 colour; out vec4 result; void main() { result = colour; }")),
      rect_(gl::GetUniformLocation(program_, "rect")),
      colour_(gl::GetUniformLocation(program_, "colour")) {}

Painter::~Painter() {
    gl::DeleteProgram(program_);
}

void Painter::draw(const std::array<float, 4>& rect, const Byte4& colour) const {
    const auto value = as_floats(colour);
    gl::UseProgram(program_);
    gl::Uniform4fv(rect_, 1, rect.data());
    gl::Uniform4fv(colour_, 1, value.data());
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

GLuint bind_new_vertex_array() {
    GLuint array = 0;
    gl::GenVertexArrays(1, &array);
    gl::BindVertexArray(array);
    return array;
}

std::string wrong_pixels(int x, int y, int width, int height, const Byte4& expected) {
    std::vector<Byte4> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    gl::ReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (size_t i = 0; i < pixels.size(); ++i) {
        for (size_t c = 0; c < 4; ++c) {
            if (std::abs(pixels[i][c] - expected[c]) > 1) {
                std::array<char, 128> text{};
                std::snprintf(text.data(), text.size(),
                              "pixel %d,%d is %d %d %d %d, expected %d %d %d %d",
                              x + static_cast<int>(i) % width, y + static_cast<int>(i) / width,
                              pixels[i][0], pixels[i][1], pixels[i][2], pixels[i][3], expected[0],
                              expected[1], expected[2], expected[3]);
                return text.data();
            }
        }
    }
    return {};
}

std::string wrong_bytes(const std::vector<std::uint8_t>& bytes, std::uint8_t expected) {
    const auto found =
        std::ranges::find_if(bytes, [expected](std::uint8_t value) { return value != expected; });
    if (found == bytes.end()) {
        return {};
    }
    return "byte " + std::to_string(found - bytes.begin()) + " is " + std::to_string(*found) +
           ", expected " + std::to_string(expected);
}

} // namespace kobalt::soak
