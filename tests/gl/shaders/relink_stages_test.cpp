// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A program that is linked again with other stages, while it is in use.
#include <chrono>

#include "program_binary.h"
#include "support.h"

namespace kobalt::gltest {
namespace {

const std::string kVs =
    "#version 450 core\nlayout(std140, binding = 0) uniform Block { vec4 wanted; };\n"
    "layout(location = 0) out vec4 colour;\nvoid main() { colour = wanted;\n"
    "gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";
/// The vertex shader with a text that no shader cache has seen.
std::string fresh_vs() {
    return kVs + "\n// " +
           std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}
const std::string kGs =
    "#version 450 core\nlayout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
    "layout(location = 0) in vec4 in_colour[];\nlayout(location = 0) out vec4 colour;\n"
    "void main() { for (int i = 0; i < 3; ++i) { colour = in_colour[i];\n"
    "gl_Position = gl_in[i].gl_Position; EmitVertex(); } }";
const std::string kFs =
    "#version 450 core\nlayout(std430, binding = 1) buffer Words { uint words[]; };\n"
    "layout(location = 0) in vec4 colour;\nlayout(location = 0) out vec4 result;\n"
    "void main() { result = colour; words[0] = 1u; }";
const std::string kPlainFs = "#version 450 core\nlayout(location = 0) out vec4 result;\n"
                             "void main() { result = vec4(1); }";
const std::string kCs = "#version 450 core\nlayout(local_size_x = 8) in;\n"
                        "layout(std430, binding = 1) buffer Words { uint words[]; };\n"
                        "void main() { words[gl_GlobalInvocationID.x] = 1u; }";

class RelinkStagesTest : public GlTest {
protected:
    ContextRequest request() const override {
        return {.profile = Profile::Core, .major = 4, .minor = 5};
    }
    /// Links the program anew, of these stages alone.
    static void link_again(GLuint program, const std::vector<Stage>& stages) {
        std::array<GLuint, 6> attached{};
        GLsizei count = 0;
        gl::GetAttachedShaders(program, static_cast<GLsizei>(attached.size()), &count,
                               attached.data());
        for (GLsizei i = 0; i < count; ++i) {
            gl::DetachShader(program, attached.at(static_cast<size_t>(i)));
        }
        for (const Stage& stage : stages) {
            const GLuint shader = gl::CreateShader(stage.type);
            const char* const text = stage.source.c_str();
            gl::ShaderSource(shader, 1, &text, nullptr);
            gl::CompileShader(shader);
            gl::AttachShader(program, shader);
            gl::DeleteShader(shader);
        }
        gl::LinkProgram(program);
        EXPECT_TRUE(did_link(program));
    }
    static void bind_blocks() {
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                           make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{0, 1, 0, 1}));
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1,
                           make_buffer(GL_SHADER_STORAGE_BUFFER, std::vector<std::uint32_t>(64)));
    }
    const std::vector<Stage> graphics{{GL_VERTEX_SHADER, kVs}, {GL_FRAGMENT_SHADER, kFs}};
};

// The program stays as it was in the context that uses it (OpenGL 4.6, 7.3).
TEST_F(RelinkStagesTest, AnotherContextGoesOnDrawing) {
    make_target({16, 16});
    bind_new_vao();
    auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    const GLuint program = gl::CreateProgram();
    link_again(program, {{GL_VERTEX_SHADER, fresh_vs()}, {GL_FRAGMENT_SHADER, kFs}});
    gl::UseProgram(program);
    bind_blocks();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    ASSERT_TRUE(other->make_current());
    for (int i = 0; i < 20; ++i) { // so that memory of the first link is used again
        link_again(program, {{GL_VERTEX_SHADER, kVs}, {GL_FRAGMENT_SHADER, kPlainFs}});
    }
    gl::Finish();
    ASSERT_TRUE(context().make_current());
    bind_blocks();
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 16, 16, kGreen);
}

// The vertex shader that is in use isn't the last vertex stage any more.
TEST_F(RelinkStagesTest, ACaptureWithoutVaryingsIsRefused) {
    make_target({16, 16});
    bind_new_vao();
    const GLuint program = gl::CreateProgram();
    link_again(program, graphics);
    gl::UseProgram(program);
    link_again(program,
               {{GL_VERTEX_SHADER, kVs}, {GL_GEOMETRY_SHADER, kGs}, {GL_FRAGMENT_SHADER, kFs}});
    gl::BeginTransformFeedback(GL_TRIANGLES);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_INVALID_OPERATION));
}

// The second compute program comes out of the shader cache.
TEST_F(RelinkStagesTest, BinariesOfComputeBehindGraphics) {
    for (int i = 0; i < 2; ++i) {
        const GLuint program = gl::CreateProgram();
        link_again(program, graphics);
        link_again(program, {{GL_COMPUTE_SHADER, kCs}});
        copy_of(program);
    }
}

} // namespace
} // namespace kobalt::gltest
