// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gbm_suite.h"

#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>

namespace kobalt::gltest {

int open_dma_bufs() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone; // other threads open files and close them
        const std::string file = std::filesystem::read_symlink(entry.path(), gone).string();
        count +=
            file.find("dmabuf") != std::string::npos || file.find("memfd") != std::string::npos;
    }
    return count;
}

Missing GbmTest::missing() const {
    return when(
        recording_mode() && !dlsym(RTLD_DEFAULT, "kobalt_stand_in_prime"),
        "the kernel of a GPU that isn't there shares no memory, and nothing stands in for it");
}

void GbmTest::prepare() {
    std::string why_not;
    gpu_ = GbmDevice::open(why_not);
    if (!gpu_) {
        GTEST_SKIP() << why_not;
    }
    ASSERT_TRUE(eglMakeCurrent(gpu_->display(), EGL_NO_SURFACE, EGL_NO_SURFACE, gpu_->context()))
        << std::hex << eglGetError();
    watch_contents();
    // The devices without /dev/udmabuf that draw on the CPU have no dma-bufs.
    if (bo probe{gbm().bo_create(device(), kSide, kSide, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING),
                 deleter()};
        !probe) {
        GTEST_SKIP() << "the device exports no dma-bufs";
    }
    target_ = reinterpret_cast<Target2D>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    ASSERT_NE(target_, nullptr);
}

void GbmTest::TearDown() {
    if (gpu_) {
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        context().make_current();
        gpu_.reset();
    }
    EsTest::TearDown();
}

std::vector<std::uint64_t> GbmTest::modifiers_of(std::uint32_t format) const {
    const auto query = reinterpret_cast<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>(
        eglGetProcAddress("eglQueryDmaBufModifiersEXT"));
    EGLint count = 0;
    EXPECT_TRUE(query(display(), static_cast<EGLint>(format), 0, nullptr, nullptr, &count));
    std::vector<EGLuint64KHR> told(static_cast<std::size_t>(count));
    std::vector<EGLBoolean> only_external(told.size());
    EXPECT_TRUE(query(display(), static_cast<EGLint>(format), count, told.data(),
                      only_external.data(), &count));
    std::vector<std::uint64_t> drawable;
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (!only_external[i]) {
            drawable.push_back(told[i]);
        }
    }
    return drawable;
}

GLuint GbmTest::import(std::uint32_t format, std::uint32_t width, std::uint32_t height,
                       const std::vector<Plane>& planes, std::uint64_t modifier,
                       GLenum target) const {
    struct Names {
        EGLAttrib fd, offset, stride, low, high;
    };
    static constexpr Names kNames[] = {
        {EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT,
         EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT},
        {EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT,
         EGL_DMA_BUF_PLANE1_MODIFIER_LO_EXT, EGL_DMA_BUF_PLANE1_MODIFIER_HI_EXT}};
    // An EGLAttrib has the width of a pointer: 32-bit programs put all bits of a fourcc into a
    // signed one.
    const auto attribute = [](std::uint64_t value) { return static_cast<EGLAttrib>(value); };
    std::vector<EGLAttrib> list{EGL_WIDTH,         attribute(width),         EGL_HEIGHT,
                                attribute(height), EGL_LINUX_DRM_FOURCC_EXT, attribute(format)};
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const Names& names = kNames[i];
        list.insert(list.end(), {names.fd, planes[i].fd, names.offset, attribute(planes[i].offset),
                                 names.stride, attribute(planes[i].stride)});
        list.insert(list.end(), {names.low, attribute(modifier & 0xffffffffU), names.high,
                                 attribute(modifier >> 32)});
    }
    list.push_back(EGL_NONE);
    const EGLImage image =
        eglCreateImage(display(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, list.data());
    EXPECT_NE(image, EGL_NO_IMAGE) << std::hex << eglGetError();
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(target, texture);
    gl::TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (image != EGL_NO_IMAGE) {
        target_(target, image);
        eglDestroyImage(display(), image);
    }
    return texture;
}

GLuint GbmTest::import(gbm_bo* from) const {
    const Descriptor fd = fd_of(from);
    EXPECT_GE(fd.get(), 0);
    return import(
        gbm().bo_get_format(from), gbm().bo_get_width(from), gbm().bo_get_height(from),
        {{fd.get(), gbm().bo_get_offset(from, 0), gbm().bo_get_stride_for_plane(from, 0)}},
        gbm().bo_get_modifier(from));
}

void GbmTest::fill(gbm_bo* into, std::uint32_t width, std::uint32_t first, std::uint32_t count,
                   const std::vector<std::uint8_t>& pattern) const {
    std::uint32_t stride = 0;
    void* state = nullptr;
    auto* const bytes = static_cast<std::uint8_t*>(
        gbm().bo_map(into, 0, 0, gbm().bo_get_width(into), gbm().bo_get_height(into),
                     GBM_BO_TRANSFER_READ_WRITE, &stride, &state));
    ASSERT_NE(bytes, nullptr);
    for (std::uint32_t row = first; row < first + count; ++row) {
        for (std::uint32_t i = 0; i < width; ++i) {
            bytes[std::size_t{row} * stride + i] = pattern[i % pattern.size()];
        }
    }
    gbm().bo_unmap(into, state);
}

} // namespace kobalt::gltest
