// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_memory_object_fd and GL_EXT_semaphore_fd beside a Vulkan program on the same GPU
// (vulkan_peer.h), and GL_AMD_pinned_memory.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "support.h"
#include "vulkan_peer.h"

namespace kobalt::gltest {
namespace {

class SharedMemoryTest : public GlTest {
protected:
    Missing missing() const override {
        return first_of(
            {when(recording_mode(), "the kernel of a GPU that isn't there shares no memory"),
             lacks("GL_EXT_memory_object_fd")});
    }
    void prepare() override {
        Uuid uuid{};
        gl::GetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, uuid.data());
        std::string why_not;
        peer_ = VulkanPeer::create(uuid, why_not);
        if (!peer_) {
            GTEST_SKIP() << why_not;
        }
    }

    /// OpenGL's object of what the peer shares; the descriptor is OpenGL's from here on.
    static GLuint import(const SharedMemory& shared, bool dedicated = false) {
        GLuint object = 0;
        gl::CreateMemoryObjectsEXT(1, &object);
        const GLint flag = dedicated ? GL_TRUE : GL_FALSE;
        gl::MemoryObjectParameterivEXT(object, GL_DEDICATED_MEMORY_OBJECT_EXT, &flag);
        gl::ImportMemoryFdEXT(object, shared.size, GL_HANDLE_TYPE_OPAQUE_FD_EXT, shared.fd);
        return object;
    }
    GLuint import_buffer(GLsizeiptr bytes, std::uint64_t offset) {
        SharedMemory shared;
        EXPECT_TRUE(peer_->make_buffer(static_cast<std::uint64_t>(bytes), offset, shared));
        const GLuint object = import(shared);
        GLuint buffer = 0;
        gl::GenBuffers(1, &buffer);
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl::BufferStorageMemEXT(GL_ARRAY_BUFFER, bytes, object, shared.offset);
        return buffer;
    }
    GLuint import_texture(const VulkanPeer::ImageShape& shape, std::uint64_t offset) {
        SharedMemory shared;
        EXPECT_TRUE(peer_->make_image(shape, offset, shared));
        const GLuint object = import(shared, shape.dedicated);
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT,
                          shape.linear ? GL_LINEAR_TILING_EXT : GL_OPTIMAL_TILING_EXT);
        gl::TexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, static_cast<GLsizei>(shape.width),
                               static_cast<GLsizei>(shape.height), object, shared.offset);
        return texture;
    }
    /// Both ways, over and over: what one clears the other sees.
    void pass_texture(const VulkanPeer::ImageShape& shape, std::uint64_t offset) {
        const GLuint texture = import_texture(shape, offset);
        const auto width = static_cast<int>(shape.width), height = static_cast<int>(shape.height);
        bind_texture_target(texture, width, height);
        for (int round = 0; round < 3; ++round) {
            peer_->clear_image({1, 0, 0, 1});
            expect_area(0, 0, width, height, kRed);
            gl::ClearColor(0, 0, 1, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            gl::Enable(GL_SCISSOR_TEST);
            gl::Scissor(3, 5, 1, 1);
            gl::ClearColor(0, 1, 0, 1);
            gl::Clear(GL_COLOR_BUFFER_BIT);
            gl::Disable(GL_SCISSOR_TEST);
            gl::Finish();
            const auto texels = peer_->read_image();
            EXPECT_EQ(texels[5 * shape.width + 3], 0xff00ff00U);
            EXPECT_EQ(texels[5 * shape.width + 4], 0xffff0000U);
            EXPECT_EQ(texels.back(), 0xffff0000U);
        }
    }

    std::unique_ptr<VulkanPeer> peer_;
};

TEST_F(SharedMemoryTest, ABufferIsWrittenOnBothSides) {
    constexpr GLsizeiptr kBytes = 64 << 10;
    import_buffer(kBytes, 0);
    peer_->fill_buffer(0x11223344);
    std::uint32_t word = 0;
    gl::GetBufferSubData(GL_ARRAY_BUFFER, kBytes - 4, 4, &word);
    EXPECT_EQ(word, 0x11223344U);
    const std::uint32_t other = 0xcafe;
    gl::BufferSubData(GL_ARRAY_BUFFER, 4096, 4, &other);
    gl::Finish();
    const auto words = peer_->read_buffer();
    EXPECT_EQ(words[1024], 0xcafeU);
    EXPECT_EQ(words[1025], 0x11223344U);
}

TEST_F(SharedMemoryTest, ABufferLiesBehindAnOffset) {
    constexpr GLsizeiptr kBytes = 4096;
    import_buffer(kBytes, 131072);
    peer_->fill_buffer(7);
    std::uint32_t words[2]{};
    gl::GetBufferSubData(GL_ARRAY_BUFFER, 0, 4, words);
    gl::GetBufferSubData(GL_ARRAY_BUFFER, kBytes - 4, 4, words + 1);
    EXPECT_EQ(words[0], 7U);
    EXPECT_EQ(words[1], 7U);
}

// The whole contents are replaced while the GPU may still read the old: the memory has to stay the
// one that is shared.
TEST_F(SharedMemoryTest, ABufferKeepsItsMemory) {
    const GLuint buffer = import_buffer(4096, 0);
    make_target({8, 8});
    bind_new_vao();
    const GLuint program =
        vs_fs("layout(location = 0) in vec4 position; void main() { gl_Position = position; }",
              "out vec4 colour; void main() { colour = vec4(1); }");
    gl::UseProgram(program);
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl::VertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    std::vector<std::uint32_t> words(1024);
    for (std::uint32_t round = 1; round < 6; ++round) {
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        words.assign(words.size(), round);
        gl::BufferSubData(GL_ARRAY_BUFFER, 0, 4096, words.data());
        gl::Finish();
        EXPECT_EQ(peer_->read_buffer(), words);
    }
}

TEST_F(SharedMemoryTest, TexturesOfOptimalTiling) {
    pass_texture({.width = 61, .height = 37}, 0);
}

TEST_F(SharedMemoryTest, TexturesBehindAnOffset) {
    pass_texture({.width = 64, .height = 64}, 300000);
}

TEST_F(SharedMemoryTest, TexturesOfLinearTiling) {
    const VulkanPeer::ImageShape shape{.width = 61, .height = 37, .linear = true};
    if (peer_->renders_to_linear()) {
        pass_texture(shape, 0);
        return;
    }
    // A texture that no framebuffer can have is refused.
    import_texture(shape, 0);
    EXPECT_EQ(gl::GetError(), GLenum{GL_OUT_OF_MEMORY});
}

TEST_F(SharedMemoryTest, TexturesInMemoryOfTheirOwn) {
    pass_texture({.width = 128, .height = 32, .dedicated = true}, 0);
}

TEST_F(SharedMemoryTest, ATextureIsSampled) {
    const GLuint texture = import_texture({.width = 16, .height = 16}, 0);
    peer_->clear_image({0, 1, 0, 1});
    make_target({8, 8});
    bind_new_vao();
    gl::BindTexture(GL_TEXTURE_2D, texture);
    draw_fullscreen(vs_fs(kFullscreenVs, "uniform sampler2D s; in vec2 uv; out vec4 colour;"
                                         "void main() { colour = texture(s, uv); }"));
    expect_area(0, 0, 8, 8, kGreen);
}

// No wait on the CPU in between: semaphores alone order the two.
TEST_F(SharedMemoryTest, SemaphoresOrderBothSides) {
    if (!has_extension("GL_EXT_semaphore_fd")) {
        GTEST_SKIP() << "the device shares no semaphores (VK_KHR_external_semaphore_fd)";
    }
    const VulkanPeer::ImageShape shape{.width = 256, .height = 256};
    const GLuint texture = import_texture(shape, 0);
    bind_texture_target(texture, 256, 256);
    GLuint semaphores[2]{};
    gl::GenSemaphoresEXT(2, semaphores);
    for (std::size_t i = 0; i < 2; ++i) {
        const int fd = peer_->make_semaphore(i);
        ASSERT_GE(fd, 0);
        gl::ImportSemaphoreFdEXT(semaphores[i], GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    }
    const GLenum layout = GL_LAYOUT_GENERAL_EXT;
    for (int round = 0; round < 8; ++round) {
        peer_->clear_image({1, 0, 0, 1}, {.signal = 0});
        gl::WaitSemaphoreEXT(semaphores[0], 0, nullptr, 1, &texture, &layout);
        expect_area(0, 0, 256, 256, kRed);
        gl::ClearColor(0, 1, 0, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        gl::SignalSemaphoreEXT(semaphores[1], 0, nullptr, 1, &texture, &layout);
        const auto texels = peer_->read_image({.wait = 1});
        EXPECT_EQ(texels.front(), 0xff00ff00U);
        EXPECT_EQ(texels.back(), 0xff00ff00U);
    }
    gl::DeleteSemaphoresEXT(2, semaphores);
}

TEST_F(SharedMemoryTest, MemoryThatIsTooSmall) {
    SharedMemory shared;
    ASSERT_TRUE(peer_->make_buffer(4096, 0, shared));
    const GLuint object = import(shared);
    GLuint buffer = 0;
    gl::GenBuffers(1, &buffer);
    gl::BindBuffer(GL_ARRAY_BUFFER, buffer);
    // EXT_external_objects, 6.2: "if <offset> + <size> is greater than the size of the specified
    // memory object".
    gl::BufferStorageMemEXT(GL_ARRAY_BUFFER, 1 << 20, object, 0);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    gl::BufferStorageMemEXT(GL_ARRAY_BUFFER, 64, object, 1ULL << 40);
    EXPECT_EQ(gl::GetError(), GLenum{GL_INVALID_VALUE});
    // It still takes what fits.
    gl::BufferStorageMemEXT(GL_ARRAY_BUFFER, 64, object, 0);
    EXPECT_EQ(gl::GetError(), GLenum{GL_NO_ERROR});
    new_texture(GL_TEXTURE_2D);
    gl::TexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 512, 512, object, 0);
    EXPECT_NE(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::DeleteMemoryObjectsEXT(1, &object);
}

TEST_F(SharedMemoryTest, AFileThatIsNoMemory) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const GLuint object = import({.fd = ends[0], .size = 1 << 20});
    close(ends[1]);
    gl::GetError(); // the import may be refused at once
    new_texture(GL_TEXTURE_2D);
    gl::TexStorageMem2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8, 64, 64, object, 0);
    EXPECT_NE(gl::GetError(), GLenum{GL_NO_ERROR});
    gl::DeleteMemoryObjectsEXT(1, &object);
}

class PinnedMemoryTest : public GlTest {};

TEST_F(PinnedMemoryTest, TheAppsPagesAreTheBuffer) {
    if (recording_mode()) {
        GTEST_SKIP() << "no device is there that could use the pages";
    }
    if (!has_extension("GL_AMD_pinned_memory")) {
        GTEST_SKIP() << "the device takes no pages of the app (VK_EXT_external_memory_host)";
    }
    constexpr GLsizeiptr kBytes = 1 << 16;
    auto* words = static_cast<std::uint32_t*>(std::aligned_alloc(1 << 16, kBytes));
    std::memset(words, 0, kBytes);
    words[3] = 42;
    GLuint buffers[2]{};
    gl::GenBuffers(2, buffers);
    gl::BindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, buffers[0]);
    gl::BufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, kBytes, words, GL_STREAM_COPY);
    std::uint32_t seen = 0;
    gl::GetBufferSubData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 12, 4, &seen);
    EXPECT_EQ(seen, 42U);

    // What the GPU writes is in the app's memory once it is done.
    gl::BindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
    const std::vector<std::uint32_t> source(kBytes / 4, 0xfeedU);
    gl::BufferData(GL_COPY_READ_BUFFER, kBytes, source.data(), GL_STATIC_DRAW);
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, 0, 4096,
                          8192);
    gl::Finish();
    EXPECT_EQ(words[3], 42U);
    EXPECT_EQ(words[1023], 0U);
    EXPECT_EQ(words[1024], 0xfeedU);
    EXPECT_EQ(words[1024 + 2047], 0xfeedU);
    EXPECT_EQ(words[1024 + 2048], 0U);
    gl::DeleteBuffers(2, buffers);
    gl::Finish();
    std::free(words);
}

} // namespace
} // namespace kobalt::gltest
