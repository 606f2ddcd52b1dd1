// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "transfers.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>

#include "../gl_context.h"
#include "model.h"

namespace kobalt::fuzz {
namespace {

using transfers::State;
using transfers::Step;

const std::vector<Step>& all_steps() {
    static const std::vector<Step> steps = [] {
        std::vector<Step> all;
        for (const auto group :
             {transfers::buffer_steps(), transfers::texture_steps(), transfers::copy_steps()}) {
            for (const Step& step : group) {
                all.insert(all.end(), step.weight, step);
            }
        }
        return all;
    }();
    return steps;
}

GLuint make_adding_program() {
    const char* text = "#version 450 core\n"
                       "layout(local_size_x = 64) in;\n"
                       "layout(std430, binding = 0) buffer Words { uint words[]; };\n"
                       "void main() {\n"
                       "    if (gl_GlobalInvocationID.x < words.length())\n"
                       "        ++words[gl_GlobalInvocationID.x];\n"
                       "}\n";
    return gl::CreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
}

std::string errors() {
    const GLenum error = gl::GetError();
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "GL error 0x%04x", error);
    return error == GL_NO_ERROR ? std::string() : text.data();
}

class Transfers : public Target {
public:
    static std::expected<std::unique_ptr<Target>, std::string> make() {
        auto context = make_context();
        if (!context) {
            return std::unexpected(context.error());
        }
        return std::make_unique<Transfers>(std::move(*context));
    }
    explicit Transfers(offscreen::Context context)
        : context_(std::move(context)), adding_program_(make_adding_program()) {}

    std::string run(std::uint64_t seed, Journal& journal) override {
        State state{.random = Random(seed),
                    .journal = journal,
                    .buffers = {},
                    .textures = {},
                    .wrong = {},
                    .framebuffers = {},
                    .adding_program = adding_program_};
        gl::GenFramebuffers(static_cast<GLsizei>(state.framebuffers.size()),
                            state.framebuffers.data());
        for (int steps = state.random.between(10, 80); steps > 0 && state.wrong.empty(); --steps) {
            const Step& step = state.random.pick(all_steps());
            journal.note(0, step.name);
            step.make(state);
            if (const std::string error = errors(); !error.empty()) {
                state.wrong = error + " in " + step.name;
            }
        }
        compare_all(state);
        clean_up(state);
        return state.wrong;
    }

private:
    static void compare_all(State& state) {
        for (transfers::Buffer& buffer : state.buffers) {
            std::vector<std::byte> got(buffer.bytes.size());
            gl::BindBuffer(GL_COPY_READ_BUFFER, buffer.name);
            gl::GetBufferSubData(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(got.size()),
                                 got.data());
            state.compare("a buffer at the end", got, buffer.bytes);
        }
        for (const GLenum name : {GL_PACK_ROW_LENGTH, GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_PIXELS,
                                  GL_PACK_SKIP_ROWS, GL_PACK_SKIP_IMAGES}) {
            gl::PixelStorei(name, 0);
        }
        gl::PixelStorei(GL_PACK_ALIGNMENT, 1);
        for (transfers::Texture& texture : state.textures) {
            for (std::size_t i = 0; i < texture.levels.size(); ++i) {
                std::vector<std::byte> got(texture.levels[i].bytes.size());
                gl::GetTextureImage(texture.name, static_cast<GLint>(i), texture.format->format,
                                    texture.format->type, static_cast<GLsizei>(got.size()),
                                    got.data());
                state.compare("at the end " + texture.text() + " level " + std::to_string(i), got,
                              texture.levels[i].bytes);
            }
        }
    }

    static void clean_up(State& state) {
        for (const transfers::Buffer& buffer : state.buffers) {
            gl::DeleteBuffers(1, &buffer.name);
        }
        for (const transfers::Texture& texture : state.textures) {
            gl::DeleteTextures(1, &texture.name);
        }
        gl::DeleteFramebuffers(static_cast<GLsizei>(state.framebuffers.size()),
                               state.framebuffers.data());
    }

    offscreen::Context context_;
    GLuint adding_program_;
};

} // namespace

TargetKind transfers_kind() {
    return {"transfers",
            "10 to 80 uploads, copies, clears and reads beside a model",
            Transfers::make,
            500,
            60,
            2048};
}

} // namespace kobalt::fuzz
