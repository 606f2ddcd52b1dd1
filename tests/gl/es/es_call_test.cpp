// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Errors of calls in OpenGL ES 3.2, and calls that have none.
#include <limits>

#include "support.h"

namespace kobalt::gltest {
namespace {

constexpr GLint kMost = std::numeric_limits<GLint>::max();
constexpr GLenum kComplete = GL_FRAMEBUFFER_COMPLETE;
constexpr GLenum kIncomplete = GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;

void expect(GLenum error, const char* what = "") {
    EXPECT_EQ(gl::GetError(), error) << what;
}

class EsCallTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }
    static void image(GLenum target, GLint level, GLsizei size, GLenum internal = GL_RGBA8) {
        gl::TexImage2D(target, level, static_cast<GLint>(internal), size, size, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, nullptr);
    }
    /// A texture whose levels may change.
    static GLuint pyramid(GLsizei size) {
        const GLuint texture = new_texture(GL_TEXTURE_2D);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
        for (GLint level = 0; size >> level; ++level)
            image(GL_TEXTURE_2D, level, size >> level);
        return texture;
    }
    static void attach(GLuint texture, GLint level) {
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                                 level);
    }
    static GLenum status() { return gl::CheckFramebufferStatus(GL_FRAMEBUFFER); }
};

// 16.2.2.
TEST_F(EsCallTest, CopiesFromFarAway) {
    const GLuint from = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    const GLuint to = new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    for (const auto& [x, y, z] :
         {std::array{kMost, 0, 0}, std::array{0, kMost, 0}, std::array{0, 0, kMost}}) {
        gl::CopyImageSubData(from, GL_TEXTURE_2D, 0, x, y, z, to, GL_TEXTURE_2D, 0, 0, 0, 0, 2, 2,
                             1);
        expect(GL_INVALID_VALUE, "from");
        gl::CopyImageSubData(from, GL_TEXTURE_2D, 0, 0, 0, 0, to, GL_TEXTURE_2D, 0, x, y, z, 2, 2,
                             1);
        expect(GL_INVALID_VALUE, "to");
    }
}

// Table 14.1.
TEST_F(EsCallTest, DepthsStayRedWhateverTheBaseLevel) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 2, GL_DEPTH_COMPONENT16, 2, 2);
    const std::array<GLushort, 4> ones{0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
    for (const GLint level : {0, 1})
        gl::TexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 2 >> level, 2 >> level, GL_DEPTH_COMPONENT,
                          GL_UNSIGNED_SHORT, ones.data());
    make_target({.width = 1, .height = 1});
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 320 es\nvoid main() { gl_Position = vec4("
                                 "gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }"},
              {GL_FRAGMENT_SHADER,
               "#version 320 es\nprecision highp float; uniform sampler2D s; out vec4 colour;"
               "void main() { colour = texelFetch(s, ivec2(0), 0); }"}});
    gl::ActiveTexture(GL_TEXTURE0);
    for (const GLint level : {0, 1, 0}) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
        draw_fullscreen(program);
        expect_pixel(0, 0, kRed);
    }
}

// 8.4.2.1.
TEST_F(EsCallTest, DepthsAndStencilValuesInBuffersLieAtMultiplesOfFour) {
    struct Texel {
        float depth;
        GLuint stencil;
    };
    struct Data {
        GLuint skipped = 0;
        std::array<Texel, 4> texels{{{1, 1}, {1, 1}, {1, 1}, {1, 1}}};
    };
    make_buffer(GL_PIXEL_UNPACK_BUFFER, std::vector<Data>(2));
    new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH32F_STENCIL8, 2, 2, 0, GL_DEPTH_STENCIL,
                   GL_FLOAT_32_UNSIGNED_INT_24_8_REV, reinterpret_cast<const void*>(4));
    expect(GL_NO_ERROR);
    gl::TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_DEPTH_STENCIL,
                      GL_FLOAT_32_UNSIGNED_INT_24_8_REV, reinterpret_cast<const void*>(2));
    expect(GL_INVALID_OPERATION);
}

// 6.1.1.
TEST_F(EsCallTest, RangesOfBindingsBeyondTheLimit) {
    for (const GLenum target : {GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
                                GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER}) {
        gl::BindBufferRange(target, 1000, 0, 0, 0);
        expect(GL_INVALID_VALUE);
    }
}

// 9.2.8.
TEST_F(EsCallTest, LayersOfCubeMapsAreFaces) {
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    gl::TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 4, 4);
    make_target();
    for (GLint layer = 0; layer < 6; ++layer) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, cube, 0, layer);
        expect(GL_NO_ERROR);
        EXPECT_EQ(status(), kComplete);
        GLint face = 0;
        gl::GetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                                GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE,
                                                &face);
        EXPECT_EQ(face, GL_TEXTURE_CUBE_MAP_POSITIVE_X + layer);
    }
    gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, cube, 0, 6);
    expect(GL_INVALID_VALUE);
}

// 9.4.1 and 9.4.2. Levels outside of BASE_LEVEL to MAX_LEVEL are let pass, though: programs make
// one level out of another so.
TEST_F(EsCallTest, AttachedLevelsGoTogether) {
    const GLuint texture = pyramid(8);
    make_target();
    attach(texture, 1);
    EXPECT_EQ(status(), kComplete);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    EXPECT_EQ(status(), kComplete);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
    EXPECT_EQ(status(), kComplete);
    image(GL_TEXTURE_2D, 2, 8);
    EXPECT_EQ(status(), kIncomplete);
    image(GL_TEXTURE_2D, 2, 2);
    EXPECT_EQ(status(), kComplete);
}

TEST_F(EsCallTest, LayeredCubeMapsAreComplete) {
    const GLuint cube = new_texture(GL_TEXTURE_CUBE_MAP);
    for (GLenum face = 0; face < 6; ++face)
        image(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 4);
    make_target();
    gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, cube, 0);
    EXPECT_EQ(status(), kComplete);
    image(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 8);
    EXPECT_EQ(status(), kIncomplete);
}

TEST_F(EsCallTest, DepthAndStencilAreOneImage) {
    const GLuint texture = new_texture(GL_TEXTURE_2D_ARRAY);
    gl::TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_DEPTH24_STENCIL8, 4, 4, 2);
    make_target({.width = 4, .height = 4});
    const auto layers = [&](GLint depth, GLint stencil) {
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture, 0, depth);
        gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, texture, 0, stencil);
        return status();
    };
    EXPECT_EQ(layers(1, 1), kComplete);
    EXPECT_EQ(layers(0, 1), GLenum{GL_FRAMEBUFFER_UNSUPPORTED});
    EXPECT_EQ(layers(0, 0), kComplete);
}

// GL_MESA_bgra.
TEST_F(EsCallTest, BlueFirst) {
    if (!has_extension("GL_MESA_bgra")) {
        GTEST_SKIP() << "GL_MESA_bgra is not offered";
    }
    new_texture(GL_TEXTURE_2D);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, 0x80E0 /* GL_BGR */, GL_UNSIGNED_BYTE,
                   nullptr);
    expect(GL_NO_ERROR);
}

// 8.14.4.
TEST_F(EsCallTest, MipmapsOfATextureWithoutLevels) {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    expect(GL_NO_ERROR);
}

// Levels beyond the last one that is made stay as they are; here they are made on the CPU.
TEST_F(EsCallTest, MipmapsEndWhereTheyShould) {
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
    gl::TexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, 4, 4, 0, GL_LUMINANCE_ALPHA,
                   GL_UNSIGNED_BYTE, nullptr);
    image(GL_TEXTURE_2D, 3, 64);
    gl::GenerateMipmap(GL_TEXTURE_2D);
    expect(GL_NO_ERROR);
    for (const auto& [level, size] : {std::array{2, 1}, std::array{3, 64}}) {
        GLint width = 0;
        gl::GetTexLevelParameteriv(GL_TEXTURE_2D, level, GL_TEXTURE_WIDTH, &width);
        EXPECT_EQ(width, size);
    }
}

// 17.4.4: what is attached may have no memory any more.
TEST_F(EsCallTest, InvalidatesWhatIsGone) {
    const Target target = make_target();
    EXPECT_EQ(status(), kComplete);
    gl::BindRenderbuffer(GL_RENDERBUFFER, target.color);
    gl::RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 0, 0);
    const GLenum colour = GL_COLOR_ATTACHMENT0;
    gl::InvalidateFramebuffer(GL_FRAMEBUFFER, 1, &colour);
    expect(GL_NO_ERROR);
}

} // namespace
} // namespace kobalt::gltest
