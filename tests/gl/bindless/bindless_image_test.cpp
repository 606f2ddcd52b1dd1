// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_bindless_texture: images that shaders load from and store to through handles.
#include <algorithm>

#include "image_calls.h"

namespace kobalt::gltest {
namespace {

class BindlessImageTest : public ImageTest {
protected:
    Missing missing() const override {
        return first_of({ImageTest::missing(), lacks("GL_ARB_bindless_texture")});
    }
    static GLuint compute(const std::string& text) {
        return ImageTest::compute("#extension GL_ARB_bindless_texture : require\n"
                                  "layout(local_size_x = 1) in;\n" +
                                  text);
    }
    GLuint64 resident(GLuint texture, GLenum access = GL_READ_WRITE, GLint layer = -1) const {
        const GLuint64 handle =
            calls().GetImageHandleARB(texture, 0, GL_FALSE, std::max(layer, 0), GL_R32UI);
        EXPECT_NE(handle, 0U);
        calls().MakeImageHandleResidentARB(handle, access);
        return handle;
    }
    /// A texture of one row, filled with one value.
    GLuint row(GLuint value, int width = 4) const {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, width, 1);
        calls().ClearTexImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
        return texture;
    }
    static void set_handle(GLuint program, const char* name, GLuint64 handle) {
        gl::UseProgram(program);
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program, name), handle);
    }
    static std::vector<GLuint> texels(GLuint texture, size_t count = 4) {
        std::vector<GLuint> seen(count, 0xdeadbeef);
        gl::BindTexture(GL_TEXTURE_2D, texture);
        gl::GetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, seen.data());
        return seen;
    }
};

TEST_F(BindlessImageTest, LoadsAndStores) {
    const GLuint from = row(7), to = row(0);
    const GLuint program =
        compute("layout(bindless_image, r32ui) uniform uimage2D source;\n"
                "layout(bindless_image, r32ui) uniform uimage2D target;\n"
                "void main() { ivec2 at = ivec2(gl_WorkGroupID.xy);\n"
                " imageStore(target, at, imageLoad(source, at) + uvec4(at.x)); }\n");
    set_handle(program, "source", resident(from, GL_READ_ONLY));
    set_handle(program, "target", resident(to));
    run(program, 4);
    EXPECT_EQ(texels(to), (std::vector<GLuint>{7, 8, 9, 10}));
    EXPECT_EQ(texels(from), (std::vector<GLuint>{7, 7, 7, 7}));
}

// Each dispatch reads what the one before stored: nothing is bound that could tell.
TEST_F(BindlessImageTest, StoresAreSeenBehindABarrier) {
    const GLuint counter = row(0);
    const GLuint count = compute("layout(bindless_image, r32ui) uniform uimage2D image;\n"
                                 "void main() { uint old = imageLoad(image, ivec2(0)).x;\n"
                                 " imageStore(image, ivec2(0), uvec4(old + 1u)); }\n");
    set_handle(count, "image", resident(counter));
    for (int i = 0; i < 50; ++i) {
        run(count);
    }
    EXPECT_EQ(texels(counter)[0], 50U);
}

TEST_F(BindlessImageTest, AtomicsOfAnArrayByAnIndexThatDiffers) {
    constexpr int count = 8;
    std::vector<GLuint> images;
    const GLuint program =
        compute("layout(bindless_image, r32ui) uniform uimage2D all[8];\n"
                "void main() { imageAtomicAdd(all[gl_WorkGroupID.x % 8u], ivec2(2, 0), 10u); }\n");
    for (int i = 0; i < count; ++i) {
        images.push_back(row(static_cast<GLuint>(i)));
        set_handle(program, ("all[" + std::to_string(i) + "]").c_str(), resident(images.back()));
    }
    run(program, 24);
    for (int i = 0; i < count; ++i) {
        const auto value = static_cast<GLuint>(i);
        EXPECT_EQ(texels(images[static_cast<size_t>(i)]),
                  (std::vector<GLuint>{value, value, value + 30, value}));
    }
}

TEST_F(BindlessImageTest, BuffersAndSingleLayers) {
    const GLuint buffer = make_buffer(GL_TEXTURE_BUFFER, std::vector<GLuint>{1, 2, 3, 4});
    const GLuint texels_of_buffer = new_texture(GL_TEXTURE_BUFFER);
    gl::TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    const GLuint volume = new_texture(GL_TEXTURE_3D);
    calls().TexStorage3D(GL_TEXTURE_3D, 1, GL_R32UI, 1, 1, 3);
    const GLuint zero = 0;
    calls().ClearTexImage(volume, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    const GLuint program = compute("layout(bindless_image, r32ui) uniform uimageBuffer words;\n"
                                   "layout(bindless_image, r32ui) uniform uimage2D slice;\n"
                                   "void main() {\n"
                                   " imageStore(slice, ivec2(0), imageLoad(words, 2));\n"
                                   " imageStore(words, 0, uvec4(imageSize(words))); }\n");
    set_handle(program, "words", resident(texels_of_buffer));
    set_handle(program, "slice", resident(volume, GL_WRITE_ONLY, 1));
    run(program);
    std::vector<GLuint> words(4);
    gl::GetBufferSubData(GL_TEXTURE_BUFFER, 0, 16, words.data());
    EXPECT_EQ(words, (std::vector<GLuint>{4, 2, 3, 4}));
    std::vector<GLuint> slices(3, 99);
    gl::BindTexture(GL_TEXTURE_3D, volume);
    gl::GetTexImage(GL_TEXTURE_3D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, slices.data());
    EXPECT_EQ(slices, (std::vector<GLuint>{0, 3, 0}));
}

// A fragment shader stores through a handle, and the next draw samples the texture through its
// texture handle.
TEST_F(BindlessImageTest, WhatDrawsStoreIsSampledByTheNext) {
    const GLuint image = row(0, 1);
    make_target({1, 1});
    bind_new_vao();
    const std::string version = "#version 430 core\n#extension GL_ARB_bindless_texture : require\n";
    const Stage vertex{GL_VERTEX_SHADER, "#version 430 core\nvoid main() {\n"
                                         "vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                         "gl_Position = vec4(at * 4.0 - 1.0, 0, 1); }\n"};
    const GLuint store = link(
        {vertex,
         {GL_FRAGMENT_SHADER,
          version + "layout(bindless_image, r32ui) uniform uimage2D image; uniform int value;\n"
                    "out vec4 color; void main() { color = vec4(0);\n"
                    "imageStore(image, ivec2(0), uvec4(value)); }\n"}});
    const GLuint sample =
        link({vertex,
              {GL_FRAGMENT_SHADER,
               version + "layout(bindless_sampler) uniform usampler2D image; out vec4 color;\n"
                         "void main() { color = vec4(texelFetch(image, ivec2(0), 0).x) / 255.0; "
                         "}\n"}});
    set_handle(store, "image", resident(image));
    const GLuint64 texture = gl::GetTextureHandleARB(image);
    gl::MakeTextureHandleResidentARB(texture);
    set_handle(sample, "image", texture);
    for (int i = 1; i <= 20; ++i) {
        set_uniform(store, "value", i * 10);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        calls().MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        gl::UseProgram(sample);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        const auto value = static_cast<std::uint8_t>(i * 10);
        expect_pixel(0, 0, {value, value, value, value});
        gl::UseProgram(store);
    }
}

TEST_F(BindlessImageTest, HandlesComeAndGo) {
    const GLuint program = compute("layout(bindless_image, r32ui) uniform uimage2D image;\n"
                                   "uniform int value;\n"
                                   "void main() { imageStore(image, ivec2(0), uvec4(value)); }\n");
    for (int i = 0; i < 100; ++i) {
        GLuint texture = row(0, 1);
        const GLuint64 handle = resident(texture);
        set_handle(program, "image", handle);
        set_uniform(program, "value", i + 1);
        run(program);
        if (i % 10 == 0) {
            EXPECT_EQ(texels(texture, 1)[0], static_cast<GLuint>(i + 1));
        }
        calls().MakeImageHandleNonResidentARB(handle);
        gl::DeleteTextures(1, &texture);
    }
}

} // namespace
} // namespace kobalt::gltest
