// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Shaders that no link made, and slow paths: they are counted with their cause, and GL's debug
// output tells of each once.
#include <algorithm>

#include <EGL/egl.h>

#include "counters.h"
#include "fresh_text.h"

namespace kobalt::gltest {
namespace {

/// The performance messages since the last call.
std::vector<std::string> performance_messages() {
    gl::Finish(); // the driver's own thread has said all
    std::vector<std::string> found;
    for (;;) {
        GLenum type = GL_NONE;
        GLsizei length = 0;
        std::array<char, 4096> text{};
        if (gl::GetDebugMessageLog(1, static_cast<GLsizei>(text.size()), nullptr, &type, nullptr,
                                   nullptr, &length, text.data()) == 0) {
            return found;
        }
        if (type == GL_DEBUG_TYPE_PERFORMANCE) {
            found.emplace_back(text.data());
        }
    }
}

bool contains(const std::vector<std::string>& messages, std::string_view part) {
    return std::ranges::any_of(
        messages, [part](const std::string& one) { return one.find(part) != std::string::npos; });
}

using LateShaderTest = CountedTest;

/// What a debug callback was told last.
struct Told {
    GLsizei length = 0;
    std::string text;
};

void APIENTRY tell(GLenum /*source*/, GLenum /*type*/, GLuint /*id*/, GLenum /*severity*/,
                   GLsizei length, const GLchar* message, const void* user) {
    *static_cast<Told*>(const_cast<void*>(user)) = {length, message};
}

// KHR_debug, Debug Messages: each has a null-terminated string, also where its length was given.
TEST_F(LateShaderTest, MessagesOfALengthEndThere) {
    const auto callback = reinterpret_cast<PFNGLDEBUGMESSAGECALLBACKPROC>(
        eglGetProcAddress("glDebugMessageCallback"));
    const auto insert =
        reinterpret_cast<PFNGLDEBUGMESSAGEINSERTPROC>(eglGetProcAddress("glDebugMessageInsert"));
    gl::Enable(GL_DEBUG_OUTPUT);
    gl::Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    Told told;
    callback(tell, &told);
    insert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_HIGH, 3,
           "abcdef");
    callback(nullptr, nullptr);
    EXPECT_EQ(told.length, 3);
    EXPECT_EQ(told.text, "abc");
}

class CompatLateShaderTest : public CountedTest {
protected:
    ContextRequest request() const override { return {Profile::Compatibility, 3, 3, false}; }
    void prepare() override {
        CountedTest::prepare();
        make_target();
    }
    static void triangle() {
        gl::Begin(GL_TRIANGLES);
        gl::Vertex2f(-1, -1);
        gl::Vertex2f(3, -1);
        gl::Vertex2f(-1, 3);
        gl::End();
        gl::Flush(); // Mesa gathers vertices up to some other call
    }
};

// Scaled and cut by the scissor: no command of Vulkan's does that, so it is drawn.
TEST_F(LateShaderTest, ABlitThatIsDrawnMakesItsShaderOnce) {
    const Target from = make_target({.width = 8, .height = 8});
    gl::ClearColor(0, 1, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const Target to = make_target({.width = 16, .height = 16});
    gl::Enable(GL_SCISSOR_TEST);
    gl::Scissor(2, 2, 9, 9);
    const auto blit = [&] {
        gl::BindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
        gl::BindFramebuffer(GL_DRAW_FRAMEBUFFER, to.framebuffer);
        gl::BlitFramebuffer(0, 0, 8, 8, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    };
    // None where an earlier process has drawn it: test_second_run.py starts from nothing, and
    // tells.
    const Spent first = measure(blit);
    EXPECT_EQ(first.at("late-shaders"), first.at("late-blit-shaders"));
    EXPECT_EQ(first.at("slow-late-shader"), first.at("late-shaders"));
    const Spent second = measure(blit);
    EXPECT_EQ(second.at("late-shaders"), 0);
    EXPECT_EQ(second.at("late-waits"), 0);
    to.bind();
    expect_pixel(5, 5, kGreen);
}

// The state tracker makes no variants in core profiles, whatever is switched on.
TEST_F(LateShaderTest, StateMakesNoVariantsInCoreProfiles) {
    make_target({.depth = GL_DEPTH24_STENCIL8});
    bind_new_vao();
    const GLuint program =
        vs_fs("flat out vec4 c; void main() { c = vec4(gl_VertexID); gl_ClipDistance[0] = 1.0; "
              "gl_PointSize = 2.0; gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & "
              "2) * 2.0 - 1.0, 0, 1); }",
              "flat in vec4 c; out vec4 result; void main() { result = c; }");
    const Spent spent = measure([program] {
        draw_fullscreen(program);
        for (const GLenum what :
             {GL_CLIP_DISTANCE0, GL_PROGRAM_POINT_SIZE, GL_DEPTH_CLAMP, GL_SAMPLE_ALPHA_TO_COVERAGE,
              GL_CULL_FACE, GL_BLEND, GL_STENCIL_TEST, GL_DEPTH_TEST, GL_LINE_SMOOTH,
              GL_POLYGON_OFFSET_FILL, GL_RASTERIZER_DISCARD}) {
            gl::Enable(what);
            draw_fullscreen(program);
            gl::Disable(what);
        }
        for (const GLenum mode : {GL_LINE, GL_POINT, GL_FILL}) {
            gl::PolygonMode(GL_FRONT_AND_BACK, mode);
            draw_fullscreen(program);
        }
        gl::ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
        draw_fullscreen(program);
        gl::DrawArrays(GL_POINTS, 0, 3);
        gl::DrawArrays(GL_LINES, 0, 2);
    });
    EXPECT_GE(spent.at("draws"), 16);
    EXPECT_EQ(spent.at("late-shaders"), 0);
}

// What its stages need of each other is built as glProgramBinary returns, not by the first draw.
// The geometry shader is compiled together with the vertex shader in any case.
TEST_F(LateShaderTest, AProgramFromABinaryIsLinked) {
    ASSERT_TRUE(has_extension("GL_ARB_get_program_binary") || has_version(4, 1));
    make_target();
    bind_new_vao();
    const std::string version = "#version 330 core\n";
    const GLuint linked = link(
        {{GL_VERTEX_SHADER, version + kFreshUniform +
                                "out vec4 unread; void main() { unread = vec4(1); gl_Position = "
                                "vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, " +
                                fresh_zero() + ", 1); }"},
         {GL_GEOMETRY_SHADER,
          version + "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; void "
                    "main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; "
                    "EmitVertex(); } }"},
         {GL_FRAGMENT_SHADER,
          version + "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"}});
    GLint length = 0;
    gl::GetProgramiv(linked, GL_PROGRAM_BINARY_LENGTH, &length);
    if (length == 0) {
        GTEST_SKIP() << "the driver has no format for program binaries";
    }
    std::vector<char> binary(static_cast<size_t>(length));
    GLenum format = GL_NONE;
    gl::GetProgramBinary(linked, length, nullptr, &format, binary.data());
    gl::DeleteProgram(linked);
    const GLuint loaded = gl::CreateProgram();
    gl::ProgramBinary(loaded, format, binary.data(), length);
    GLint good = 0;
    gl::GetProgramiv(loaded, GL_LINK_STATUS, &good);
    ASSERT_TRUE(good) << "link: the binary that the driver gave";
    const Spent spent = measure([loaded] { draw_fullscreen(loaded); });
    EXPECT_EQ(spent.at("late-shaders"), 0);
    if (spent.at("fast-links") != 0) { // else the device builds whole pipelines, in draws
        EXPECT_EQ(spent.at("draw-compiles"), 0);
    }
    expect_pixel(0, 0, kGreen);
}

// Whether the first draw makes them depends on what drew before, as test_second_run.py shows.
TEST_F(CompatLateShaderTest, TheFixedFunctionIsMadeOnce) {
    const Spent first = measure([] { triangle(); });
    EXPECT_EQ(first.at("late-shaders"), first.at("late-fixed-shaders"));
    EXPECT_EQ(measure([] { triangle(); }).at("late-shaders"), 0);
}

/// Green with an alpha of one half. No cache knows it.
GLuint link_green(const std::string& more = "") {
    return vs_fs(kFullscreenVs, kFreshUniform +
                                    "out vec4 result; void main() { result = vec4(0, "
                                    "1, " +
                                    fresh_zero() + ", 0.5)" + more + "; }");
}

// No other test asks for this comparison together with flat colours and two sides: links would
// bring what this process has drawn with.
TEST_F(CompatLateShaderTest, OldStateMakesAVariantOnce) {
    bind_new_vao();
    const GLuint program = link_green();
    const auto draw = [program] { draw_fullscreen(program); };
    EXPECT_EQ(measure_warm(draw).at("late-shaders"), 0);
    gl::Enable(GL_ALPHA_TEST);
    gl::AlphaFunc(GL_NOTEQUAL, 1.0F);
    gl::ShadeModel(GL_FLAT);
    gl::Enable(GL_VERTEX_PROGRAM_TWO_SIDE);
    const Spent first = measure(draw);
    EXPECT_EQ(first.at("late-variants"), 1);
    EXPECT_EQ(first.at("late-shaders"), 1);
    EXPECT_EQ(measure(draw).at("late-shaders"), 0);
    expect_pixel(0, 0, {0, 255, 0, 128}, 1);
}

// What draws have asked of one program comes with the link of the next.
TEST_F(CompatLateShaderTest, OldStateIsThereWithALinkThatComesBehindIt) {
    bind_new_vao();
    gl::Enable(GL_ALPHA_TEST);
    gl::AlphaFunc(GL_LESS, 0.6F);
    gl::ShadeModel(GL_FLAT);
    gl::Enable(GL_CLIP_PLANE0);
    const std::array<GLdouble, 4> left{-1, 0, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE0, left.data());
    draw_fullscreen(link_green());
    const GLuint program = link_green(" * vec4(1, 1, 1, 1.1)");
    gl::ClearColor(1, 0, 0, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const Spent spent = measure([program] { draw_fullscreen(program); });
    EXPECT_EQ(spent.at("late-shaders"), 0);
    EXPECT_EQ(spent.at("late-waits"), 0);
    expect_pixel(0, 0, {0, 255, 0, 140}, 1);
    expect_pixel(31, 0, kRed); // clipped away
    gl::AlphaFunc(GL_LESS, 0.5F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    draw_fullscreen(program);
    expect_pixel(0, 0, kRed); // as the alpha test says
}

// Every start has the same code, and so knows of the one before: test_second_run.py counts.
TEST_F(CompatLateShaderTest, OldStateOfAProgramThatIsKnown) {
    bind_new_vao();
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP);
    const GLuint program = link(
        {{GL_VERTEX_SHADER,
          "#version 120\nvoid main() { gl_FrontColor = vec4(1, 0, 0, 0.5); gl_BackColor = vec4(0, "
          "1, 0, 0.25); gl_ClipVertex = gl_Vertex; gl_Position = gl_Vertex; }"},
         {GL_FRAGMENT_SHADER, "#version 120\nuniform sampler2D s; void main() { gl_FragColor = "
                              "gl_Color * texture2D(s, vec2(0.5)); }"}});
    gl::UseProgram(program);
    const auto draw = [] {
        gl::Clear(GL_COLOR_BUFFER_BIT);
        triangle();
    };
    measure_warm(draw);
    expect_pixel(0, 0, {0, 0, 0, 128});
    gl::Enable(GL_ALPHA_TEST);
    gl::AlphaFunc(GL_EQUAL, 0.25F);
    gl::Enable(GL_VERTEX_PROGRAM_TWO_SIDE);
    gl::FrontFace(GL_CW);
    gl::Enable(GL_CLIP_PLANE1);
    const std::array<GLdouble, 4> left{-1, 0, 0, 0};
    gl::ClipPlane(GL_CLIP_PLANE1, left.data());
    measure_warm(draw);
    EXPECT_EQ(measure(draw).at("late-shaders"), 0);
    expect_pixel(0, 0, {0, 255, 0, 64});
    expect_pixel(31, 0, {0, 0, 0, 0}); // clipped away
}

TEST_F(CompatLateShaderTest, QuadsAreConvertedAndThatIsSaid) {
    bind_new_vao();
    gl::UseProgram(
        vs_fs("const vec2 at[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1)); void "
              "main() { gl_Position = vec4(at[gl_VertexID], 0, 1); }",
              "out vec4 result; void main() { result = vec4(0, 1, 0, 1); }"));
    gl::Enable(GL_DEBUG_OUTPUT);
    performance_messages();
    const auto quad = [] { gl::DrawArrays(GL_QUADS, 0, 4); };
    EXPECT_GE(measure(quad).at("slow-converted-primitives"), 1);
    EXPECT_TRUE(contains(performance_messages(), "converted by the CPU"));
    EXPECT_GE(measure(quad).at("slow-converted-primitives"), 1) << "it is counted each time";
    EXPECT_FALSE(contains(performance_messages(), "converted by the CPU")) << "and said once";
    expect_pixel(0, 0, kGreen);
}

using SlowPathMessageTest = CountedTest;

TEST_F(SlowPathMessageTest, ReadingBackIsSaidOnceToWhoListens) {
    const Target target = make_target();
    gl::Clear(GL_COLOR_BUFFER_BIT);
    const auto read = [] {
        Byte4 texel{};
        gl::ReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    };
    const std::string_view text = "copied back to memory";
    EXPECT_GE(measure(read).at("slow-read-back"), 1);
    EXPECT_FALSE(contains(performance_messages(), text)) << "nobody has asked for messages";
    gl::Enable(GL_DEBUG_OUTPUT);
    const Spent heard = measure(read);
    EXPECT_GE(heard.at("slow-read-back"), 1);
    EXPECT_GE(heard.at("slow-paths"), heard.at("slow-read-back"));
    EXPECT_TRUE(contains(performance_messages(), text));
    read();
    EXPECT_FALSE(contains(performance_messages(), text));
    target.bind();
}

// Which of the two depends on where the device keeps the buffer.
TEST_F(SlowPathMessageTest, MappingWhatTheGpuWrites) {
    const std::vector<Float4> data(256, Float4{1, 2, 3, 4});
    const GLuint from = make_buffer(GL_COPY_READ_BUFFER, data);
    const GLuint to = make_buffer(GL_COPY_WRITE_BUFFER,
                                  static_cast<GLsizeiptr>(data.size() * sizeof(Float4)), nullptr);
    const auto size = static_cast<GLsizeiptr>(data.size() * sizeof(Float4));
    const Spent spent = measure([&] {
        gl::BindBuffer(GL_COPY_READ_BUFFER, from);
        gl::BindBuffer(GL_COPY_WRITE_BUFFER, to);
        gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, size);
        const void* mapped = gl::MapBufferRange(GL_COPY_WRITE_BUFFER, 0, size, GL_MAP_READ_BIT);
        EXPECT_NE(mapped, nullptr);
        gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
    });
    EXPECT_GE(spent.at("slow-busy-map") + spent.at("slow-read-back"), 1);
}

} // namespace
} // namespace kobalt::gltest
