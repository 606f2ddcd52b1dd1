// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <limits>

#include "program_binary.h"

// OpenGL 4.6, section 11.1.3.5: an incomplete texture reads as (0, 0, 0, 1), whatever sampler
// object is bound.

namespace kobalt::gltest {
namespace {

class IncompleteTextureTest : public GlTest {
protected:
    static GLuint bind_sampler() {
        GLuint sampler = 0;
        gl::GenSamplers(1, &sampler);
        gl::BindSampler(0, sampler);
        return sampler;
    }
};

TEST_F(IncompleteTextureTest, ABorderOfASamplerObjectIsNoneOfItsBorders) {
    new_texture(GL_TEXTURE_2D); // without an image
    const GLuint sampler = bind_sampler();
    const Float4 border{0.25F, 0.5F, 0.75F, 0.5F};
    gl::SamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, border.data());
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        gl::SamplerParameteri(sampler, wrap, GL_CLAMP_TO_BORDER);
    EXPECT_EQ(evaluate("uniform sampler2D t;", "textureLod(t, vec2(-1.5), 0.0)"),
              (Float4{0, 0, 0, 1}));
}

// Section 8.17: integers under a linear filter.
TEST_F(IncompleteTextureTest, IntegersUnderALinearSamplerObject) {
    const std::vector<std::int8_t> texels(64, 77);
    texture_2d(GL_RGBA8I, 4, 4, GL_RGBA_INTEGER, GL_BYTE, texels.data());
    const GLuint sampler = bind_sampler();
    for (const auto& [min, mag, expected] :
         {std::tuple{GL_NEAREST, GL_NEAREST, Int4{77, 77, 77, 77}},
          {GL_LINEAR, GL_NEAREST, Int4{0, 0, 0, 1}},
          {GL_NEAREST, GL_LINEAR, Int4{0, 0, 0, 1}}}) {
        gl::SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, min);
        gl::SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, mag);
        EXPECT_EQ(evaluate_int("uniform isampler2D t;", "textureLod(t, vec2(0.5), 0.0)"), expected);
    }
}

TEST_F(IncompleteTextureTest, StencilsOfNothing) {
    if (!has_extension("GL_ARB_stencil_texturing")) {
        GTEST_SKIP() << "no GL_ARB_stencil_texturing";
    }
    new_texture(GL_TEXTURE_2D);
    gl::TexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    EXPECT_EQ(evaluate_int("uniform isampler2D t;", "textureLod(t, vec2(0.5), 0.0)"),
              (Int4{0, 0, 0, 1}));
}

// ES 3.2, table 8.19: the base level may be any.
TEST_F(IncompleteTextureTest, LevelsThatNoTextureHas) {
    const std::vector<std::uint8_t> texels(64, 77);
    for (const GLint level : {14, 15, 500, std::numeric_limits<GLint>::max()}) {
        texture_2d(GL_RGBA8, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, std::numeric_limits<GLint>::max());
        EXPECT_EQ(evaluate("uniform sampler2D t;", "textureLod(t, vec2(0.5), 0.0)"),
                  (Float4{0, 0, 0, 1}));
        gl::GenerateMipmap(GL_TEXTURE_2D);
        while (gl::GetError() != GL_NO_ERROR) { // there is nothing to make it of
        }
        // Once more with an image that comes behind.
        gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                       texels.data());
        EXPECT_EQ(evaluate("uniform sampler2D t;", "textureLod(t, vec2(0.5), 0.0)"),
                  (Float4{0, 0, 0, 1}));
    }
}

TEST_F(IncompleteTextureTest, ShadowsOfNothing) {
    for (const bool object : {false, true}) {
        for (const GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_2D_ARRAY}) {
            new_texture(target);
            if (object) {
                gl::SamplerParameteri(bind_sampler(), GL_TEXTURE_COMPARE_MODE,
                                      GL_COMPARE_REF_TO_TEXTURE);
            }
            const bool plain = target == GL_TEXTURE_2D;
            const std::string type = plain                           ? "sampler2DShadow"
                                     : target == GL_TEXTURE_CUBE_MAP ? "samplerCubeShadow"
                                                                     : "sampler2DArrayShadow";
            EXPECT_EQ(evaluate("uniform " + type + " t;", plain ? "vec4(texture(t, vec3(0.5)))"
                                                                : "vec4(texture(t, vec4(0.5)))"),
                      (Float4{0, 0, 0, 0}))
                << type << object;
        }
    }
}

// Whichever units they are: a program's samplers have numbers of their own.
TEST_F(IncompleteTextureTest, ShadowsAndOthersOfNothingOnAnyUnit) {
    make_target();
    bind_new_vao();
    const GLuint linked =
        vs_fs("void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * "
              "2.0 - 1.0, 0, 1); }",
              "uniform sampler2D plain; uniform sampler2DShadow shadow; out vec4 result; void "
              "main() { vec4 colour = texture(plain, vec2(0.5)); result = vec4(texture(shadow, "
              "vec3(0.5)), colour.r, colour.a, 1); }");
    for (const GLuint program : {linked, copy_of(linked)}) {
        gl::UseProgram(program);
        for (GLint plain = 0; plain < 4; ++plain) {
            for (GLint shadow = 0; shadow < 4; ++shadow) {
                if (plain == shadow)
                    continue;
                gl::Uniform1i(gl::GetUniformLocation(program, "plain"), plain);
                gl::Uniform1i(gl::GetUniformLocation(program, "shadow"), shadow);
                draw_fullscreen(program);
                EXPECT_EQ(pixel(0, 0), kBlue) << plain << " and " << shadow;
            }
        }
    }
}

} // namespace
} // namespace kobalt::gltest
