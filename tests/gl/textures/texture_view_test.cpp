// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Views of textures (OpenGL 4.6, 8.18) where commands take their levels, layers and formats.
#include "support.h"

namespace kobalt::gltest {
namespace {

class TextureViewTest : public GlTest {
protected:
    Missing missing() const override { return lacks("GL_ARB_texture_view"); }

    static std::vector<Byte4> texels(std::size_t count, int value) {
        return {count, Byte4{static_cast<std::uint8_t>(value), 0, 0, 255}};
    }
    static GLuint view(GLenum target, GLuint origin, GLenum format, GLuint level, GLuint levels,
                       GLuint layer, GLuint layers) {
        GLuint made = 0;
        gl::GenTextures(1, &made);
        gl::TextureView(made, target, origin, format, level, levels, layer, layers);
        gl::BindTexture(target, made);
        return made;
    }
    /// Two levels of 4x4 texels and four layers: 100 and the layer, 10 and the layer.
    static GLuint array() {
        const GLuint made = new_texture(GL_TEXTURE_2D_ARRAY);
        gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA8, 4, 4, 4);
        for (const GLint level : {0, 1})
            for (GLint layer = 0; layer < 4; ++layer)
                gl::TexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, 4 >> level, 4 >> level,
                                  1, GL_RGBA, GL_UNSIGNED_BYTE,
                                  texels(16, (level ? 10 : 100) + layer).data());
        return made;
    }
    static void expect_red(GLuint texture, int size, GLint level, GLint layer, int value) {
        bind_texture_target(texture, size, size, level, layer);
        expect_area(0, 0, size, size, {static_cast<std::uint8_t>(value), 0, 0, 255});
    }
};

TEST_F(TextureViewTest, MipmapsAreOfTheViewsLayers) {
    const GLuint origin = array();
    view(GL_TEXTURE_2D_ARRAY, origin, GL_RGBA8, 0, 2, 1, 2);
    gl::GenerateMipmap(GL_TEXTURE_2D_ARRAY);
    for (GLint layer = 0; layer < 4; ++layer)
        expect_red(origin, 2, 1, layer, (layer == 1 || layer == 2 ? 100 : 10) + layer);
}

TEST_F(TextureViewTest, BlitsReadTheViewsLevelAndLayer) {
    const GLuint seen = view(GL_TEXTURE_2D, array(), GL_RGBA8, 1, 1, 2, 1);
    const GLuint read = bind_texture_target(seen, 2, 2);
    make_target({2, 2});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, read);
    GLint drawn = 0;
    gl::GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
    gl::BlitFramebuffer(0, 0, 2, 2, 0, 0, 2, 2, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(drawn));
    expect_area(0, 0, 2, 2, {12, 0, 0, 255});
}

TEST_F(TextureViewTest, CopiesAreInTheViewsFormat) {
    const GLuint origin = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8UI, 4, 4);
    const GLuint seen = view(GL_TEXTURE_2D, origin, GL_RGBA8, 0, 1, 0, 1);
    make_target({4, 4});
    gl::ClearColor(0.2F, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    expect_red(seen, 4, 0, -1, 51);
}

// Of a format that may be kept beside its decoded texels: blocks of R11_EAC, a byte of each told
// apart.
class CompressedViewTest : public TextureViewTest {
protected:
    static constexpr std::size_t kBlock = 8;
    static std::vector<std::uint8_t> blocks(std::size_t count, std::uint8_t value) {
        std::vector<std::uint8_t> made(count * kBlock);
        for (std::size_t i = 0; i < made.size(); i += kBlock)
            made[i] = value;
        return made;
    }
    static std::uint8_t first_of(GLenum target, GLint level) {
        std::vector<std::uint8_t> read(4 * kBlock);
        gl::GetCompressedTexImage(target, level, read.data());
        return read[0];
    }
};

TEST_F(CompressedViewTest, Levels) {
    const GLuint origin = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 2, GL_COMPRESSED_R11_EAC, 8, 8);
    for (const GLint level : {0, 1}) {
        const GLsizei size = 8 >> level;
        const auto data = blocks(level ? 1 : 4, static_cast<std::uint8_t>(1 + level));
        gl::CompressedTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, size, size, GL_COMPRESSED_R11_EAC,
                                    static_cast<GLsizei>(data.size()), data.data());
    }
    view(GL_TEXTURE_2D, origin, GL_COMPRESSED_R11_EAC, 1, 1, 0, 1);
    EXPECT_EQ(first_of(GL_TEXTURE_2D, 0), 2);
    const auto data = blocks(1, 7);
    gl::CompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_COMPRESSED_R11_EAC, kBlock,
                                data.data());
    gl::BindTexture(GL_TEXTURE_2D, origin);
    EXPECT_EQ(first_of(GL_TEXTURE_2D, 1), 7);
    EXPECT_EQ(first_of(GL_TEXTURE_2D, 0), 1);
}

TEST_F(CompressedViewTest, FacesAndLayers) {
    const GLuint origin = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_COMPRESSED_R11_EAC, 4, 4, 7);
    const GLuint cube = view(GL_TEXTURE_CUBE_MAP, origin, GL_COMPRESSED_R11_EAC, 0, 1, 1, 6);
    for (GLenum face = 0; face < 6; ++face) {
        const auto data = blocks(1, static_cast<std::uint8_t>(10 + face));
        gl::CompressedTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 0, 0, 4, 4,
                                    GL_COMPRESSED_R11_EAC, kBlock, data.data());
    }
    for (GLenum face = 0; face < 6; ++face)
        EXPECT_EQ(first_of(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0), 10 + face);
    view(GL_TEXTURE_2D, cube, GL_COMPRESSED_R11_EAC, 0, 1, 3, 1);
    EXPECT_EQ(first_of(GL_TEXTURE_2D, 0), 13);
    view(GL_TEXTURE_2D, origin, GL_COMPRESSED_R11_EAC, 0, 1, 4, 1);
    EXPECT_EQ(first_of(GL_TEXTURE_2D, 0), 13);
}

// GLSL 4.60, 8.9.2: what is derived is the coordinate, of texels here.
TEST_F(TextureViewTest, GradientsOfRectanglesAreOfTexels) {
    new_texture(GL_TEXTURE_RECTANGLE);
    gl::TexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    std::vector<Byte4> stripes(256);
    for (std::size_t i = 0; i < stripes.size(); ++i)
        stripes[i] = i % 2 ? kRed : kBlack;
    gl::TexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   stripes.data());
    make_target({4, 4});
    bind_new_vao();
    const GLuint program = vs_fs(
        kFullscreenVs, "uniform sampler2DRect t; uniform float step; out vec4 c; void main() "
                       "{ c = textureGrad(t, vec2(5.0, 5.5), vec2(step, 0), vec2(0, step)); }");
    gl::UseProgram(program);
    const GLint step = gl::GetUniformLocation(program, "step");
    gl::Uniform1f(step, 0.5F); // magnified: between two texels
    draw_fullscreen(program);
    expect_pixel(2, 2, {128, 0, 0, 255}, 2);
    gl::Uniform1f(step, 2.0F);
    draw_fullscreen(program);
    expect_pixel(2, 2, kRed);
}

// One row upside down is the same row: no device is asked to mirror it.
TEST_F(TextureViewTest, MirroredRowsOfOneDimension) {
    std::array<GLuint, 2> textures{}, framebuffers{};
    gl::GenFramebuffers(2, framebuffers.data());
    for (std::size_t i = 0; i < 2; ++i) {
        textures[i] = new_texture(GL_TEXTURE_1D);
        gl::TexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels(4, i ? 50 : 200).data());
        const GLenum target = i ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER;
        gl::BindFramebuffer(target, framebuffers[i]);
        gl::FramebufferTexture(target, GL_COLOR_ATTACHMENT0, textures[i], 0);
    }
    gl::BlitFramebuffer(0, 0, 4, 1, 0, 1, 4, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
    expect_area(0, 0, 4, 1, {200, 0, 0, 255});
}

} // namespace
} // namespace kobalt::gltest
