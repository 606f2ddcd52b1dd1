// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps on programs and program pipelines.
#include <array>
#include <string>

#include "player.h"
#include "shader_text.h"

namespace kobalt::fuzz {
namespace {

struct Kind {
    GLenum type;
    GLbitfield bit;
    std::string (*text)(Random&);
};

constexpr std::array kKinds{
    Kind{GL_VERTEX_SHADER, GL_VERTEX_SHADER_BIT, vertex_text},
    Kind{GL_FRAGMENT_SHADER, GL_FRAGMENT_SHADER_BIT, fragment_text},
    Kind{GL_COMPUTE_SHADER, GL_COMPUTE_SHADER_BIT, compute_text},
    Kind{GL_GEOMETRY_SHADER, GL_GEOMETRY_SHADER_BIT, geometry_text},
    Kind{GL_TESS_CONTROL_SHADER, GL_TESS_CONTROL_SHADER_BIT, control_text},
    Kind{GL_TESS_EVALUATION_SHADER, GL_TESS_EVALUATION_SHADER_BIT, evaluation_text},
};

/// A shader of one of a few texts, mostly, since new ones take most of the time.
std::string some_text(Random& random, std::string (*text)(Random&)) {
    Random seeded(random.one_in(12) ? random.next() : random.below(6));
    return text(seeded);
}

/// Compiles a shader and attaches it; it goes with the program.
void attach(GLuint program, GLenum type, const std::string& text) {
    const GLuint shader = gl::CreateShader(type);
    const char* source = text.c_str();
    gl::ShaderSource(shader, 1, &source, nullptr);
    gl::CompileShader(shader);
    gl::AttachShader(program, shader);
    gl::DeleteShader(shader);
}

/// Shaders that draw.
void attach_stages(Player& player, GLuint program) {
    Random& random = player.random();
    attach(program, GL_VERTEX_SHADER, some_text(random, vertex_text));
    if (random.one_in(6)) {
        attach(program, GL_TESS_CONTROL_SHADER, some_text(random, control_text));
        attach(program, GL_TESS_EVALUATION_SHADER, some_text(random, evaluation_text));
    }
    if (random.one_in(6)) {
        attach(program, GL_GEOMETRY_SHADER, some_text(random, geometry_text));
    }
    if (!random.one_in(12)) {
        attach(program, GL_FRAGMENT_SHADER, some_text(random, fragment_text));
    }
    if (random.one_in(4)) {
        const std::array names{"colour", "gl_Position"};
        gl::TransformFeedbackVaryings(program, random.between(1, 2), names.data(),
                                      GL_INTERLEAVED_ATTRIBS);
    }
}

/// The same, or one that computes.
void attach_some(Player& player, GLuint program) {
    if (player.random().one_in(5)) {
        attach(program, GL_COMPUTE_SHADER, some_text(player.random(), compute_text));
    } else {
        attach_stages(player, program);
    }
}

GLuint linked(Player& player) {
    const GLuint program = gl::CreateProgram();
    gl::ProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    attach_some(player, program);
    gl::LinkProgram(program);
    return program;
}

/// Has the slot's program replaced by another one.
void put(Names::Slot& slot, GLuint program) {
    const std::lock_guard lock(slot.mutex);
    gl::DeleteProgram(slot.name.exchange(program)); // 0 is silently ignored
}

void link(Player& player) {
    Names::Slot& slot = player.world().programs.slot(player.random().below(Names::count));
    const GLuint program = linked(player);
    if (player.random().one_in(2)) {
        GLint status = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &status); // waits for the compiler's threads
    }
    gl::UseProgram(program);
    put(slot, program);
}

/// Links a program again, with other shaders. Where threads take turns, other contexts may be using
/// it.
void relink(Player& player) {
    Names& programs = player.world().programs;
    Random& random = player.random();
    Names::Slot& slot = player.world().may_redefine ? programs.slot(random.below(Names::count))
                                                    : player.own_slot(programs);
    const std::lock_guard lock(slot.mutex);
    const GLuint program = player.world().may_redefine ? slot.name.load() : linked(player);
    if (program == 0) {
        return;
    }
    if (random.one_in(2)) {
        gl::UseProgram(program);
    }
    std::array<GLuint, 6> shaders{};
    GLsizei count = 0;
    gl::GetAttachedShaders(program, shaders.size(), &count, shaders.data());
    for (GLsizei i = 0; i < count; ++i) {
        gl::DetachShader(program, shaders[static_cast<std::size_t>(i)]);
    }
    attach_some(player, program);
    gl::LinkProgram(program);
    if (random.one_in(2)) {
        GLint status = 0;
        gl::GetProgramiv(program, GL_LINK_STATUS, &status);
        gl::UseProgram(status != GL_FALSE ? program : 0);
    }
    if (slot.name != program) {
        gl::DeleteProgram(slot.name.exchange(program));
    }
}

void remove(Player& player) {
    Names& names = player.random().one_in(3) ? player.world().stages : player.world().programs;
    Names::Slot& slot = names.slot(player.random().below(Names::count));
    const std::lock_guard lock(slot.mutex);
    gl::DeleteProgram(slot.name.exchange(0));
}

void use(Player& player) {
    gl::UseProgram(player.random().one_in(8) ? 0 : player.any(player.world().programs));
}

void set_uniform(Player& player) {
    const GLuint program = player.own_slot(player.world().programs).name;
    if (program == 0) {
        return;
    }
    gl::UseProgram(program);
    gl::Uniform4f(gl::GetUniformLocation(program, "given"), 0.25F, 0.5F, 0.75F,
                  static_cast<float>(player.random().below(8)) / 8);
    if (player.random().one_in(3)) {
        gl::Uniform1i(gl::GetUniformLocation(program, "plain"), player.random().between(0, 3));
    }
}

/// A program of one stage, for pipelines.
void make_stage(Player& player) {
    Random& random = player.random();
    Names::Slot& slot = player.world().stages.slot(random.below(Names::count));
    const Kind& kind = random.pick(kKinds);
    const std::string text = some_text(random, kind.text);
    const char* source = text.c_str();
    put(slot, gl::CreateShaderProgramv(kind.type, 1, &source));
}

void combine(Player& player) {
    Random& random = player.random();
    const GLuint pipeline = player.local(player.locals.pipelines, gl::GenProgramPipelines);
    gl::BindProgramPipeline(pipeline);
    for (int i = 0; i < 3; ++i) {
        gl::UseProgramStages(pipeline, random.pick(kKinds).bit,
                             random.one_in(5) ? 0 : player.any(player.world().stages));
    }
    if (random.one_in(2)) {
        gl::UseProgram(0);
    }
    if (random.one_in(4)) {
        gl::ValidateProgramPipeline(pipeline);
    }
}

void delete_pipeline(Player& player) {
    GLuint& name = player.random().pick(player.locals.pipelines);
    gl::DeleteProgramPipelines(1, &name);
    name = 0;
}

/// A program of another one's binary.
void copy_binary(Player& player) {
    Names::Slot& slot = player.world().programs.slot(player.random().below(Names::count));
    const GLuint program = player.own_slot(player.world().programs).name;
    GLsizei size = 0;
    GLenum format = GL_NONE;
    gl::GetProgramBinary(program, static_cast<GLsizei>(player.scratch().size() / 2), &size, &format,
                         player.scratch().data() + player.scratch().size() / 2);
    if (size > 0) {
        const GLuint copy = gl::CreateProgram();
        gl::ProgramBinary(copy, format, player.scratch().data() + player.scratch().size() / 2,
                          size);
        put(slot, copy);
    }
}

void ask(Player& player) {
    const GLuint program = player.any(player.world().programs);
    std::array<char, 256> text{};
    GLint value = 0;
    gl::GetProgramInfoLog(program, static_cast<GLsizei>(text.size()), nullptr, text.data());
    gl::GetProgramiv(program, GL_ACTIVE_UNIFORMS, &value);
    gl::GetProgramInterfaceiv(program, GL_UNIFORM, GL_MAX_NAME_LENGTH, &value);
    gl::ValidateProgram(program);
}

constexpr Step kSteps[] = {
    {"program-link", 14, link},          {"program-relink", 4, relink},
    {"program-delete", 4, remove},       {"program-use", 8, use},
    {"program-uniform", 5, set_uniform}, {"stage-make", 6, make_stage},
    {"pipeline-combine", 5, combine},    {"pipeline-delete", 1, delete_pipeline},
    {"program-binary", 3, copy_binary},  {"program-ask", 2, ask},
};

} // namespace

std::span<const Step> program_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
