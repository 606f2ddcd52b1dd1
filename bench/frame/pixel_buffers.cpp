// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstring>
#include <vector>

#include "scene.h"

// Pixel buffer objects in a ring of three: uploads, and read-backs that are mapped two frames
// later.

namespace kobalt::frame {
namespace {

enum class Direction { Up, Down, Both, OnTheGpu };

/// Uploads a texture out of a pixel buffer, or reads the frame into one. OnTheGpu: a read fills the
/// buffer that the upload takes, with no byte for the CPU to see.
template <Direction direction>
class PixelBuffers : public Scene {
public:
    explicit PixelBuffers(Size size)
        : size_(size), target_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)})),
          texture_(make_texture(GL_RGBA8, kTexture)),
          solids_(make_program(object(), sampling("o = texture(a, uv);"))) {
        for (size_t i = 0; i < kRing; ++i) {
            up_[i] = make_buffer(GL_PIXEL_UNPACK_BUFFER, kUpBytes, nullptr, GL_STREAM_DRAW);
            down_[i] = make_buffer(GL_PIXEL_PACK_BUFFER, down_bytes(), nullptr, GL_STREAM_READ);
        }
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }

    void draw(int frame) override {
        const auto turn = static_cast<size_t>(frame) % kRing;
        if (direction == Direction::OnTheGpu) {
            read(up_[turn], kTexture);
            upload(up_[turn]);
        }
        if (direction == Direction::Up || direction == Direction::Both) {
            gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, up_[turn]);
            void* const memory =
                gl::MapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, kUpBytes,
                                   GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
            if (memory != nullptr) {
                std::memset(memory, frame, kUpBytes);
            }
            gl::UnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
            upload(up_[turn]);
        }
        use(target_, size_);
        set_state(Depth::Off, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        bind_texture(0, texture_);
        solids_.draw(10);
        if (direction == Direction::Down || direction == Direction::Both) {
            read(down_[turn], size_);
            if (frame >= static_cast<int>(kRing)) {
                look(down_[(turn + 1) % kRing]);
            }
        }
    }

private:
    static constexpr size_t kRing = 3;
    static constexpr Size kTexture{256, 256};
    static constexpr GLsizeiptr kUpBytes = GLsizeiptr{kTexture.width} * kTexture.height * 4;

    GLsizeiptr down_bytes() const { return GLsizeiptr{size_.width} * size_.height * 4; }

    void read(GLuint buffer, Size size) const {
        gl::BindFramebuffer(GL_FRAMEBUFFER, target_);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
        gl::ReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }

    void upload(GLuint buffer) const {
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        bind_texture(0, texture_);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kTexture.width, kTexture.height, GL_RGBA,
                          GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }

    void look(GLuint buffer) const {
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
        const auto* const memory = static_cast<const volatile char*>(
            gl::MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, down_bytes(), GL_MAP_READ_BIT));
        if (memory != nullptr) {
            (void)memory[0];
        }
        gl::UnmapBuffer(GL_PIXEL_PACK_BUFFER);
        gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }

    Size size_;
    GLuint target_, texture_;
    Objects solids_;
    std::array<GLuint, kRing> up_{}, down_{};
};

/// Textures out of one pixel buffer, which is filled anew for each: a driver that lets the program
/// run far ahead needs new memory each time.
class Orphaned : public Scene {
public:
    explicit Orphaned(Size size)
        : size_(size), target_(make_framebuffer(std::array{make_texture(GL_RGBA8, size)})),
          solids_(make_program(object(), sampling("o = texture(a, uv);"))) {
        for (GLuint& texture : textures_) {
            texture = make_texture(GL_RGBA8, kTexture);
        }
        gl::GenBuffers(1, &buffer_);
    }

    void draw(int /*frame*/) override {
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_);
        for (const GLuint texture : textures_) {
            gl::BufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(texels_.size()),
                           texels_.data(), GL_STREAM_DRAW);
            bind_texture(0, texture);
            gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kTexture.width, kTexture.height, GL_RGBA,
                              GL_UNSIGNED_BYTE, nullptr);
        }
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        use(target_, size_);
        set_state(Depth::Off, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        solids_.draw(10);
    }

private:
    static constexpr Size kTexture{1024, 1024};

    Size size_;
    GLuint target_;
    Objects solids_;
    std::array<GLuint, 24> textures_{};
    GLuint buffer_ = 0;
    std::vector<char> texels_ = std::vector<char>(size_t{kTexture.width} * kTexture.height * 4);
};

constexpr std::array kKinds{
    Kind{"pbo_up", "a texture out of a mapped pixel buffer", made<PixelBuffers<Direction::Up>>},
    Kind{"pbo_down", "the frame into a pixel buffer that is mapped two frames later",
         made<PixelBuffers<Direction::Down>>},
    Kind{"pbo_both", "both in one frame", made<PixelBuffers<Direction::Both>>},
    Kind{"pbo_gpu", "a read fills the pixel buffer that an upload takes",
         made<PixelBuffers<Direction::OnTheGpu>>},
    Kind{"pbo_orphaned", "24 textures out of one pixel buffer that is filled anew for each",
         made<Orphaned>}};

} // namespace

std::span<const Kind> pixel_buffer_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
