// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A buffer that one context fills anew while the GPU reads it: however the driver makes room for
// that, another context that binds the buffer again finds the new contents, and what that one
// writes there is in the same buffer (OpenGL 4.6, 5.3.3, rule 4).
#include <atomic>
#include <cstring>
#include <thread>

#include "compute.h"

namespace kobalt::gltest {
namespace {

enum class Reader { vertices, uniform_block, storage_block, texels, image };
enum class Writer { sub_data, map, data, invalidation };

class SharedStorageTest : public ComputeTest,
                          public testing::WithParamInterface<std::tuple<Reader, Writer>> {
protected:
    static constexpr GLuint kWords = 64;

    static Reader reader() { return std::get<0>(GetParam()); }
    /// Overwrites all of the buffer, which is bound to GL_ARRAY_BUFFER.
    static void overwrite(GLuint value) {
        const Words words(kWords, value);
        constexpr GLsizeiptr bytes = 4 * kWords;
        switch (std::get<1>(GetParam())) {
        case Writer::map: {
            void* const to = gl::MapBufferRange(GL_ARRAY_BUFFER, 0, bytes,
                                                GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
            ASSERT_NE(to, nullptr);
            std::memcpy(to, words.data(), bytes);
            gl::UnmapBuffer(GL_ARRAY_BUFFER);
            break;
        }
        case Writer::data:
            gl::BufferData(GL_ARRAY_BUFFER, bytes, words.data(), GL_STATIC_DRAW);
            break;
        case Writer::invalidation: {
            GLint name = 0;
            gl::GetIntegerv(GL_ARRAY_BUFFER_BINDING, &name);
            gl::InvalidateBufferData(static_cast<GLuint>(name));
            [[fallthrough]];
        }
        case Writer::sub_data:
            gl::BufferSubData(GL_ARRAY_BUFFER, 0, bytes, words.data());
            break;
        }
    }
    /// What a context has to read the buffer with.
    struct Reading {
        GLuint program = 0, result = 0, texels = 0;
    };
    static Reading prepare_reading(GLuint buffer) {
        Reading made;
        const std::string out = "layout(std430, binding = 1) buffer Out { uint seen[64]; };\n";
        const auto compute_of = [&](const std::string& declared, const std::string& value) {
            return compute("layout(local_size_x = 1) in;\n" + out + declared +
                           "\nvoid main() { uint i = gl_WorkGroupID.x; seen[i] = " + value + "; }");
        };
        switch (reader()) {
        case Reader::vertices:
            made.program =
                link({{GL_VERTEX_SHADER, "#version 430 core\n" + out +
                                             "layout(location = 0) in uint value;\nvoid main() { "
                                             "seen[gl_VertexID] = value; gl_Position = vec4(0); }"},
                      {GL_FRAGMENT_SHADER, "#version 430 core\nvoid main() {}"}});
            make_target({4, 4});
            bind_new_vao();
            gl::EnableVertexAttribArray(0);
            break;
        case Reader::uniform_block:
            made.program =
                compute_of("layout(std140, binding = 0) uniform In { uvec4 words[16]; };",
                           "words[i / 4u][i % 4u]");
            break;
        case Reader::storage_block:
            made.program = compute_of("layout(std430, binding = 0) buffer In { uint words[64]; };",
                                      "words[i]");
            break;
        case Reader::texels:
            made.program = compute_of("layout(binding = 0) uniform usamplerBuffer words;",
                                      "texelFetch(words, int(i)).x");
            break;
        case Reader::image:
            made.program =
                compute_of("layout(binding = 0, r32ui) readonly uniform uimageBuffer words;",
                           "imageLoad(words, int(i)).x");
            break;
        }
        if (reader() == Reader::texels || reader() == Reader::image) {
            gl::GenTextures(1, &made.texels);
            gl::BindTexture(GL_TEXTURE_BUFFER, made.texels);
            gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
        }
        made.result = storage(1, Words(kWords));
        return made;
    }
    /// Binds the buffer where the shader reads it.
    static void bind(const Reading& with, GLuint buffer) {
        switch (reader()) {
        case Reader::vertices:
            gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
            gl::VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 4, nullptr);
            break;
        case Reader::uniform_block:
            gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
            break;
        case Reader::storage_block:
            gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
            break;
        case Reader::texels:
            gl::BindTexture(GL_TEXTURE_BUFFER, with.texels);
            break;
        case Reader::image:
            gl::BindImageTexture(0, with.texels, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
            break;
        }
    }
    /// Runs the shader that reads the buffer, and orders what it stores before later stores.
    static void run(const Reading& with) {
        gl::UseProgram(with.program);
        if (reader() != Reader::vertices) {
            gl::DispatchCompute(kWords, 1, 1);
        } else {
            gl::Enable(GL_RASTERIZER_DISCARD);
            gl::DrawArrays(GL_POINTS, 0, kWords);
            gl::Disable(GL_RASTERIZER_DISCARD);
        }
        gl::MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    /// Reads the buffer and gives the one value that it holds; 0: several.
    static GLuint read(const Reading& with) {
        run(with);
        const Words seen = words_of(with.result, kWords);
        return seen == Words(kWords, seen[0]) ? seen[0] : 0;
    }
};

TEST_P(SharedStorageTest, ShowsTheNewContents) {
    auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, Words(kWords, 1));
    const GLuint slow = compute("layout(local_size_x = 64) in;\n"
                                "layout(std430, binding = 0) buffer In { uint words[64]; };\n"
                                "layout(std430, binding = 2) buffer Sum { uint sum; };\n"
                                "void main() { atomicAdd(sum, words[gl_LocalInvocationIndex]); }");
    storage(2, {0});
    gl::Finish();
    ASSERT_TRUE(other->make_current());
    const Reading reading = prepare_reading(buffer);
    bind(reading, buffer);
    EXPECT_EQ(read(reading), 1U);
    for (GLuint value = 100; value < 103; ++value) {
        ASSERT_TRUE(context().make_current());
        gl::UseProgram(slow);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
        for (int i = 0; i < 20; ++i) {
            gl::DispatchCompute(64, 1, 1);
        }
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        overwrite(value);
        const GLsync written = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl::Flush();
        ASSERT_TRUE(other->make_current());
        gl::WaitSync(written, 0, GL_TIMEOUT_IGNORED);
        bind(reading, buffer);
        EXPECT_EQ(read(reading), value);
        gl::DeleteSync(written);
    }
    gl::Finish();
    ASSERT_TRUE(context().make_current());
}

// The context that fills the buffer need not bind it again.
TEST_P(SharedStorageTest, StaysBound) {
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, Words(kWords, 1));
    const Reading reading = prepare_reading(buffer);
    bind(reading, buffer);
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    EXPECT_EQ(read(reading), 1U);
    for (GLuint value = 100; value < 103; ++value) {
        run(reading); // the GPU uses the present contents when the next ones come
        overwrite(value);
        EXPECT_EQ(read(reading), value);
    }
}

// Which contents are seen is undefined (OpenGL 4.6, 5.3.1), and nothing else is.
TEST_P(SharedStorageTest, IsReplacedWhileAnotherContextBindsIt) {
    constexpr GLuint rounds = 400;
    auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    const GLuint buffer = make_buffer(GL_ARRAY_BUFFER, Words(kWords, 1));
    gl::Finish();
    std::atomic<bool> replaced = false;
    std::thread reader([&] {
        ASSERT_TRUE(other->make_current());
        const Reading reading = prepare_reading(buffer);
        while (!replaced) {
            bind(reading, buffer);
            run(reading);
            bind(reading, 0);
        }
        bind(reading, buffer);
        EXPECT_EQ(read(reading), rounds);
        gl::Finish();
        other->release_current();
    });
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    for (GLuint value = 1; value <= rounds; ++value) {
        overwrite(value);
    }
    gl::Finish();
    replaced = true;
    reader.join();
}

std::string name_of(const testing::TestParamInfo<SharedStorageTest::ParamType>& info) {
    constexpr std::array readers{"vertices", "uniform_block", "storage_block", "texels", "image"};
    constexpr std::array writers{"sub_data", "map", "data", "invalidation"};
    return std::string(readers.at(static_cast<size_t>(std::get<0>(info.param)))) + "_by_" +
           writers.at(static_cast<size_t>(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, SharedStorageTest,
                         testing::Combine(testing::Values(Reader::vertices, Reader::uniform_block,
                                                          Reader::storage_block, Reader::texels,
                                                          Reader::image),
                                          testing::Values(Writer::sub_data, Writer::map,
                                                          Writer::data, Writer::invalidation)),
                         name_of);

} // namespace
} // namespace kobalt::gltest
