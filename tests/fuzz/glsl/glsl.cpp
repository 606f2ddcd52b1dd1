// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "glsl.h"

#include <array>
#include <utility>
#include <vector>

#include "../calls/shader_text.h"
#include "../gl_context.h"
#include "../gl_more.h"
#include "mutation.h"

namespace kobalt::fuzz {
namespace {

struct Stage {
    GLenum type;
    std::string text;
};

std::vector<Stage> some_stages(Random& random) {
    if (random.one_in(4)) {
        return {{GL_COMPUTE_SHADER, compute_text(random)}};
    }
    std::vector<Stage> stages{{GL_VERTEX_SHADER, vertex_text(random)},
                              {GL_FRAGMENT_SHADER, fragment_text(random)}};
    if (random.one_in(4)) {
        stages.push_back({GL_GEOMETRY_SHADER, geometry_text(random)});
    }
    if (random.one_in(4)) {
        stages.push_back({GL_TESS_CONTROL_SHADER, control_text(random)});
        stages.push_back({GL_TESS_EVALUATION_SHADER, evaluation_text(random)});
    }
    return stages;
}

class Glsl : public Target {
public:
    static std::expected<std::unique_ptr<Target>, std::string> make() {
        auto context = make_context();
        if (!context) {
            return std::unexpected(context.error());
        }
        return std::make_unique<Glsl>(std::move(*context));
    }
    explicit Glsl(offscreen::Context context) : context_(std::move(context)) {}

    std::string run(std::uint64_t seed, Journal& journal) override {
        Random random(seed);
        std::vector<Stage> stages = some_stages(random);
        Stage& changed = random.pick(stages);
        changed.text = mutated(random, changed.text);
        const GLuint program = gl::CreateProgram();
        for (const Stage& stage : stages) {
            journal.note(0, "compile");
            const GLuint shader = gl::CreateShader(stage.type);
            const char* text = stage.text.c_str();
            gl::ShaderSource(shader, 1, &text, nullptr);
            gl::CompileShader(shader);
            gl::AttachShader(program, shader);
            gl::DeleteShader(shader);
        }
        journal.note(0, "link");
        gl::LinkProgram(program);
        GLint linked = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &linked);
        journal.note(0, linked != 0 ? "linked" : "refused");
        gl::DeleteProgram(program);
        return {};
    }

private:
    offscreen::Context context_;
};

} // namespace

TargetKind glsl_kind() {
    return {"glsl", "a program with a mutated shader, compiled and linked", Glsl::make, 1000, 60,
            2048};
}

} // namespace kobalt::fuzz
