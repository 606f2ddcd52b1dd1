// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Pixels that go to and from a pixel buffer are those that go to and from the program's memory,
// byte by byte, and neither way waits for the GPU.
#include <cstdlib>
#include <sstream>
#include <string>

#include "counters.h"

namespace kobalt::gltest {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Pixel store parameters, both for packing and for unpacking.
struct Store {
    const char* name;
    GLint alignment = 4, row_length = 0, skip_pixels = 0, skip_rows = 0;
    GLint image_height = 0, skip_images = 0;
    bool swap_bytes = false;
    GLintptr offset = 0; ///< where the pixels begin
};

constexpr std::array kStores{
    Store{.name = "plain"},
    Store{.name = "tight rows", .alignment = 1},
    Store{.name = "rows of 8 bytes", .alignment = 8, .offset = 64},
    Store{.name = "parts of rows", .row_length = 11, .skip_pixels = 2, .skip_rows = 1},
    Store{.name = "parts of images",
          .alignment = 2,
          .row_length = 9,
          .skip_rows = 2,
          .image_height = 8,
          .skip_images = 1},
    Store{.name = "swapped bytes", .swap_bytes = true, .offset = 8},
    Store{.name = "an odd offset", .alignment = 1, .offset = 4},
    Store{.name = "overlapping rows", .alignment = 1, .row_length = 3},
};

void set_store(const Store& store) {
    gl::PixelStorei(GL_PACK_ALIGNMENT, store.alignment);
    gl::PixelStorei(GL_UNPACK_ALIGNMENT, store.alignment);
    gl::PixelStorei(GL_PACK_ROW_LENGTH, store.row_length);
    gl::PixelStorei(GL_UNPACK_ROW_LENGTH, store.row_length);
    gl::PixelStorei(GL_PACK_SKIP_PIXELS, store.skip_pixels);
    gl::PixelStorei(GL_UNPACK_SKIP_PIXELS, store.skip_pixels);
    gl::PixelStorei(GL_PACK_SKIP_ROWS, store.skip_rows);
    gl::PixelStorei(GL_UNPACK_SKIP_ROWS, store.skip_rows);
    gl::PixelStorei(GL_PACK_IMAGE_HEIGHT, store.image_height);
    gl::PixelStorei(GL_UNPACK_IMAGE_HEIGHT, store.image_height);
    gl::PixelStorei(GL_PACK_SKIP_IMAGES, store.skip_images);
    gl::PixelStorei(GL_UNPACK_SKIP_IMAGES, store.skip_images);
    gl::PixelStorei(GL_PACK_SWAP_BYTES, store.swap_bytes ? GL_TRUE : GL_FALSE);
    gl::PixelStorei(GL_UNPACK_SWAP_BYTES, store.swap_bytes ? GL_TRUE : GL_FALSE);
}

struct Pixels {
    GLenum internal_format;
    GLenum format;
    GLenum type;
    bool converted = false; ///< values may differ in the last bit
};

constexpr std::array kPixels{
    Pixels{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    Pixels{GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE},
    Pixels{GL_RGBA8, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV},
    Pixels{GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8},
    Pixels{GL_RGBA8, GL_RGB, GL_UNSIGNED_BYTE},
    Pixels{GL_RGBA8, GL_RED, GL_UNSIGNED_BYTE},
    Pixels{GL_RGBA8, GL_RG, GL_UNSIGNED_SHORT, true}, // GPUs round, as they may
    Pixels{GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE},
    Pixels{GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE},
    Pixels{GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
    Pixels{GL_SRGB8_ALPHA8, GL_BGRA, GL_UNSIGNED_BYTE},
    Pixels{GL_R8, GL_RED, GL_UNSIGNED_BYTE},
    Pixels{GL_R8, GL_RGBA, GL_UNSIGNED_BYTE},
    Pixels{GL_RG8, GL_RG, GL_UNSIGNED_BYTE},
    Pixels{GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5},
    Pixels{GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV},
    Pixels{GL_R16, GL_RED, GL_UNSIGNED_SHORT},
    Pixels{GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT},
    Pixels{GL_RGBA16, GL_BGRA, GL_UNSIGNED_SHORT},
    Pixels{GL_RGBA8, GL_RGBA, GL_UNSIGNED_SHORT, true},
    Pixels{GL_RGBA16, GL_RGBA, GL_UNSIGNED_BYTE, true},
    Pixels{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
    Pixels{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
    Pixels{GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
    Pixels{GL_R16I, GL_RED_INTEGER, GL_INT},
    Pixels{GL_R16I, GL_RED_INTEGER, GL_UNSIGNED_SHORT},
    Pixels{GL_RGBA8UI, GL_BGRA_INTEGER, GL_UNSIGNED_BYTE},
    Pixels{GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
    Pixels{GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
    Pixels{GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
    Pixels{GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
};

std::string name_of(const Pixels& pixels, const Store& store) {
    std::ostringstream text;
    text << std::hex << "internal format 0x" << pixels.internal_format << ", format 0x"
         << pixels.format << ", type 0x" << pixels.type << ": " << store.name;
    return text.str();
}

/// Bytes that differ from their neighbours in rows and columns.
Bytes noise(size_t size, unsigned seed) {
    Bytes bytes(size);
    unsigned state = seed;
    for (std::uint8_t& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<std::uint8_t>(state >> 24U);
    }
    return bytes;
}

constexpr GLsizei kWidth = 7, kHeight = 5, kDepth = 3;
constexpr GLsizeiptr kRoom = 8192; ///< of a buffer, for each of these stores

/// A call of GL that takes pixels or gives them: `pixels` is a pointer, or an offset in a buffer.
template <typename Call>
Bytes into_memory(GLintptr offset, const Call& call) {
    Bytes bytes(kRoom, 0xa5);
    call(bytes.data() + offset);
    return bytes;
}
template <typename Call>
Bytes into_buffer(GLintptr offset, const Call& call) {
    const Bytes before(kRoom, 0xa5);
    const GLuint buffer = make_buffer(GL_PIXEL_PACK_BUFFER, before);
    call(reinterpret_cast<void*>(offset));
    Bytes bytes(kRoom);
    gl::GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, kRoom, bytes.data());
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl::DeleteBuffers(1, &buffer);
    return bytes;
}

void expect_same(const Bytes& found, const Bytes& expected, bool converted) {
    ASSERT_EQ(found.size(), expected.size());
    size_t different = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        if (std::abs(found[i] - expected[i]) > (converted ? 1 : 0) && ++different <= 3) {
            ADD_FAILURE() << "byte " << i << " is " << int{found[i]} << " and not "
                          << int{expected[i]};
        }
    }
    EXPECT_EQ(different, 0U);
}

class PixelBufferTest : public GlTest {
protected:
    void TearDown() override {
        set_store(Store{.name = "GL's own"});
        GlTest::TearDown();
    }
    /// Texels in the texture's own layout, for comparisons.
    static Bytes texels(GLenum target, const Pixels& pixels) {
        set_store(Store{.name = "tight", .alignment = 1});
        Bytes bytes(kRoom);
        gl::GetTexImage(target, 0, pixels.format, pixels.type, bytes.data());
        return bytes;
    }
    /// Runs `upload(pixels)` from memory and from a buffer, and expects the same texels.
    template <typename Upload>
    static void expect_same_upload(GLenum target, const Pixels& pixels, const Store& store,
                                   const Upload& upload) {
        const Bytes source = noise(kRoom, pixels.internal_format + pixels.format);
        set_store(store);
        upload(source.data() + store.offset);
        const Bytes expected = texels(target, pixels);
        const Bytes other = noise(kRoom, 1);
        set_store(Store{.name = "GL's own"});
        upload(other.data());
        const GLuint buffer = make_buffer(GL_PIXEL_UNPACK_BUFFER, source);
        set_store(store);
        upload(reinterpret_cast<const void*>(store.offset));
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        gl::DeleteBuffers(1, &buffer);
        expect_same(texels(target, pixels), expected, pixels.converted);
    }
    static void expect_same_download(const Pixels& pixels, const Store& store, const auto& read) {
        set_store(store);
        const Bytes expected = into_memory(store.offset, read);
        expect_same(into_buffer(store.offset, read), expected, pixels.converted);
    }
};

// Offsets and strides that aren't multiples of a texel are not Vulkan's own.
TEST_F(PixelBufferTest, UploadsOfEachFormat) {
    for (const Pixels& pixels : kPixels) {
        texture_2d(pixels.internal_format, 9, 8, pixels.format, pixels.type, nullptr);
        for (const Store& store : kStores) {
            SCOPED_TRACE(name_of(pixels, store));
            expect_same_upload(GL_TEXTURE_2D, pixels, store, [&](const void* source) {
                gl::TexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, kWidth, kHeight, pixels.format,
                                  pixels.type, source);
            });
        }
    }
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

TEST_F(PixelBufferTest, TexturesOfEachFormatAreRead) {
    for (const Pixels& pixels : kPixels) {
        set_store(Store{.name = "GL's own"});
        texture_2d(pixels.internal_format, kWidth, kHeight, pixels.format, pixels.type,
                   noise(kRoom, 7).data());
        for (const Store& store : kStores) {
            if (store.row_length && store.row_length < kWidth) {
                continue; // rows that overlap have no order
            }
            SCOPED_TRACE(name_of(pixels, store));
            expect_same_download(pixels, store, [&](void* to) {
                gl::GetTexImage(GL_TEXTURE_2D, 0, pixels.format, pixels.type, to);
            });
        }
    }
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

TEST_F(PixelBufferTest, FramebuffersOfEachFormatAreRead) {
    for (const Pixels& pixels : kPixels) {
        if (pixels.format == GL_DEPTH_COMPONENT || pixels.format == GL_DEPTH_STENCIL) {
            continue;
        }
        set_store(Store{.name = "GL's own"});
        const GLuint texture = texture_2d(pixels.internal_format, 9, 8, pixels.format, pixels.type,
                                          noise(kRoom, 9).data());
        bind_texture_target(texture, 9, 8);
        if (gl::CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            continue;
        }
        for (const Store& store : kStores) {
            if (store.row_length && store.row_length < kWidth) {
                continue;
            }
            SCOPED_TRACE(name_of(pixels, store));
            const auto read = [&](void* to) {
                gl::ReadPixels(1, 2, kWidth, kHeight, pixels.format, pixels.type, to);
            };
            expect_same_download(pixels, store, read);
            if (has_extension("GL_MESA_framebuffer_flip_y")) {
                constexpr GLenum kFlipY = 0x8BBB; // GL_FRAMEBUFFER_FLIP_Y_MESA
                gl::FramebufferParameteri(GL_FRAMEBUFFER, kFlipY, GL_TRUE);
                expect_same_download(pixels, store, read);
                gl::FramebufferParameteri(GL_FRAMEBUFFER, kFlipY, GL_FALSE);
            }
        }
    }
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

TEST_F(PixelBufferTest, LayersAndSlices) {
    constexpr Pixels kTexels{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
    constexpr Pixels kSwapped{GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE};
    for (const GLenum target : {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_1D_ARRAY}) {
        const bool flat = target == GL_TEXTURE_1D_ARRAY;
        new_texture(target);
        if (flat) {
            gl::TexImage2D(target, 0, GL_RGBA8, 9, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        } else {
            gl::TexImage3D(target, 0, GL_RGBA8, 9, 8, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        }
        for (const Pixels& pixels : {kTexels, kSwapped}) {
            for (const Store& store : kStores) {
                SCOPED_TRACE(name_of(pixels, store));
                expect_same_upload(target, pixels, store, [&](const void* source) {
                    if (flat) {
                        gl::TexSubImage2D(target, 0, 1, 2, kWidth, kHeight, pixels.format,
                                          pixels.type, source);
                    } else {
                        gl::TexSubImage3D(target, 0, 1, 2, 1, kWidth, kHeight, kDepth,
                                          pixels.format, pixels.type, source);
                    }
                });
                if (!store.row_length) {
                    expect_same_download(pixels, store, [&](void* to) {
                        gl::GetTexImage(target, 0, pixels.format, pixels.type, to);
                    });
                }
            }
        }
    }
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
}

TEST_F(PixelBufferTest, FacesAndLevels) {
    constexpr Pixels kTexels{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};
    new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, 1);
    for (GLenum face = 0; face < 6; ++face) {
        for (const GLint level : {0, 1}) {
            gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, GL_RGBA8, 16 >> level,
                           16 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, noise(1024, face).data());
        }
    }
    const GLenum face = GL_TEXTURE_CUBE_MAP_NEGATIVE_Y;
    expect_same_upload(face, kTexels, kStores[3], [&](const void* source) {
        gl::TexSubImage2D(face, 0, 3, 4, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, source);
    });
    for (const GLint level : {0, 1}) {
        expect_same_download(kTexels, kStores[0], [&](void* to) {
            gl::GetTexImage(face, level, GL_RGBA, GL_UNSIGNED_BYTE, to);
        });
    }
}

// 2.3.5.2: the closest value that fewer bits have, as for pixels in memory.
TEST_F(PixelBufferTest, FewerBitsAreRounded) {
    constexpr GLsizei kCount = 256;
    std::vector<Byte4> ramp;
    for (int i = 0; i < kCount; ++i) {
        const auto value = static_cast<std::uint8_t>(i);
        ramp.push_back({value, static_cast<std::uint8_t>(255 - i), value, value});
    }
    for (const GLenum format : {GL_RGB565, GL_RGB5_A1, GL_RGBA4, GL_R3_G3_B2}) {
        SCOPED_TRACE(format);
        std::vector<Byte4> expected(kCount), seen(kCount);
        texture_2d(format, kCount, 1, GL_RGBA, GL_UNSIGNED_BYTE, ramp.data());
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, expected.data());
        texture_2d(format, kCount, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        make_buffer(GL_PIXEL_UNPACK_BUFFER, ramp);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kCount, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
        EXPECT_EQ(seen, expected);
    }
}

class PixelBufferCostTest : public CountedTest {
protected:
    /// Has drawn to a texture, which is bound, and so is a framebuffer with it.
    void prepare() override {
        CountedTest::prepare();
        const GLuint texture = texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        bind_texture_target(texture, 64, 64);
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
    void expect_no_wait(const std::function<void()>& scene) const {
        const Spent spent = measure(scene);
        EXPECT_EQ(spent.at("slow-read-back"), 0U);
        EXPECT_EQ(spent.at("slow-busy-map"), 0U);
    }
    static void expect_all(Byte4 expected) {
        std::vector<Byte4> found(64 * 64);
        gl::GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, 64 * 64 * 4, found.data());
        EXPECT_EQ(found, std::vector<Byte4>(64 * 64, expected));
    }
};

TEST_F(PixelBufferCostTest, ReadingWaitsForNothing) {
    for (const GLenum usage : {GL_STREAM_READ, GL_STATIC_DRAW, GL_STREAM_DRAW}) {
        for (const GLenum format : {GL_RGBA, GL_BGRA}) {
            make_buffer(GL_PIXEL_PACK_BUFFER, 64 * 64 * 4, nullptr, usage);
            expect_no_wait(
                [&] { gl::ReadPixels(0, 0, 64, 64, format, GL_UNSIGNED_BYTE, nullptr); });
            expect_all(kGreen);
            expect_no_wait(
                [&] { gl::GetTexImage(GL_TEXTURE_2D, 0, format, GL_UNSIGNED_BYTE, nullptr); });
            expect_all(kGreen);
        }
    }
}

TEST_F(PixelBufferCostTest, WhatTheGpuReadIsUploadedWithoutAWait) {
    const GLuint copy = texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint buffer = make_buffer(GL_PIXEL_PACK_BUFFER, 64 * 64 * 4, nullptr);
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    for (const GLenum format : {GL_RGBA, GL_BGRA}) {
        expect_no_wait([&] {
            gl::ReadPixels(0, 0, 64, 64, format, GL_UNSIGNED_BYTE, nullptr);
            gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 64, 64, format, GL_UNSIGNED_BYTE, nullptr);
        });
    }
    gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl::BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    bind_texture_target(copy, 64, 64);
    expect_area(0, 0, 64, 64, kGreen);
}

} // namespace
} // namespace kobalt::gltest
