// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "scene.h"

// Data that a program sends between draws, for fifty objects a frame.

namespace kobalt::frame {
namespace {

constexpr int kObjects = 50;
constexpr int kFrames = 4; ///< what was sent is used again after so many frames
constexpr Size kTexture{64, 64};
constexpr GLsizeiptr kBlock = 64, kStep = 256; ///< bytes of a block, and from one to the next

/// The render target of both kinds of streams.
struct Target {
    Size size;
    GLuint framebuffer;
    explicit Target(Size of)
        : size(of), framebuffer(make_framebuffer(std::array{make_texture(GL_RGBA8, of)})) {}
    void begin() const {
        use(framebuffer, size);
        set_state(Depth::Off, Blend::Off);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
};

/// Before each draw a texture is filled, or a uniform buffer, or both: ones of the object's own,
/// which no draw of the batch has used. Used: the same ones in each frame. Same: one buffer for
/// all. Blocks: parts of one buffer.
enum class What { Textures, UsedTextures, Buffers, Both, SameBuffer, Blocks };
template <What what>
class Stream : public Scene {
public:
    explicit Stream(Size size)
        : target_(size), program_(make_program(object(), sampling("o = texture(a, uv);"))),
          texels_(static_cast<size_t>(kTexture.width) * kTexture.height) {
        for (GLuint& texture : textures_) {
            texture = make_texture(GL_RGBA8, kTexture);
        }
        for (GLuint& buffer : buffers_) {
            buffer = make_buffer(GL_UNIFORM_BUFFER, kBlock, texels_.data(), GL_DYNAMIC_DRAW);
        }
        const std::vector<char> zeros(textures_.size() * kStep);
        blocks_ = make_buffer(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(zeros.size()),
                              zeros.data(), GL_DYNAMIC_DRAW);
    }

    void draw(int frame) override {
        target_.begin();
        gl::UseProgram(program_);
        bind_texture(0, textures_[0]);
        for (int i = 0; i < kObjects; ++i) {
            const int turn = what == What::UsedTextures ? 0 : frame % kFrames;
            const auto own = static_cast<size_t>(turn * kObjects + i);
            if (what == What::Textures || what == What::UsedTextures || what == What::Both) {
                gl::BindTexture(GL_TEXTURE_2D, textures_[own]);
                gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kTexture.width, kTexture.height, GL_RGBA,
                                  GL_UNSIGNED_BYTE, texels_.data());
            }
            if (what == What::Buffers || what == What::Both || what == What::SameBuffer) {
                gl::BindBufferBase(GL_UNIFORM_BUFFER, 0,
                                   buffers_[what == What::SameBuffer ? 0 : own]);
                gl::BufferSubData(GL_UNIFORM_BUFFER, 0, kBlock, texels_.data());
            }
            if (what == What::Blocks) {
                const GLintptr offset = static_cast<GLintptr>(own) * kStep;
                gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, blocks_, offset, kBlock);
                gl::BufferSubData(GL_UNIFORM_BUFFER, offset, kBlock, texels_.data());
            }
            draw_triangle();
        }
    }

private:
    Target target_;
    GLuint program_;
    std::vector<std::uint32_t> texels_;
    std::array<GLuint, size_t{kObjects} * kFrames> textures_{}, buffers_{};
    GLuint blocks_ = 0;
};

/// Each draw gets its vertices in another part of one large buffer.
enum class Way { SubData, Unsynchronised, Orphaned };
template <Way way>
class Vertices : public Scene {
public:
    explicit Vertices(Size size)
        : target_(size), program_(make_program(R"(layout(location = 0) in vec4 corner;
out vec2 uv;
void main() { uv = corner.xy; gl_Position = corner; })",
                                               sampling("o = texture(a, uv);"))),
          buffer_(make_buffer(GL_ARRAY_BUFFER, kBytes, nullptr, GL_DYNAMIC_DRAW)) {
        // All parts hold data from the first frame on, as they do in a program that runs for long.
        gl::BufferSubData(GL_ARRAY_BUFFER, 0, kBytes, std::vector<char>(kBytes).data());
        gl::VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, kVertex, nullptr);
        gl::EnableVertexAttribArray(0);
    }

    void draw(int frame) override {
        target_.begin();
        gl::UseProgram(program_);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer_);
        if (way == Way::Orphaned) {
            gl::BufferData(GL_ARRAY_BUFFER, kBytes, nullptr, GL_DYNAMIC_DRAW);
        }
        for (int i = 0; i < kObjects; ++i) {
            const int part = (frame * kObjects + i) % static_cast<int>(kBytes / kPart);
            fill(part * kPart);
            gl::DrawArrays(GL_TRIANGLES, part * static_cast<int>(kPart / kVertex), 192);
        }
    }

private:
    static constexpr GLsizeiptr kBytes = 4 << 20, kPart = 4096;
    static constexpr GLsizei kVertex = 16;

    void fill(GLintptr offset) const {
        static constexpr std::array<char, kPart> data{};
        if (way != Way::Unsynchronised) {
            gl::BufferSubData(GL_ARRAY_BUFFER, offset, kPart, data.data());
            return;
        }
        void* const memory = gl::MapBufferRange(GL_ARRAY_BUFFER, offset, kPart,
                                                GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
        if (memory != nullptr) {
            std::memcpy(memory, data.data(), kPart);
        }
        gl::UnmapBuffer(GL_ARRAY_BUFFER);
    }

    Target target_;
    GLuint program_, buffer_;
};

constexpr std::array kKinds{
    Kind{"stream_textures", "a texture is filled before each of 50 draws",
         made<Stream<What::Textures>>},
    Kind{"stream_used_textures", "the same, with the textures of the frame before",
         made<Stream<What::UsedTextures>>},
    Kind{"stream_buffers", "a uniform buffer is filled before each of 50 draws",
         made<Stream<What::Buffers>>},
    Kind{"stream_both", "a texture and a uniform buffer", made<Stream<What::Both>>},
    Kind{"stream_same", "one uniform buffer for all 50 draws", made<Stream<What::SameBuffer>>},
    Kind{"stream_blocks", "a part of one uniform buffer before each of 50 draws",
         made<Stream<What::Blocks>>},
    Kind{"stream_part", "a part of a vertex buffer before each of 50 draws",
         made<Vertices<Way::SubData>>},
    Kind{"stream_unsynchronised", "the same by maps without a wait",
         made<Vertices<Way::Unsynchronised>>},
    Kind{"stream_orphaned", "the same, the buffer replaced in each frame",
         made<Vertices<Way::Orphaned>>}};

} // namespace

std::span<const Kind> stream_scenes() {
    return kKinds;
}

} // namespace kobalt::frame
