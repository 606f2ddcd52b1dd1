// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps on the contents of textures.
#include <array>

#include "formats.h"
#include "player.h"

namespace kobalt::fuzz {
namespace {

/// Binds a buffer for pixels, with luck. Where there is none, pixels are in the player's memory.
class PixelBuffer {
public:
    PixelBuffer(Player& player, GLenum target) : target_(target), memory_(player.scratch().data()) {
        if (player.random().one_in(3)) {
            gl::BindBuffer(target, player.any(player.world().buffers));
        }
        gl::GetIntegerv(target == GL_PIXEL_PACK_BUFFER ? GL_PIXEL_PACK_BUFFER_BINDING
                                                       : GL_PIXEL_UNPACK_BUFFER_BINDING,
                        &bound_);
    }
    ~PixelBuffer() { gl::BindBuffer(target_, 0); }
    PixelBuffer(const PixelBuffer&) = delete;
    PixelBuffer& operator=(const PixelBuffer&) = delete;

    /// The pixels' address: an offset into the buffer where one is bound.
    void* pixels() const { return bound_ != 0 ? reinterpret_cast<void*>(64) : memory_; }

private:
    GLenum target_;
    void* memory_;
    GLint bound_ = 0;
};

/// Sometimes rows are longer than what is copied.
void set_pixel_store(Random& random, GLenum row_length, GLenum alignment) {
    constexpr std::array alignments{1, 2, 4, 8};
    gl::PixelStorei(row_length, random.one_in(3) ? static_cast<GLint>(64 + random.below(36)) : 0);
    gl::PixelStorei(alignment, random.pick(alignments));
}

void upload(Player& player) {
    Random& random = player.random();
    const GLenum target = random.pick(kTextureTargets);
    const Format& format = random.pick(kFormats);
    gl::BindTexture(target, player.any(player.world().textures));
    set_pixel_store(random, GL_UNPACK_ROW_LENGTH, GL_UNPACK_ALIGNMENT);
    const PixelBuffer buffer(player, GL_PIXEL_UNPACK_BUFFER);
    const GLint x = random.between(0, 4);
    const GLint y = random.between(0, 4);
    const GLint level = random.one_in(4) ? 1 : 0;
    const GLsizei width = random.between(0, 32);
    const GLsizei height = random.between(0, 32);
    if (target == GL_TEXTURE_1D) {
        gl::TexSubImage1D(target, level, x, width, format.format, format.type, buffer.pixels());
    } else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY ||
               target == GL_TEXTURE_CUBE_MAP_ARRAY) {
        gl::TexSubImage3D(target, level, x, y, random.between(0, 1), width, height,
                          random.between(0, 3), format.format, format.type, buffer.pixels());
    } else {
        const GLenum face = target == GL_TEXTURE_CUBE_MAP
                                ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + random.below(6)
                                : target;
        gl::TexSubImage2D(face, level, x, y, width, height, format.format, format.type,
                          buffer.pixels());
    }
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void read(Player& player) {
    Random& random = player.random();
    const Format& format = random.pick(kFormats);
    const GLuint name = player.any(player.world().textures);
    set_pixel_store(random, GL_PACK_ROW_LENGTH, GL_PACK_ALIGNMENT);
    const PixelBuffer buffer(player, GL_PIXEL_PACK_BUFFER);
    const auto size = static_cast<GLsizei>(player.scratch().size());
    if (name != 0) {
        random.one_in(2)
            ? gl::GetTextureImage(name, random.between(0, 1), format.format, format.type, size,
                                  buffer.pixels())
            : gl::GetTextureSubImage(name, random.between(0, 1), random.between(0, 8), 0, 0,
                                     random.between(1, 8), random.between(1, 8), 1, format.format,
                                     format.type, size, buffer.pixels());
    }
    gl::PixelStorei(GL_PACK_ROW_LENGTH, 0);
}

void mipmap(Player& player) {
    if (const GLuint name = player.any(player.world().textures)) {
        gl::GenerateTextureMipmap(name);
    }
}

void copy_image(Player& player) {
    Random& random = player.random();
    const GLuint from = player.any(player.world().textures);
    const GLuint to = player.any(player.world().textures);
    gl::CopyImageSubData(from, random.pick(kTextureTargets), random.between(0, 1),
                         random.between(0, 8), random.between(0, 8), random.between(0, 1), to,
                         random.pick(kTextureTargets), random.between(0, 1), random.between(0, 8),
                         random.between(0, 8), random.between(0, 1), random.between(0, 16),
                         random.between(0, 16), random.between(1, 2));
}

void copy_from_framebuffer(Player& player) {
    Random& random = player.random();
    gl::BindTexture(GL_TEXTURE_2D, player.any(player.world().textures));
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, random.between(0, 1), random.between(0, 8),
                          random.between(0, 8), random.between(-4, 8), random.between(-4, 8),
                          random.between(0, 32), random.between(0, 32));
}

void redefine_from_framebuffer(Player& player) {
    if (!player.world().may_redefine) {
        return;
    }
    Random& random = player.random();
    Names::Slot& slot = player.own_slot(player.world().textures);
    const std::lock_guard lock(slot.mutex);
    if (slot.name != 0) {
        gl::BindTexture(GL_TEXTURE_2D, 0);
        gl::BindTexture(GL_TEXTURE_2D, slot.name);
        gl::CopyTexImage2D(GL_TEXTURE_2D, random.between(0, 1), random.pick(kFormats).internal,
                           random.between(-4, 8), random.between(-4, 8), random.between(1, 32),
                           random.between(1, 32), 0);
    }
}

void clear(Player& player) {
    Random& random = player.random();
    const Format& format = random.pick(kFormats);
    const void* value = random.one_in(3) ? nullptr : player.scratch().data();
    if (const GLuint name = player.any(player.world().textures)) {
        random.one_in(2)
            ? gl::ClearTexImage(name, random.between(0, 1), format.format, format.type, value)
            : gl::ClearTexSubImage(name, random.between(0, 1), random.between(0, 8), 0, 0,
                                   random.between(0, 8), random.between(0, 8), 1, format.format,
                                   format.type, value);
    }
}

void invalidate(Player& player) {
    Random& random = player.random();
    if (const GLuint name = player.any(player.world().textures)) {
        random.one_in(2) ? gl::InvalidateTexImage(name, random.between(0, 1))
                         : gl::InvalidateTexSubImage(name, 0, 0, 0, 0, 4, 4, 1);
    }
}

constexpr Step kSteps[] = {
    {"image-upload", 10, upload},
    {"image-read", 6, read},
    {"image-mipmap", 3, mipmap},
    {"image-copy", 7, copy_image},
    {"image-copy-from-framebuffer", 4, copy_from_framebuffer},
    {"image-redefine-from-framebuffer", 2, redefine_from_framebuffer},
    {"image-clear", 5, clear},
    {"image-invalidate", 2, invalidate},
};

} // namespace

std::span<const Step> image_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
