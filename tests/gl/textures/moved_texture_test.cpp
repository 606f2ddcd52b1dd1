// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Textures whose image moves for an image unit or a view.
#include <chrono>
#include <semaphore>

#include "moved_texture.h"

namespace kobalt::gltest {
namespace {

TEST_F(MovedTextureTest, KeepsItsLevelsAndLayers) {
    constexpr GLint levels = 3, layers = 3;
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, levels - 1);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, levels, GL_RGBA8, kSize, kSize, layers);
    const auto value = [](GLint level, GLint layer) {
        return Byte4{static_cast<std::uint8_t>(50 + 60 * level),
                     static_cast<std::uint8_t>(40 + 70 * layer), 9, 255};
    };
    for (GLint level = 0; level < levels; ++level) {
        for (GLint layer = 0; layer < layers; ++layer) {
            const std::vector<Byte4> texels(kSize * kSize, value(level, layer));
            gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, kSize >> level,
                              kSize >> level, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        }
    }
    const GLuint program = green_program();
    expect_moves(1, [&] {
        bind(0, texture, GL_RGBA8, 1, 2);
        run(program);
    });
    for (GLint level = 0; level < levels; ++level) {
        for (GLint layer = 0; layer < layers; ++layer) {
            SCOPED_TRACE(testing::Message() << "level " << level << ", layer " << layer);
            const int size = kSize >> level;
            bind_texture_target(texture, size, size, level, layer);
            expect_pixel(0, 0, level == 1 && layer == 2 ? kGreen : value(level, layer));
            expect_area(1, 0, size - 1, size, value(level, layer));
        }
    }
}

TEST_F(MovedTextureTest, KeepsItsSlices) {
    const GLuint texture = new_texture(GL_TEXTURE_3D);
    gl::TexStorage3D(GL_TEXTURE_3D, 2, GL_RGBA8, 4, 4, 4);
    const auto value = [](GLint level, GLint slice) {
        return Byte4{static_cast<std::uint8_t>(100 * level + 20 * slice + 30), 7, 9, 255};
    };
    for (const GLint level : {0, 1}) {
        for (GLint slice = 0; slice < 4 >> level; ++slice) {
            const std::vector<Byte4> texels(16, value(level, slice));
            gl::TexSubImage3D(GL_TEXTURE_3D, level, 0, 0, slice, 4 >> level, 4 >> level, 1, GL_RGBA,
                              GL_UNSIGNED_BYTE, texels.data());
        }
    }
    const GLuint program = green_program("image3D", "ivec3(0, 0, 3)");
    expect_moves(1, [&] {
        bind(0, texture, GL_RGBA8);
        run(program);
    });
    for (const GLint level : {0, 1}) {
        for (GLint slice = 0; slice < 4 >> level; ++slice) {
            SCOPED_TRACE(testing::Message() << "level " << level << ", slice " << slice);
            const int size = 4 >> level;
            bind_texture_target(texture, size, size, level, slice);
            expect_pixel(0, 0, level == 0 && slice == 3 ? kGreen : value(level, slice));
            expect_area(1, 0, size - 1, size, value(level, slice));
        }
    }
}

TEST_F(MovedTextureTest, KeepsItsSamples) {
    constexpr int samples = 4;
    const GLuint texture = new_texture(GL_TEXTURE_2D_MULTISAMPLE);
    gl_function<PFNGLTEXSTORAGE2DMULTISAMPLEPROC>("glTexStorage2DMultisample")(
        GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA8, kSize, kSize, GL_TRUE);
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    gl::Viewport(0, 0, kSize, kSize);
    bind_new_vao();
    draw_fullscreen(vs_fs(kFullscreenVs, "#extension GL_ARB_sample_shading : require\n"
                                         "out vec4 colour; void main() { colour = "
                                         "vec4(float(gl_SampleID * 10 + 5) / 255.0, 0, 0, 1); }"));
    GLuint view = 0;
    gl::GenTextures(1, &view);
    gl::TextureView(view, GL_TEXTURE_2D_MULTISAMPLE, texture, GL_R32UI, 0, 1, 0, 1);
    gl::BindTexture(GL_TEXTURE_2D_MULTISAMPLE, view);
    make_target({samples, 1, GL_R32UI});
    const GLuint look =
        vs_fs(kFullscreenVs, "uniform usampler2DMS image; out uvec4 colour; void main() { colour = "
                             "texelFetch(image, ivec2(3), int(gl_FragCoord.x)); }");
    expect_moves(1, [&] { draw_fullscreen(look); });
    for (int sample = 0; sample < samples; ++sample) {
        EXPECT_EQ(pixel_uint(sample, 0)[0], 0xff000005U + static_cast<unsigned>(sample) * 10);
    }
}

// A clear that no draw followed is recorded later than it was called.
TEST_F(MovedTextureTest, KeepsAClear) {
    const GLuint texture = storage();
    bind_texture_target(texture, kSize, kSize);
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const GLuint program = green_program();
    bind(0, texture, GL_RGBA8);
    run(program);
    expect_pixel(0, 0, kGreen);
    expect_area(1, 0, kSize - 1, kSize, kRed);
}

// The texture stays bound, and its view was made before.
TEST_F(MovedTextureTest, ABoundTextureShowsWhatIsStored) {
    filled(kRed);
    GLint texture = 0;
    gl::GetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
    const GLuint look = look_program(), store = green_program();
    make_target({4, 4});
    bind_new_vao();
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kRed);
    bind(0, static_cast<GLuint>(texture), GL_RGBA8);
    run(store);
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kGreen);
}

TEST_F(MovedTextureTest, AnUnboundTextureShowsWhatIsStored) {
    const GLuint texture = filled(kRed), other = filled(kBlue);
    const GLuint look = look_program(), store = green_program();
    make_target({4, 4});
    bind_new_vao();
    for (const GLuint each : {texture, other}) {
        gl::BindTexture(GL_TEXTURE_2D, each);
        draw_fullscreen(look);
    }
    bind(0, texture, GL_RGBA8);
    run(store);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kGreen);
}

TEST_F(MovedTextureTest, AnAttachmentGoesOn) {
    const GLuint texture = storage();
    bind_texture_target(texture, kSize, kSize);
    bind_new_vao();
    const RectPainter painter;
    painter.fill({1, 0, 0, 1});
    bind(0, texture, GL_RGBA8);
    run(green_program());
    painter.draw({0, -1, 1, 1}, {0, 0, 1, 1});
    expect_pixel(0, 0, kGreen);
    expect_area(1, 0, kSize / 2 - 1, kSize, kRed);
    expect_area(kSize / 2, 0, kSize / 2, kSize, kBlue);
    gl::ClearColor(1, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    bind_texture_target(texture, kSize, kSize);
    expect_area(0, 0, kSize, kSize, kYellow);
}

// The image unit and the sampler have the same texture, in one format and then in another.
TEST_F(MovedTextureTest, AnImageUnitGoesOn) {
    const GLuint texture = filled(kRed);
    bind(0, texture, GL_RGBA8);
    run(green_program());
    bind(1, texture, GL_R32UI); // the texture moves, and unit 0 stays bound
    run(compute("layout(local_size_x = 1) in; layout(rgba8, binding = 0) uniform image2D image; "
                "layout(r32ui, binding = 1) uniform uimage2D words; void main() { "
                "imageStore(image, ivec2(1, 0), imageLoad(image, ivec2(0)).gbra); "
                "imageStore(words, ivec2(2, 0), imageLoad(words, ivec2(0))); }"));
    bind_texture_target(texture, kSize, kSize);
    expect_pixel(0, 0, kGreen);
    expect_pixel(1, 0, {255, 0, 0, 255});
    expect_pixel(2, 0, kGreen);
    expect_area(3, 0, kSize - 3, kSize, kRed);
}

// Each context has views of its own.
TEST_F(MovedTextureTest, AnotherContextShowsWhatIsStored) {
    const GLuint texture = filled(kRed);
    GLuint look = 0, framebuffer = 0;
    elsewhere([&] {
        const Target target = make_target({4, 4});
        bind_new_vao();
        look = look_program();
        gl::BindTexture(GL_TEXTURE_2D, texture);
        draw_fullscreen(look);
        expect_area(0, 0, 4, 4, kRed);
        framebuffer = bind_texture_target(texture, kSize, kSize);
        RectPainter().draw({0, -1, 1, 1}, {0, 0, 1, 1});
        target.bind();
    });
    bind(0, texture, GL_RGBA8);
    run(green_program());
    gl::Finish();
    elsewhere([&] {
        draw_fullscreen(look);
        expect_area(0, 0, 4, 4, kGreen);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        expect_area(kSize / 2, 0, kSize / 2, kSize, kBlue);
        gl::Viewport(0, 0, kSize, kSize);
        RectPainter().draw({-1, 0, 1, 1}, {1, 1, 0, 1});
    });
    bind_texture_target(texture, kSize, kSize);
    expect_pixel(0, 0, kGreen);
    expect_area(0, kSize / 2, kSize, kSize / 2, kYellow);
}

// The other context has drawn to the texture, and flushes behind the move.
TEST_F(MovedTextureTest, KeepsWhatAnotherContextFlushesLater) {
    const GLuint texture = filled(kRed);
    const GLuint store = green_program();
    gl::Finish();
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    std::binary_semaphore drawn{0};
    std::thread other([&] {
        ASSERT_TRUE(shared->make_current());
        bind_texture_target(texture, kSize, kSize);
        bind_new_vao();
        RectPainter().draw({0, -1, 1, 1}, {0, 0, 1, 1});
        drawn.release();
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        gl::Finish();
        shared->release_current();
    });
    drawn.acquire();
    bind(0, texture, GL_RGBA8);
    run(store);
    gl::Finish();
    other.join();
    bind_texture_target(texture, kSize, kSize);
    expect_area(kSize / 2, 0, kSize / 2, kSize, kBlue);
}

// sRGB decoding, and its encoding in a framebuffer, need no move. Nor does what was moved already.
TEST_F(MovedTextureTest, MovesOnceForEachUse) {
    const GLuint texture = storage(GL_SRGB8_ALPHA8);
    const GLuint store = green_program();
    make_target({4, 4});
    bind_new_vao();
    const GLuint look = look_program();
    expect_moves(0, [&] {
        gl::BindTexture(GL_TEXTURE_2D, texture);
        draw_fullscreen(look);
        if (has_extension("GL_EXT_texture_sRGB_decode")) {
            constexpr GLenum decode = 0x8A48, skip = 0x8A4A;
            gl::TexParameteri(GL_TEXTURE_2D, decode, skip);
            draw_fullscreen(look);
        }
        const GLuint linear = view_2d(texture, GL_RGBA8);
        gl::BindTexture(GL_TEXTURE_2D, linear);
        draw_fullscreen(look);
        for (const GLuint target : {texture, linear}) {
            bind_texture_target(target, kSize, kSize);
            for (const bool encodes : {false, true}) {
                (encodes ? gl::Enable : gl::Disable)(GL_FRAMEBUFFER_SRGB);
                RectPainter().fill({1, 0, 0, 1});
            }
        }
    });
    expect_moves(1, [&] {
        for (const GLint unit : {0, 1}) {
            bind(static_cast<GLuint>(unit), view_2d(texture, GL_RGBA8), GL_RGBA8);
            run(store);
        }
    });
    expect_moves(1, [&] {
        const GLuint words = compute("layout(local_size_x = 1) in; layout(r32ui, binding = 0) "
                                     "uniform uimage2D image; void main() { "
                                     "imageStore(image, ivec2(1, 0), uvec4(0xffff0000u)); }");
        for (const GLenum own : {GL_RGBA8UI, GL_R32F}) {
            bind(0, view_2d(texture, own), GL_R32UI);
            run(words);
        }
    });
    bind_texture_target(texture, kSize, kSize);
    expect_pixel(0, 0, kGreen);
    expect_pixel(1, 0, kBlue);
    expect_area(2, 0, kSize - 2, kSize, kRed);
}

TEST_F(MovedTextureTest, AViewOfAnotherFormatIsSampledAndDrawnTo) {
    const GLuint texture = filled(kRed);
    const GLuint words = view_2d(texture, GL_R32UI);
    make_target({4, 4, GL_R32UI});
    bind_new_vao();
    gl::BindTexture(GL_TEXTURE_2D, words);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    draw_fullscreen(vs_fs(kFullscreenVs,
                          "uniform usampler2D image; out uvec4 colour; void main() { colour = "
                          "texelFetch(image, ivec2(1), 0); }"));
    EXPECT_EQ(pixel_uint(0, 0)[0], 0xff0000ffU);

    const GLuint second = filled(kRed);
    const GLuint second_words = view_2d(second, GL_R32UI);
    expect_moves(1, [&] {
        bind_texture_target(second_words, kSize, kSize);
        gl::Viewport(0, 0, kSize / 2, kSize);
        draw_fullscreen(vs_fs(kFullscreenVs, "out uint colour; void main() { colour = "
                                             "0xff00ff00u; }"));
    });
    bind_texture_target(second, kSize, kSize);
    expect_area(0, 0, kSize / 2, kSize, kGreen);
    expect_area(kSize / 2, 0, kSize / 2, kSize, kRed);
}

TEST_F(MovedTextureTest, CopiesAndMipmapsGoOn) {
    const GLuint texture = storage(GL_RGBA8, 2);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    const std::vector<Byte4> texels(kSize * kSize, kRed);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    bind(0, texture, GL_RGBA8, 1);
    run(green_program());
    const GLuint copy = storage();
    gl::CopyImageSubData(texture, GL_TEXTURE_2D, 1, 0, 0, 0, copy, GL_TEXTURE_2D, 0, 0, 0, 0, 4, 4,
                         1);
    bind_texture_target(copy, 4, 4);
    expect_pixel(0, 0, kGreen);
    expect_area(1, 0, 3, 4, kRed);
    gl::BindTexture(GL_TEXTURE_2D, texture);
    const std::vector<Byte4> blue(kSize * kSize, kBlue);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
    gl::GenerateMipmap(GL_TEXTURE_2D);
    bind_texture_target(texture, 4, 4, 1);
    expect_area(0, 0, 4, 4, kBlue);
}

} // namespace
} // namespace kobalt::gltest
