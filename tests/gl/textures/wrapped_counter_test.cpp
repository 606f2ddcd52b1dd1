// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_shader_image_load_store: increments and decrements of texels that wrap around.
#include <algorithm>

#include "compute.h"

namespace kobalt::gltest {
namespace {

class WrappedCounterTest : public ComputeTest {
protected:
    Missing missing() const override {
        return first_of({ComputeTest::missing(), lacks("GL_EXT_shader_image_load_store")});
    }

    /// What `calls` of `function`, with `wrap`, find in a texel that begins with `first`; the
    /// texel's last value comes behind.
    static Words found(const char* function, std::uint32_t first, std::uint32_t wrap,
                       std::uint32_t calls) {
        const GLuint program = compute(std::string(R"(
            #extension GL_EXT_shader_image_load_store : require
            layout(local_size_x = 1) in;
            layout(r32ui, binding = 0) coherent uniform uimage2D image;
            layout(std430, binding = 0) buffer Out { uint found[]; };
            uniform uint wrap;
            void main() {
                found[gl_WorkGroupID.x] = )") +
                                       function +
                                       R"((image, ivec2(1, 0), wrap);
            })");
        const std::uint32_t texels[] = {77, first};
        const GLuint texture = texture_2d(GL_R32UI, 2, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
        gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
        const GLuint out = storage(0, Words(calls));
        gl::UseProgram(program);
        gl::Uniform1ui(gl::GetUniformLocation(program, "wrap"), wrap);
        gl::DispatchCompute(calls, 1, 1);
        Words result = words_of(out, calls);
        std::uint32_t last[2] = {};
        gl::MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, last);
        EXPECT_EQ(last[0], 77u);
        std::ranges::sort(result); // they come in any order
        result.push_back(last[1]);
        return result;
    }
};

TEST_F(WrappedCounterTest, IncrementsBeginAgainBehindTheLast) {
    EXPECT_EQ(found("imageAtomicIncWrap", 0, 3, 6), (Words{0, 0, 1, 1, 2, 3, 2}));
    EXPECT_EQ(found("imageAtomicIncWrap", 9, 3, 2), (Words{0, 9, 1}));
    EXPECT_EQ(found("imageAtomicIncWrap", 5, 0, 1), (Words{5, 0}));
    EXPECT_EQ(found("imageAtomicIncWrap", ~0u, ~0u, 2), (Words{0, ~0u, 1}));
}

TEST_F(WrappedCounterTest, DecrementsBeginAgainBelowZero) {
    EXPECT_EQ(found("imageAtomicDecWrap", 2, 3, 5), (Words{0, 1, 2, 2, 3, 1}));
    EXPECT_EQ(found("imageAtomicDecWrap", 9, 3, 2), (Words{3, 9, 2}));
    EXPECT_EQ(found("imageAtomicDecWrap", 0, ~0u, 1), (Words{0, ~0u}));
}

TEST_F(WrappedCounterTest, InvocationsCountTogether) {
    const Words all = found("imageAtomicIncWrap", 0, 1000, 300);
    for (std::uint32_t i = 0; i <= 300; ++i)
        EXPECT_EQ(all[i], i);
}

} // namespace
} // namespace kobalt::gltest
