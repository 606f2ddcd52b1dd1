// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "support.h"

// The old shadow lookups, which return a vector: where the comparison's result lands depends on
// GL_DEPTH_TEXTURE_MODE and the texture's swizzle (ARB_depth_texture, ARB_texture_swizzle).

namespace kobalt::gltest {
namespace {

constexpr GLenum kDepthTextureMode = 0x884B; // not in core headers
constexpr GLenum kIntensity = 0x8049, kLuminance = 0x1909;

const char* const kOldVs = "#version 120\nattribute vec2 p; void main() { gl_Position = vec4(p, "
                           "0.0, 1.0); }";

class OldShadowTest : public CompatTest {
protected:
    void prepare() override {
        make_target({4, 4, GL_RGBA32F});
        bind_new_vao();
        make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 3, -1, -1, 3});
        gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        gl::EnableVertexAttribArray(0);
        // A lookup with 0.5 passes on the right and fails on the left.
        texture_2d(GL_DEPTH_COMPONENT24, 2, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
                   std::array<float, 2>{0.25F, 0.75F}.data());
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    static GLuint program(const std::string& vertex, const std::string& fragment) {
        return link({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}},
                    [](GLuint name) { gl::BindAttribLocation(name, 0, "p"); });
    }
    static void draw(GLuint name) {
        gl::UseProgram(name);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    static void mode(GLenum value) {
        gl::TexParameteri(GL_TEXTURE_2D, kDepthTextureMode, static_cast<GLint>(value));
    }
    static Float4 expected(GLenum mode, float compared) {
        switch (mode) {
        case GL_ALPHA:
            return {0, 0, 0, compared};
        case kIntensity:
            return {compared, compared, compared, compared};
        case GL_RED:
            return {compared, 0, 0, 1};
        default:
            return {compared, compared, compared, 1};
        }
    }
    static void expect_modes(GLuint name) {
        for (const GLenum value : {kLuminance, GLenum{GL_ALPHA}, kIntensity, GLenum{GL_RED}}) {
            mode(value);
            draw(name);
            expect_near(pixel_float(0, 1), expected(value, 0), 0,
                        "fails, mode " + std::to_string(value));
            expect_near(pixel_float(3, 1), expected(value, 1), 0,
                        "passes, mode " + std::to_string(value));
        }
    }
};

TEST_F(OldShadowTest, DepthTextureModeInFragments) {
    expect_modes(program(kOldVs,
                         "#version 120\nuniform sampler2DShadow s; void main() { gl_FragColor = "
                         "shadow2D(s, vec3(gl_FragCoord.xy / 4.0, 0.5)); }"));
}

TEST_F(OldShadowTest, DepthTextureModeInVertices) {
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, &units);
    if (units == 0) {
        GTEST_SKIP() << "vertex shaders have no textures here";
    }
    const GLuint name = program("#version 120\nattribute vec2 p; uniform sampler2DShadow s; "
                                "varying vec4 left, right; void main() { "
                                "gl_Position = vec4(p, 0.0, 1.0); left = shadow2DLod(s, vec3(0.25, "
                                "0.5, 0.5), 0.0); right = "
                                "shadow2DLod(s, vec3(0.75, 0.5, 0.5), 0.0); }",
                                "#version 120\nvarying vec4 left, right; void main() { "
                                "gl_FragColor = gl_FragCoord.x < 2.0 ? left : "
                                "right; }");
    expect_modes(name);
}

TEST_F(OldShadowTest, DepthTextureModeInFixedFunction) {
    // TEXTURE_ENV_MODE REPLACE: luminance leaves the fragment's alpha, alpha its colour.
    gl::UseProgram(0);
    gl::Enable(GL_TEXTURE_2D);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    const auto quad = [] {
        gl::Color4f(0.25F, 0.5F, 0.75F, 0.125F);
        gl::Begin(GL_QUADS);
        gl::TexCoord3f(0, 0, 0.5F);
        gl::Vertex2f(-1, -1);
        gl::TexCoord3f(1, 0, 0.5F);
        gl::Vertex2f(1, -1);
        gl::TexCoord3f(1, 1, 0.5F);
        gl::Vertex2f(1, 1);
        gl::TexCoord3f(0, 1, 0.5F);
        gl::Vertex2f(-1, 1);
        gl::End();
    };
    mode(kLuminance);
    quad();
    expect_near(pixel_float(3, 1), {1, 1, 1, 0.125F}, 0.01F, "luminance");
    expect_near(pixel_float(0, 1), {0, 0, 0, 0.125F}, 0.01F, "luminance");
    mode(GL_ALPHA);
    quad();
    expect_near(pixel_float(3, 1), {0.25F, 0.5F, 0.75F, 1}, 0.01F, "alpha");
    expect_near(pixel_float(0, 1), {0.25F, 0.5F, 0.75F, 0}, 0.01F, "alpha");
    mode(kIntensity);
    quad();
    expect_near(pixel_float(3, 1), {1, 1, 1, 1}, 0.01F, "intensity");
    expect_near(pixel_float(0, 1), {0, 0, 0, 0}, 0.01F, "intensity");
}

TEST_F(OldShadowTest, TextureSwizzle) {
    const GLuint name =
        program(kOldVs, "#version 120\nuniform sampler2DShadow s; void main() { gl_FragColor = "
                        "shadow2D(s, vec3(gl_FragCoord.xy / 4.0, 0.5)); }");
    mode(kLuminance); // (c, c, c, 1)
    const std::array<GLint, 4> swizzle{GL_ONE, GL_ALPHA, GL_ZERO, GL_GREEN};
    gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle.data());
    draw(name);
    expect_near(pixel_float(0, 1), {1, 1, 0, 0}, 0);
    expect_near(pixel_float(3, 1), {1, 1, 0, 1}, 0);
}

TEST_F(OldShadowTest, TwoTexturesOfTwoModes) {
    mode(GL_ALPHA);
    gl::ActiveTexture(GL_TEXTURE1);
    texture_2d(GL_DEPTH_COMPONENT24, 2, 1, GL_DEPTH_COMPONENT, GL_FLOAT,
               std::array<float, 2>{0.75F, 0.25F}.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    mode(GL_RED);
    gl::ActiveTexture(GL_TEXTURE0);
    const GLuint name =
        program(kOldVs, "#version 120\nuniform sampler2DShadow a, b; void main() { vec3 at = "
                        "vec3(gl_FragCoord.xy / 4.0, "
                        "0.5); gl_FragColor = vec4(shadow2D(a, at).ra, shadow2D(b, at).ra); }");
    set_uniform(name, "b", 1);
    draw(name);
    expect_near(pixel_float(0, 1), {0, 0, 1, 1}, 0);
    expect_near(pixel_float(3, 1), {0, 1, 0, 1}, 0);
}

TEST_F(OldShadowTest, SameViewWithAndWithoutComparison) {
    mode(GL_ALPHA);
    const GLuint sampled =
        program(kOldVs, "#version 120\nuniform sampler2D s; void main() { gl_FragColor = "
                        "texture2D(s, gl_FragCoord.xy / 4.0); }");
    const GLuint compared =
        program(kOldVs, "#version 120\nuniform sampler2DShadow s; void main() { gl_FragColor = "
                        "shadow2D(s, vec3(gl_FragCoord.xy / 4.0, 0.5)); }");
    for (int i = 0; i < 2; ++i) {
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
        draw(sampled);
        expect_near(pixel_float(3, 1), {0, 0, 0, 0.75F}, 0.001F, "sampled");
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        draw(compared);
        expect_near(pixel_float(3, 1), {0, 0, 0, 1}, 0, "compared");
    }
}

} // namespace
} // namespace kobalt::gltest
