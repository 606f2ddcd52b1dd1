// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "steady_scene.h"

#include <cmath>

#include "random.h"

namespace kobalt::sso {

namespace {

constexpr GLsizeiptr kBlockSize = 16;

constexpr const char* kVertex = R"(
layout(location = 0) in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }
)";

constexpr const char* kFragment = R"(
uniform vec4 tint;
layout(std140) uniform Block { vec4 block; };
layout(location = 0) out vec4 result;
void main() { result = texture(picture, vec2(0.5)) + tint + block + vec4(kMark); }
)";

} // namespace

std::expected<SteadyScene, Trouble> SteadyScene::create(const Driver& driver, std::uint64_t seed,
                                                        bool bindless) {
    std::string head = driver.is_at_least(4, 1) ? "#version 410 core\n" : "#version 330 core\n";
    std::string sampler = "uniform sampler2D picture;\n";
    if (bindless) {
        head += "#extension GL_ARB_bindless_texture : require\n";
        sampler = "layout(bindless_sampler) " + sampler;
    }
    // Too small to be visible, and makes the shader new to every cache.
    const std::string mark =
        "const float kMark = " + std::to_string(Random(seed).below(1000000)) + ".0e-9;\n";
    SteadyScene scene;
    scene.program = whole_program(head + kVertex, head + mark + sampler + kFragment);
    if (Outcome good = linked(scene.program); !good) {
        return std::unexpected(good.error());
    }
    gl::UseProgram(scene.program);
    scene.tint = gl::GetUniformLocation(scene.program, "tint");
    scene.picture = gl::GetUniformLocation(scene.program, "picture");
    gl::Uniform4f(scene.tint, shade(0), 0, 0, 0);

    GLint alignment = 1;
    gl::GetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    scene.block_step = (kBlockSize + alignment - 1) / alignment * alignment;
    gl::GenBuffers(1, &scene.blocks);
    gl::BindBuffer(GL_UNIFORM_BUFFER, scene.blocks);
    gl::BufferData(GL_UNIFORM_BUFFER, scene.block_step * kBlocks, nullptr, GL_STATIC_DRAW);
    for (int i = 0; i < kBlocks; ++i) {
        const std::array<float, 4> block{0, 0, shade(i), kAlpha};
        gl::BufferSubData(GL_UNIFORM_BUFFER, i * scene.block_step, kBlockSize, block.data());
    }
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, scene.blocks, 0, kBlockSize);
    return scene;
}

std::vector<GLuint> make_textures(int count) {
    std::vector<GLuint> textures(static_cast<size_t>(count));
    gl::GenTextures(count, textures.data());
    for (int i = 0; i < count; ++i) {
        const auto green = static_cast<GLubyte>(std::lround(255.0F * SteadyScene::shade(i)));
        const std::array<GLubyte, 4> texel{0, green, 0, 0};
        gl::BindTexture(GL_TEXTURE_2D, textures[static_cast<size_t>(i)]);
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texel.data());
        // A texture must be complete before it has a handle, and never changes after.
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    }
    return textures;
}

} // namespace kobalt::sso
