// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the scene makes once: programs, textures, meshes and targets.
#include "demo/scene.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "demo/mesh.h"
#include "demo/procedural_texture.h"
#include "demo/scene_constants.h"
#include "demo/shaders.h"

namespace kobalt::demo {

namespace {

std::expected<GLuint, std::string> link_program(const std::string& vertex,
                                                const std::string& fragment) {
    const GLuint program = gl::CreateProgram();
    std::array<char, 1024> log{};
    for (const auto& [type, source] :
         {std::pair{GL_VERTEX_SHADER, &vertex}, {GL_FRAGMENT_SHADER, &fragment}}) {
        const GLuint shader = gl::CreateShader(static_cast<GLenum>(type));
        const char* text = source->c_str();
        gl::ShaderSource(shader, 1, &text, nullptr);
        gl::CompileShader(shader);
        GLint good = 0;
        gl::GetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (!good) {
            gl::GetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
            return std::unexpected(std::string("a scene shader does not compile: ") + log.data());
        }
        gl::AttachShader(program, shader);
        gl::DeleteShader(shader);
    }
    gl::LinkProgram(program);
    GLint good = 0;
    gl::GetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        gl::GetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
        return std::unexpected(std::string("a scene program does not link: ") + log.data());
    }
    const GLuint block = gl::GetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        gl::UniformBlockBinding(program, block, kFrameBinding);
    }
    gl::UseProgram(program);
    for (const auto& [name, unit] : {std::pair{"shadow_map", kShadowUnit},
                                     {"colour_map", kColourUnit},
                                     {"normal_map", kNormalUnit},
                                     {"source", 0},
                                     {"bloom_near", 1},
                                     {"bloom_far", 2}}) {
        const GLint location = gl::GetUniformLocation(program, name);
        if (location >= 0) {
            gl::Uniform1i(location, unit);
        }
    }
    return program;
}

GLuint upload(const TexturePixels& pixels, GLenum format) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), pixels.size, pixels.size, 0,
                   GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return texture;
}

} // namespace

std::expected<Scene, std::string> Scene::create(int width, int height) {
    Scene scene;
    scene.width_ = width;
    scene.height_ = height;
    if (auto made = scene.create_programs(); !made) {
        return std::unexpected(made.error());
    }
    if (auto made = scene.create_targets(); !made) {
        return std::unexpected(made.error());
    }
    scene.create_textures();
    scene.create_meshes();
    gl::GenBuffers(1, &scene.frame_block_);
    gl::BindBuffer(GL_UNIFORM_BUFFER, scene.frame_block_);
    gl::BufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock) * kFrameBlocks, nullptr, GL_DYNAMIC_DRAW);
    gl::GenVertexArrays(1, &scene.empty_vertex_array_);
    return scene;
}

std::expected<void, std::string> Scene::create_programs() {
    using namespace shaders;
    const std::string frame = kFrameBlock;
    const std::string solid = frame + kSolidVertex;
    const std::string lit = frame + kSky + kShadow;
    const std::string screen = std::string("#version 330 core\n") + kScreenVertex;
    struct Entry {
        GLuint* program;
        std::string vertex;
        std::string fragment;
    };
    for (const Entry& entry :
         {Entry{&glaze_program_, solid, lit + kGlazeFragment},
          Entry{&crystal_program_, solid, frame + kSky + kCrystalFragment},
          Entry{&floor_program_, solid, lit + kFloorFragment},
          Entry{&shadow_program_, frame + kShadowVertex, frame + kShadowFragment},
          Entry{&sky_program_, screen, frame + kSky + kSkyFragment},
          Entry{&bright_program_, screen, kBrightFragment},
          Entry{&blur_program_, screen, kBlurFragment},
          Entry{&tone_program_, screen, kToneFragment}}) {
        auto program = link_program(entry.vertex, entry.fragment);
        if (!program) {
            return std::unexpected(program.error());
        }
        *entry.program = *program;
    }
    return {};
}

std::expected<Scene::Screen, std::string> Scene::make_screen(int width, int height, GLenum format) {
    Screen screen{0, 0, std::max(width, 1), std::max(height, 1)};
    gl::GenTextures(1, &screen.texture);
    gl::BindTexture(GL_TEXTURE_2D, screen.texture);
    gl::TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), screen.width, screen.height, 0,
                   GL_RGBA, GL_FLOAT, nullptr);
    for (const auto& [name, value] : {std::pair{GL_TEXTURE_MIN_FILTER, GL_LINEAR},
                                      {GL_TEXTURE_MAG_FILTER, GL_LINEAR},
                                      {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                                      {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}}) {
        gl::TexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(name), value);
    }
    gl::GenFramebuffers(1, &screen.framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, screen.framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, screen.texture,
                             0);
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return std::unexpected("a scene framebuffer is incomplete");
    }
    return screen;
}

std::expected<void, std::string> Scene::create_targets() {
    struct Entry {
        Screen* screen;
        int divisor;
        GLenum format;
    };
    for (const Entry& entry :
         {Entry{&hdr_, 1, GL_RGBA16F}, Entry{&bloom_near_, 4, GL_R11F_G11F_B10F},
          Entry{&bloom_near_other_, 4, GL_R11F_G11F_B10F},
          Entry{&bloom_far_, 16, GL_R11F_G11F_B10F},
          Entry{&bloom_far_other_, 16, GL_R11F_G11F_B10F}, Entry{&final_, 1, GL_RGBA8}}) {
        auto screen = make_screen(width_ / entry.divisor, height_ / entry.divisor, entry.format);
        if (!screen) {
            return std::unexpected(screen.error());
        }
        *entry.screen = *screen;
    }
    GLint samples = 0;
    gl::GetIntegerv(GL_MAX_SAMPLES, &samples);
    samples = std::min(samples, kSamples);
    gl::GenFramebuffers(1, &multisample_framebuffer_);
    gl::BindFramebuffer(GL_FRAMEBUFFER, multisample_framebuffer_);
    std::array<GLuint, 2> buffers{};
    gl::GenRenderbuffers(2, buffers.data());
    gl::BindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA16F, width_, height_);
    gl::BindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width_,
                                       height_);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return std::unexpected("the multisampled HDR framebuffer is incomplete");
    }
    gl::GenTextures(1, &shadow_texture_);
    gl::BindTexture(GL_TEXTURE_2D, shadow_texture_);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowSize, kShadowSize, 0,
                   GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    for (const auto& [name, value] : {std::pair{GL_TEXTURE_MIN_FILTER, GL_LINEAR},
                                      {GL_TEXTURE_MAG_FILTER, GL_LINEAR},
                                      {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER},
                                      {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER},
                                      {GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE},
                                      {GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL}}) {
        gl::TexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(name), value);
    }
    // Outside the light's view everything is lit.
    const std::array<float, 4> border{1, 1, 1, 1};
    gl::TexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
    gl::GenFramebuffers(1, &shadow_framebuffer_);
    gl::BindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_texture_,
                             0);
    gl::DrawBuffer(GL_NONE);
    gl::ReadBuffer(GL_NONE);
    if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return std::unexpected("the shadow framebuffer is incomplete");
    }
    return {};
}

void Scene::create_textures() {
    const SurfacePair glaze = glaze_surface(256);
    const SurfacePair tile = tile_surface(256);
    glaze_colour_ = upload(glaze.colour, GL_SRGB8_ALPHA8);
    glaze_normal_ = upload(glaze.normal, GL_RGBA8);
    tile_colour_ = upload(tile.colour, GL_SRGB8_ALPHA8);
    tile_normal_ = upload(tile.normal, GL_RGBA8);
}

void Scene::create_meshes() {
    struct Entry {
        Drawable* drawable;
        Mesh mesh;
        GLsizei instances;
    };
    for (const Entry& entry :
         {Entry{&knot_, torus_knot(288, 22, 0.235F), 1},
          Entry{&crystals_, crystal(), kCrystalCount}, Entry{&floor_, floor_plane(40), 1}}) {
        Drawable& drawable = *entry.drawable;
        drawable.indices = static_cast<GLsizei>(entry.mesh.indices.size());
        drawable.instance_count = entry.instances;
        gl::GenVertexArrays(1, &drawable.vertex_array);
        gl::BindVertexArray(drawable.vertex_array);
        std::array<GLuint, 2> buffers{};
        gl::GenBuffers(2, buffers.data());
        gl::BindBuffer(GL_ARRAY_BUFFER, buffers[0]);
        gl::BufferData(GL_ARRAY_BUFFER,
                       static_cast<GLsizeiptr>(entry.mesh.vertices.size() * sizeof(Vertex)),
                       entry.mesh.vertices.data(), GL_STATIC_DRAW);
        for (const auto& [index, size, offset] : {std::tuple{0U, 3, offsetof(Vertex, position)},
                                                  {1U, 3, offsetof(Vertex, normal)},
                                                  {2U, 3, offsetof(Vertex, tangent)},
                                                  {3U, 2, offsetof(Vertex, u)}}) {
            gl::VertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                                    reinterpret_cast<void*>(offset));
            gl::EnableVertexAttribArray(index);
        }
        gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
        gl::BufferData(GL_ELEMENT_ARRAY_BUFFER,
                       static_cast<GLsizeiptr>(entry.mesh.indices.size() * sizeof(std::uint32_t)),
                       entry.mesh.indices.data(), GL_STATIC_DRAW);
        gl::GenBuffers(1, &drawable.instances);
        gl::BindBuffer(GL_ARRAY_BUFFER, drawable.instances);
        gl::BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(sizeof(Instance)) * entry.instances,
                       nullptr, GL_STREAM_DRAW);
        for (GLuint i = 0; i < 5; ++i) {
            gl::VertexAttribPointer(4 + i, 4, GL_FLOAT, GL_FALSE, sizeof(Instance),
                                    reinterpret_cast<void*>(static_cast<std::size_t>(i) * 16));
            gl::EnableVertexAttribArray(4 + i);
            gl::VertexAttribDivisor(4 + i, 1);
        }
    }
}

} // namespace kobalt::demo
