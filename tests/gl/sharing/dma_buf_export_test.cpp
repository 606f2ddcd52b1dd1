// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// EGL_MESA_image_dma_buf_export. What is exported is imported again, beside the texture that it is
// of: as a dma-buf, or, where KOBALT_FAULT=opaque-exports has opaque descriptors stand in for those
// (lavapipe without /dev/udmabuf exports none), as the memory object of a texture with linear
// tiling.
#include <filesystem>

#include "bindless.h"
#include "compute.h"
#include "dma_buf_export.h"

namespace kobalt::gltest {
namespace {

std::ptrdiff_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST_F(DmaBufExportTest, ContentsAreKept) {
    const GLuint texture = storage_2d();
    bind_texture_target(texture, kWidth, kHeight);
    clear(kBlue);
    const Byte4 texel = kGreen;
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    const GLuint other = other_side(texture);
    for (const GLuint side : {texture, other}) {
        expect_texture(side, kGreen, 3, 5, 1, 1);
        expect_texture(side, kBlue, 4, 5, kWidth - 4, kHeight - 5);
    }
}

// A clear that no draw followed yet is part of the contents.
TEST_F(DmaBufExportTest, AClearIsKept) {
    const GLuint texture = storage_2d();
    bind_texture_target(texture, kWidth, kHeight);
    clear(kRed);
    expect_texture(other_side(texture), kRed);
}

TEST_F(DmaBufExportTest, AClearArrivesThere) {
    const GLuint texture = storage_2d();
    bind_texture_target(texture, kWidth, kHeight);
    clear(kRed);
    const GLuint other = other_side(texture);
    clear(kGreen);
    expect_texture(other, kGreen);
    expect_texture(texture, kGreen);
}

// The framebuffer stays bound meanwhile.
TEST_F(DmaBufExportTest, DrawingArrivesThere) {
    const GLuint texture = storage_2d();
    bind_texture_target(texture, kWidth, kHeight);
    bind_new_vao();
    const RectPainter painter;
    painter.fill({1, 0, 0, 1});
    const GLuint other = other_side(texture);
    painter.draw({0, -1, 1, 1}, {0, 1, 0, 1});
    expect_texture(other, kRed, 0, 0, kWidth / 2, kHeight);
    expect_texture(other, kGreen, kWidth / 2, 0, kWidth / 2, kHeight);
    clear(kYellow);
    expect_texture(other, kYellow);
    const std::vector<Byte4> texels(std::size_t{kWidth} * kHeight, kWhite);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels.data());
    expect_texture(other, kWhite);
}

// What is bound shows the new memory without being bound again.
TEST_F(DmaBufExportTest, ABoundTextureShowsWhatOthersWrite) {
    const GLuint texture = storage_2d();
    fill_texture(texture, kRed);
    const GLuint program = sampling_program();
    const Target target = make_target({8, 8});
    bind_new_vao();
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kRed);
    gl::ActiveTexture(GL_TEXTURE1); // the first unit keeps the texture
    const GLuint other = other_side(texture);
    fill_texture(other, kGreen);
    target.bind();
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kGreen);
}

// A view that was made before, and is bound again behind the export.
TEST_F(DmaBufExportTest, AnUnboundTextureShowsWhatOthersWrite) {
    const GLuint texture = storage_2d();
    fill_texture(texture, kRed);
    const GLuint program = sampling_program();
    const Target target = make_target({8, 8});
    bind_new_vao();
    draw_fullscreen(program);
    gl::BindTexture(GL_TEXTURE_2D, storage_2d());
    draw_fullscreen(program);
    const GLuint other = other_side(texture);
    fill_texture(other, kGreen);
    target.bind();
    draw_fullscreen(program);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kGreen);
}

// A handle that is resident before the export.
TEST_F(DmaBufExportTest, AHandleShowsWhatOthersWrite) {
    if (!has_extension("GL_ARB_bindless_texture")) {
        GTEST_SKIP() << "needs GL_ARB_bindless_texture";
    }
    const GLuint texture = storage_2d();
    fill_texture(texture, kRed);
    const GLuint program = vs_fs(
        kFullscreenVs, kBindless + "layout(bindless_sampler) uniform sampler2D s; out vec4 colour; "
                                   "void main() { colour = texture(s, vec2(0.5)); }");
    gl::UseProgram(program);
    gl::UniformHandleui64ARB(gl::GetUniformLocation(program, "s"), resident(texture));
    const Target target = make_target({8, 8});
    bind_new_vao();
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kRed);
    const GLuint other = other_side(texture);
    fill_texture(other, kGreen);
    target.bind();
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kGreen);
}

// In this context, where the export binds others, and in another, where it changes nothing.
TEST_F(DmaBufExportTest, ImageUnitsStoreThere) {
    if (!has_version(4, 3)) {
        GTEST_SKIP() << "needs OpenGL 4.3";
    }
    const GLuint texture = storage_2d();
    const GLuint program = compute(
        "layout(local_size_x = 8, local_size_y = 8) in; layout(rgba8) uniform image2D i; void "
        "main() { ivec2 at = ivec2(gl_GlobalInvocationID); vec4 old = imageLoad(i, at); "
        "imageStore(i, at, vec4(0, 1.0 - old.r, old.r, 1)); }");
    fill_texture(texture, kRed);
    const auto dispatch = [] {
        gl::DispatchCompute(kWidth / 8, kHeight / 8, 1);
        gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
        gl::Finish();
    };
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    for (const offscreen::Context* each :
         {&context(), static_cast<const offscreen::Context*>(&*shared)}) {
        ASSERT_TRUE(each->make_current());
        watch_contents();
        gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
        gl::UseProgram(program);
        dispatch();
    }
    ASSERT_TRUE(context().make_current());
    fill_texture(texture, kRed);
    dispatch();
    const GLuint other = other_side(texture);
    expect_texture(other, kBlue);
    dispatch();
    expect_texture(other, kGreen);
    fill_texture(other, kRed);
    ASSERT_TRUE(shared->make_current());
    dispatch();
    ASSERT_TRUE(context().make_current());
    expect_texture(other, kBlue);
}

class DmaBufExportCompatTest : public DmaBufExportTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
    /// Over the whole target.
    static void triangle() {
        gl::Begin(GL_TRIANGLES);
        gl::Vertex2f(-1, -1);
        gl::Vertex2f(3, -1);
        gl::Vertex2f(-1, 3);
        gl::End();
    }
};

// A handle that is made behind the export, of a texture that was looked at before. Mesa makes it of
// the view that it has where the shaders were of GLSL 1.20.
TEST_F(DmaBufExportCompatTest, HandlesShowWhatOthersWrite) {
    if (!has_extension("GL_ARB_bindless_texture")) {
        GTEST_SKIP() << "needs GL_ARB_bindless_texture";
    }
    const GLuint texture = storage_2d();
    fill_texture(texture, kRed);
    const Target target = make_target({8, 8});
    const GLuint sampling = link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"},
         {GL_FRAGMENT_SHADER, "#version 120\nuniform sampler2D s; void main() { gl_FragColor = "
                              "texture2D(s, vec2(0.5)); }"}});
    gl::UseProgram(sampling);
    triangle();
    expect_area(0, 0, 8, 8, kRed);
    gl::BindTexture(GL_TEXTURE_2D, storage_2d());
    triangle();
    const GLuint other = other_side(texture);
    fill_texture(other, kGreen);
    target.bind();
    bind_new_vao();
    const GLuint program = vs_fs(
        kFullscreenVs, kBindless + "layout(bindless_sampler) uniform sampler2D s; out vec4 colour; "
                                   "void main() { colour = texture(s, vec2(0.5)); }");
    gl::UseProgram(program);
    gl::UniformHandleui64ARB(gl::GetUniformLocation(program, "s"), resident(texture));
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kGreen);
}

// Another context has the texture bound to draw to and to read from while this one exports it.
TEST_F(DmaBufExportTest, AnotherContextFollows) {
    const GLuint texture = storage_2d(), copy = storage_2d();
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    ASSERT_TRUE(shared->make_current());
    watch_contents();
    bind_new_vao();
    bind_texture_target(texture, kWidth, kHeight);
    const RectPainter painter;
    painter.fill({1, 0, 0, 1});
    gl::Finish();

    ASSERT_TRUE(context().make_current());
    const GLuint other = other_side(texture);
    expect_texture(other, kRed);

    ASSERT_TRUE(shared->make_current());
    painter.fill({0, 1, 0, 1});
    gl::Finish();
    ASSERT_TRUE(context().make_current());
    expect_texture(other, kGreen);

    ASSERT_TRUE(shared->make_current());
    clear(kBlue);
    gl::Finish();
    bind_texture_target(copy, kWidth, kHeight);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    draw_fullscreen(sampling_program());
    gl::Finish();
    ASSERT_TRUE(context().make_current());
    expect_texture(other, kBlue);
    expect_texture(copy, kBlue);
}

TEST_F(DmaBufExportTest, Renderbuffers) {
    const Target target = make_target({kWidth, kHeight});
    clear(kRed);
    const EGLImage image = image_of(target.color, EGL_GL_RENDERBUFFER);
    const Exported exported = export_image(image);
    EXPECT_EQ(exported.fourcc, fourcc("AB24"));
    const GLuint other = import(exported);
    expect_texture(other, kRed);
    clear(kGreen);
    expect_texture(other, kGreen);
    eglDestroyImage(eglGetCurrentDisplay(), image);
}

TEST_F(DmaBufExportTest, FormatsAreToldRight) {
    struct Case {
        GLenum format;
        EGLint fourcc;
        Byte4 shown; ///< of half-bright red, and white in the rest
    };
    const Case cases[] = {
        {GL_RGBA8, fourcc("AB24"), {128, 255, 255, 255}},
        {GL_RGB565, fourcc("RG16"), {132, 255, 255, 255}},
        {GL_R8, fourcc("R8  "), {128, 0, 0, 255}},
        {GL_RG8, fourcc("GR88"), {128, 255, 0, 255}},
        {GL_RGB10_A2, fourcc("AB30"), {128, 255, 255, 255}},
        {GL_RGBA16F, fourcc("AB4H"), {128, 255, 255, 255}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.format);
        const GLuint texture = storage_2d(one.format);
        bind_texture_target(texture, kWidth, kHeight);
        clear({128, 255, 255, 255});
        const EGLImage image = image_of(texture);
        const Exported exported = export_image(image);
        EXPECT_EQ(exported.fourcc, one.fourcc);
        expect_texture(import(exported, one.format), one.shown);
        eglDestroyImage(eglGetCurrentDisplay(), image);
    }
}

// The descriptors are the app's: as many as it asks for, and good whatever becomes of the texture.
TEST_F(DmaBufExportTest, DescriptorsAreTheApps) {
    if (recording_mode()) {
        GTEST_SKIP() << "the kernel of a GPU that isn't there shares no memory";
    }
    GLuint texture = storage_2d();
    fill_texture(texture, kGreen);
    const EGLImage image = image_of(texture);
    const auto before = open_files();
    const Exported first = export_image(image), second = export_image(image);
    EXPECT_NE(first.fd, second.fd);
    EXPECT_EQ(open_files(), before + 2);
    EXPECT_TRUE(export_(eglGetCurrentDisplay(), image, nullptr, nullptr, nullptr));
    EXPECT_EQ(open_files(), before + 2);
    close(first.fd);
    eglDestroyImage(eglGetCurrentDisplay(), image);
    gl::BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl::DeleteTextures(1, &texture);
    gl::Finish();
    expect_texture(import(second), kGreen);
}

// What can't be exported says so, and draws on as before.
TEST_F(DmaBufExportTest, WhatCantBeExportedIsRefused) {
    if (recording_mode()) {
        GTEST_SKIP() << "the log tells what is refused, and has to be clean";
    }
    const EGLDisplay display = eglGetCurrentDisplay();
    const auto expect_refused = [&](EGLImage image, const char* what) {
        SCOPED_TRACE(what);
        const auto before = open_files();
        EGLint told = 0, planes = 0;
        EGLuint64KHR modifier = 0;
        EXPECT_FALSE(query_(display, image, &told, &planes, &modifier));
        EXPECT_EQ(eglGetError(), EGL_BAD_MATCH);
        int fd = -1;
        EGLint stride = 0, offset = 0;
        EXPECT_FALSE(export_(display, image, &fd, &stride, &offset));
        EXPECT_EQ(eglGetError(), EGL_BAD_MATCH);
        EXPECT_EQ(open_files(), before);
        eglDestroyImage(display, image);
    };
    const GLuint mipmapped = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, kWidth, kHeight);
    fill_texture(mipmapped, kGreen);
    expect_refused(image_of(mipmapped), "mipmaps");
    expect_texture(mipmapped, kGreen);

    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, kHeight, kHeight);
    expect_refused(image_of(cube, EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_Z), "a cube's face");
    expect_refused(image_of(storage_2d(GL_DEPTH_COMPONENT24)), "depth");
    expect_refused(image_of(storage_2d(GL_RGBA32UI)), "a format without a name in DRM");
}

} // namespace
} // namespace kobalt::gltest
