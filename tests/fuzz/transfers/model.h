// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../driver/journal.h"
#include "../driver/random.h"
#include "../gl_more.h"

namespace kobalt::fuzz::transfers {

/// What the values in a texel's bytes have to be, so that they come back as they were.
enum class Bits { Any, Half, Float, SmallFloats, DepthFloat };

/// Which blits leave the bytes as they are. A mirrored one may be a draw of the Vulkan driver's,
/// and lavapipe's is a last bit off for 24 bits of depth.
enum class Blits { None, Plain, Mirrored };

struct PixelFormat {
    const char* name;
    GLenum internal;
    GLenum format;
    GLenum type;
    std::uint32_t texel; ///< bytes in memory
    Bits bits;
    std::uint32_t copied_as; ///< formats with the same number are copied bit by bit; 0: only itself
    GLenum attachment;       ///< where a framebuffer has it; GL_NONE: nowhere
    Blits blits;
};

std::span<const PixelFormat> pixel_formats();
/// Random texels of a format.
void fill(Random& random, const PixelFormat& format, std::span<std::byte> texels);

/// A box of texels: of a level, or what goes to or comes from it.
struct Box {
    int x = 0, y = 0, z = 0;
    int width = 1, height = 1, depth = 1;
};
/// A random box inside of a size.
Box some_box(Random& random, int width, int height, int depth);
std::string text_of(const Box& box);

struct Level {
    int width, height, depth;
    std::vector<std::byte> bytes;
};

struct Texture {
    GLuint name = 0;
    GLenum target = GL_TEXTURE_2D;
    const PixelFormat* format = nullptr;
    std::vector<Level> levels;

    std::span<std::byte> texel(std::size_t level, int x, int y, int z);
    /// Arrays and volumes: where pixels have images (GL 4.6, 8.4.4).
    bool has_images() const { return target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY; }
    std::string text() const;
};

struct Buffer {
    GLuint name = 0;
    std::vector<std::byte> bytes;
};

/// How pixels lie in memory: the state of glPixelStorei.
class Layout {
public:
    /// Random, for pixels of a box. Without images only what concerns rows.
    Layout(Random& random, const PixelFormat& format, const Box& box, bool images);

    /// Sets the state of packing, or of unpacking.
    void set(bool pack) const;
    /// Bytes from the pixels' address on that a box may touch.
    std::size_t size() const { return size_; }
    std::size_t offset(int x, int y, int z) const;

private:
    std::size_t texel_;
    GLint row_length_ = 0, image_height_ = 0, alignment_ = 4;
    GLint skip_pixels_ = 0, skip_rows_ = 0, skip_images_ = 0;
    std::size_t row_bytes_ = 0, image_bytes_ = 0, size_ = 0;
};

/// All that an input has made.
struct State {
    Random random;
    Journal& journal;
    std::vector<Buffer> buffers;
    std::vector<Texture> textures;
    std::string wrong; ///< the first difference
    std::array<GLuint, 2> framebuffers{};
    GLuint adding_program = 0;

    Texture* some_texture();
    Buffer* some_buffer();
    /// A buffer of at least this size, or null.
    Buffer* some_buffer(std::size_t size);
    /// Notes where bytes differ, if they do.
    void compare(const std::string& what, std::span<const std::byte> got,
                 std::span<const std::byte> wanted);
};

struct Step {
    const char* name;
    std::uint32_t weight;
    void (*make)(State&);
};
std::span<const Step> buffer_steps();
std::span<const Step> texture_steps();
std::span<const Step> copy_steps();

} // namespace kobalt::fuzz::transfers
