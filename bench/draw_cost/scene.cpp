// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "scene.h"

namespace kobalt::drawcost {

namespace {

constexpr GLsizeiptr kBlockSize = 16;

constexpr const char* kVertexShader = R"(#version 330 core
layout(location = 0) in vec2 corner;
layout(std140) uniform Block { vec4 offset; };
out vec2 uv;
void main() {
    uv = corner;
    gl_Position = vec4(corner + offset.xy, 0.0, 1.0);
})";

// Two programs that no compiler can merge.
constexpr std::array<const char*, 2> kFragmentShaders{
    R"(#version 330 core
uniform sampler2D picture;
uniform vec4 tint;
in vec2 uv;
out vec4 result;
void main() { result = texture(picture, uv) * tint; })",
    R"(#version 330 core
uniform sampler2D picture;
uniform vec4 tint;
in vec2 uv;
out vec4 result;
void main() { result = texture(picture, uv.yx) + tint; })"};

constexpr const char* kEightBlocks = R"(#version 330 core
layout(std140) uniform Eight { vec4 colour; } eight[8];
in vec2 uv;
out vec4 result;
void main() {
    result = eight[0].colour + eight[1].colour + eight[2].colour + eight[3].colour +
             eight[4].colour + eight[5].colour + eight[6].colour + eight[7].colour + uv.xyxy;
})";

GLuint compiled(GLenum type, const char* text) {
    const GLuint shader = gl::CreateShader(type);
    gl::ShaderSource(shader, 1, &text, nullptr);
    gl::CompileShader(shader);
    return shader;
}

GLuint linked(const char* fragment) {
    const GLuint program = gl::CreateProgram();
    gl::AttachShader(program, compiled(GL_VERTEX_SHADER, kVertexShader));
    gl::AttachShader(program, compiled(GL_FRAGMENT_SHADER, fragment));
    gl::LinkProgram(program);
    GLint good = GL_FALSE;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    return good == GL_TRUE ? program : 0;
}

GLuint new_buffer(GLenum target, GLsizeiptr size, const void* data) {
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(target, buffer);
    gl::BufferData(target, size, data, GL_STATIC_DRAW);
    return buffer;
}

void make_target() {
    GLuint framebuffer = 0;
    GLuint colour = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::GenRenderbuffers(1, &colour);
    gl::BindRenderbuffer(GL_RENDERBUFFER, colour);
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, kTargetSize, kTargetSize);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    gl::Viewport(0, 0, kTargetSize, kTargetSize);
}

std::expected<Scene, std::string> checked(const Scene& scene) {
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE ||
        gl::GetError() != GL_NO_ERROR) {
        return std::unexpected("the driver refuses a part of the scene");
    }
    return scene;
}

} // namespace

std::expected<Scene, std::string> Scene::create() {
    Scene scene;
    make_target();
    for (size_t i = 0; i < kFragmentShaders.size(); ++i) {
        scene.programs[i] = linked(kFragmentShaders[i]);
        if (scene.programs[i] == 0) {
            return std::unexpected("the driver refuses a shader of the scene");
        }
        gl::UseProgram(scene.programs[i]);
        scene.tints[i] = gl::GetUniformLocation(scene.programs[i], "tint");
        gl::Uniform4f(scene.tints[i], 1.0F, 0.5F, 0.25F, 1.0F);
    }
    gl::GenTextures(2, scene.textures.data());
    gl::GenVertexArrays(2, scene.vertex_arrays.data());
    constexpr std::array<float, 6> corners{-1.0F, -1.0F, 3.0F, -1.0F, -1.0F, 3.0F};
    constexpr std::array<GLubyte, 16> texels{};
    for (size_t i = 2; i-- > 0;) { // the first of each stays bound
        gl::BindTexture(GL_TEXTURE_2D, scene.textures[i]);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::BindVertexArray(scene.vertex_arrays[i]);
        new_buffer(GL_ARRAY_BUFFER, sizeof corners, corners.data());
        gl::EnableVertexAttribArray(0);
        gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    }
    GLint alignment = 1;
    gl::GetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    scene.block_step = (kBlockSize + alignment - 1) / alignment * alignment;
    scene.blocks = new_buffer(GL_UNIFORM_BUFFER, scene.block_step + kBlockSize, nullptr);
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, scene.blocks, 0, kBlockSize);
    scene.eight_blocks = linked(kEightBlocks);
    if (scene.eight_blocks == 0) {
        return std::unexpected("the driver refuses a shader of the scene");
    }
    for (GLuint block = 0; block < 8; ++block) {
        const std::string name = "Eight[" + std::to_string(block) + "]";
        gl::UniformBlockBinding(scene.eight_blocks,
                                gl::GetUniformBlockIndex(scene.eight_blocks, name.c_str()),
                                block + 1);
        gl::BindBufferRange(GL_UNIFORM_BUFFER, block + 1, scene.blocks, 0, kBlockSize);
    }
    gl::UseProgram(scene.programs[0]);
    return checked(scene);
}

std::expected<Scene, std::string> Scene::create_lists() {
    Scene scene;
    make_target();
    for (GLuint& list : scene.lists) {
        list = gl::GenLists(1);
        gl::NewList(list, GL_COMPILE);
        gl::Begin(GL_TRIANGLES);
        gl::Vertex2f(-1, -1);
        gl::Vertex2f(3, -1);
        gl::Vertex2f(-1, 3);
        gl::End();
        gl::EndList();
    }
    return checked(scene);
}

} // namespace kobalt::drawcost
