// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Shaders that GLSL ES allows and that were refused: what they give.
#include "support.h"

namespace kobalt::gltest {
namespace {

const std::string kEs = "#version 320 es\nprecision highp float; precision highp int;\n";

GLint location_of(GLuint program, const std::string& input) {
    const auto get = gl_function<decltype(&glGetAttribLocation)>("glGetAttribLocation");
    return get ? get(program, input.c_str()) : -2;
}

class AllowedShaderTest : public EsTest {
protected:
    Missing missing() const override { return lacks(3, 2); }
    void prepare() override {
        make_black_target({4, 4});
        bind_new_vao();
    }

    /// Draws the whole target.
    static void draw(const std::string& vertex, const std::string& fragment) {
        const GLuint program =
            link({{GL_VERTEX_SHADER, kEs + vertex}, {GL_FRAGMENT_SHADER, kEs + fragment}});
        ASSERT_NE(program, 0U);
        draw_fullscreen(program);
    }
};

// GLSL ES 3.00, 8.8: texture2D() is no built-in function, so that a shader may have its own.
TEST_F(AllowedShaderTest, TextureFunctionsOfTheShader) {
    const Byte4 texel{0, 255, 0, 255};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    draw(kFullscreenVs,
         "uniform sampler2D s; in vec2 uv; out vec4 c;\n"
         "vec4 texture2D(sampler2D t, vec2 p) { return vec4(1, 0, 0, 0) + texture(t, p); }\n"
         "vec4 textureCubeLod(float x) { return vec4(0, 0, x, 0); }\n"
         "void main() { c = texture2D(s, uv) + textureCubeLod(1.0); }");
    expect_pixel(1, 1, {255, 255, 255, 255});
}

// GLSL ES 3.20, 4.3.4: inputs that are declared and not used don't count.
TEST_F(AllowedShaderTest, MoreInputsThanAreUsed) {
    GLint most = 0;
    gl::GetIntegerv(GL_MAX_VERTEX_ATTRIBS, &most);
    std::string inputs = "in mat4 idle; layout(location = 3) in vec4 placed;\n";
    for (int i = 0; i < most + 4; ++i) {
        inputs += "in vec4 a" + std::to_string(i) + ";\n";
    }
    const std::string fragment = "in vec4 v; out vec4 c; void main() { c = v; }";
    const std::string corners = "vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;\n"
                                "gl_Position = vec4(at, 0, 1); ";
    const auto vertex_of = [&](int first) {
        std::string sum = "placed";
        for (int i = first; i < most + 3; ++i) {
            sum += " + a" + std::to_string(i);
        }
        return kEs + inputs + "out vec4 v; void main() { " + corners + "v = " + sum + "; }";
    };
    const GLuint program =
        link({{GL_VERTEX_SHADER, vertex_of(4)}, {GL_FRAGMENT_SHADER, kEs + fragment}});
    ASSERT_NE(program, 0U);
    EXPECT_EQ(location_of(program, "a0"), -1);
    EXPECT_EQ(location_of(program, "idle"), -1);
    EXPECT_EQ(location_of(program, "placed"), 3);
    std::vector<bool> taken(static_cast<size_t>(most), false);
    for (int i = 0; i < most; ++i) {
        gl::VertexAttrib4f(static_cast<GLuint>(i), 0, 0, 0, 0);
    }
    for (int i = 0; i < most - 1; ++i) {
        const GLint location = location_of(program, "a" + std::to_string(i + 4));
        ASSERT_TRUE(location >= 0 && location < most && location != 3);
        EXPECT_FALSE(taken[static_cast<size_t>(location)]);
        taken[static_cast<size_t>(location)] = true;
        gl::VertexAttrib4f(static_cast<GLuint>(location), i == 0, i == 1, i == 2, i == 3);
    }
    draw_fullscreen(program);
    expect_pixel(1, 1, {255, 255, 255, 255});

    // One more than there is room for.
    const GLuint full = gl::CreateProgram();
    gl::AttachShader(full, compile({GL_VERTEX_SHADER, vertex_of(3)}));
    gl::AttachShader(full, compile({GL_FRAGMENT_SHADER, kEs + fragment}));
    gl::LinkProgram(full);
    EXPECT_FALSE(did_link(full));
}

// Separable programs keep inputs that aren't used; those take no room either.
TEST_F(AllowedShaderTest, MoreInputsThanAreUsedInSeparablePrograms) {
    std::string text =
        kEs + "layout(location = 0) in vec4 p; out gl_PerVertex { vec4 gl_Position; };\n";
    for (int i = 0; i < 40; ++i) {
        text += "in vec4 a" + std::to_string(i) + ";\n";
    }
    text += "void main() { gl_Position = p + a39; }";
    const char* const source = text.c_str();
    const GLuint program = gl::CreateShaderProgramv(GL_VERTEX_SHADER, 1, &source);
    EXPECT_TRUE(did_link(program));
    EXPECT_EQ(location_of(program, "a0"), -1);
    EXPECT_EQ(location_of(program, "a39"), 1);
}

// GLSL ES 3.20, 4.10: parameters have no formats; the image's own is used.
TEST_F(AllowedShaderTest, AtomicFunctionsOnParameters) {
    new_texture(GL_TEXTURE_2D);
    gl::TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 4, 4);
    GLuint texture = 0;
    gl::GetIntegerv(GL_TEXTURE_BINDING_2D, reinterpret_cast<GLint*>(&texture));
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    const GLuint program =
        link({{GL_COMPUTE_SHADER,
               kEs + "layout(local_size_x = 4, local_size_y = 4) in;\n"
                     "layout(binding = 0, r32ui) uniform highp uimage2D image;\n"
                     "void add(highp uimage2D i, ivec2 at) { imageAtomicAdd(i, at, 5u); }\n"
                     "void main() { ivec2 at = ivec2(gl_LocalInvocationID.xy);\n"
                     "imageStore(image, at, uvec4(at.x)); add(image, at); }"}});
    ASSERT_NE(program, 0U);
    gl::UseProgram(program);
    gl::DispatchCompute(1, 1, 1);
    gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
    bind_texture_target(texture, 4, 4);
    EXPECT_EQ(pixel_uint(2, 1)[0], 7U);
    EXPECT_EQ(pixel_uint(3, 3)[0], 8U);
}

// GLSL ES 3.20, 8.13: members of blocks are inputs.
TEST_F(AllowedShaderTest, InterpolatedMembersOfBlocks) {
    const std::string corners = "out B { vec2 at; vec4 d[2]; } b; void main() {\n"
                                "vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;\n"
                                "gl_Position = vec4(at, 0, 1); b.at = at * 2.0 + 2.0; b.d[0] = "
                                "vec4(1, 0, 0, 1); b.d[1] = vec4(0, 1, 0, 1); }";
    draw(corners, "in B { vec2 at; vec4 d[2]; } b; out vec4 c; void main() {\n"
                  "vec2 moved = interpolateAtOffset(b.at, vec2(0.25, -0.25)) - b.at;\n"
                  "bool right = all(lessThan(abs(moved - vec2(0.25, -0.25)), vec2(0.01)));\n"
                  "c = interpolateAtCentroid(b.d[1]) + vec4(0, 0, right, 0); }");
    expect_pixel(1, 1, {0, 255, 255, 255});
}

} // namespace
} // namespace kobalt::gltest
