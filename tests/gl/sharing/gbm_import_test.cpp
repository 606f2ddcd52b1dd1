// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Buffers of others on a GBM device: those of a compositor's clients, and the frames of a video
// decoder.
#include <string>

#include "gbm_suite.h"

namespace kobalt::gltest {
namespace {

constexpr GLenum kExternal = 0x8D65; // GL_TEXTURE_EXTERNAL_OES: OpenGL's own headers lack it

// What a compositor does with a client's buffer: it imports it and hands its handle to the display
// controller.
TEST_F(GbmTest, AnImportedBufferIsTheSame) {
    const bo buffer = make_bo(GBM_FORMAT_ARGB8888);
    ASSERT_TRUE(buffer);
    fill(buffer.get(), kSide * 4, 0, kSide, {0, 0xff, 0, 0xff});
    const auto use_another = [&] {
        const Descriptor fd = fd_of(buffer.get());
        ASSERT_GE(fd.get(), 0);
        gbm_import_fd_modifier_data data{};
        data.width = data.height = kSide;
        data.format = GBM_FORMAT_ARGB8888;
        data.num_fds = 1;
        data.fds[0] = fd.get();
        data.strides[0] = static_cast<int>(gbm().bo_get_stride_for_plane(buffer.get(), 0));
        data.modifier = gbm().bo_get_modifier(buffer.get());
        const bo other(
            gbm().bo_import(device(), GBM_BO_IMPORT_FD_MODIFIER, &data, GBM_BO_USE_SCANOUT),
            deleter());
        ASSERT_TRUE(other);
        EXPECT_EQ(gbm().bo_get_stride_for_plane(other.get(), 0),
                  gbm().bo_get_stride_for_plane(buffer.get(), 0));
        EXPECT_EQ(gbm().bo_get_modifier(other.get()), data.modifier);
        EXPECT_EQ(gbm().bo_get_handle(other.get()).u32, gbm().bo_get_handle(buffer.get()).u32)
            << "the kernel has one handle for each buffer";
        EXPECT_GE(fd_of(other.get()).get(), 0);
        const GLuint texture = import(other.get());
        expect_colour(texture, kGreen);
        GLint attached = 0;
        gl::GetIntegerv(GL_FRAMEBUFFER_BINDING, &attached);
        const auto framebuffer = static_cast<GLuint>(attached);
        gl::DeleteFramebuffers(1, &framebuffer);
        gl::DeleteTextures(1, &texture);
        gl::Finish();
    };
    use_another(); // the memory that this needs besides, the CPU's driver has as memfds, too
    const int files = open_dma_bufs();
    use_another();
    EXPECT_NE(gbm().bo_get_handle(buffer.get()).u32, 0U) << "it outlives the other one";
    EXPECT_EQ(open_dma_bufs(), files);
}

/// A frame of a video decoder: both planes in one dma-buf, one below the other.
class GbmVideoTest : public GbmTest {
protected:
    Missing missing() const override {
        return first_of({GbmTest::missing(), lacks("GL_OES_EGL_image_external_essl3")});
    }
    /// What is made of samples of red. `luma`, `chroma`: the bytes of one.
    void expect_red_video(std::uint32_t format, const std::vector<std::uint8_t>& luma,
                          const std::vector<std::uint8_t>& chroma) const;
};

void GbmVideoTest::expect_red_video(std::uint32_t format, const std::vector<std::uint8_t>& luma,
                                    const std::vector<std::uint8_t>& chroma) const {
    const auto bytes = static_cast<std::uint32_t>(luma.size()); // of a sample
    constexpr std::uint32_t kWidth = 256, kHeight = 64;
    const bo buffer = make_bo(GBM_FORMAT_R8, kWidth * bytes, kHeight + kHeight / 2);
    ASSERT_TRUE(buffer);
    fill(buffer.get(), kWidth * bytes, 0, kHeight, luma);
    fill(buffer.get(), kWidth * bytes, kHeight, kHeight / 2, chroma);
    const std::uint32_t stride = gbm().bo_get_stride_for_plane(buffer.get(), 0);
    const Descriptor fd = fd_of(buffer.get());
    const std::vector<Plane> planes{{fd.get(), 0, stride}, {fd.get(), stride * kHeight, stride}};

    gbm_import_fd_modifier_data data{};
    data.width = kWidth;
    data.height = kHeight;
    data.format = format;
    data.num_fds = 2;
    for (int i = 0; i < 2; ++i) {
        data.fds[i] = fd.get();
        data.strides[i] = static_cast<int>(stride);
        data.offsets[i] = static_cast<int>(planes[static_cast<std::size_t>(i)].offset);
    }
    data.modifier = kLinear;
    const bo frame(gbm().bo_import(device(), GBM_BO_IMPORT_FD_MODIFIER, &data, 0), deleter());
    ASSERT_TRUE(frame);
    EXPECT_EQ(gbm().bo_get_plane_count(frame.get()), 2);
    EXPECT_EQ(gbm().bo_get_offset(frame.get(), 1), planes[1].offset);
    EXPECT_EQ(gbm().bo_get_stride_for_plane(frame.get(), 1), stride);
    EXPECT_EQ(gbm().bo_get_handle_for_plane(frame.get(), 1).u32,
              gbm().bo_get_handle_for_plane(frame.get(), 0).u32);
    EXPECT_GE(Descriptor(gbm().bo_get_fd_for_plane(frame.get(), 1)).get(), 0);

    import(format, kWidth, kHeight, planes, kLinear, kExternal);
    const GLuint program =
        link({{GL_VERTEX_SHADER,
               "#version 300 es\nout vec2 uv; void main() { vec2 p = vec2(gl_VertexID & 1, "
               "gl_VertexID >> 1) * 2.0; uv = p; gl_Position = vec4(p * 2.0 - 1.0, 0, 1); }"},
              {GL_FRAGMENT_SHADER,
               "#version 300 es\n#extension GL_OES_EGL_image_external_essl3 : require\n"
               "precision highp float; uniform highp samplerExternalOES s; in vec2 uv; "
               "out vec4 colour; void main() { colour = texture(s, uv); }"}});
    make_target({8, 8});
    bind_new_vao();
    draw_fullscreen(program);
    expect_area(0, 0, 8, 8, kRed, 3);
}

// ITU-R BT.601 in the narrow range.
TEST_F(GbmVideoTest, VideoOf8Bits) {
    expect_red_video(GBM_FORMAT_NV12, {81}, {90, 240});
}

TEST_F(GbmVideoTest, VideoOf10Bits) {
    // The ten bits are the upper ones of sixteen.
    expect_red_video(/* DRM_FORMAT_P010 */ 0x30313050, {0, 81}, {0, 90, 0, 240});
}

} // namespace
} // namespace kobalt::gltest
