// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// glMemoryBarrier (OpenGL 4.6, 7.13.2): a shader stores, then each kind of use comes behind it; and
// glTextureBarrier (9.3.1).
#include <cstring>

#include "compute.h"

namespace kobalt::gltest {
namespace {

/// A dispatch that stores a value to each of 1024 words.
class BarrierTest : public ComputeTest {
protected:
    static constexpr std::uint32_t kCount = 1024;
    void prepare() override {
        ComputeTest::prepare();
        store_ = compute(R"(
            layout(local_size_x = 64) in;
            layout(std430, binding = 0) buffer Out { uint data[]; };
            uniform uint value;
            void main() { data[gl_GlobalInvocationID.x] = value; })");
    }
    void store(GLuint buffer, std::uint32_t value) const {
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
        gl::UseProgram(store_);
        gl::Uniform1ui(gl::GetUniformLocation(store_, "value"), value);
        gl::DispatchCompute(kCount / 64, 1, 1);
    }
    static GLuint words(GLenum target = GL_COPY_WRITE_BUFFER) {
        return make_buffer(target, Words(kCount), GL_DYNAMIC_COPY);
    }

private:
    GLuint store_ = 0;
};

TEST_F(BarrierTest, VertexAttribArray) {
    const GLuint draw = link({{GL_VERTEX_SHADER, R"(#version 430 core
                                  layout(location = 0) in uint value;
                                  flat out uint seen;
                                  void main() {
                                      seen = value;
                                      gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1);
                                  })"},
                              {GL_FRAGMENT_SHADER, R"(#version 430 core
                                  flat in uint seen;
                                  out uvec4 colour;
                                  void main() { colour = uvec4(seen); })"}});
    make_target({4, 4, GL_RGBA32UI});
    bind_new_vao();
    const GLuint buffer = words(GL_ARRAY_BUFFER);
    gl::VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    for (std::uint32_t value = 1; value < 5; ++value) {
        store(buffer, value);
        gl::MemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
        gl::UseProgram(draw);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        EXPECT_EQ(pixel_uint(1, 1)[0], value);
    }
}

TEST_F(BarrierTest, ElementArray) {
    const GLuint draw = link({{GL_VERTEX_SHADER, R"(#version 430 core
                                  flat out uint seen;
                                  void main() {
                                      seen = uint(gl_VertexID);
                                      gl_Position = vec4(0, 0, 0, 1);
                                  })"},
                              {GL_FRAGMENT_SHADER, R"(#version 430 core
                                  flat in uint seen;
                                  out uvec4 colour;
                                  void main() { colour = uvec4(seen); })"}});
    make_target({1, 1, GL_RGBA32UI});
    bind_new_vao();
    const GLuint buffer = words(GL_ELEMENT_ARRAY_BUFFER);
    for (std::uint32_t value = 10; value < 14; ++value) {
        store(buffer, value);
        gl::MemoryBarrier(GL_ELEMENT_ARRAY_BARRIER_BIT);
        gl::UseProgram(draw);
        gl::DrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, nullptr);
        EXPECT_EQ(pixel_uint(0, 0)[0], value);
    }
}

TEST_F(BarrierTest, UniformAndTextureFetch) {
    const GLuint read = compute(R"(
        layout(local_size_x = 1) in;
        layout(std140, binding = 1) uniform Block { uvec4 block[256]; };
        layout(binding = 0) uniform usamplerBuffer texels;
        layout(std430, binding = 1) buffer Out { uint seen[2]; };
        void main() { seen[0] = block[100].w; seen[1] = texelFetch(texels, 1000).r; })");
    const GLuint buffer = words();
    const GLuint out = storage(1, Words(2));
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 1, buffer);
    new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    for (std::uint32_t value = 1; value < 5; ++value) {
        store(buffer, value);
        gl::MemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
        gl::UseProgram(read);
        gl::DispatchCompute(1, 1, 1);
        EXPECT_EQ(words_of(out, 2), Words(2, value));
    }
}

TEST_F(BarrierTest, ImagesAreSampledReadStoredAndDrawnTo) {
    const GLuint fill = compute(R"(
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(binding = 0, rgba8) uniform writeonly image2D image;
        uniform vec4 colour;
        void main() { imageStore(image, ivec2(gl_GlobalInvocationID.xy), colour); })");
    const GLuint invert = compute(R"(
        layout(local_size_x = 8, local_size_y = 8) in;
        layout(binding = 0, rgba8) uniform image2D image;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            imageStore(image, at, vec4(vec3(1) - imageLoad(image, at).rgb, 1));
        })");
    const GLuint sample = vs_fs(kFullscreenVs, R"(
        uniform sampler2D image;
        out vec4 colour;
        void main() { colour = texelFetch(image, ivec2(gl_FragCoord.xy), 0); })");
    const GLuint blend =
        vs_fs(kFullscreenVs, "out vec4 colour; void main() { colour = vec4(0, 0, 1, 0); }");
    gl::ActiveTexture(GL_TEXTURE0);
    const GLuint texture = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 32, 32);
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    bind_new_vao();
    const auto store_colour = [&](float red) {
        gl::UseProgram(fill);
        gl::Uniform4f(gl::GetUniformLocation(fill, "colour"), red, 1 - red, 0, 1);
        gl::DispatchCompute(4, 4, 1);
    };
    const Target target = make_target({32, 32});
    for (int i = 0; i < 4; ++i) {
        const bool red = i % 2;
        store_colour(red ? 1.0F : 0.0F);
        gl::MemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        gl::UseProgram(invert);
        gl::DispatchCompute(4, 4, 1);
        gl::MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        target.bind();
        gl::UseProgram(sample);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_area(0, 0, 32, 32, red ? Byte4{0, 255, 255, 255} : Byte4{255, 0, 255, 255});
    }
    // Blending reads what was stored to the attachment.
    const GLuint framebuffer = bind_texture_target(texture, 32, 32);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < 4; ++i) {
        const bool red = i % 2;
        store_colour(red ? 1.0F : 0.0F);
        gl::MemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::UseProgram(blend);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_area(0, 0, 32, 32, red ? Byte4{255, 0, 255, 255} : Byte4{0, 255, 255, 255});
    }
    // Uploads and read-backs of a texture that shaders store to.
    const std::vector<Byte4> white(32 * 32, kWhite);
    store_colour(1);
    gl::MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 32, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    std::vector<Byte4> seen(32 * 32);
    gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
    EXPECT_EQ(seen[15], kWhite);
    EXPECT_EQ(seen[16], kRed);
}

TEST_F(BarrierTest, Command) {
    const GLuint draw =
        vs_fs(kFullscreenVs, "out vec4 colour; void main() { colour = vec4(0.25); }");
    make_target({8, 8});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    bind_new_vao();
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    const GLuint buffer = words(GL_DRAW_INDIRECT_BUFFER);
    // count, instances, first, base instance: all `value`, so value instances of value vertices.
    for (const std::uint32_t value : {3U, 0U, 3U}) {
        store(buffer, value);
        gl::MemoryBarrier(GL_COMMAND_BARRIER_BIT);
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
        const Words tail{value ? 1U : 0U, 0, 0};
        gl::BufferSubData(GL_COPY_WRITE_BUFFER, 4, 12, tail.data());
        gl::UseProgram(draw);
        gl::DrawArraysIndirect(GL_TRIANGLES, nullptr);
    }
    expect_area(0, 0, 8, 8, {128, 128, 128, 128}, 2);
}

TEST_F(BarrierTest, PixelBufferAndBufferUpdate) {
    const GLuint buffer = words();
    for (std::uint32_t value = 1; value < 4; ++value) {
        const std::uint32_t texel = 0xff000000U | value * 40U;
        store(buffer, texel);
        gl::MemoryBarrier(GL_PIXEL_BUFFER_BARRIER_BIT);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl::BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        Words seen(256);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
        EXPECT_EQ(seen, Words(256, texel));
        // Copied out of, then written by the app, then by the shader again.
        store(buffer, value);
        gl::MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        const GLuint copy = words(GL_COPY_WRITE_BUFFER);
        gl::BindBuffer(GL_COPY_READ_BUFFER, buffer);
        gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, kCount * 4);
        const std::uint32_t own = 77;
        gl::BufferSubData(GL_COPY_READ_BUFFER, 8, 4, &own);
        EXPECT_EQ(words_of(copy, 3), Words(3, value));
        EXPECT_EQ(words_of(buffer, 3), (Words{value, value, 77}));
        void* mapped = gl::MapBufferRange(GL_COPY_READ_BUFFER, 0, 4, GL_MAP_READ_BIT);
        ASSERT_NE(mapped, nullptr);
        EXPECT_EQ(std::memcmp(mapped, &value, 4), 0);
        gl::UnmapBuffer(GL_COPY_READ_BUFFER);
    }
}

TEST_F(BarrierTest, ClientMappedBuffer) {
    if (!has_version(4, 4) && !has_extension("GL_ARB_buffer_storage"))
        GTEST_SKIP() << "no persistent maps";
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    constexpr GLbitfield access =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    gl::BufferStorage(GL_COPY_WRITE_BUFFER, kCount * 4, nullptr, access);
    auto* mapped = static_cast<volatile std::uint32_t*>(
        gl::MapBufferRange(GL_COPY_WRITE_BUFFER, 0, kCount * 4, access));
    ASSERT_NE(mapped, nullptr);
    const GLuint add = compute(R"(
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) buffer Out { uint data[]; };
        void main() { data[gl_GlobalInvocationID.x] += 1u; })");
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl::UseProgram(add);
    for (std::uint32_t i = 0; i < 5; ++i) {
        mapped[17] = i * 10;
        gl::DispatchCompute(kCount / 64, 1, 1);
        gl::MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
        const GLsync fence = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        ASSERT_NE(gl::ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000),
                  GLenum{GL_TIMEOUT_EXPIRED});
        gl::DeleteSync(fence);
        EXPECT_EQ(mapped[17], i * 10 + 1);
    }
    gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

TEST_F(BarrierTest, TransformFeedbackBehindStores) {
    const GLuint capture =
        link({{GL_VERTEX_SHADER, R"(#version 430 core
                                     out uint seen;
                                     void main() { seen = uint(gl_VertexID) + 5u; })"},
              {GL_FRAGMENT_SHADER, "#version 430 core\nvoid main() {}"}},
             [](GLuint program) {
                 const char* name = "seen";
                 gl::TransformFeedbackVaryings(program, 1, &name, GL_INTERLEAVED_ATTRIBS);
             });
    make_target();
    bind_new_vao();
    const GLuint buffer = words();
    gl::BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl::Enable(GL_RASTERIZER_DISCARD);
    for (int i = 0; i < 3; ++i) {
        store(buffer, 1000);
        gl::MemoryBarrier(GL_TRANSFORM_FEEDBACK_BARRIER_BIT);
        gl::UseProgram(capture);
        gl::BeginTransformFeedback(GL_POINTS);
        gl::DrawArrays(GL_POINTS, 0, 3);
        gl::EndTransformFeedback();
        EXPECT_EQ(words_of(buffer, 5), (Words{5, 6, 7, 1000, 1000}));
    }
}

TEST_F(BarrierTest, AtomicCountersThatAreBlocksAsWell) {
    const GLuint count = compute(R"(
        layout(local_size_x = 64) in;
        layout(binding = 0) uniform atomic_uint counter;
        void main() { atomicCounterIncrement(counter); })");
    const GLuint buffer = words();
    gl::BindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, buffer);
    for (std::uint32_t value = 1; value < 5; ++value) {
        store(buffer, value * 1000);
        gl::MemoryBarrier(GL_ATOMIC_COUNTER_BARRIER_BIT);
        gl::UseProgram(count);
        gl::DispatchCompute(2, 1, 1);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        EXPECT_EQ(words_of(buffer, 2), (Words{value * 1000 + 128, value * 1000}));
    }
}

// Stores and loads of draws in one pass, with all that a pass has tracked before.
TEST_F(BarrierTest, BetweenDrawsToOneTarget) {
    if (get(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS) < 1)
        GTEST_SKIP() << "fragment shaders may not store";
    const GLuint write =
        link({{GL_VERTEX_SHADER, std::string("#version 430 core\n") + kFullscreenVs},
              {GL_FRAGMENT_SHADER, R"(#version 430 core
        layout(std430, binding = 0) buffer Data { uint data[]; };
        uniform uint value;
        out vec4 colour;
        void main() {
            data[uint(gl_FragCoord.y) * 32u + uint(gl_FragCoord.x)] = value;
            colour = vec4(0);
        })"}});
    const GLuint read =
        link({{GL_VERTEX_SHADER, std::string("#version 430 core\n") + kFullscreenVs},
              {GL_FRAGMENT_SHADER, R"(#version 430 core
        layout(std430, binding = 0) readonly buffer Data { uint data[]; };
        layout(std140, binding = 0) uniform Block { uvec4 block[256]; };
        uniform uint value;
        out vec4 colour;
        void main() {
            uint at = (31u - uint(gl_FragCoord.y)) * 32u + 31u - uint(gl_FragCoord.x);
            colour = vec4(data[at] == value ? 1.0 : 0.0, block[at / 4u].x == value ? 1.0 : 0.0, 0, 1) / 16.0;
        })"}});
    make_target({32, 32});
    gl::Clear(GL_COLOR_BUFFER_BIT);
    bind_new_vao();
    const GLuint buffer = words();
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    gl::Enable(GL_BLEND);
    gl::BlendFunc(GL_ONE, GL_ONE);
    for (std::uint32_t i = 0; i < 16; ++i) {
        gl::UseProgram(write);
        gl::Uniform1ui(gl::GetUniformLocation(write, "value"), i + 1);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT);
        gl::UseProgram(read);
        gl::Uniform1ui(gl::GetUniformLocation(read, "value"), i + 1);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::MemoryBarrierByRegion(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    expect_area(0, 0, 32, 32, {255, 255, 0, 255}, 8);
}

TEST_F(BarrierTest, TextureBarrierShowsWhatWasDrawn) {
    if (!has_version(4, 5) && !has_extension("GL_ARB_texture_barrier"))
        GTEST_SKIP() << "no glTextureBarrier";
    const GLuint add = vs_fs(kFullscreenVs, R"(
        uniform sampler2D image;
        out vec4 colour;
        void main() {
            colour = texelFetch(image, ivec2(gl_FragCoord.xy), 0) + vec4(gl_FragCoord.xy, 1, 1) / 1024.0;
        })");
    const GLuint texture = texture_2d(GL_RGBA32F, 16, 16, GL_RGBA, GL_FLOAT,
                                      std::vector<float>(16 * 16 * 4, 0.0F).data());
    bind_texture_target(texture, 16, 16);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    bind_new_vao();
    gl::UseProgram(add);
    for (int i = 0; i < 10; ++i) {
        gl::TextureBarrier();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_near(pixel_float(3, 9), {35.0F / 1024, 95.0F / 1024, 10.0F / 1024, 10.0F / 1024}, 1e-5F);
}

} // namespace
} // namespace kobalt::gltest
