// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// EGL_EXT_image_dma_buf_import and its modifiers. What is imported comes from a Vulkan program on
// the same GPU (vulkan_peer.h); where that exports none, as on lavapipe without /dev/udmabuf, from
// memory of this process, which CPU devices take as well.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "support.h"
#include "vulkan_peer.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kExternal = 0x8D65; // GL_TEXTURE_EXTERNAL_OES: OpenGL's own headers lack it

constexpr EGLAttrib fourcc(const char (&name)[5]) {
    EGLAttrib code = 0;
    for (int i = 0; i < 4; ++i) {
        code |= EGLAttrib{static_cast<unsigned char>(name[i])} << 8 * i;
    }
    return code;
}

/// Bytes that OpenGL imports, and what is in them.
class Source {
public:
    static constexpr std::size_t kBytes = 1 << 20;

    ~Source() {
        if (bytes_) {
            munmap(bytes_, kBytes);
        }
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    bool open(VulkanPeer* peer) {
        SharedMemory shared;
        if (peer && peer->make_dma_buf(kBytes, shared)) {
            peer_ = peer;
            fd_ = shared.fd;
            return true;
        }
        if (!drawn_by_llvmpipe()) {
            return false;
        }
        fd_ = memfd_create("dma-buf", MFD_CLOEXEC);
        if (fd_ < 0 || ftruncate(fd_, kBytes) != 0) {
            return false;
        }
        void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
        bytes_ = mapped == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(mapped);
        return bytes_ != nullptr;
    }
    int fd() const { return fd_; }
    /// The bytes themselves; null: a Vulkan program has them.
    std::uint8_t* bytes() const { return bytes_; }
    void fill(std::uint32_t word) {
        if (peer_) {
            peer_->fill_buffer(word);
            return;
        }
        for (std::size_t i = 0; i < kBytes; i += 4) {
            std::memcpy(bytes_ + i, &word, 4);
        }
    }
    std::vector<std::uint32_t> words() {
        if (peer_) {
            return peer_->read_buffer();
        }
        std::vector<std::uint32_t> copy(kBytes / 4);
        std::memcpy(copy.data(), bytes_, kBytes);
        return copy;
    }

private:
    VulkanPeer* peer_ = nullptr;
    int fd_ = -1;
    std::uint8_t* bytes_ = nullptr;
};

bool display_has(const char* extension) {
    const std::string all =
        std::string(" ") + eglQueryString(eglGetCurrentDisplay(), EGL_EXTENSIONS) + " ";
    return all.find(std::string(" ") + extension + " ") != std::string::npos;
}

class DmaBufTest : public EsTest {
protected:
    static constexpr int kWidth = 64, kHeight = 32; ///< rows as long as every device takes them

    Missing missing() const override {
        return first_of(
            {when(recording_mode(), "the kernel of a GPU that isn't there shares no memory"),
             when(!display_has("EGL_EXT_image_dma_buf_import"),
                  "the device imports no dma-bufs (EGL_EXT_image_dma_buf_import)"),
             lacks("GL_OES_EGL_image")});
    }
    void prepare() override {
        std::string why_not;
        if (has_extension("GL_EXT_memory_object")) {
            Uuid uuid{};
            gl::GetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, uuid.data());
            peer_ = VulkanPeer::create(uuid, why_not);
        }
        if (!source_.open(peer_.get())) {
            GTEST_SKIP() << "nothing here makes dma-bufs: " << why_not;
        }
        target_ = reinterpret_cast<Target2D>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
        ASSERT_NE(target_, nullptr);
    }

    /// One plane of `stride` bytes a row, at `offset`.
    EGLImage import(EGLAttrib format, int width, int height, EGLAttrib stride, EGLAttrib offset,
                    std::vector<EGLAttrib> more = {}) {
        std::vector<EGLAttrib> attributes{EGL_WIDTH,
                                          width,
                                          EGL_HEIGHT,
                                          height,
                                          EGL_LINUX_DRM_FOURCC_EXT,
                                          format,
                                          EGL_DMA_BUF_PLANE0_FD_EXT,
                                          source_.fd(),
                                          EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                          offset,
                                          EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                          stride};
        attributes.insert(attributes.end(), more.begin(), more.end());
        attributes.push_back(EGL_NONE);
        return eglCreateImage(eglGetCurrentDisplay(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT,
                              nullptr, attributes.data());
    }
    EGLImage import_rgba(EGLAttrib offset = 0) {
        return import(fourcc("AB24"), kWidth, kHeight, EGLAttrib{kWidth} * 4, offset);
    }
    /// A texture of it, bound; the image is destroyed, which the texture outlives.
    GLuint texture_of(EGLImage image, GLenum target = GL_TEXTURE_2D) {
        EXPECT_NE(image, EGL_NO_IMAGE);
        GLuint texture = 0;
        gl::GenTextures(1, &texture);
        gl::BindTexture(target, texture);
        gl::TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl::TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        target_(target, image);
        eglDestroyImage(eglGetCurrentDisplay(), image);
        return texture;
    }
    /// What the shader reads of the texture that is bound, all over.
    static void expect_sampled(const Byte4& expected, const char* type = "sampler2D",
                               int tolerance = 1) {
        const bool external = std::string_view(type) == "samplerExternalOES";
        const GLuint program = link(
            {{GL_VERTEX_SHADER,
              "#version 300 es\nout vec2 uv; void main() { vec2 p = vec2(gl_VertexID & 1, "
              "gl_VertexID >> 1) * 2.0; uv = p; gl_Position = vec4(p * 2.0 - 1.0, 0, 1); }"},
             {GL_FRAGMENT_SHADER,
              std::string("#version 300 es\n") +
                  (external ? "#extension GL_OES_EGL_image_external_essl3 : require\n" : "") +
                  "precision highp float; uniform highp " + type +
                  " s; in vec2 uv; out vec4 colour; void main() { colour = texture(s, uv); }"}});
        make_target({8, 8});
        bind_new_vao();
        draw_fullscreen(program);
        expect_area(0, 0, 8, 8, expected, tolerance);
    }

    Source source_;

private:
    using Target2D = void (*)(GLenum, void*);
    Target2D target_ = nullptr;
    std::unique_ptr<VulkanPeer> peer_;
};

TEST_F(DmaBufTest, ATextureShowsWhatIsInIt) {
    source_.fill(0xff00ff00U);
    const GLuint texture = texture_of(import_rgba());
    expect_sampled(kGreen);
    gl::Finish();
    source_.fill(0xff0000ffU);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    expect_sampled(kRed);
}

TEST_F(DmaBufTest, DrawingArrivesThere) {
    source_.fill(0);
    constexpr EGLAttrib kOffset = 64 << 10;
    const GLuint texture = texture_of(import_rgba(kOffset));
    bind_texture_target(texture, kWidth, kHeight);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(3, 5, 1, 1);
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::Disable(GL_SCISSOR_TEST);
    gl::Finish();
    const auto words = source_.words();
    const std::size_t first = kOffset / 4;
    EXPECT_EQ(words[first + 5 * kWidth + 3], 0xff00ff00U);
    EXPECT_EQ(words[first + 5 * kWidth + 4], 0xffff0000U);
    EXPECT_EQ(words[first + std::size_t{kWidth} * kHeight - 1], 0xffff0000U);
    EXPECT_EQ(words[first - 1], 0U);
    EXPECT_EQ(words[first + std::size_t{kWidth} * kHeight], 0U);
}

TEST_F(DmaBufTest, FormatsAreReadRight) {
    struct Case {
        EGLAttrib format;
        std::size_t texel; ///< bytes
        std::uint32_t word;
        Byte4 expected;
    };
    const Case cases[] = {
        {fourcc("AB24"), 4, 0x40302010, {0x10, 0x20, 0x30, 0x40}},
        {fourcc("AR24"), 4, 0x40302010, {0x30, 0x20, 0x10, 0x40}},
        {fourcc("XB24"), 4, 0x40302010, {0x10, 0x20, 0x30, 0xff}},
        {fourcc("XR24"), 4, 0x40302010, {0x30, 0x20, 0x10, 0xff}},
        {fourcc("AR30"), 4, 0xfff00000, {0xff, 0, 0, 0xff}},
        {fourcc("R8  "), 1, 0x80808080, {0x80, 0, 0, 0xff}},
        {fourcc("GR88"), 2, 0x80408040, {0x40, 0x80, 0, 0xff}},
        {fourcc("AB4H"), 8, 0x3c003c00, {0xff, 0xff, 0xff, 0xff}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string(reinterpret_cast<const char*>(&one.format), 4));
        source_.fill(one.word);
        // A multiple of 64 texels has rows as every CPU device lays them out.
        texture_of(import(one.format, kWidth, kHeight, kWidth * one.texel, 0));
        expect_sampled(one.expected);
        gl::Finish();
    }
}

// ITU-R BT.601 in the narrow range is what EGL_EXT_image_dma_buf_import starts with.
TEST_F(DmaBufTest, TwoPlanesOfYuv) {
    if (!has_extension("GL_OES_EGL_image_external_essl3") || !source_.bytes()) {
        GTEST_SKIP() << "needs GL_OES_EGL_image_external_essl3, and the bytes themselves";
    }
    constexpr EGLAttrib kChroma = 128 << 10;
    std::memset(source_.bytes(), 81, kChroma); // red
    for (std::size_t i = kChroma; i < 2 * kChroma; i += 2) {
        source_.bytes()[i] = 90;
        source_.bytes()[i + 1] = 240;
    }
    texture_of(import(fourcc("NV12"), 2 * kWidth, 2 * kHeight, EGLAttrib{2} * kWidth, 0,
                      {EGL_DMA_BUF_PLANE1_FD_EXT, source_.fd(), EGL_DMA_BUF_PLANE1_OFFSET_EXT,
                       kChroma, EGL_DMA_BUF_PLANE1_PITCH_EXT, 2 * kWidth}),
               kExternal);
    expect_sampled(kRed, "samplerExternalOES", 3);
}

TEST_F(DmaBufTest, WhatCantBeImportedIsRefused) {
    const auto open_files = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    const EGLAttrib stride = EGLAttrib{kWidth} * 4;
    EXPECT_NE(texture_of(import_rgba()), 0U);
    const auto before = open_files();
    EXPECT_EQ(import(fourcc("????"), kWidth, kHeight, stride, 0), EGL_NO_IMAGE);
    EXPECT_EQ(eglGetError(), EGL_BAD_MATCH);
    // It ends before the image does.
    EXPECT_EQ(import(fourcc("AB24"), kWidth, 8192, stride, 0), EGL_NO_IMAGE);
    EXPECT_EQ(eglGetError(), EGL_BAD_ALLOC);
    EXPECT_EQ(import(fourcc("AB24"), kWidth, kHeight, stride, Source::kBytes), EGL_NO_IMAGE);
    EXPECT_EQ(eglGetError(), EGL_BAD_ALLOC);
    // A modifier that no device has.
    EXPECT_EQ(import(fourcc("AB24"), kWidth, kHeight, stride, 0,
                     {EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, 0x12345,
                      EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT, 0x00ee0000}),
              EGL_NO_IMAGE);
    EXPECT_NE(eglGetError(), EGL_SUCCESS);
    EXPECT_EQ(open_files(), before);
}

TEST_F(DmaBufTest, FormatsAndModifiersAreTold) {
    const EGLDisplay display = eglGetCurrentDisplay();
    const auto formats = reinterpret_cast<PFNEGLQUERYDMABUFFORMATSEXTPROC>(
        eglGetProcAddress("eglQueryDmaBufFormatsEXT"));
    const auto modifiers = reinterpret_cast<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>(
        eglGetProcAddress("eglQueryDmaBufModifiersEXT"));
    ASSERT_TRUE(formats && modifiers);
    EGLint count = 0;
    ASSERT_TRUE(formats(display, 0, nullptr, &count));
    std::vector<EGLint> all(static_cast<std::size_t>(count));
    ASSERT_TRUE(formats(display, count, all.data(), &count));
    EXPECT_EQ(std::ranges::count(all, static_cast<EGLint>(fourcc("AB24"))), 1);
    for (const EGLint format : all) {
        EGLint known = 0, told = 0;
        ASSERT_TRUE(modifiers(display, format, 0, nullptr, nullptr, &known));
        std::vector<EGLuint64KHR> list(static_cast<std::size_t>(known) + 1);
        std::vector<EGLBoolean> external(list.size());
        ASSERT_TRUE(modifiers(display, format, known + 1, list.data(), external.data(), &told));
        EXPECT_EQ(told, known) << format;
        if (known > 1) {
            ASSERT_TRUE(modifiers(display, format, 1, list.data(), external.data(), &told));
            EXPECT_EQ(told, 1) << "no more than asked for";
        }
    }
}

} // namespace
} // namespace kobalt::gltest
