// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What calls refuse in OpenGL ES.
#include <limits>

#include "call_table.h"

namespace kobalt::gltest {
namespace {

class EsCheckTest : public EsTest {
protected:
    void prepare() override {
        make_black_target({16, 16});
        if (!has_version(3, 2)) {
            GTEST_SKIP() << "OpenGL ES 3.2 isn't there";
        }
    }
    static void expect(int error) { EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)); }
};

TEST_F(EsCheckTest, SamplesThatNoRenderbufferHas) {
    GLuint name = 0;
    gl::GenRenderbuffers(1, &name);
    gl::BindRenderbuffer(GL_RENDERBUFFER, name);
    for (const int samples : {999, 1000, 1001}) {
        gl::RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, 8, 8);
        expect(GL_INVALID_OPERATION);
    }
}

TEST_F(EsCheckTest, TexelsFarOutside) {
    const int most = std::numeric_limits<int>::max();
    const std::vector<std::uint8_t> texels(1024);
    texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    for (const auto& [x, y] : {std::pair{most, 0}, {0, most}, {most - 2, most - 2}}) {
        gl::TexSubImage2D(GL_TEXTURE_2D, 0, x, y, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
        expect(GL_INVALID_VALUE);
        gl::CopyTexSubImage2D(GL_TEXTURE_2D, 0, x, y, 0, 0, 4, 4);
        expect(GL_INVALID_VALUE);
    }
}

TEST_F(EsCheckTest, CountersBeforeTheirBuffer) {
    const GLuint buffer = make_buffer(GL_ATOMIC_COUNTER_BUFFER, std::vector<float>(16));
    gl::BindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 0, buffer, -4, 4);
    expect(GL_INVALID_VALUE);
}

TEST_F(EsCheckTest, ImagesThatAreSkippedInPacking) {
    GLint value = 0;
    gl::GetIntegerv(GL_PACK_SKIP_IMAGES, &value);
    expect(GL_INVALID_ENUM);
}

TEST_F(EsCheckTest, ParametersThatTexturesAndSamplersLack) {
    GLuint sampler = 0;
    gl::GenSamplers(1, &sampler);
    new_texture(GL_TEXTURE_2D);
    std::array<GLint, 4> values{GL_RED, GL_RED, GL_RED, GL_RED};
    std::array<GLuint, 4> unsigned_values{};
    std::array<float, 4> floats{};
    each_raises(
        GL_INVALID_ENUM,
        {KOBALT_CALL(gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, values.data())),
         KOBALT_CALL(gl::TexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, values.data())),
         KOBALT_CALL(gl::TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, values.data())),
         KOBALT_CALL(gl::TexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, values.data())),
         KOBALT_CALL(gl::GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, values.data())),
         KOBALT_CALL(gl::GetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, floats.data())),
         KOBALT_CALL(gl::SamplerParameteriv(sampler, GL_TEXTURE_SWIZZLE_RGBA, values.data())),
         KOBALT_CALL(gl::GetSamplerParameteriv(sampler, GL_TEXTURE_SWIZZLE_RGBA, values.data())),
         KOBALT_CALL(gl::GetSamplerParameterfv(sampler, GL_TEXTURE_SWIZZLE_RGBA, floats.data())),
         KOBALT_CALL(gl::GetSamplerParameterIiv(sampler, GL_TEXTURE_SWIZZLE_RGBA, values.data())),
         KOBALT_CALL(gl::GetSamplerParameterIuiv(sampler, GL_TEXTURE_SWIZZLE_RGBA,
                                                 unsigned_values.data()))});
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_GREEN);
    expect(GL_NO_ERROR);
}

TEST_F(EsCheckTest, VerticesBeforeTheFirst) {
    const std::string header = "#version 310 es\nprecision highp float;\n";
    gl::UseProgram(link(
        {{GL_VERTEX_SHADER, header + kFullscreenVs},
         {GL_FRAGMENT_SHADER, header + "in vec2 uv; out vec4 c; void main() { c.xy = uv; }"}}));
    bind_new_vao();
    each_raises(GL_INVALID_VALUE, {KOBALT_CALL(gl::DrawArrays(GL_TRIANGLES, -1, 3)),
                                   KOBALT_CALL(gl::DrawArraysInstanced(GL_TRIANGLES, -1, 3, 1))});
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect(GL_NO_ERROR);
}

TEST_F(EsCheckTest, LayersOfATextureWithoutLayers) {
    const GLuint flat = texture_2d(GL_RGBA8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl::FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, flat, 0, 0);
    expect(GL_INVALID_OPERATION);
}

TEST_F(EsCheckTest, SharedVariables) {
    EXPECT_TRUE(compiles(GL_COMPUTE_SHADER, "#version 310 es\nlayout(local_size_x = 1) in; "
                                            "shared int a; void main() { a = 1; }"));
}

// GLSL ES 3.20, 4.9: what is readonly isn't assigned to.
TEST_F(EsCheckTest, MemoryThatIsOnlyRead) {
    const std::string header = "#version 320 es\nlayout(local_size_x = 1) in;\n"
                               "void set(out int a) { a = 1; } void change(inout int a) { ++a; }\n";
    const auto accepted = [&](const std::string& block, const std::string& statement) {
        return compiles(GL_COMPUTE_SHADER,
                        header + block + "void main() { int k = 1; " + statement + "; }");
    };
    const std::string whole = "readonly buffer B { int a; int b; } it;\n";
    const std::string member = "buffer B { readonly int a; int b; readonly ivec2 c[2]; } it;\n";
    const std::string nameless = "buffer B { readonly int a; int b; };\n";
    for (const std::string statement : {"it.a = 1", "++it.a"}) {
        EXPECT_FALSE(accepted(whole, statement)) << statement;
        EXPECT_FALSE(accepted(member, statement)) << statement;
    }
    EXPECT_FALSE(accepted(member, "it.c[k].x = 1"));
    EXPECT_FALSE(accepted(member, "it.c[1][k] = 1"));
    EXPECT_TRUE(accepted(member, "it.b = it.a; set(it.b); change(it.b); atomicAdd(it.b, it.a)"));
    EXPECT_TRUE(accepted(nameless, "b = a; set(b); atomicMax(b, a)"));
    // A block was what its last member is.
    const std::string last = "buffer B { int a; readonly int b; } it;\n";
    EXPECT_TRUE(accepted(last, "it.a = it.b; atomicAdd(it.a, 1)"));
    EXPECT_FALSE(accepted(last, "it.b = it.a"));
    EXPECT_FALSE(accepted("buffer B { readonly int a; int b; } it[2];\n", "it[1].a = 1"));
    EXPECT_TRUE(accepted("buffer B { readonly int a; int b; } it[2];\n", "it[1].b = it[0].a"));
}

// OVR_multiview: `in mediump uint gl_ViewID_OVR`.
TEST_F(EsCheckTest, NumbersOfViews) {
    if (!has_extension("GL_OVR_multiview2")) {
        GTEST_SKIP() << "GL_OVR_multiview2 is not offered";
    }
    const auto accepted = [](const std::string& layouts, const std::string& type) {
        return compiles(GL_VERTEX_SHADER,
                        "#version 320 es\n#extension GL_OVR_multiview2 : require\n" + layouts +
                            "void main() { " + type + "gl_Position = vec4(0); }");
    };
    const std::string two = "layout(num_views = 2) in;\n";
    EXPECT_TRUE(accepted(two + two, "uint view = gl_ViewID_OVR; "));
    EXPECT_FALSE(accepted(two, "int view = gl_ViewID_OVR; "));
}

} // namespace
} // namespace kobalt::gltest
