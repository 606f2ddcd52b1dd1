// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

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

} // namespace
} // namespace kobalt::gltest
