// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// OpenGL ES 3.1 and 3.2 where they differ from OpenGL 4: compute, storage buffers, counters, images
// and their limits (OpenGL ES 3.2, table 21.44 and on); and that OpenGL ES 1.1 is there.
#include <EGL/egl.h>

#include "compute.h"

namespace kobalt::gltest {
namespace {

class EsComputeTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 1); }
    static GLuint es_compute(const std::string& source) {
        return link({{GL_COMPUTE_SHADER, "#version 310 es\n" + source}});
    }
    static Words mapped(GLenum target, size_t count) {
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        const auto* words = static_cast<const std::uint32_t*>(
            gl::MapBufferRange(target, 0, static_cast<GLsizeiptr>(count * 4), GL_MAP_READ_BIT));
        if (!words)
            return {};
        Words copy(words, words + count);
        gl::UnmapBuffer(target);
        return copy;
    }
};

TEST_F(EsComputeTest, StorageCountersAndImages) {
    const GLuint program = es_compute(R"(
        precision highp float;
        precision highp int;
        layout(local_size_x = 8, local_size_y = 4) in;
        layout(std430, binding = 1) buffer Out { uint total; uint data[]; };
        layout(binding = 0, offset = 4) uniform atomic_uint count;
        layout(binding = 0, r32ui) uniform highp readonly uimage2D from;
        layout(binding = 1, r32ui) uniform highp writeonly uimage2D to;
        shared uint sum;
        void main() {
            if (gl_LocalInvocationIndex == 0u) sum = 0u;
            barrier();
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            uint texel = imageLoad(from, at).r;
            atomicAdd(sum, texel);
            imageStore(to, at, uvec4(texel + 1u));
            data[atomicCounterIncrement(count)] = 7u;
            memoryBarrierShared();
            barrier();
            if (gl_LocalInvocationIndex == 0u) atomicAdd(total, sum + uint(data.length()));
        })");
    const Words texels(16 * 16, 3);
    std::array<GLuint, 2> images{};
    for (GLuint unit = 0; unit < 2; ++unit) {
        images[unit] = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 16, 16);
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RED_INTEGER, GL_UNSIGNED_INT,
                          texels.data());
        gl::BindImageTexture(unit, images[unit], 0, GL_FALSE, 0,
                             unit ? GL_WRITE_ONLY : GL_READ_ONLY, GL_R32UI);
    }
    const GLuint counter = make_buffer(GL_ATOMIC_COUNTER_BUFFER, Words{5, 0});
    gl::BindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, counter);
    const GLuint out = make_buffer(GL_SHADER_STORAGE_BUFFER, Words(257));
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out);
    gl::UseProgram(program);
    gl::DispatchCompute(2, 4, 1);
    Words expected(257, 7);
    expected[0] = 256 * 3 + 8 * 256;
    EXPECT_EQ(mapped(GL_SHADER_STORAGE_BUFFER, 257), expected);
    EXPECT_EQ(mapped(GL_ATOMIC_COUNTER_BUFFER, 2), (Words{5, 256}));
    bind_texture_target(images[1], 16, 16);
    gl::MemoryBarrierByRegion(GL_FRAMEBUFFER_BARRIER_BIT);
    EXPECT_EQ(pixel_uint(9, 13)[0], 4U);
}

TEST_F(EsComputeTest, LimitsAreThoseOfTheVersion) {
    EXPECT_GE(get(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS), 128);
    EXPECT_GE(get(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE), 16384);
    EXPECT_GE(get(GL_MAX_COMPUTE_UNIFORM_BLOCKS), 12);
    EXPECT_GE(get(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS), 16);
    EXPECT_GE(get(GL_MAX_COMPUTE_IMAGE_UNIFORMS), 4);
    EXPECT_GE(get(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS), 4);
    EXPECT_GE(get(GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS), 1);
    EXPECT_GE(get(GL_MAX_COMPUTE_ATOMIC_COUNTERS), 8);
    EXPECT_GE(get(GL_MAX_COMPUTE_UNIFORM_COMPONENTS), 1024);
    EXPECT_GE(get(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS), 4);
    EXPECT_GE(get(GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES), 4);
    EXPECT_GE(get(GL_MAX_IMAGE_UNITS), 4);
    EXPECT_GE(get(GL_MAX_SHADER_STORAGE_BLOCK_SIZE), 1 << 27);
    EXPECT_GE(get(GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE), 32);
    if (has_version(3, 2)) {
        EXPECT_GE(get(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS), 4);
        EXPECT_GE(get(GL_MAX_FRAGMENT_IMAGE_UNIFORMS), 4);
        EXPECT_GE(get(GL_MAX_FRAGMENT_ATOMIC_COUNTERS), 8);
        EXPECT_GE(get(GL_MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS), 1);
    }
}

class Es1Test : public GlTest {
protected:
    ContextRequest request() const override { return {Profile::Es, 1, 1, false}; }
    static std::string_view text(GLenum what) {
        return reinterpret_cast<const char*>(gl::GetString(what));
    }
    Missing missing() const override {
        return when(!offscreen::has_word(text(GL_EXTENSIONS), "GL_OES_framebuffer_object"),
                    "no framebuffer without GL_OES_framebuffer_object");
    }
    void prepare() override {
        GLuint framebuffer = 0, color = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::GenRenderbuffers(1, &color);
        gl::BindRenderbuffer(GL_RENDERBUFFER, color);
        gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
        gl::FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        ASSERT_EQ(gl::CheckFramebufferStatus(GL_FRAMEBUFFER), GLenum{GL_FRAMEBUFFER_COMPLETE});
        gl::Viewport(0, 0, 16, 16);
        gl::ClearColor(0, 0, 1, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
};

TEST_F(Es1Test, FixedFunctionDraws) {
    EXPECT_TRUE(text(GL_VERSION).starts_with("OpenGL ES-CM 1.1"));
    gl::MatrixMode(GL_MODELVIEW);
    gl::LoadIdentity();
    gl::Translatef(1, 0, 0);
    const std::array<float, 8> corners{-1, -1, 1, -1, -1, 1, 1, 1};
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, corners.data());
    gl::Color4f(1, 1, 0, 1);
    gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_EQ(pixel(3, 8), kBlue);
    EXPECT_EQ(pixel(12, 8), kYellow);
}

// OES_texture_cube_map: one mode for S, T and R.
TEST_F(Es1Test, TextureGenerationSetsThreeCoordinates) {
    constexpr GLenum kStr = 0x8D60; // GL_TEXTURE_GEN_STR_OES
    GLuint cube = 0;
    gl::GenTextures(1, &cube);
    gl::BindTexture(GL_TEXTURE_CUBE_MAP, cube);
    const std::array<Byte4, 6> faces{{{20, 0, 0, 255},
                                      {60, 0, 0, 255},
                                      {100, 0, 0, 255},
                                      {140, 0, 0, 255},
                                      {180, 0, 0, 255},
                                      {220, 0, 0, 255}}};
    for (size_t i = 0; i < faces.size(); ++i)
        gl::TexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(i), 0, GL_RGBA, 1, 1, 0,
                       GL_RGBA, GL_UNSIGNED_BYTE, faces[i].data());
    gl::TexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    gl::Enable(GL_TEXTURE_CUBE_MAP);
    gl::Enable(kStr);
    const std::array<float, 8> corners{-1, -1, 1, -1, -1, 1, 1, 1};
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::VertexPointer(2, GL_FLOAT, 0, corners.data());
    for (const char* name : {"glTexGeniOES", "glTexGenxOES"}) {
        const auto tex_gen = reinterpret_cast<PFNGLTEXGENXOESPROC>(eglGetProcAddress(name));
        ASSERT_NE(tex_gen, nullptr) << name;
        tex_gen(kStr, GL_TEXTURE_GEN_MODE, GL_REFLECTION_MAP);
        tex_gen(kStr, GL_TEXTURE_GEN_MODE, GL_NORMAL_MAP);
        for (size_t i = 0; i < faces.size(); ++i) {
            std::array<float, 3> normal{};
            normal[i / 2] = i % 2 ? -1.0F : 1.0F;
            gl::Normal3f(normal[0], normal[1], normal[2]);
            gl::DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            EXPECT_EQ(pixel(8, 8), faces[i]) << name << " " << i;
        }
    }
}

} // namespace
} // namespace kobalt::gltest
