// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "binaries.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "../calls/shader_text.h"
#include "../gl_context.h"
#include "../gl_more.h"
#include "binary_mutation.h"

namespace kobalt::fuzz {
namespace {

constexpr const char* kGreenVertex = R"(#version 450 core
out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) out vec2 corner;
void main() {
    corner = vec2(gl_VertexID << 1 & 2, gl_VertexID & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
})";
constexpr const char* kGreenFragment = R"(#version 450 core
layout(location = 0) in vec2 corner;
layout(location = 0) out vec4 result;
uniform vec4 colour = vec4(0.0, 1.0, 0.0, 1.0);
void main() { result = corner.x < -9.0 ? corner.xyxy : colour; })";

struct Shader {
    GLenum type;
    std::string text;
};

/// A program from source: 0 where it doesn't link.
GLuint linked(std::span<const Shader> shaders) {
    const GLuint program = gl::CreateProgram();
    gl::ProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    for (const Shader& one : shaders) {
        const GLuint shader = gl::CreateShader(one.type);
        const char* text = one.text.c_str();
        gl::ShaderSource(shader, 1, &text, nullptr);
        gl::CompileShader(shader);
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    gl::LinkProgram(program);
    GLint status = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &status);
    if (status == 0) {
        gl::DeleteProgram(program);
    }
    return status != 0 ? program : 0;
}

/// Programs of all kinds of stages, the same in each worker. The first one draws green.
std::vector<std::vector<Shader>> all_programs() {
    Random random(40);
    const auto vertex = [&] { return Shader{GL_VERTEX_SHADER, vertex_text(random)}; };
    const auto fragment = [&] { return Shader{GL_FRAGMENT_SHADER, fragment_text(random)}; };
    std::vector<std::vector<Shader>> programs{
        {{GL_VERTEX_SHADER, kGreenVertex}, {GL_FRAGMENT_SHADER, kGreenFragment}}};
    for (int i = 0; i < 2; ++i) {
        programs.push_back({vertex(), fragment()});
        programs.push_back({vertex(), {GL_GEOMETRY_SHADER, geometry_text(random)}, fragment()});
        programs.push_back({vertex(),
                            {GL_TESS_CONTROL_SHADER, control_text(random)},
                            {GL_TESS_EVALUATION_SHADER, evaluation_text(random)},
                            fragment()});
        programs.push_back({{GL_COMPUTE_SHADER, compute_text(random)}});
    }
    return programs;
}

class Binaries : public Target {
public:
    static std::expected<std::unique_ptr<Target>, std::string> make() {
        auto context = make_context();
        if (!context) {
            return std::unexpected(context.error());
        }
        GLint formats = 0;
        gl::GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
        if (formats == 0) {
            return std::unexpected("the driver has no format for program binaries");
        }
        auto target = std::make_unique<Binaries>(std::move(*context));
        for (const auto& shaders : all_programs()) {
            if (!target->keep(shaders)) {
                return std::unexpected("a program doesn't link, or has no binary");
            }
        }
        target->make_framebuffer();
        return target;
    }
    explicit Binaries(offscreen::Context context) : context_(std::move(context)) {}

    std::string run(std::uint64_t seed, Journal& journal) override {
        Random random(seed);
        const GLuint program = gl::CreateProgram();
        if (random.one_in(3)) { // the program has another executable already, and that is in use
            journal.note(0, "load another one");
            load(program, random.pick(originals_));
            gl::UseProgram(program);
        }
        const Bytes bytes = mutated(random, originals_);
        const auto original = std::ranges::find_if(originals_, [&bytes](const Bytes& one) {
            // What an application has behind a binary is no part of it.
            return bytes.size() >= one.size() && std::equal(one.begin(), one.end(), bytes.begin());
        });
        journal.note(0, original != originals_.end() ? "load" : "load a changed one");
        const bool is_loaded = load(program, bytes);
        std::string wrong = errors("in glProgramBinary");
        if (is_loaded != (original != originals_.end())) {
            wrong = is_loaded ? "a changed binary is loaded" : "a good binary is refused";
        } else if (is_loaded && original == originals_.begin()) {
            journal.note(0, "draw");
            wrong = draw(program);
        } else if (!is_loaded) {
            journal.note(0, "draw with what was in use");
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
            gl::GetError(); // not each program takes triangles
        }
        journal.note(0, "delete");
        gl::UseProgram(0);
        gl::DeleteProgram(program);
        return wrong;
    }

private:
    /// Keeps the binary of a program; false: there is none.
    bool keep(std::span<const Shader> shaders) {
        const GLuint program = linked(shaders);
        GLint size = 0;
        if (program != 0) {
            gl::GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
        }
        Bytes bytes(static_cast<std::size_t>(size));
        gl::GetProgramBinary(program, size, &size, &format_, bytes.data());
        gl::DeleteProgram(program);
        bytes.resize(static_cast<std::size_t>(size));
        originals_.push_back(std::move(bytes));
        return size > 0;
    }

    void make_framebuffer() {
        GLuint names[3] = {};
        gl::GenFramebuffers(1, &names[0]);
        gl::GenRenderbuffers(1, &names[1]);
        gl::GenVertexArrays(1, &names[2]);
        gl::BindFramebuffer(GL_FRAMEBUFFER, names[0]);
        gl::BindRenderbuffer(GL_RENDERBUFFER, names[1]);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                    names[1]);
        gl::BindVertexArray(names[2]);
        gl::Viewport(0, 0, 4, 4);
    }

    bool load(GLuint program, const Bytes& bytes) const {
        gl::ProgramBinary(program, format_, bytes.data(), static_cast<GLsizei>(bytes.size()));
        GLint status = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &status);
        return status != 0;
    }

    /// Draws with the program that draws green.
    static std::string draw(GLuint program) {
        gl::UseProgram(program);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        std::array<GLubyte, 4> texel{};
        gl::ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
        const bool is_green = texel == std::array<GLubyte, 4>{0, 255, 0, 255};
        return is_green ? errors("in the draw") : "a good binary draws another colour";
    }

    static std::string errors(const char* where) {
        const GLenum error = gl::GetError();
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "GL error 0x%04x %s", error, where);
        return error == GL_NO_ERROR ? std::string() : text.data();
    }

    offscreen::Context context_;
    GLenum format_ = GL_NONE;
    std::vector<Bytes> originals_;
};

} // namespace

TargetKind binaries_kind() {
    return {"binaries", "a program binary, mostly a changed one, loaded", Binaries::make, 2000, 60,
            2048};
}

} // namespace kobalt::fuzz
