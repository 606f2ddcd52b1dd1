// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Textures are read into the program's memory with as few waits for the GPU as can be.
#include "counters.h"

namespace kobalt::gltest {
namespace {

class ReadbackTest : public CountedTest {
protected:
    std::uint64_t waits(const std::function<void()>& scene) const {
        return measure(scene).at("slow-read-back");
    }
};

TEST_F(ReadbackTest, SlicesComeAtOnce) {
    constexpr GLsizei kSide = 4;
    constexpr size_t kTexels = kSide * kSide * kSide;
    std::vector<std::uint32_t> texels(kTexels);
    for (size_t i = 0; i < kTexels; ++i) {
        texels[i] = static_cast<std::uint32_t>(i * 0x01030507U);
    }
    make_buffer(GL_PIXEL_UNPACK_BUFFER, texels);
    for (const GLenum target : {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_1D_ARRAY}) {
        new_texture(target);
        // The GPU copies them, so they aren't in the CPU's reach.
        if (target == GL_TEXTURE_1D_ARRAY) {
            gl::TexImage2D(target, 0, GL_RGBA8, kSide, kSide * kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                           nullptr);
        } else {
            gl::TexImage3D(target, 0, GL_RGBA8, kSide, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                           nullptr);
        }
        std::vector<std::uint32_t> found(kTexels);
        EXPECT_LE(
            waits([&] { gl::GetTexImage(target, 0, GL_RGBA, GL_UNSIGNED_BYTE, found.data()); }),
            1U);
        EXPECT_EQ(found, texels);
    }
}

} // namespace
} // namespace kobalt::gltest
