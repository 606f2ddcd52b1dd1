// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_EXT_shader_framebuffer_fetch: fragment shaders read what they are about to replace.
#include "support.h"

namespace kobalt::gltest {
namespace {

const std::string kHeader = "#version 300 es\n"
                            "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                            "precision highp float;\nprecision highp int;\n";
constexpr int kSize = 16;

class AttachmentFetchTest : public EsTest {
protected:
    Missing missing() const override { return lacks("GL_EXT_shader_framebuffer_fetch"); }
    void prepare() override { bind_new_vao(); }
    static GLuint program(const std::string& fragment, const std::string& vertex = kFullscreenVs) {
        return link(
            {{GL_VERTEX_SHADER, kHeader + vertex}, {GL_FRAGMENT_SHADER, kHeader + fragment}});
    }
    /// Adds to red what the uniform says, and moves green to blue.
    static GLuint adding() {
        return program("layout(location = 0) inout vec4 colour; uniform float step; void main() { "
                       "colour = vec4(colour.r + step, colour.b, colour.g, colour.a); }");
    }
    static void clear(const Float4& colour) {
        gl::ClearColor(colour[0], colour[1], colour[2], colour[3]);
        gl::Clear(GL_COLOR_BUFFER_BIT);
    }
};

TEST_F(AttachmentFetchTest, DrawsSeeClearsAndEachOther) {
    make_target({kSize, kSize});
    const GLuint name = adding();
    gl::UseProgram(name);
    clear({0.2F, 0.4F, 0, 1});
    set_uniform(name, "step", 0.2F);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSize, kSize, {102, 0, 102, 255});
    set_uniform(name, "step", 0.1F);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSize, kSize, {153, 0, 102, 255}, 2);
    // A clear inside the pass, between two fetches.
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 4, kSize);
    clear({0, 1, 0, 1});
    gl::Disable(GL_SCISSOR_TEST);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, 4, kSize, {26, 0, 255, 255}, 2);
    expect_area(4, 0, kSize - 4, kSize, {204, 0, 102, 255}, 3);
}

TEST_F(AttachmentFetchTest, PrimitivesOfOneDrawFollowEachOther) {
    make_target({kSize, kSize});
    clear({0, 0, 0, 1});
    const GLuint name = adding();
    gl::UseProgram(name);
    set_uniform(name, "step", 8.0F / 255.0F);
    gl::DrawArraysInstanced(GL_TRIANGLES, 0, 3, 20);
    expect_area(0, 0, kSize, kSize, {160, 0, 0, 255});
}

TEST_F(AttachmentFetchTest, DrawsThatDoNotFetchInBetween) {
    make_target({kSize, kSize});
    clear({0, 0, 0, 1});
    const GLuint name = adding();
    const GLuint plain = program("layout(location = 0) out vec4 colour; void main() { colour = "
                                 "vec4(0.5, 1, 0, 1); }");
    gl::UseProgram(name);
    set_uniform(name, "step", 0.2F);
    for (int i = 0; i < 3; ++i) {
        gl::UseProgram(plain);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::UseProgram(name);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_area(0, 0, kSize, kSize, {179, 0, 255, 255}, 2);
}

TEST_F(AttachmentFetchTest, FramebuffersTakeTurns) {
    const Target first = make_target({kSize, kSize});
    clear({0, 0, 0, 1});
    const Target second = make_target({kSize, kSize});
    clear({0.4F, 0, 0, 1});
    const GLuint name = adding();
    gl::UseProgram(name);
    set_uniform(name, "step", 0.2F);
    for (int i = 0; i < 2; ++i) {
        first.bind();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        second.bind();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_area(0, 0, kSize, kSize, {204, 0, 0, 255}, 2);
    first.bind();
    expect_area(0, 0, kSize, kSize, {102, 0, 0, 255}, 2);
}

TEST_F(AttachmentFetchTest, SeveralAttachments) {
    GLuint framebuffer = 0;
    gl::GenFramebuffers(1, &framebuffer);
    gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    constexpr Byte4 texels[2] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
    for (GLuint i = 0; i < 2; ++i) {
        const std::vector<Byte4> all(kSize * kSize, texels[i]);
        const GLuint texture =
            texture_2d(GL_RGBA8, kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, all.data());
        gl::FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, texture,
                                 0);
    }
    constexpr GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    gl::DrawBuffers(2, buffers);
    gl::Viewport(0, 0, kSize, kSize);
    draw_fullscreen(program("layout(location = 0) inout vec4 a; layout(location = 1) inout vec4 b; "
                            "void main() { vec4 c = a; a = b; b = c + vec4(0, 1, 0, 0); }"));
    gl::ReadBuffer(GL_COLOR_ATTACHMENT0);
    expect_area(0, 0, kSize, kSize, kBlue);
    gl::ReadBuffer(GL_COLOR_ATTACHMENT1);
    expect_area(0, 0, kSize, kSize, kYellow);
}

TEST_F(AttachmentFetchTest, Integers) {
    make_target({kSize, kSize, GL_RGBA32UI});
    constexpr std::array<GLuint, 4> value{7, 0x80000001U, 3, 5};
    gl::ClearBufferuiv(GL_COLOR, 0, value.data());
    const GLuint name =
        program("layout(location = 0) inout uvec4 n; void main() { n = n.yxwz * 3u; }");
    draw_fullscreen(name);
    EXPECT_EQ(pixel_uint(3, 3), (Uint4{0x80000003U, 21, 15, 9}));
    make_target({kSize, kSize, GL_RGBA8I});
    constexpr std::array<GLint, 4> small{-5, 100, -128, 9};
    gl::ClearBufferiv(GL_COLOR, 0, small.data());
    draw_fullscreen(program("layout(location = 0) inout ivec4 n; void main() { n = -n / 2; }"));
    EXPECT_EQ(pixel_int(3, 3), (Int4{2, -50, 64, -4}));
}

TEST_F(AttachmentFetchTest, SrgbIsDecoded) {
    make_target({kSize, kSize, GL_SRGB8_ALPHA8});
    clear({0.5F, 0, 0, 1});
    // What is fetched and written back stays; a half of it doesn't.
    draw_fullscreen(program("layout(location = 0) inout vec4 c; void main() { c.g = c.r * 0.5; }"));
    expect_area(0, 0, kSize, kSize, {188, 137, 0, 255}, 2);
}

TEST_F(AttachmentFetchTest, AlphaThatIsNotThereIsOne) {
    make_target({kSize, kSize, GL_RGB8});
    clear({0, 1, 0, 0.25F});
    draw_fullscreen(program("layout(location = 0) out vec4 c; void main() { c = vec4(0.25); }"));
    draw_fullscreen(
        program("layout(location = 0) inout vec4 c; void main() { c = vec4(c.a, c.r, 0, 1); }"));
    expect_area(0, 0, kSize, kSize, {255, 64, 0, 255});
}

TEST_F(AttachmentFetchTest, LastFragData) {
    make_target({kSize, kSize});
    clear({0.2F, 0.4F, 0.6F, 1});
    const GLuint name =
        link({{GL_VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"},
              {GL_FRAGMENT_SHADER, "#extension GL_EXT_shader_framebuffer_fetch : require\n"
                                   "precision mediump float; void main() { gl_FragColor = "
                                   "vec4(gl_LastFragData[0].bgr, 1.0); }"}},
             [](GLuint program) { gl::BindAttribLocation(program, 0, "p"); });
    make_buffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 3, -1, -1, 3});
    gl::VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::EnableVertexAttribArray(0);
    gl::UseProgram(name);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_area(0, 0, kSize, kSize, {153, 102, 51, 255});
}

// Each sample has its own value: half of the samples along an edge are white, and inverting twice
// gives back the same picture, which inverting pixels as a whole would not.
TEST_F(AttachmentFetchTest, SamplesAreFetchedOneByOne) {
    const auto resolved = [](const Target& from) {
        const Target to = make_target({kSize, kSize});
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
        gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, to.framebuffer);
        Picture picture = read_picture(kSize, kSize);
        from.bind();
        return picture;
    };
    TargetOptions options{kSize, kSize};
    options.samples = 4;
    const Target target = make_target(options);
    clear({0, 0, 0, 1});
    const GLuint white = program(
        "layout(location = 0) out vec4 c; void main() { c = vec4(1); }",
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 2.7 : -1.1, gl_VertexID == 2 ? 3.1 : "
        "-1.3, 0, 1) * vec4(0.5, 0.5, 1, 1); }");
    gl::UseProgram(white);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    const Picture before = resolved(target);
    const GLuint invert =
        program("layout(location = 0) inout vec4 c; void main() { c.rgb = 1.0 - c.rgb; }");
    gl::UseProgram(invert);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    const Picture inverted = resolved(target);
    // Squares: linear in no mixture of samples.
    draw_fullscreen(program("layout(location = 0) inout vec4 c; void main() { c.rgb = c.rgb * "
                            "0.25 + c.rgb * c.rgb * 0.75; }"));
    const Picture squared = resolved(target);
    int mixed = 0;
    for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x) {
            const int was = before.at(x, y)[0];
            mixed += was != 0 && was != 255;
            EXPECT_NEAR(inverted.at(x, y)[0], 255 - was, 1) << x << ", " << y;
            EXPECT_NEAR(squared.at(x, y)[0], 255 - was, 2) << x << ", " << y;
        }
    }
    EXPECT_GT(mixed, 4);
}

TEST_F(AttachmentFetchTest, WithoutCoherenceTheAppOrders) {
    if (!has_extension("GL_EXT_shader_framebuffer_fetch_non_coherent")) {
        GTEST_SKIP() << "GL_EXT_shader_framebuffer_fetch_non_coherent is not there";
    }
    make_target({kSize, kSize});
    clear({0, 0, 0, 1});
    const GLuint name = link(
        {{GL_VERTEX_SHADER, "#version 300 es\n" + std::string(kFullscreenVs)},
         {GL_FRAGMENT_SHADER,
          "#version 300 es\n#extension GL_EXT_shader_framebuffer_fetch_non_coherent : require\n"
          "precision highp float; layout(noncoherent, location = 0) inout vec4 c; void main() "
          "{ c.r += 10.0 / 255.0; }"}});
    gl::UseProgram(name);
    for (int i = 0; i < 10; ++i) {
        gl::FramebufferFetchBarrierEXT();
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_area(0, 0, kSize, kSize, {100, 0, 0, 255});
}

class DepthFetchTest : public EsTest {
protected:
    Missing missing() const override {
        return lacks("GL_ARM_shader_framebuffer_fetch_depth_stencil");
    }
    void prepare() override {
        bind_new_vao();
        const std::string header =
            "#version 300 es\n#extension GL_ARM_shader_framebuffer_fetch_depth_stencil : require\n"
            "precision highp float;\n";
        program_ = link({{GL_VERTEX_SHADER, header + kFullscreenVs},
                         {GL_FRAGMENT_SHADER,
                          header + "out vec4 c; void main() { c = vec4(gl_LastFragDepthARM, "
                                   "float(gl_LastFragStencilARM) / 255.0, 0, 1); }"}});
        gl::UseProgram(program_);
        // Nothing asks for the tests, but llvmpipe fetches zeros without them.
        gl::Enable(GL_DEPTH_TEST);
        gl::DepthFunc(GL_ALWAYS);
        gl::Enable(GL_STENCIL_TEST);
    }
    /// Depth a quarter, stencil 40.
    static Target cleared(int samples) {
        const Target target = make_target({kSize, kSize, GL_RGBA8, GL_DEPTH24_STENCIL8, samples});
        gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25F, 40);
        return target;
    }
    /// The program's triangle, whose depth is a half.
    static void draw() { gl::DrawArrays(GL_TRIANGLES, 0, 3); }
    GLuint program_ = 0;
};

TEST_F(DepthFetchTest, ClearsAndDraws) {
    cleared(0);
    // What a fragment fetches is older than what it writes itself.
    gl::StencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    draw();
    expect_area(0, 0, kSize, kSize, {64, 40, 0, 255});
    draw();
    expect_area(0, 0, kSize, kSize, {128, 41, 0, 255});
    gl::DrawArraysInstanced(GL_TRIANGLES, 0, 3, 5);
    expect_area(0, 0, kSize, kSize, {128, 46, 0, 255});
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(0, 0, 4, kSize);
    gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 7);
    gl::Disable(GL_SCISSOR_TEST);
    draw();
    expect_area(0, 0, 4, kSize, {255, 7, 0, 255});
    expect_area(4, 0, kSize - 4, kSize, {128, 47, 0, 255});
}

TEST_F(DepthFetchTest, Samples) {
    const Target target = cleared(4);
    draw();
    const Target resolved = make_target({kSize, kSize});
    gl::BindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
    gl::BlitFramebuffer(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    resolved.bind();
    expect_area(0, 0, kSize, kSize, {64, 40, 0, 255});
}

TEST_F(DepthFetchTest, FramebuffersTakeTurns) {
    const Target first = cleared(0);
    const Target second = cleared(0);
    gl::ClearBufferfi(GL_DEPTH_STENCIL, 0, 0.5F, 80);
    for (int i = 0; i < 2; ++i) {
        first.bind();
        draw();
        expect_area(0, 0, kSize, kSize, {static_cast<uint8_t>(i ? 128 : 64), 40, 0, 255});
        second.bind();
        draw();
        expect_area(0, 0, kSize, kSize, {128, 80, 0, 255});
    }
}

} // namespace
} // namespace kobalt::gltest
