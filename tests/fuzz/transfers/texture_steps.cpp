// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps that make textures, write to them and read them, from and to memory and buffers.
#include <algorithm>
#include <array>

#include "framebuffer.h"

namespace kobalt::fuzz::transfers {
namespace {

constexpr std::size_t kMost = 6; ///< textures at once
constexpr std::array kTargets{GLenum{GL_TEXTURE_2D}, GLenum{GL_TEXTURE_2D}, GLenum{GL_TEXTURE_3D},
                              GLenum{GL_TEXTURE_2D_ARRAY}, GLenum{GL_TEXTURE_CUBE_MAP}};

/// Memory that pixels come from or go to: the program's, or a part of a buffer.
class Pixels {
public:
    Pixels(State& state, GLenum binding, std::size_t size)
        : binding_(binding), own_(size, std::byte{0x5a}) {
        if (state.random.one_in(2)) {
            buffer_ = state.some_buffer(size + 64);
        }
        if (buffer_ != nullptr) {
            offset_ = 16 * state.random.below(4);
            gl::BindBuffer(binding, buffer_->name);
        }
    }
    ~Pixels() { gl::BindBuffer(binding_, 0); }
    Pixels(const Pixels&) = delete;
    Pixels& operator=(const Pixels&) = delete;

    bool in_buffer() const { return buffer_ != nullptr; }
    /// The bytes; in a buffer those of the model.
    std::span<std::byte> bytes() {
        return in_buffer() ? std::span(buffer_->bytes).subspan(offset_, own_.size())
                           : std::span(own_);
    }
    /// What GL takes as the address.
    void* address() {
        return in_buffer() ? reinterpret_cast<void*>(offset_) : static_cast<void*>(own_.data());
    }
    /// Writes the model's bytes to the buffer.
    void store() {
        if (in_buffer()) {
            gl::BufferSubData(binding_, static_cast<GLintptr>(offset_),
                              static_cast<GLsizeiptr>(own_.size()), bytes().data());
        }
    }

private:
    GLenum binding_;
    std::vector<std::byte> own_;
    Buffer* buffer_ = nullptr;
    std::size_t offset_ = 0;
};

template <typename Action>
void each_texel(const Box& box, Action action) {
    for (int z = 0; z < box.depth; ++z) {
        for (int y = 0; y < box.height; ++y) {
            for (int x = 0; x < box.width; ++x) {
                action(x, y, z);
            }
        }
    }
}

void copy_in(Texture& texture, std::size_t level, const Box& box, const Layout& layout,
             std::span<const std::byte> pixels) {
    each_texel(box, [&](int x, int y, int z) {
        std::ranges::copy(pixels.subspan(layout.offset(x, y, z), texture.format->texel),
                          texture.texel(level, box.x + x, box.y + y, box.z + z).begin());
    });
}

void copy_out(Texture& texture, std::size_t level, const Box& box, const Layout& layout,
              std::span<std::byte> pixels) {
    each_texel(box, [&](int x, int y, int z) {
        std::ranges::copy(texture.texel(level, box.x + x, box.y + y, box.z + z),
                          pixels.subspan(layout.offset(x, y, z)).begin());
    });
}

/// The sizes of a new texture, and random contents.
void shape(State& state, Texture& texture) {
    Random& random = state.random;
    texture.target = random.pick(kTargets);
    do {
        texture.format = &random.pick(pixel_formats());
    } while (texture.target == GL_TEXTURE_3D &&
             texture.format->attachment != GL_COLOR_ATTACHMENT0 &&
             texture.format->attachment != GL_NONE);
    const bool cube = texture.target == GL_TEXTURE_CUBE_MAP;
    int width = random.between(1, random.one_in(4) ? 130 : 33);
    int height = cube ? width : random.between(1, 33);
    int depth = texture.target == GL_TEXTURE_2D ? 1 : cube ? 6 : random.between(1, 6);
    int most = 1;
    for (int side = std::max({width, height, texture.target == GL_TEXTURE_3D ? depth : 1});
         side > 1; side /= 2) {
        ++most;
    }
    texture.levels.resize(static_cast<std::size_t>(random.between(1, std::min(most, 4))));
    for (Level& level : texture.levels) {
        level = {width, height, depth,
                 std::vector<std::byte>(static_cast<std::size_t>(width * height * depth) *
                                        texture.format->texel)};
        width = std::max(width / 2, 1);
        height = std::max(height / 2, 1);
        depth = texture.target == GL_TEXTURE_3D ? std::max(depth / 2, 1) : depth;
    }
}

void reset_unpacking() {
    for (const GLenum name : {GL_UNPACK_ROW_LENGTH, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_PIXELS,
                              GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES}) {
        gl::PixelStorei(name, 0);
    }
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

/// Storage with the model's contents, level by level; the texture is bound.
void define(Texture& texture) {
    reset_unpacking();
    const PixelFormat& format = *texture.format;
    gl::TexParameteri(texture.target, GL_TEXTURE_MAX_LEVEL,
                      static_cast<GLint>(texture.levels.size()) - 1);
    for (std::size_t i = 0; i < texture.levels.size(); ++i) {
        Level& level = texture.levels[i];
        const auto internal = static_cast<GLint>(format.internal);
        const auto number = static_cast<GLint>(i);
        if (texture.has_images()) {
            gl::TexImage3D(texture.target, number, internal, level.width, level.height, level.depth,
                           0, format.format, format.type, level.bytes.data());
            continue;
        }
        const GLenum first =
            texture.target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : texture.target;
        for (int z = 0; z < level.depth; ++z) {
            gl::TexImage2D(first + static_cast<GLenum>(z), number, internal, level.width,
                           level.height, 0, format.format, format.type,
                           texture.texel(i, 0, 0, z).data());
        }
    }
}

void upload_box(State& state, Texture& texture, std::size_t level, const Box& box) {
    const PixelFormat& format = *texture.format;
    const auto number = static_cast<GLint>(level);
    const Layout layout(state.random, format, box, texture.has_images());
    Pixels pixels(state, GL_PIXEL_UNPACK_BUFFER, layout.size());
    if (!pixels.in_buffer() || format.bits != Bits::Any || state.random.one_in(2)) {
        fill(state.random, format, pixels.bytes().first(layout.size() / 4 * 4));
        // Where texels don't lie at multiples of their words, the pattern would be shifted.
        std::vector<std::byte> texel(format.texel);
        each_texel(box, [&](int x, int y, int z) {
            fill(state.random, format, texel);
            std::ranges::copy(texel, pixels.bytes().subspan(layout.offset(x, y, z)).begin());
        });
        pixels.store();
    }
    layout.set(false);
    gl::BindTexture(texture.target, texture.name);
    if (texture.has_images()) {
        gl::TexSubImage3D(texture.target, number, box.x, box.y, box.z, box.width, box.height,
                          box.depth, format.format, format.type, pixels.address());
    } else {
        const GLenum target = texture.target == GL_TEXTURE_CUBE_MAP
                                  ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(box.z)
                                  : texture.target;
        gl::TexSubImage2D(target, number, box.x, box.y, box.width, box.height, format.format,
                          format.type, pixels.address());
    }
    copy_in(texture, level, box, layout, pixels.bytes());
}

void make(State& state) {
    if (state.textures.size() == kMost) {
        return;
    }
    Texture& texture = state.textures.emplace_back();
    shape(state, texture);
    gl::GenTextures(1, &texture.name);
    gl::BindTexture(texture.target, texture.name);
    const Level& base = texture.levels[0];
    const auto levels = static_cast<GLsizei>(texture.levels.size());
    for (Level& level : texture.levels) {
        fill(state.random, *texture.format, level.bytes);
    }
    if (state.random.one_in(3)) {
        define(texture);
        return;
    }
    texture.has_images() ? gl::TexStorage3D(texture.target, levels, texture.format->internal,
                                            base.width, base.height, base.depth)
                         : gl::TexStorage2D(texture.target, levels, texture.format->internal,
                                            base.width, base.height);
    for (std::size_t i = 0; i < texture.levels.size(); ++i) {
        const Level& level = texture.levels[i];
        // A face of a cube is an upload of its own.
        const int parts = texture.has_images() ? 1 : level.depth;
        for (int z = 0; z < parts; ++z) {
            upload_box(state, texture, i,
                       {0, 0, z, level.width, level.height, level.depth / parts});
        }
    }
}

void remove(State& state) {
    if (Texture* texture = state.some_texture()) {
        gl::DeleteTextures(1, &texture->name);
        std::swap(*texture, state.textures.back());
        state.textures.pop_back();
    }
}

void upload(State& state) {
    if (Texture* texture = state.some_texture()) {
        const auto level = state.random.below(static_cast<std::uint32_t>(texture->levels.size()));
        const Level& own = texture->levels[level];
        Box box = some_box(state.random, own.width, own.height, own.depth);
        box.depth = texture->has_images() ? box.depth : 1;
        state.journal.note(0, "upload " + texture->text() + " " + text_of(box));
        upload_box(state, *texture, level, box);
    }
}

void read(State& state) {
    Random& random = state.random;
    Texture* texture = state.some_texture();
    if (texture == nullptr) {
        return;
    }
    const PixelFormat& format = *texture->format;
    const auto level = random.below(static_cast<std::uint32_t>(texture->levels.size()));
    const Level& own = texture->levels[level];
    Box box = some_box(random, own.width, own.height, own.depth);
    const bool by_framebuffer = format.attachment != GL_NONE && random.one_in(2);
    box.depth = by_framebuffer ? 1 : box.depth;
    const Layout layout(random, format, box, texture->has_images() && !by_framebuffer);
    Pixels pixels(state, GL_PIXEL_PACK_BUFFER, layout.size());
    std::vector<std::byte> wanted(pixels.bytes().begin(), pixels.bytes().end());
    copy_out(*texture, level, box, layout, wanted);
    layout.set(true);
    state.journal.note(0, "read " + texture->text() + " " + text_of(box));
    if (by_framebuffer) {
        bind_layer(state, GL_READ_FRAMEBUFFER, *texture, level, box.z);
        gl::ReadPixels(box.x, box.y, box.width, box.height, format.format, format.type,
                       pixels.address());
    } else {
        constexpr GLsizei most = 1 << 30;
        gl::GetTextureSubImage(texture->name, static_cast<GLint>(level), box.x, box.y, box.z,
                               box.width, box.height, box.depth, format.format, format.type,
                               pixels.in_buffer() ? most : static_cast<GLsizei>(layout.size()),
                               pixels.address());
    }
    if (pixels.in_buffer()) {
        std::ranges::copy(wanted, pixels.bytes().begin()); // compared when the buffer is read
    } else {
        state.compare((by_framebuffer ? "glReadPixels of " : "glGetTextureSubImage of ") +
                          texture->text() + " level " + std::to_string(level) + " " + text_of(box),
                      pixels.bytes(), wanted);
    }
}

void wait(State& state) {
    state.random.one_in(2) ? gl::Finish() : gl::Flush();
}

constexpr Step kSteps[] = {
    {"texture-make", 10, make},
    {"texture-delete", 1, remove},
    {"texture-upload", 14, upload},
    {"texture-read", 14, read},
    {"wait", 2, wait},
};

} // namespace

std::span<const Step> texture_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz::transfers
