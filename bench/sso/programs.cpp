// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "programs.h"

namespace kobalt::sso {

namespace {

// Whole programs have 32 shades of red and 32 of alpha.
constexpr int kWholeAcross = 32;

GLuint compiled(GLenum type, const std::string& text) {
    const GLuint shader = gl::CreateShader(type);
    const char* pointer = text.c_str();
    gl::ShaderSource(shader, 1, &pointer, nullptr);
    gl::CompileShader(shader);
    return shader;
}

} // namespace

void bind_triangle() {
    constexpr std::array<float, 6> corners{-1.0F, -1.0F, 3.0F, -1.0F, -1.0F, 3.0F};
    GLuint array = 0;
    GLuint buffer = 0;
    gl::GenVertexArrays(1, &array);
    gl::BindVertexArray(array);
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::BufferData(GL_ARRAY_BUFFER, sizeof corners, corners.data(), GL_STATIC_DRAW);
    gl::EnableVertexAttribArray(0);
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
}

GLuint separable_program(Stage stage, const std::string& text) {
    const char* pointer = text.c_str();
    return gl::CreateShaderProgramv(kStageTypes[static_cast<size_t>(stage)], 1, &pointer);
}

GLuint whole_program(const std::string& vertex, const std::string& fragment) {
    const GLuint program = gl::CreateProgram();
    for (const GLuint shader :
         {compiled(GL_VERTEX_SHADER, vertex), compiled(GL_FRAGMENT_SHADER, fragment)}) {
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader); // the shader lives as long as the program
    }
    gl::LinkProgram(program);
    return program;
}

Outcome linked(GLuint program) {
    GLint good = GL_FALSE;
    if (program != 0) {
        gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    }
    if (good == GL_TRUE) {
        return {};
    }
    std::array<char, 256> log{};
    if (program != 0) {
        gl::GetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
    }
    const std::string text = log.data();
    const std::string line = text.substr(0, text.find('\n'));
    return failed("the driver refuses a program: " + (line.empty() ? "it does not say why" : line));
}

Outcome linked(const std::vector<GLuint>& programs) {
    for (const GLuint program : programs) {
        if (Outcome good = linked(program); !good) {
            return good;
        }
    }
    return {};
}

WholePrograms::WholePrograms(const Driver& driver, std::uint64_t seed)
    : texts_(driver, seed, {kWholeAcross, 0, 0, 0, kWholeAcross}, ShaderTexts::Linkage::Whole) {}

Choice WholePrograms::choice(int number) {
    return {number % kWholeAcross, 0, 0, 0, number / kWholeAcross % kWholeAcross};
}

GLuint WholePrograms::make(int number) const {
    const Choice shades = choice(number);
    return whole_program(texts_.text(Stage::Vertex, number, shades.front()),
                         texts_.text(Stage::Fragment, number, shades.back()));
}

Colour WholePrograms::colour(int number) const {
    return texts_.colour(choice(number));
}

} // namespace kobalt::sso
