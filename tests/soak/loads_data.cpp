// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Loads that move data: uploads, replaced buffers, new textures, copies. None flushes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "loads.h"
#include "scene.h"

namespace kobalt::soak {
namespace {

using offscreen::Context;

constexpr size_t kKib = 1024;
constexpr size_t kMib = 1024 * kKib;
constexpr int kPatterns = 4;

/// Blocks of bytes of one value each. Iteration i uploads the block i % kPatterns.
class Patterns {
public:
    explicit Patterns(size_t size) {
        for (int i = 0; i < kPatterns; ++i) {
            blocks_[static_cast<size_t>(i)].assign(size, value_of(static_cast<std::uint32_t>(i)));
        }
    }
    static std::uint8_t value_of(std::uint32_t iteration) {
        return static_cast<std::uint8_t>(40 + 50 * (iteration % kPatterns));
    }
    const void* of(std::uint32_t iteration) const { return blocks_[iteration % kPatterns].data(); }

private:
    std::array<std::vector<std::uint8_t>, kPatterns> blocks_;
};

/// From 64 KiB to 1 MiB.
size_t upload_size(std::uint32_t iteration) {
    return 64 * kKib << (iteration % 5);
}

Byte4 grey(std::uint32_t iteration) {
    const std::uint8_t value = Patterns::value_of(iteration);
    return {value, value, value, value};
}

GLuint new_buffer(GLenum target, size_t size) {
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(target, buffer);
    gl::BufferData(target, static_cast<GLsizeiptr>(size), nullptr, GL_DYNAMIC_DRAW);
    return buffer;
}

std::string wrong_in_buffer(GLenum target, size_t size, std::uint32_t last) {
    std::vector<std::uint8_t> bytes(size);
    gl::GetBufferSubData(target, 0, static_cast<GLsizeiptr>(size), bytes.data());
    return wrong_bytes(bytes, Patterns::value_of(last));
}

/// Reads a texture through a framebuffer object.
std::string wrong_in_texture(GLuint texture, int width, int height, const Byte4& expected) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    std::string text = wrong_pixels(0, 0, width, height, expected);
    gl::DeleteFramebuffers(1, &framebuffer);
    return text;
}

class TextureUploads : public Load {
public:
    TextureUploads() : patterns_(kMib), texture_(new_texture(kWidth, kWidth, nullptr)) {}
    void step(std::uint32_t iteration) override {
        const auto rows = static_cast<GLsizei>(upload_size(iteration) / (4 * kWidth));
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kWidth, rows, GL_RGBA, GL_UNSIGNED_BYTE,
                          patterns_.of(iteration));
    }
    std::string wrong_after(std::uint32_t last) override {
        const auto rows = static_cast<int>(upload_size(last) / (4 * kWidth));
        return wrong_in_texture(texture_, kWidth, rows, grey(last));
    }

private:
    static constexpr int kWidth = 512;
    Patterns patterns_;
    GLuint texture_;
};

class BufferUploads : public Load {
public:
    BufferUploads() : patterns_(kMib) { new_buffer(GL_ARRAY_BUFFER, kMib); }
    void step(std::uint32_t iteration) override {
        gl::BufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(upload_size(iteration)),
                          patterns_.of(iteration));
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong_in_buffer(GL_ARRAY_BUFFER, upload_size(last), last);
    }

private:
    Patterns patterns_;
};

class MappedBuffers : public Load {
public:
    MappedBuffers() { new_buffer(GL_ARRAY_BUFFER, kSize); }
    void step(std::uint32_t iteration) override {
        void* memory = gl::MapBufferRange(GL_ARRAY_BUFFER, 0, kSize,
                                          GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
        if (memory != nullptr) {
            std::memset(memory, Patterns::value_of(iteration), kSize);
            gl::UnmapBuffer(GL_ARRAY_BUFFER);
        }
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong_in_buffer(GL_ARRAY_BUFFER, kSize, last);
    }

private:
    static constexpr size_t kSize = 64 * kKib;
};

/// A new 64 KiB for the same buffer object at each draw, which reads its colour from there.
class ReplacedBuffers : public Load {
public:
    ReplacedBuffers() : target_(64), patterns_(kSize) {
        bind_new_vertex_array();
        new_buffer(GL_ARRAY_BUFFER, kSize);
        gl::VertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        gl::UseProgram(link_program(
            "layout(location = 0) in vec4 given; flat out vec4 colour; void main() { colour = "
            "given; gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0, "
            "1); }",
            "flat in vec4 colour; out vec4 result; void main() { result = colour; }"));
        target_.bind();
    }
    void step(std::uint32_t iteration) override {
        gl::BufferData(GL_ARRAY_BUFFER, kSize, patterns_.of(iteration), GL_STREAM_DRAW);
        gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    std::string wrong_after(std::uint32_t last) override {
        return wrong_pixels(0, 0, target_.size(), target_.size(), grey(last));
    }

private:
    static constexpr size_t kSize = 64 * kKib;
    Target target_;
    Patterns patterns_;
};

/// A new texture object of 256² in each iteration; drawn with, or not.
class NewTextures : public Load {
public:
    explicit NewTextures(bool drawn) : target_(64), patterns_(4 * kSide * kSide), drawn_(drawn) {
        bind_new_vertex_array();
        gl::UseProgram(link_program(
            "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - "
            "1.0, 0, 1); }",
            "uniform sampler2D t; out vec4 result; void main() { result = texture(t, "
            "gl_FragCoord.xy / 64.0); }"));
        target_.bind();
    }
    void step(std::uint32_t iteration) override {
        gl::DeleteTextures(1, &texture_); // of the iteration before; 0 is silently ignored
        texture_ = new_texture(kSide, kSide, patterns_.of(iteration));
        if (drawn_) {
            gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
    std::string wrong_after(std::uint32_t last) override {
        std::string text;
        if (drawn_) {
            text = wrong_pixels(0, 0, target_.size(), target_.size(), grey(last));
        }
        return !text.empty() ? text : wrong_in_texture(texture_, kSide, kSide, grey(last));
    }

private:
    static constexpr int kSide = 256;
    Target target_;
    Patterns patterns_;
    bool drawn_;
    GLuint texture_ = 0;
};

/// Copies of every kind, from what was cleared to in the same iteration.
class Copies : public Load {
public:
    Copies()
        : blitted_(kSide), source_(kSide), copied_(new_texture(kSide, kSide, nullptr)),
          from_(new_buffer(GL_COPY_READ_BUFFER, kBytes)),
          to_(new_buffer(GL_COPY_WRITE_BUFFER, kBytes)) {}
    void step(std::uint32_t iteration) override {
        gl::BindFramebuffer(GL_FRAMEBUFFER, source_.framebuffer());
        set_clear_colour(grey(iteration));
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, kSide, kSide);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, blitted_.framebuffer());
        gl::BlitFramebuffer(0, 0, kSide, kSide, 0, 0, kSide, kSide, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, from_);
        gl::ReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, kBytes);
    }
    std::string wrong_after(std::uint32_t last) override {
        std::string text = wrong_in_texture(copied_, kSide, kSide, grey(last));
        if (text.empty()) {
            text = wrong_in_texture(blitted_.texture(), kSide, kSide, grey(last));
        }
        return !text.empty() ? text : wrong_in_buffer(GL_COPY_WRITE_BUFFER, kBytes, last);
    }

private:
    static constexpr int kSide = 128;
    static constexpr size_t kBytes = 4 * kSide * kSide;
    Target blitted_;
    Target source_;
    GLuint copied_;
    GLuint from_;
    GLuint to_;
};

template <typename Kind, auto... arguments>
std::unique_ptr<Load> make(const Context&) {
    return std::make_unique<Kind>(arguments...);
}

constexpr LoadKind kLoads[] = {
    {"texture-uploads", "glTexSubImage2D of 64 KiB to 1 MiB", make<TextureUploads>},
    {"buffer-uploads", "glBufferSubData of 64 KiB to 1 MiB", make<BufferUploads>},
    {"mapped-buffers", "64 KiB written through glMapBufferRange", make<MappedBuffers>},
    {"replaced-buffers", "glBufferData of 64 KiB and a draw", make<ReplacedBuffers>},
    {"textures", "a new texture of 256 by 256, deleted unused", make<NewTextures, false>},
    {"drawn-textures", "a new texture of 256 by 256, drawn with and deleted",
     make<NewTextures, true>},
    {"copies", "copies to a texture, a framebuffer and two buffers", make<Copies>},
};

} // namespace

std::span<const LoadKind> data_loads() {
    return kLoads;
}

} // namespace kobalt::soak
