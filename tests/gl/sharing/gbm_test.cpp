// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GBM, as a compositor uses it on a screen: a device on a render node, EGL on it, surfaces whose
// front buffers go to the display controller, buffers with and without modifiers, and buffers of
// others that are imported (gbm_import_test.cpp). On GPUs without the hardware a stand-in for the
// kernel gives the descriptors (tests/support/stand_in_prime.c), and what is drawn isn't judged.
#include <algorithm>
#include <string>

#include "gbm_suite.h"

namespace kobalt::gltest {
namespace {

class GbmSurfaceTest : public GbmTest {
protected:
    /// Draws three frames of one colour each into a surface and looks at its front buffers, which
    /// have one of the modifiers.
    void expect_frames(gbm_surface* on, const std::vector<std::uint64_t>& allowed) const;
};

void GbmSurfaceTest::expect_frames(gbm_surface* on,
                                   const std::vector<std::uint64_t>& allowed) const {
    const EGLConfig config = gpu().config_of(GBM_FORMAT_XRGB8888);
    ASSERT_NE(config, nullptr);
    const EGLSurface window = eglCreatePlatformWindowSurface(display(), config, on, nullptr);
    ASSERT_NE(window, EGL_NO_SURFACE) << std::hex << eglGetError();
    ASSERT_TRUE(eglMakeCurrent(display(), window, window, gpu().context()));
    const Byte4 colours[] = {kRed, kGreen, kBlue};
    gbm_bo* shown = nullptr;
    for (const Byte4& colour : colours) {
        gl::BindFramebuffer(GL_FRAMEBUFFER, 0);
        gl::Viewport(0, 0, kSide, kSide);
        gl::ClearColor(colour[0] / 255.0F, colour[1] / 255.0F, colour[2] / 255.0F, 1);
        gl::Clear(GL_COLOR_BUFFER_BIT);
        ASSERT_TRUE(eglSwapBuffers(display(), window)) << std::hex << eglGetError();
        gbm_bo* const front = gbm().surface_lock_front_buffer(on);
        ASSERT_NE(front, nullptr);
        EXPECT_NE(front, shown) << "a buffer that is still shown is drawn to";
        EXPECT_EQ(gbm().bo_get_width(front), kSide);
        EXPECT_EQ(gbm().bo_get_format(front), static_cast<std::uint32_t>(GBM_FORMAT_XRGB8888));
        EXPECT_EQ(std::ranges::count(allowed, gbm().bo_get_modifier(front)), 1);
        EXPECT_GE(gbm().bo_get_stride_for_plane(front, 0), kSide * 4);
        EXPECT_NE(gbm().bo_get_handle(front).u32, 0U) << "what drmModeAddFB2 takes";
        gl::Finish();
        expect_colour(import(front), colour);
        if (shown) {
            gbm().surface_release_buffer(on, shown);
        }
        shown = front;
        EXPECT_TRUE(gbm().surface_has_free_buffers(on));
    }
    EGLint age = 0;
    EXPECT_TRUE(eglQuerySurface(display(), window, EGL_BUFFER_AGE_EXT, &age));
    EXPECT_EQ(age, 2) << "the buffer of the frame before the last one comes again";
    eglMakeCurrent(display(), EGL_NO_SURFACE, EGL_NO_SURFACE, gpu().context());
    eglDestroySurface(display(), window);
}

TEST_F(GbmTest, FormatsAreTold) {
    EXPECT_STREQ(gbm().device_get_backend_name(device()), "drm");
    const std::string extensions = eglQueryString(display(), EGL_EXTENSIONS);
    for (const char* name : {"EGL_EXT_image_dma_buf_import", "EGL_KHR_image_pixmap",
                             "EGL_EXT_image_dma_buf_import_modifiers", "EGL_EXT_buffer_age",
                             "EGL_MESA_image_dma_buf_export"}) {
        EXPECT_TRUE(offscreen::has_word(extensions, name)) << name;
    }
    for (const std::uint32_t format :
         {GBM_FORMAT_XRGB8888, GBM_FORMAT_ARGB8888, GBM_FORMAT_ABGR8888, GBM_FORMAT_XRGB2101010,
          GBM_FORMAT_ABGR16161616F}) {
        EXPECT_TRUE(gbm().device_is_format_supported(device(), format, GBM_BO_USE_RENDERING))
            << format;
    }
    EXPECT_EQ(gbm().device_get_format_modifier_plane_count(device(), GBM_FORMAT_XRGB8888, kLinear),
              1);
}

TEST_F(GbmSurfaceTest, ASurfaceHandsOutItsFrames) {
    const surface on(gbm().surface_create(device(), kSide, kSide, GBM_FORMAT_XRGB8888,
                                          GBM_BO_USE_RENDERING | GBM_BO_USE_SCANOUT),
                     deleter());
    ASSERT_TRUE(on);
    auto allowed = modifiers_of(GBM_FORMAT_XRGB8888);
    if (std::ranges::count(allowed, kLinear)) {
        allowed = {kLinear}; // whoever isn't told the modifier takes the buffer for rows
    }
    expect_frames(on.get(), allowed);
}

TEST_F(GbmSurfaceTest, ASurfaceKeepsToItsModifiers) {
    const auto modifiers = modifiers_of(GBM_FORMAT_XRGB8888);
    ASSERT_FALSE(modifiers.empty());
    for (const std::uint64_t modifier : modifiers) {
        SCOPED_TRACE(testing::Message() << std::hex << modifier);
        const surface on(gbm().surface_create_with_modifiers(device(), kSide, kSide,
                                                             GBM_FORMAT_XRGB8888, &modifier, 1),
                         deleter());
        ASSERT_TRUE(on);
        expect_frames(on.get(), {modifier});
    }
    const surface on(gbm().surface_create_with_modifiers(device(), kSide, kSide,
                                                         GBM_FORMAT_XRGB8888, modifiers.data(),
                                                         static_cast<unsigned>(modifiers.size())),
                     deleter());
    expect_frames(on.get(), modifiers);
}

TEST_F(GbmTest, BuffersOfEachFormat) {
    struct Case {
        std::uint32_t format;
        std::vector<std::uint8_t> texel;
        Byte4 shown;
    };
    const Case cases[] = {
        {GBM_FORMAT_ARGB8888, {0x10, 0x20, 0x30, 0x40}, {0x30, 0x20, 0x10, 0x40}},
        {GBM_FORMAT_XRGB8888, {0x10, 0x20, 0x30, 0x40}, {0x30, 0x20, 0x10, 0xff}},
        {GBM_FORMAT_ABGR8888, {0x10, 0x20, 0x30, 0x40}, {0x10, 0x20, 0x30, 0x40}},
        {GBM_FORMAT_ARGB2101010, {0, 0, 0xf0, 0xff}, {0xff, 0, 0, 0xff}},
        {GBM_FORMAT_RGB565, {0x00, 0xf8}, {0xff, 0, 0, 0xff}},
        {GBM_FORMAT_R8, {0x80}, {0x80, 0, 0, 0xff}},
        {GBM_FORMAT_GR88, {0x40, 0x80}, {0x40, 0x80, 0, 0xff}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(std::string(reinterpret_cast<const char*>(&one.format), 4));
        const bo buffer = make_bo(one.format);
        ASSERT_TRUE(buffer);
        EXPECT_EQ(gbm().bo_get_plane_count(buffer.get()), 1);
        EXPECT_EQ(gbm().bo_get_modifier(buffer.get()), kLinear);
        EXPECT_EQ(gbm().bo_get_offset(buffer.get(), 0), 0U);
        fill(buffer.get(), kSide * static_cast<std::uint32_t>(one.texel.size()), 0, kSide,
             one.texel);
        const GLuint texture = import(buffer.get());
        expect_colour(texture, one.shown);
    }
}

TEST_F(GbmTest, WhatCantBeMadeIsRefused) {
    if (recording_mode()) {
        GTEST_SKIP() << "the log tells what is refused, and has to be clean";
    }
    const auto files = open_dma_bufs();
    const std::uint64_t unknown = 0x00ee000000012345U;
    EXPECT_FALSE(
        bo(gbm().bo_create_with_modifiers(device(), kSide, kSide, GBM_FORMAT_XRGB8888, &unknown, 1),
           deleter()));
    EXPECT_FALSE(make_bo(0x3f3f3f3f));
    const std::uint64_t both[] = {unknown, kLinear};
    if (std::ranges::count(modifiers_of(GBM_FORMAT_XRGB8888), kLinear)) {
        const bo buffer(
            gbm().bo_create_with_modifiers(device(), kSide, kSide, GBM_FORMAT_XRGB8888, both, 2),
            deleter());
        ASSERT_TRUE(buffer);
        EXPECT_EQ(gbm().bo_get_modifier(buffer.get()), kLinear);
    }
    EXPECT_EQ(open_dma_bufs(), files);
}

} // namespace
} // namespace kobalt::gltest
