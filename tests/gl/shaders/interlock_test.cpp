// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// GL_ARB_fragment_shader_interlock: fragments of one pixel follow each other.

namespace kobalt::gltest {
namespace {

constexpr int kSize = 16;
constexpr int kLayers = 24;

class InterlockTest : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Core, 4, 2, false}; }
};

// Each fragment reads what the one before it left, and no two orders leave the same.
TEST_F(InterlockTest, FragmentsOfAPixelInOrder) {
    if (!has_extension("GL_ARB_fragment_shader_interlock")) {
        GTEST_SKIP() << "GL_ARB_fragment_shader_interlock is not there";
    }
    const std::string version = "#version 420 core\n";
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               version + "flat out uint layer; void main() { vec2 p = vec2(gl_VertexID & 1, "
                         "gl_VertexID >> 1); gl_Position = vec4(p * 4.0 - 1.0, 0, 1); layer = "
                         "uint(gl_InstanceID); }"},
              {GL_FRAGMENT_SHADER,
               version + "#extension GL_ARB_fragment_shader_interlock : require\n"
                         "layout(pixel_interlock_ordered) in; layout(binding = 0, r32ui) coherent "
                         "uniform uimage2D seen; flat in uint layer; void main() { ivec2 p = "
                         "ivec2(gl_FragCoord.xy); beginInvocationInterlockARB(); uint v = "
                         "imageLoad(seen, p).r; imageStore(seen, p, uvec4(v * 5u + layer)); "
                         "endInvocationInterlockARB(); }"}});
    const std::vector<uint32_t> ones(kSize * kSize, 1);
    const GLuint texture =
        texture_2d(GL_R32UI, kSize, kSize, GL_RED_INTEGER, GL_UNSIGNED_INT, ones.data());
    make_target({kSize, kSize});
    bind_new_vao();
    gl::UseProgram(program);
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    gl::DrawArraysInstanced(GL_TRIANGLES, 0, 3, kLayers);
    gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
    uint32_t expected = 1;
    for (uint32_t layer = 0; layer < kLayers; ++layer) {
        expected = expected * 5 + layer;
    }
    bind_texture_target(texture, kSize, kSize);
    int wrong = 0;
    for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x) {
            wrong += pixel_uint(x, y)[0] != expected ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace kobalt::gltest
