// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "fixed_function.h"

namespace kobalt::gltest {
namespace {

TEST_F(FixedFunctionTest, MatrixStacks) {
    gl::MatrixMode(GL_PROJECTION);
    gl::LoadIdentity();
    gl::Ortho(0, kSize, 0, kSize, -1, 1);
    gl::MatrixMode(GL_MODELVIEW);
    gl::LoadIdentity();
    gl::Color4f(0, 1, 0, 1);
    gl::PushMatrix();
    gl::Translatef(4, 8, 0);
    gl::Scalef(2, 2, 1);
    quad(0, 0, 4, 4);
    gl::PopMatrix();
    quad(20, 20, 24, 24);
    expect_area(4, 8, 8, 8, kGreen);
    expect_area(20, 20, 4, 4, kGreen);
    EXPECT_EQ(lit(), 80);
}

TEST_F(FixedFunctionTest, ColoursInterpolateOrNot) {
    gl::Begin(GL_TRIANGLES);
    gl::Color3f(1, 0, 0);
    gl::Vertex2f(-1, -1);
    gl::Color3f(1, 0, 0);
    gl::Vertex2f(3, -1);
    gl::Color3f(0, 0, 1);
    gl::Vertex2f(-1, 3);
    gl::End();
    const Byte4 middle = pixel(4, 16);
    EXPECT_NEAR(middle[2], 255 * 16.5 / 64, 3);
    gl::ShadeModel(GL_FLAT);
    gl::Begin(GL_TRIANGLES);
    gl::Color3f(1, 0, 0);
    gl::Vertex2f(-1, -1);
    gl::Color3f(1, 0, 0);
    gl::Vertex2f(3, -1);
    gl::Color3f(0, 1, 0);
    gl::Vertex2f(-1, 3);
    gl::End();
    expect_area(0, 0, kSize, kSize, kGreen);
}

TEST_F(FixedFunctionTest, AlphaTest) {
    gl::Enable(GL_ALPHA_TEST);
    struct Case {
        GLenum function;
        std::array<bool, 3> pass; // for alpha 0.25, 0.5, 0.75 against 0.5
    };
    for (const Case& test :
         {Case{GL_NEVER, {0, 0, 0}}, Case{GL_LESS, {1, 0, 0}}, Case{GL_LEQUAL, {1, 1, 0}},
          Case{GL_GREATER, {0, 0, 1}}, Case{GL_GEQUAL, {0, 1, 1}}, Case{GL_NOTEQUAL, {1, 0, 1}},
          Case{GL_EQUAL, {0, 1, 0}}, Case{GL_ALWAYS, {1, 1, 1}}}) {
        for (size_t i = 0; i < 3; ++i) {
            clear_to_black();
            gl::AlphaFunc(test.function, 0.5F);
            gl::Color4f(0, 1, 0, 0.25F * static_cast<float>(i + 1));
            quad();
            EXPECT_EQ(pixel(5, 5)[1] == 255, test.pass[i])
                << "function 0x" << std::hex << test.function << " alpha " << i;
        }
    }
    gl::Disable(GL_ALPHA_TEST);
}

TEST_F(FixedFunctionTest, UserClipPlanes) {
    gl::Color4f(0, 1, 0, 1);
    const std::array<GLdouble, 4> right{1, 0, 0, 0};
    const std::array<GLdouble, 4> low{0, -1, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE0, right.data());
    gl::ClipPlane(GL_CLIP_PLANE3, low.data());
    gl::Enable(GL_CLIP_PLANE0);
    quad();
    expect_area(16, 0, 16, 32, kGreen);
    EXPECT_EQ(lit(), 512);
    clear_to_black();
    gl::Enable(GL_CLIP_PLANE3);
    quad();
    expect_area(16, 0, 16, 16, kGreen);
    EXPECT_EQ(lit(), 256);
    gl::Disable(GL_CLIP_PLANE0);
    gl::Disable(GL_CLIP_PLANE3);
}

TEST_F(FixedFunctionTest, ClipVertexInAShader) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_ClipVertex = "
                            "vec4(-gl_Vertex.x, gl_Vertex.yzw); }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); }"}});
    const std::array<GLdouble, 4> right{1, 0, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE0, right.data());
    gl::Enable(GL_CLIP_PLANE0);
    gl::UseProgram(program);
    quad();
    gl::UseProgram(0);
    gl::Disable(GL_CLIP_PLANE0);
    expect_area(0, 0, 16, 32, kGreen);
    EXPECT_EQ(lit(), 512);
}

/// Programs without uniforms of their own: the planes are the only constants that they get, and the
/// context has drawn before them.
TEST_F(FixedFunctionTest, ClipPlanesOfProgramsWithoutUniforms) {
    quad();
    const Stage vertex{GL_VERTEX_SHADER, "#version 150 compatibility\nvoid main() { gl_Position = "
                                         "gl_Vertex; gl_ClipVertex = gl_Vertex; }"};
    const Stage fragment{GL_FRAGMENT_SHADER,
                         "#version 150 compatibility\nvoid main() { gl_FragColor = "
                         "vec4(0, 1, 0, 1); }"};
    const Stage evaluation{
        GL_TESS_EVALUATION_SHADER,
        "#version 150 compatibility\n#extension GL_ARB_tessellation_shader : require\n"
        "layout(quads) in; void main() { gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0, 1); "
        "gl_ClipVertex = gl_Position; }"};
    const std::array<GLdouble, 4> right{1, 0, 0, 0};
    const std::array<GLdouble, 4> left{-1, 0, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE0, right.data());
    gl::ClipPlane(GL_CLIP_PLANE1, left.data());
    for (const bool tessellated : {false, true}) {
        if (tessellated && !has_extension("GL_ARB_tessellation_shader")) {
            continue;
        }
        SCOPED_TRACE(tessellated ? "tessellated" : "a vertex shader");
        gl::UseProgram(tessellated ? link({vertex, evaluation, fragment})
                                   : link({vertex, fragment}));
        const auto draw = [&] {
            clear_to_black();
            if (tessellated) {
                gl::PatchParameteri(GL_PATCH_VERTICES, 1);
                gl::DrawArrays(GL_PATCHES, 0, 1);
            } else {
                quad();
            }
        };
        draw();
        EXPECT_EQ(lit(), 1024);
        gl::Enable(GL_CLIP_PLANE0);
        draw();
        expect_area(16, 0, 16, 32, kGreen);
        EXPECT_EQ(lit(), 512);
        gl::Disable(GL_CLIP_PLANE0);
        gl::Enable(GL_CLIP_PLANE1);
        draw();
        expect_area(0, 0, 16, 32, kGreen);
        EXPECT_EQ(lit(), 512);
        gl::Disable(GL_CLIP_PLANE1);
    }
    gl::UseProgram(0);
}

TEST_F(FixedFunctionTest, TwoSidedColour) {
    const GLuint program = link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex; gl_FrontColor = "
                            "vec4(0, 1, 0, 1); gl_BackColor = vec4(1, 0, 0, 1); }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = gl_Color; }"}});
    gl::UseProgram(program);
    gl::Enable(GL_VERTEX_PROGRAM_TWO_SIDE);
    quad(-1, -1, 0, 1);
    quad(1, -1, 0, 1);
    gl::Disable(GL_VERTEX_PROGRAM_TWO_SIDE);
    gl::UseProgram(0);
    expect_area(0, 0, 16, 32, kGreen);
    expect_area(16, 0, 16, 32, kRed);
}

TEST_F(FixedFunctionTest, TwoSidedLighting) {
    gl::Enable(GL_LIGHTING);
    gl::Enable(GL_LIGHT0);
    gl::LightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    const std::array<float, 4> black{0, 0, 0, 1};
    const std::array<float, 4> green{0, 1, 0, 1};
    const std::array<float, 4> red{1, 0, 0, 1};
    const std::array<float, 4> white{1, 1, 1, 1};
    const std::array<float, 4> toward{0, 0, 1, 0};
    const std::array<float, 4> away{0, 0, -1, 0};
    gl::LightModelfv(GL_LIGHT_MODEL_AMBIENT, black.data());
    gl::Lightfv(GL_LIGHT0, GL_DIFFUSE, white.data());
    gl::Lightfv(GL_LIGHT0, GL_SPECULAR, black.data());
    gl::Materialfv(GL_FRONT, GL_DIFFUSE, green.data());
    gl::Materialfv(GL_BACK, GL_DIFFUSE, red.data());
    gl::Normal3f(0, 0, 1);
    gl::Lightfv(GL_LIGHT0, GL_POSITION, toward.data());
    quad(-1, -1, 0, 1);
    gl::Lightfv(GL_LIGHT0, GL_POSITION, away.data());
    quad(1, -1, 0, 1);
    expect_area(0, 0, 16, 32, kGreen);
    expect_area(16, 0, 16, 32, kRed);
    gl::Disable(GL_LIGHTING);
}

TEST_F(FixedFunctionTest, SeparateSpecularColour) {
    one_texel({0, 0, 0, 255});
    gl::Enable(GL_LIGHTING);
    gl::Enable(GL_LIGHT0);
    const std::array<float, 4> green{0, 1, 0, 1};
    const std::array<float, 4> black{0, 0, 0, 1};
    const std::array<float, 4> toward{0, 0, 1, 0};
    gl::Materialfv(GL_FRONT_AND_BACK, GL_SPECULAR, green.data());
    gl::Lightfv(GL_LIGHT0, GL_POSITION, toward.data());
    gl::LightModelfv(GL_LIGHT_MODEL_AMBIENT, black.data());
    gl::Normal3f(0, 0, 1);
    gl::LightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SINGLE_COLOR);
    quad();
    expect_pixel(16, 16, kBlack);
    gl::LightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR);
    quad();
    expect_pixel(16, 16, kGreen, 2);
    gl::Disable(GL_LIGHTING);
    gl::Disable(GL_TEXTURE_2D);
}

TEST_F(FixedFunctionTest, TextureEnvironments) {
    one_texel({204, 102, 51, 128});
    gl::Color4f(0.5F, 0.25F, 1.0F, 0.5F);
    const std::array<float, 4> constant{1, 0, 0, 1};
    gl::TexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant.data());
    struct Case {
        GLint mode;
        Byte4 expected;
    };
    for (const Case& test :
         {Case{GL_REPLACE, {204, 102, 51, 128}}, Case{GL_MODULATE, {102, 26, 51, 64}},
          Case{GL_DECAL, {166, 83, 153, 128}}, Case{GL_BLEND, {230, 38, 204, 64}},
          Case{GL_ADD, {255, 166, 255, 64}}}) {
        gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, test.mode);
        quad();
        expect_pixel(9, 9, test.expected, 2);
    }
    gl::Disable(GL_TEXTURE_2D);
}

TEST_F(FixedFunctionTest, TextureCombine) {
    one_texel({204, 102, 51, 255});
    gl::Color4f(0.5F, 0.5F, 0.5F, 1);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_ADD_SIGNED);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_TEXTURE);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_SOURCE1_RGB, GL_PRIMARY_COLOR);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_RGB, GL_ONE_MINUS_SRC_COLOR);
    quad();
    expect_pixel(9, 9, {51, 153, 204, 255}, 2);
    gl::TexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    gl::Disable(GL_TEXTURE_2D);
}

TEST_F(FixedFunctionTest, TwoTextureUnits) {
    one_texel({255, 255, 0, 255});
    gl::ActiveTexture(GL_TEXTURE1);
    one_texel({0, 255, 255, 255});
    gl::Color4f(1, 1, 1, 1);
    quad();
    expect_pixel(9, 9, kGreen);
    gl::Disable(GL_TEXTURE_2D);
    gl::ActiveTexture(GL_TEXTURE0);
    gl::Disable(GL_TEXTURE_2D);
}

TEST_F(FixedFunctionTest, TextureMatrixAndGeneration) {
    const std::array<std::uint8_t, 8> texels{255, 0, 0, 255, 0, 255, 0, 255};
    texture_2d(GL_RGBA8, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::Enable(GL_TEXTURE_2D);
    gl::Color4f(1, 1, 1, 1);
    gl::MatrixMode(GL_TEXTURE);
    gl::Translatef(1, 0, 0);
    gl::Scalef(-1, 1, 1);
    quad();
    expect_pixel(4, 4, kGreen);
    expect_pixel(28, 4, kRed);
    gl::LoadIdentity();
    gl::MatrixMode(GL_MODELVIEW);
    gl::TexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    const std::array<float, 4> plane{0, 0.5F, 0, 0.5F};
    gl::TexGenfv(GL_S, GL_OBJECT_PLANE, plane.data());
    gl::Enable(GL_TEXTURE_GEN_S);
    quad();
    gl::Disable(GL_TEXTURE_GEN_S);
    expect_pixel(4, 4, kRed);
    expect_pixel(4, 28, kGreen);
    gl::Disable(GL_TEXTURE_2D);
}

TEST_F(FixedFunctionTest, LinearFog) {
    gl::Enable(GL_FOG);
    gl::Fogi(GL_FOG_MODE, GL_LINEAR);
    gl::Fogf(GL_FOG_START, 0.0F);
    gl::Fogf(GL_FOG_END, 1.0F);
    const std::array<float, 4> blue{0, 0, 1, 1};
    gl::Fogfv(GL_FOG_COLOR, blue.data());
    gl::Color4f(1, 0, 0, 1);
    quad(-1, -1, 1, 1, -0.25F);
    expect_pixel(16, 16, {191, 0, 64, 255}, 2);
    quad(-1, -1, 1, 1, -1.0F);
    expect_pixel(16, 16, kBlue, 2);
    gl::Disable(GL_FOG);
}

TEST_F(FixedFunctionTest, ExponentialFogAndFogCoordinates) {
    gl::Enable(GL_FOG);
    gl::Fogi(GL_FOG_MODE, GL_EXP);
    gl::Fogf(GL_FOG_DENSITY, 2.0F);
    const std::array<float, 4> black{0, 0, 0, 1};
    gl::Fogfv(GL_FOG_COLOR, black.data());
    gl::Color4f(0, 1, 0, 1);
    quad(-1, -1, 1, 1, -0.5F);
    expect_pixel(16, 16, {0, 94, 0, 255}, 3);
    gl::Fogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    gl::FogCoordf(0.25F);
    quad(-1, -1, 1, 1, -0.5F);
    expect_pixel(16, 16, {0, 155, 0, 255}, 3);
    gl::Disable(GL_FOG);
}

TEST_F(FixedFunctionTest, LineStipple) {
    gl::Color4f(0, 1, 0, 1);
    gl::Enable(GL_LINE_STIPPLE);
    gl::LineStipple(2, 0x5555);
    gl::Begin(GL_LINES);
    gl::Vertex2f(at(0), at(8));
    gl::Vertex2f(at(31), at(8));
    gl::End();
    gl::Disable(GL_LINE_STIPPLE);
    // Two on, two off, from the first vertex.
    const Picture picture = read_picture(kSize, kSize);
    for (int x = 0; x < 28; ++x) {
        EXPECT_EQ(picture.at(x, 8)[1] == 255, x % 4 < 2) << "column " << x;
    }
}

TEST_F(FixedFunctionTest, PolygonStipple) {
    std::array<GLubyte, 128> mask{};
    for (size_t i = 0; i < mask.size(); ++i) {
        mask[i] = (i / 4) % 2 ? 0xAA : 0x55;
    }
    gl::PolygonStipple(mask.data());
    gl::Enable(GL_POLYGON_STIPPLE);
    gl::Color4f(0, 1, 0, 1);
    quad();
    gl::Disable(GL_POLYGON_STIPPLE);
    EXPECT_EQ(lit(), kSize * kSize / 2);
    expect_pixel(0, 0, kBlack);
    expect_pixel(1, 0, kGreen);
    expect_pixel(0, 1, kGreen);
}

TEST_F(FixedFunctionTest, OldShadersWithBuiltins) {
    const GLuint program =
        link({{GL_VERTEX_SHADER, "#version 110\nvarying vec3 n; void main() { gl_Position = "
                                 "ftransform(); gl_TexCoord[0] = "
                                 "gl_TextureMatrix[0] * gl_MultiTexCoord0; gl_FrontColor = "
                                 "gl_Color; n = gl_NormalMatrix * "
                                 "gl_Normal; }"},
              {GL_FRAGMENT_SHADER, "#version 110\nuniform sampler2D t; varying vec3 n; void main() "
                                   "{ gl_FragColor = gl_Color * "
                                   "texture2D(t, gl_TexCoord[0].st) * vec4(n, 1.0); }"}});
    one_texel({255, 255, 255, 255});
    gl::UseProgram(program);
    gl::Color4f(1, 1, 0, 1);
    gl::Normal3f(0, 1, 0);
    quad();
    gl::UseProgram(0);
    gl::Disable(GL_TEXTURE_2D);
    expect_area(0, 0, kSize, kSize, kGreen);
}

} // namespace
} // namespace kobalt::gltest
