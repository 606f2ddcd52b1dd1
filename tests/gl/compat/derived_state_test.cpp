// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What GL derives from the state of the fixed function, as shaders and its own programs see it.
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

using Matrix = std::array<GLfloat, 16>;

class DerivedStateTest : public FixedFunctionTest {
protected:
    void prepare() override { make_target({4, 4, GL_RGBA32F}); }
    /// What `expression` of GLSL 1.20 is in a fragment.
    static Float4 value(const std::string& expression) {
        gl::ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
        gl::UseProgram(
            link({{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; }"},
                  {GL_FRAGMENT_SHADER,
                   "#version 120\nvoid main() { gl_FragColor = " + expression + "; }"}}));
        quad();
        gl::UseProgram(0);
        return pixel_float(0, 0);
    }
};

// GLSL 1.20, 7.5: the cosine of the cutoff, which is 180 degrees for a light that is no spot.
TEST_F(DerivedStateTest, CosineOfALightThatIsNoSpot) {
    const std::string cosines = "vec4(gl_LightSource[0].spotCosCutoff, "
                                "gl_LightSource[1].spotCosCutoff, 0, 0)";
    const auto cut_off = [](float degrees) { gl::Lightfv(GL_LIGHT0, GL_SPOT_CUTOFF, &degrees); };
    EXPECT_EQ(value(cosines), (Float4{-1, -1, 0, 0}));
    cut_off(60);
    EXPECT_NEAR(value(cosines)[0], 0.5F, 1e-6F);
    cut_off(90);
    EXPECT_NEAR(value(cosines)[0], 0, 1e-6F);
    cut_off(180);
    EXPECT_EQ(value(cosines)[0], -1);
}

// An inverse is of the matrix that is there, whichever was before.
TEST_F(DerivedStateTest, InversesOfMatricesInTurn) {
    constexpr Matrix affine{0.8F, 0.6F, 0, 0, -0.6F, 0.8F, 0, 0, 0, 0, 2, 0, 0.1F, 0.2F, 0.3F, 1};
    constexpr Matrix turned{0.8F, 0.6F, 0, 0, -0.6F, 0.8F, 0, 0, 0, 0, 1, 0, 0.1F, 0.2F, 0.3F, 1};
    constexpr Matrix projective{1, 0, 0, 0.2F, 0, 1, 0, 0.3F, 0, 0, 1, 0.1F, 0, 0, -2.2F, 1};
    const std::string last_row = "vec4(m[0][3], m[1][3], m[2][3], m[3][3])";
    for (const auto& [mode, name] : {std::pair{GL_PROJECTION, "gl_ProjectionMatrixInverse"},
                                     {GL_MODELVIEW, "gl_ModelViewMatrixInverse"},
                                     {GL_TEXTURE, "gl_TextureMatrixInverse[0]"}}) {
        gl::MatrixMode(mode);
        std::string row = last_row;
        for (size_t at = 0; (at = row.find("m[", at)) != std::string::npos; at += 1)
            row.replace(at, 1, name);
        for (const Matrix& behind : {affine, turned}) {
            gl::LoadMatrixf(projective.data());
            EXPECT_NE(value(row), (Float4{0, 0, 0, 1}));
            gl::LoadMatrixf(behind.data());
            EXPECT_EQ(value(row), (Float4{0, 0, 0, 1})) << name;
        }
        gl::LoadIdentity();
    }
}

// 12.2.3: what a colour gives a material stays there, whether or not something was drawn between.
TEST_F(DerivedStateTest, MaterialsKeepTheirColours) {
    const auto get = gl_function<void(APIENTRY*)(GLenum, GLenum, GLfloat*)>("glGetMaterialfv");
    const auto follow = gl_function<void(APIENTRY*)(GLenum, GLenum)>("glColorMaterial");
    const Float4 first{0.1F, 0.2F, 0.3F, 0.4F};
    const Float4 second{0.5F, 0.6F, 0.7F, 0.8F};
    const Float4 third{0.4F, 0.3F, 0.2F, 0.1F};
    for (const bool draws : {false, true}) {
        for (const bool changes : {false, true}) {
            gl::Disable(GL_COLOR_MATERIAL);
            follow(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE);
            gl::Materialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, first.data());
            gl::Color4f(1, 1, 1, 1);
            if (draws)
                quad();
            gl::Color4f(second[0], second[1], second[2], second[3]);
            gl::Enable(GL_COLOR_MATERIAL);
            if (changes)
                gl::Color4f(third[0], third[1], third[2], third[3]);
            follow(GL_FRONT_AND_BACK, GL_EMISSION);
            if (draws)
                quad();
            Float4 diffuse{};
            Float4 emission{};
            get(GL_FRONT, GL_DIFFUSE, diffuse.data());
            get(GL_FRONT, GL_EMISSION, emission.data());
            EXPECT_EQ(diffuse, changes ? third : second) << draws << changes;
            EXPECT_EQ(emission, diffuse);
        }
    }
}

// 16.3: a separate specular colour is added where GL lights, not where a shader stands for it.
TEST_F(DerivedStateTest, ColourSumBehindAShader) {
    gl::Enable(GL_LIGHTING);
    gl::LightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = "
                            "vec4(0.25); gl_FrontSecondaryColor = vec4(0.5); }"}}));
    for (const bool sum : {false, true, false}) {
        (sum ? gl::Enable : gl::Disable)(GL_COLOR_SUM);
        quad();
        EXPECT_EQ(pixel_float(0, 0)[0], sum ? 0.75F : 0.25F);
    }
}

// Table 10.3: normals of ten bits a component.
TEST_F(DerivedStateTest, PackedNormals) {
    const GLuint most = 511;
    const std::vector<GLuint> packed(4, most | 0 << 10 | (0x3FF & -511) << 20 | 1U << 30);
    const std::vector<float> corners{-1, -1, 1, -1, 1, 1, -1, 1};
    gl::NormalPointer(GL_INT_2_10_10_10_REV, 0, packed.data());
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    gl::VertexPointer(2, GL_FLOAT, 0, corners.data());
    gl::EnableClientState(GL_NORMAL_ARRAY);
    gl::EnableClientState(GL_VERTEX_ARRAY);
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, "#version 120\nvarying vec3 normal; void main() { gl_Position = "
                            "gl_Vertex; normal = gl_Normal; }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvarying vec3 normal; void main() { gl_FragColor = "
                              "vec4(normal * 0.5 + 0.5, 1); }"}}));
    gl::DrawArrays(GL_QUADS, 0, 4);
    EXPECT_EQ(pixel_float(0, 0), (Float4{1, 0.5F, 0, 1}));
}

// 16.2: a unit that the vertex shader reads textures the fixed function's fragments as well.
TEST_F(DerivedStateTest, AUnitOfTwoStages) {
    one_texel({0, 51, 102, 255});
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 120\nuniform sampler2D t; void main() { gl_Position = "
                                 "gl_Vertex; gl_FrontColor = vec4(1.0 + texture2DLod(t, vec2(0.5), "
                                 "0.0).r); gl_TexCoord[0] = vec4(0.5); }"}});
    gl::UseProgram(program);
    quad();
    const Float4 found = pixel_float(0, 0);
    EXPECT_NEAR(found[1], 0.2F, 1e-3F);
    EXPECT_NEAR(found[2], 0.4F, 1e-3F);
    gl::Disable(GL_TEXTURE_2D);
    quad();
    EXPECT_EQ(pixel_float(0, 0), (Float4{1, 1, 1, 1}));
}

// 8.17: completeness follows what glPopAttrib restores.
TEST_F(DerivedStateTest, LevelsThatArePopped) {
    one_texel(kRed);
    gl::Color4f(0, 1, 0, 1);
    const auto textured = [] {
        quad();
        return pixel_float(0, 0) == Float4{0, 0, 0, 1};
    };
    EXPECT_TRUE(textured());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 5);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1); // there is none
    gl::PushAttrib(GL_TEXTURE_BIT);
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    EXPECT_TRUE(textured());
    gl::PopAttrib();
    EXPECT_FALSE(textured());
}

// How many levels a texture has is nothing that is pushed (table 23.17).
TEST_F(DerivedStateTest, LevelsOfStorageThatCameAfterAPush) {
    if (!has_version(4, 3)) {
        GTEST_SKIP() << "OpenGL 4.3 is not offered";
    }
    new_texture(GL_TEXTURE_2D);
    gl::PushAttrib(GL_TEXTURE_BIT);
    gl::TexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 4, 4);
    gl::PopAttrib();
    GLint levels = 0;
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_LEVELS, &levels);
    EXPECT_EQ(levels, 3);
    gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_VIEW_NUM_LEVELS, &levels);
    EXPECT_EQ(levels, 3);
}

// 8.4.4.1: each glDrawPixels unpacks by itself, from the same memory too.
TEST_F(DerivedStateTest, DrawnPixelsThatWereSwapped) {
    make_target({4, 4, GL_RGBA8});
    const std::vector<GLuint> texels(16, 0x00FF00FFU); // green, opaque
    gl::RasterPos2f(-1, -1);
    for (const bool swaps : {true, false, true, false}) {
        gl::PixelStorei(GL_UNPACK_SWAP_BYTES, swaps);
        gl::DrawPixels(4, 4, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, texels.data());
        expect_pixel(1, 1, swaps ? Byte4{255, 0, 255, 0} : kGreen);
    }
}

// ATI_fragment_shader, table X.6: it belongs to what is enabled.
TEST_F(DerivedStateTest, ATIShadersThatArePopped) {
    if (!has_extension("GL_ATI_fragment_shader")) {
        GTEST_SKIP() << "no GL_ATI_fragment_shader";
    }
    const auto enabled = gl_function<GLboolean(APIENTRY*)(GLenum)>("glIsEnabled");
    gl::PushAttrib(GL_ENABLE_BIT);
    gl::Enable(GL_FRAGMENT_SHADER_ATI);
    gl::PopAttrib();
    EXPECT_FALSE(enabled(GL_FRAGMENT_SHADER_ATI));
    gl::Enable(GL_FRAGMENT_SHADER_ATI);
    gl::PushAttrib(GL_ENABLE_BIT);
    gl::Disable(GL_FRAGMENT_SHADER_ATI);
    gl::PopAttrib();
    EXPECT_TRUE(enabled(GL_FRAGMENT_SHADER_ATI));
}

TEST_F(DerivedStateTest, SwizzlesThatArePopped) {
    for (const bool named : {true, false}) {
        gl::BindTexture(GL_TEXTURE_2D, 0);
        if (named) {
            one_texel(kRed);
        } else {
            gl::TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                           kRed.data());
            gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        }
        gl::Color4f(1, 1, 1, 1);
        gl::PushAttrib(GL_TEXTURE_BIT);
        gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_GREEN);
        quad();
        EXPECT_EQ(pixel_float(0, 0), (Float4{0, 0, 0, 1})) << named;
        gl::PopAttrib();
        quad();
        EXPECT_EQ(pixel_float(0, 0), (Float4{1, 0, 0, 1})) << named;
    }
}

// 17.3.2: depths that are drawn have the raster position's alpha.
TEST_F(DerivedStateTest, DrawnDepthsAreTestedForAlpha) {
    make_target({4, 4, GL_RGBA8, GL_DEPTH24_STENCIL8});
    const std::vector<float> depths(16, 0.25F);
    gl::Enable(GL_DEPTH_TEST);
    gl::DepthFunc(GL_ALWAYS);
    gl::Color4f(1, 1, 1, 0.5F);
    gl::RasterPos2f(-1, -1);
    gl::Enable(GL_ALPHA_TEST);
    for (const auto& [function, passes] :
         {std::pair{GL_NEVER, false}, {GL_LESS, true}, {GL_GREATER, false}, {GL_ALWAYS, true}}) {
        gl::ClearDepth(1);
        gl::Clear(GL_DEPTH_BUFFER_BIT);
        gl::AlphaFunc(function, 0.75F);
        gl::DrawPixels(4, 4, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
        float depth = 0;
        gl::ReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        EXPECT_NEAR(depth, passes ? 0.25F : 1, 1e-3F) << std::hex << function;
    }
}

// Each unit's bias is pushed, whether or not it has a texture.
TEST_F(DerivedStateTest, BiasesOfAllUnits) {
    GLint units = 0;
    gl::GetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &units);
    const auto set = gl_function<void(APIENTRY*)(GLenum, GLenum, GLfloat)>("glTexEnvf");
    const auto get = gl_function<void(APIENTRY*)(GLenum, GLenum, GLfloat*)>("glGetTexEnvfv");
    const auto bias = [&](int unit) {
        gl::ActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
        GLfloat found = 0;
        get(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, &found);
        return found;
    };
    const auto set_all = [&](float first) {
        for (int unit = 0; unit < units; ++unit) {
            gl::ActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
            set(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, first + static_cast<float>(unit));
        }
    };
    gl::ActiveTexture(GL_TEXTURE5);
    new_texture(GL_TEXTURE_2D);
    set_all(1);
    gl::PushAttrib(GL_TEXTURE_BIT);
    set_all(0.5F);
    gl::PopAttrib();
    for (int unit = 0; unit < units; ++unit) {
        EXPECT_EQ(bias(unit), 1 + static_cast<float>(unit));
    }
}

// ARB_transpose_matrix: of the active unit.
TEST_F(DerivedStateTest, TransposedMatricesOfUnits) {
    gl::MatrixMode(GL_TEXTURE);
    for (const int unit : {0, 1, 2}) {
        gl::ActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
        Matrix matrix{};
        matrix[4] = static_cast<GLfloat>(unit + 5);
        gl::LoadMatrixf(matrix.data());
        Matrix transposed{};
        gl::GetFloatv(GL_TRANSPOSE_TEXTURE_MATRIX, transposed.data());
        EXPECT_EQ(transposed[1], matrix[4]);
    }
}

// 14.4: coordinates are replaced in fragments of points, not of what else is drawn meanwhile.
TEST_F(DerivedStateTest, SpritesLeaveTrianglesTheirCoordinates) {
    make_black_target({kSize, kSize});
    const std::vector<Byte4> halves{kRed, kGreen};
    texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, halves.data());
    gl::Enable(GL_TEXTURE_2D);
    gl::Enable(GL_POINT_SPRITE);
    gl::TexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    quad();
    expect_pixel(2, 2, kRed);
    expect_pixel(kSize - 3, 2, kGreen);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    gl::PointSize(16);
    gl::Begin(GL_POINTS);
    gl::TexCoord2f(0, 0);
    gl::Vertex2f(0, 0);
    gl::End();
    expect_pixel(kSize / 2 - 6, kSize / 2, kRed);
    expect_pixel(kSize / 2 + 6, kSize / 2, kGreen);
}

} // namespace
} // namespace kobalt::gltest
