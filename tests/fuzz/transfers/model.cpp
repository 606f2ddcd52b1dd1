// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "model.h"

#include <algorithm>
#include <cstring>

namespace kobalt::fuzz::transfers {
namespace {

constexpr GLenum kColour = GL_COLOR_ATTACHMENT0;

constexpr std::array kFormats{
    PixelFormat{"RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, Bits::Any, 32, kColour,
                Blits::Mirrored},
    PixelFormat{"RG8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, Bits::Any, 16, kColour, Blits::Mirrored},
    PixelFormat{"R8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, Bits::Any, 8, kColour, Blits::Mirrored},
    PixelFormat{"RGB8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, Bits::Any, 0, kColour,
                Blits::Mirrored},
    PixelFormat{"SRGB8_ALPHA8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, Bits::Any, 32,
                kColour, Blits::None},
    PixelFormat{"RGBA16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8, Bits::Any, 64, kColour,
                Blits::Mirrored},
    PixelFormat{"R16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2, Bits::Any, 16, kColour,
                Blits::Mirrored},
    PixelFormat{"RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, Bits::Any, 32, kColour,
                Blits::Mirrored},
    PixelFormat{"R8I", GL_R8I, GL_RED_INTEGER, GL_BYTE, 1, Bits::Any, 8, kColour, Blits::Mirrored},
    PixelFormat{"RG16UI", GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4, Bits::Any, 32, kColour,
                Blits::Mirrored},
    PixelFormat{"R32UI", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, Bits::Any, 32, kColour,
                Blits::Mirrored},
    PixelFormat{"RG32UI", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, Bits::Any, 64, kColour,
                Blits::Mirrored},
    PixelFormat{"RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, Bits::Any, 128,
                kColour, Blits::Mirrored},
    PixelFormat{"RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, Bits::Half, 0, kColour,
                Blits::Mirrored},
    PixelFormat{"R16F", GL_R16F, GL_RED, GL_HALF_FLOAT, 2, Bits::Half, 0, kColour, Blits::Mirrored},
    PixelFormat{"R32F", GL_R32F, GL_RED, GL_FLOAT, 4, Bits::Float, 0, kColour, Blits::Mirrored},
    PixelFormat{"RGB32F", GL_RGB32F, GL_RGB, GL_FLOAT, 12, Bits::Float, 0, GL_NONE, Blits::None},
    PixelFormat{"RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, Bits::Float, 0, kColour,
                Blits::Mirrored},
    PixelFormat{"RGB10_A2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, Bits::Any, 32,
                kColour, Blits::Mirrored},
    PixelFormat{"RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, Bits::Any, 0, kColour,
                Blits::Mirrored},
    PixelFormat{"R11F_G11F_B10F", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4,
                Bits::SmallFloats, 0, kColour, Blits::Mirrored},
    PixelFormat{"DEPTH_COMPONENT16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2,
                Bits::Any, 0, GL_DEPTH_ATTACHMENT, Blits::Mirrored},
    PixelFormat{"DEPTH_COMPONENT32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4,
                Bits::DepthFloat, 0, GL_DEPTH_ATTACHMENT, Blits::Mirrored},
    PixelFormat{"DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4,
                Bits::Any, 0, GL_DEPTH_STENCIL_ATTACHMENT, Blits::Plain},
};

template <typename Word>
void put(std::span<std::byte> bytes, std::size_t offset, Word word) {
    std::memcpy(bytes.subspan(offset, sizeof(word)).data(), &word, sizeof(word));
}

/// Normal numbers only: of the others, a conversion may leave other bits.
std::uint16_t some_half(Random& random) {
    return static_cast<std::uint16_t>((random.below(2) << 15U) | (random.below(29) + 1) << 10U |
                                      random.below(1024));
}

std::uint32_t some_small_floats(Random& random) {
    const auto one = [&random](std::uint32_t mantissa) {
        return (random.below(29) + 1) << mantissa | random.below(1U << mantissa);
    };
    return one(6) | one(6) << 11U | one(5) << 22U;
}

} // namespace

std::span<const PixelFormat> pixel_formats() {
    return kFormats;
}

void fill(Random& random, const PixelFormat& format, std::span<std::byte> texels) {
    switch (format.bits) {
    case Bits::Any:
        for (std::byte& byte : texels) {
            byte = static_cast<std::byte>(random.below(256));
        }
        break;
    case Bits::Half:
        for (std::size_t i = 0; i + 2 <= texels.size(); i += 2) {
            put(texels, i, some_half(random));
        }
        break;
    case Bits::Float:
        for (std::size_t i = 0; i + 4 <= texels.size(); i += 4) {
            put(texels, i, static_cast<float>(random.between(-100000, 100000)) / 64);
        }
        break;
    case Bits::SmallFloats:
        for (std::size_t i = 0; i + 4 <= texels.size(); i += 4) {
            put(texels, i, some_small_floats(random));
        }
        break;
    case Bits::DepthFloat:
        for (std::size_t i = 0; i + 4 <= texels.size(); i += 4) {
            put(texels, i, static_cast<float>(random.below(65537)) / 65536);
        }
        break;
    }
}

Box some_box(Random& random, int width, int height, int depth) {
    Box box;
    const auto part = [&random](int size, int& begin, int& length) {
        if (random.one_in(3)) {
            length = size; // the whole side
            return;
        }
        begin = random.between(0, size - 1);
        length = random.between(1, size - begin);
    };
    part(width, box.x, box.width);
    part(height, box.y, box.height);
    part(depth, box.z, box.depth);
    return box;
}

std::string text_of(const Box& box) {
    return std::to_string(box.width) + "x" + std::to_string(box.height) + "x" +
           std::to_string(box.depth) + "@" + std::to_string(box.x) + "," + std::to_string(box.y) +
           "," + std::to_string(box.z);
}

std::span<std::byte> Texture::texel(std::size_t level, int x, int y, int z) {
    Level& own = levels[level];
    const auto index = static_cast<std::size_t>((z * own.height + y) * own.width + x);
    return std::span(own.bytes).subspan(index * format->texel, format->texel);
}

std::string Texture::text() const {
    const char* kind = target == GL_TEXTURE_3D         ? " 3D "
                       : target == GL_TEXTURE_2D_ARRAY ? " array "
                       : target == GL_TEXTURE_CUBE_MAP ? " cube "
                                                       : " 2D ";
    return format->name + (kind + std::to_string(levels[0].width)) + "x" +
           std::to_string(levels[0].height) + "x" + std::to_string(levels[0].depth);
}

Layout::Layout(Random& random, const PixelFormat& format, const Box& box, bool images)
    : texel_(format.texel) {
    constexpr std::array alignments{1, 2, 4, 8};
    alignment_ = random.pick(alignments);
    if (random.one_in(2)) {
        row_length_ = box.width + random.between(0, 5);
        skip_pixels_ = random.between(0, 3);
        skip_rows_ = random.between(0, 3);
    }
    if (images && random.one_in(2)) {
        image_height_ = box.height + random.between(0, 3);
        skip_images_ = random.between(0, 2);
    }
    const int row = row_length_ != 0 ? row_length_ : box.width;
    const int rows = image_height_ != 0 ? image_height_ : box.height;
    const auto alignment = static_cast<std::size_t>(alignment_);
    row_bytes_ = (static_cast<std::size_t>(row) * texel_ + alignment - 1) / alignment * alignment;
    image_bytes_ = row_bytes_ * static_cast<std::size_t>(rows);
    size_ = offset(box.width, box.height, box.depth) + row_bytes_;
}

void Layout::set(bool pack) const {
    gl::PixelStorei(pack ? GL_PACK_ALIGNMENT : GL_UNPACK_ALIGNMENT, alignment_);
    gl::PixelStorei(pack ? GL_PACK_ROW_LENGTH : GL_UNPACK_ROW_LENGTH, row_length_);
    gl::PixelStorei(pack ? GL_PACK_IMAGE_HEIGHT : GL_UNPACK_IMAGE_HEIGHT, image_height_);
    gl::PixelStorei(pack ? GL_PACK_SKIP_PIXELS : GL_UNPACK_SKIP_PIXELS, skip_pixels_);
    gl::PixelStorei(pack ? GL_PACK_SKIP_ROWS : GL_UNPACK_SKIP_ROWS, skip_rows_);
    gl::PixelStorei(pack ? GL_PACK_SKIP_IMAGES : GL_UNPACK_SKIP_IMAGES, skip_images_);
}

std::size_t Layout::offset(int x, int y, int z) const {
    return static_cast<std::size_t>(z + skip_images_) * image_bytes_ +
           static_cast<std::size_t>(y + skip_rows_) * row_bytes_ +
           static_cast<std::size_t>(x + skip_pixels_) * texel_;
}

Texture* State::some_texture() {
    return textures.empty() ? nullptr : &random.pick(textures);
}

Buffer* State::some_buffer() {
    return buffers.empty() ? nullptr : &random.pick(buffers);
}

Buffer* State::some_buffer(std::size_t size) {
    Buffer* buffer = some_buffer();
    return buffer != nullptr && buffer->bytes.size() >= size ? buffer : nullptr;
}

void State::compare(const std::string& what, std::span<const std::byte> got,
                    std::span<const std::byte> wanted) {
    const auto [first, expected] = std::ranges::mismatch(got, wanted);
    if (first == got.end() || !wrong.empty()) {
        return;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        count += got[i] != wanted[i] ? 1 : 0;
    }
    wrong = what + ": " + std::to_string(count) + " of " + std::to_string(got.size()) +
            " bytes differ, the first at " + std::to_string(first - got.begin()) + ": " +
            std::to_string(std::to_integer<int>(*first)) + " instead of " +
            std::to_string(std::to_integer<int>(*expected));
}

} // namespace kobalt::fuzz::transfers
