// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <EGL/egl.h>

#include "support.h"

// glRasterPos and feedback run the program's vertex shader (OpenGL 4.6 compatibility, 14.8 and
// 21.4): Mesa does so on the CPU, with what is bound for it mapped.

namespace kobalt::gltest {
namespace {

using Vec4 = std::array<GLfloat, 4>;

constexpr int kSide = 32;

class RasterPosTest : public CompatTest {
protected:
    Missing missing() const override { return lacks(4, 3); }
    void prepare() override {
        make_target({.width = kSide, .height = kSide});
        gl::Viewport(0, 0, kSide, kSide);
    }

    /// Uses a program whose vertex shader reads `declared` and writes what `body` says.
    static GLuint use(const std::string& declared, const std::string& body) {
        const GLuint program =
            link({{GL_VERTEX_SHADER,
                   "#version 430 compatibility\n" + declared + "\nvoid main() {" + body + "}\n"},
                  {GL_FRAGMENT_SHADER, "#version 430 compatibility\n"
                                       "void main() { gl_FragColor = gl_Color; }"}});
        EXPECT_NE(program, 0U);
        gl::UseProgram(program);
        return program;
    }

    static void expect_raster(const Vec4& position, const Vec4& colour) {
        gl::RasterPos2i(0, 0);
        Vec4 seen{};
        gl::GetFloatv(GL_CURRENT_RASTER_POSITION, seen.data());
        for (size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(seen[i], position[i], 1e-3F) << "position " << i;
        gl::GetFloatv(GL_CURRENT_RASTER_COLOR, seen.data());
        for (size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(seen[i], colour[i], 1e-3F) << "colour " << i;
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
    }

    static GLuint buffer(GLenum target, GLuint binding, const std::vector<GLfloat>& values) {
        const GLuint made = make_buffer(target, values, GL_STATIC_DRAW);
        gl::BindBufferBase(target, binding, made);
        return made;
    }
};

constexpr Vec4 kPosition{24, 8, 0.5F, 1}; // of (0.5, -0.5, 0)
const std::vector<GLfloat> kValues{9, 9, 9, 9, 0.5F, -0.5F, 0, 1, 0.25F, 0.5F, 0.75F, 1};

TEST_F(RasterPosTest, ReadsUniformBlocks) {
    const GLuint program = use(
        "layout(std140, binding = 3) uniform Other { vec4 other; };\n"
        "layout(std140, binding = 1) uniform Block { vec4 skipped; vec4 position; vec4 colour; };\n"
        "uniform float half_of;",
        "gl_Position = position + other; gl_FrontColor = colour * half_of;");
    buffer(GL_UNIFORM_BUFFER, 1, kValues);
    buffer(GL_UNIFORM_BUFFER, 3, {0, 0, 0, 0});
    gl::Uniform1f(gl::GetUniformLocation(program, "half_of"), 0.5F);
    expect_raster(kPosition, {0.125F, 0.25F, 0.375F, 0.5F});
}

TEST_F(RasterPosTest, ReadsBlocksByIndex) {
    const GLuint program =
        use("layout(std140, binding = 1) uniform Block { vec4 value; } blocks[3];\n"
            "uniform int which;",
            "gl_Position = blocks[which].value; gl_FrontColor = blocks[which + 1].value;");
    buffer(GL_UNIFORM_BUFFER, 1, {9, 9, 9, 9});
    buffer(GL_UNIFORM_BUFFER, 2, {0.5F, -0.5F, 0, 1});
    buffer(GL_UNIFORM_BUFFER, 3, {0.25F, 0.5F, 0.75F, 1});
    gl::Uniform1i(gl::GetUniformLocation(program, "which"), 1);
    expect_raster(kPosition, {0.25F, 0.5F, 0.75F, 1});
}

TEST_F(RasterPosTest, ReadsStorageBuffers) {
    GLint blocks = 0;
    gl::GetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
    if (!blocks)
        GTEST_SKIP() << "vertex shaders have no storage buffers";
    use("layout(std430, binding = 1) readonly buffer Block { float count[]; };",
        "int n = count.length() / 3; "
        "gl_Position = vec4(count[n], count[n + 1], count[n + 2], count[n + 3]);"
        "gl_FrontColor = vec4(count[2 * n], count[2 * n + 1], count[2 * n + 2], count[2 * n + "
        "3]);");
    buffer(GL_SHADER_STORAGE_BUFFER, 1, kValues);
    expect_raster(kPosition, {0.25F, 0.5F, 0.75F, 1});
    // What was mapped before isn't there any more: nothing is read.
    gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, 0);
    use("layout(std430, binding = 1) readonly buffer Block { vec4 value; };",
        "gl_Position = vec4(0.5, -0.5, value.x, 1.0); gl_FrontColor = value;");
    expect_raster(kPosition, {0, 0, 0, 0});
}

// Undefined values, but values.
TEST_F(RasterPosTest, WhatIsNotThereIsNoCrash) {
    use("layout(std140, binding = 1) uniform Block { vec4 value; };",
        "gl_Position = vec4(0.5, -0.5, 0.0, 1.0) + 0.0 * value;");
    gl::RasterPos2i(0, 0);
    GLint images = 0;
    gl::GetIntegerv(GL_MAX_VERTEX_IMAGE_UNIFORMS, &images);
    if (images) {
        use("layout(rgba32f) readonly uniform image1D picture;",
            "gl_Position = imageLoad(picture, imageSize(picture) - 1);");
        gl::RasterPos2i(0, 0);
    }
    use("uniform sampler2D picture;",
        "gl_Position = texelFetch(picture, textureSize(picture, 0) - 1, 0) + "
        "textureLod(picture, vec2(0.5), 0.0);");
    gl::RasterPos2i(0, 0);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(RasterPosTest, FeedbackReadsBlocksToo) {
    use("layout(std140, binding = 1) uniform Block { vec4 skipped; vec4 position; };",
        "gl_Position = position;");
    buffer(GL_UNIFORM_BUFFER, 1, kValues);
    std::array<GLfloat, 16> values{};
    gl::FeedbackBuffer(16, GL_3D, values.data());
    gl::RenderMode(GL_FEEDBACK);
    gl::DrawArrays(GL_POINTS, 0, 1);
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 4);
    EXPECT_EQ(values[0], static_cast<GLfloat>(GL_POINT_TOKEN));
    EXPECT_NEAR(values[1], 24, 1e-3F);
    EXPECT_NEAR(values[2], 8, 1e-3F);
}

// GL 4.6, 10.2.1: what a shader reads of an attribute that was set in another type is undefined; it
// crashed.
TEST_F(RasterPosTest, AttributeOfDoublesInAShaderOfFloats) {
    if (!has_version(4, 5))
        GTEST_SKIP() << "attributes of doubles need OpenGL 4.1, this shader 4.5";
    gl::UseProgram(link({{GL_VERTEX_SHADER, "#version 450 compatibility\n"
                                            "layout(location = 0) in vec4 value;\n"
                                            "void main() { gl_Position = value; }"},
                         {GL_FRAGMENT_SHADER, "#version 450 compatibility\n"
                                              "void main() { gl_FragColor = vec4(1); }"}}));
    const auto vertex_attrib_l1d =
        reinterpret_cast<PFNGLVERTEXATTRIBL1DPROC>(eglGetProcAddress("glVertexAttribL1d"));
    ASSERT_NE(vertex_attrib_l1d, nullptr);
    vertex_attrib_l1d(0, -1.0);
    gl::RasterPos2f(0.5F, -0.5F);
    EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

// GL 4.6 (compatibility), 14.8: the raster position is what the vertex shader puts out, whatever
// stage reads it next. It was taken away or moved for that stage, and the position was invalid.
TEST_F(RasterPosTest, VertexShadersBeforeOtherStages) {
    const std::string head = "#version 430 compatibility\n";
    const Stage vertex{GL_VERTEX_SHADER, head + "void main() { gl_Position = vec4(0.5, -0.5, 0, 1);"
                                                " gl_FrontColor = vec4(0.25, 0.5, 0.75, 1); }"};
    const Stage fragment{GL_FRAGMENT_SHADER,
                         head + "void main() { gl_FragColor = vec4(0, 1, 0, 1); }"};
    const auto geometry = [&](const std::string& position) {
        return Stage{GL_GEOMETRY_SHADER,
                     head +
                         "layout(points) in; layout(points, max_vertices = 1) out;"
                         "void main() { gl_Position = " +
                         position + "; EmitVertex(); }"};
    };
    const Stage control{GL_TESS_CONTROL_SHADER,
                        head + "layout(vertices = 1) out; void main() {"
                               "gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position;"
                               "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0; }"};
    const Stage evaluation{GL_TESS_EVALUATION_SHADER,
                           head + "layout(isolines) in;"
                                  "void main() { gl_Position = gl_in[0].gl_Position; }"};
    for (const std::vector<Stage>& stages :
         {std::vector{vertex, geometry("gl_in[0].gl_Position"), fragment},
          std::vector{vertex, geometry("vec4(0, 0, 0, 1)"), fragment},
          std::vector{vertex, control, evaluation, fragment}}) {
        gl::UseProgram(0);
        gl::RasterPos2i(0, 0); // another one
        gl::UseProgram(link(stages));
        expect_raster(kPosition, {0.25F, 0.5F, 0.75F, 1});
    }
}

// GL 4.6 (compatibility), Feedback: so are the colours and texture coordinates that feedback gives.
TEST_F(RasterPosTest, FeedbackHasWhatNoFragmentShaderReads) {
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, "#version 120\nvoid main() { gl_Position = gl_Vertex;"
                            "gl_FrontColor = vec4(0.25, 0.5, 0.75, 1);"
                            "gl_TexCoord[0] = vec4(1, 2, 3, 4); }"},
         {GL_FRAGMENT_SHADER, "#version 120\nvoid main() { gl_FragColor = vec4(0, 1, 0, 1); }"}}));
    std::array<GLfloat, 16> values{};
    gl::FeedbackBuffer(16, GL_3D_COLOR_TEXTURE, values.data());
    gl::RenderMode(GL_FEEDBACK);
    gl::Begin(GL_POINTS);
    gl::Vertex2f(0.5F, -0.5F);
    gl::End();
    EXPECT_EQ(gl::RenderMode(GL_RENDER), 12);
    const std::array<GLfloat, 8> expected{0.25F, 0.5F, 0.75F, 1, 1, 2, 3, 4};
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(values[4 + i], expected[i], 1e-3F) << i;
}

// Of doubles, in one slot and in two, and what lies behind them.
TEST_F(RasterPosTest, ReadsDoubles) {
    use("layout(location = 1) in dvec2 pair; layout(location = 2) in dvec4 four;"
        "layout(location = 4) in vec4 colour;",
        "gl_Position = vec4(pair.x + four.w, pair.y + four.z, four.xy); gl_FrontColor = colour;");
    gl::VertexAttribL2d(1, 0.25, -0.25);
    gl::VertexAttribL4d(2, 0, 1, -0.25, 0.25);
    gl::VertexAttrib4f(4, 0.25F, 0.5F, 0.75F, 1);
    for (int i = 0; i < 2; ++i)
        expect_raster(kPosition, {0.25F, 0.5F, 0.75F, 1});
}

// Texture coordinates that are as they begin, (0, 0, 0, 1), show a texture's first texel.
TEST_F(RasterPosTest, PixelsUnderTexturesOfOtherUnits) {
    gl::UseProgram(0);
    clear_to_black();
    gl::ActiveTexture(GL_TEXTURE1);
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::BindTexture(GL_TEXTURE_1D, texture);
    std::array<GLubyte, 32> texels{};
    for (size_t i = 0; i < texels.size(); i += 4) {
        texels[i + (i == 0 ? 1 : 0)] = texels[i + 3] = 255; // green, then red
    }
    gl::TexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::TexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl::TexParameteri(GL_TEXTURE_1D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl::Enable(GL_TEXTURE_1D);
    gl::RasterPos2f(-0.5F, -0.5F);
    const std::array<GLubyte, 8> white{255, 255, 255, 255, 255, 255, 255, 255};
    gl::DrawPixels(2, 1, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
    expect_pixel(kSide / 4, kSide / 4, kGreen);
    expect_pixel(kSide / 4 + 1, kSide / 4, kGreen);
    gl::Disable(GL_TEXTURE_1D);
    gl::ActiveTexture(GL_TEXTURE0);
}

// 14.7: the raster position keeps the clip coordinate w, and has the shader's fog coordinate.
TEST_F(RasterPosTest, WAndDistanceOfAShader) {
    gl::UseProgram(link({{GL_VERTEX_SHADER,
                          "#version 430 compatibility\nvoid main() { gl_Position = vec4(1, -1, 0, "
                          "2); gl_FrontColor = vec4(1); gl_FogFragCoord = 2.5; }"}}));
    expect_raster({24, 8, 0.5F, 2}, {1, 1, 1, 1});
    GLfloat distance = 0;
    gl::GetFloatv(GL_CURRENT_RASTER_DISTANCE, &distance);
    EXPECT_EQ(distance, 2.5F);
}

// 14.7: depths are clamped to the depth range, whichever way it goes.
TEST_F(RasterPosTest, DepthsAreClamped) {
    gl::Enable(GL_DEPTH_CLAMP);
    for (const bool shader : {false, true}) {
        for (const auto& [near, far] : {std::pair{0.25F, 0.75F}, {0.75F, 0.25F}}) {
            gl::DepthRange(near, far);
            for (const auto& [z, clamped] : {std::pair{-3.0F, near}, {3.0F, far}, {0.0F, 0.5F}}) {
                if (shader)
                    use("", "gl_Position = vec4(0.5, -0.5, " + std::to_string(z) +
                                ", 1); gl_FrontColor = vec4(1);");
                gl::MatrixMode(GL_PROJECTION);
                gl::LoadIdentity();
                // What comes at the origin goes to (0.5, -0.5, z).
                const std::array<GLfloat, 16> moved{1, 0, 0, 0, 0,    1,     0, 0,
                                                    0, 0, 1, 0, 0.5F, -0.5F, z, 1};
                gl::LoadMatrixf(moved.data());
                expect_raster({24, 8, clamped, 1}, {1, 1, 1, 1});
            }
        }
    }
}

// 14.7: it is lit as a vertex is, whose normals are normalised, or rescaled.
TEST_F(RasterPosTest, ItIsLitAsAVertex) {
    gl::MatrixMode(GL_MODELVIEW);
    gl::Scalef(0.5F, 0.5F, 0.5F);
    gl::Enable(GL_LIGHTING);
    gl::Enable(GL_LIGHT0);
    const Vec4 black{0, 0, 0, 1};
    gl::LightModelfv(GL_LIGHT_MODEL_AMBIENT, black.data());
    gl::Lightfv(GL_LIGHT0, GL_AMBIENT, black.data());
    gl::Normal3f(0, 0, 0.25F);
    for (const bool local : {false, true}) {
        const Vec4 above{0, 0, 1, local ? 1.0F : 0.0F};
        gl::Lightfv(GL_LIGHT0, GL_POSITION, above.data());
        for (const auto& [how, expected] :
             {std::pair{GL_NONE, 0.4F}, {GL_RESCALE_NORMAL, 0.2F}, {GL_NORMALIZE, 0.8F}}) {
            if (how != GL_NONE)
                gl::Enable(how);
            gl::RasterPos2i(0, 0);
            Vec4 colour{};
            gl::GetFloatv(GL_CURRENT_RASTER_COLOR, colour.data());
            EXPECT_NEAR(colour[0], expected, 1e-3F) << std::hex << how << local;
            if (how != GL_NONE)
                gl::Disable(how);
        }
    }
}

// GL 4.6 (compatibility), Polygon Edges: feedback gives the edges that would be drawn.
TEST_F(RasterPosTest, FeedbackOfPolygonsWithEdgeFlags) {
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    constexpr std::array<std::pair<float, float>, 3> kCorners{
        {{-0.5F, -0.5F}, {0.5F, -0.5F}, {0, 0.5F}}};
    for (const size_t hidden : {size_t{0}, size_t{1}, size_t{2}, size_t{3}}) {
        std::array<GLfloat, 32> values{};
        gl::FeedbackBuffer(32, GL_2D, values.data());
        gl::RenderMode(GL_FEEDBACK);
        gl::Begin(GL_TRIANGLES);
        for (size_t i = 0; i < kCorners.size(); ++i) {
            gl::EdgeFlag(i == hidden ? GL_FALSE : GL_TRUE);
            gl::Vertex2f(kCorners.at(i).first, kCorners.at(i).second);
        }
        gl::End();
        // A token and two corners for each edge.
        EXPECT_EQ(gl::RenderMode(GL_RENDER), hidden < 3 ? 10 : 15) << hidden;
    }
    gl::EdgeFlag(GL_TRUE);
    gl::PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

} // namespace
} // namespace kobalt::gltest
