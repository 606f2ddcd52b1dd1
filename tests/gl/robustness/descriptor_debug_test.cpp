// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// KOBALT_DEBUG=descriptors: what is wrong with what a draw reads is told by GL's debug output.
// test_descriptor_debug.py starts these with the switch; without it the same scenes say nothing.
#include <algorithm>
#include <cstdlib>

#include "support.h"

namespace kobalt::gltest {
namespace {

bool switched_on() {
    const char* words = std::getenv("KOBALT_DEBUG");
    return words != nullptr &&
           std::string_view(words).find("descriptors") != std::string_view::npos;
}

class DescriptorDebugTest : public GlTest {
protected:
    void prepare() override {
        gl::Enable(GL_DEBUG_OUTPUT);
        make_target();
        bind_new_vao();
    }
    /// The reports since the last call.
    static std::vector<std::string> reports() {
        gl::Finish(); // the driver's own thread has said all
        std::vector<std::string> found;
        for (;;) {
            GLsizei length = 0;
            std::array<char, 4096> text{};
            if (gl::GetDebugMessageLog(1, static_cast<GLsizei>(text.size()), nullptr, nullptr,
                                       nullptr, nullptr, &length, text.data()) == 0) {
                return found;
            }
            if (std::string_view(text.data()).starts_with("descriptors: ")) {
                found.emplace_back(text.data());
            }
        }
    }
    /// Draws twice and expects one report with all the words, or none without the switch.
    static void expect_report(const std::vector<std::string>& words) {
        for (int i = 0; i < 2; ++i) {
            gl::DrawArrays(GL_TRIANGLES, 0, 3);
        }
        const std::vector<std::string> found = reports();
        if (!switched_on()) {
            EXPECT_TRUE(found.empty()) << found.front();
            return;
        }
        ASSERT_EQ(found.size(), 1U) << (found.empty() ? "nothing was said" : found.back());
        for (const std::string& word : words) {
            EXPECT_NE(found.front().find(word), std::string::npos)
                << "no '" << word << "' in: " << found.front();
        }
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        EXPECT_TRUE(reports().empty()) << "it was said before";
    }
    /// A program that draws with a block of 32 bytes; it is in use.
    static GLuint block_program() {
        const GLuint program =
            vs_fs(kFullscreenVs, "layout(std140) uniform Colours { vec4 first; vec4 second; }; out "
                                 "vec4 result; void main() { result = first + second; }");
        gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "Colours"), 0);
        gl::UseProgram(program);
        return program;
    }
    static GLuint texture_program() {
        const GLuint program =
            vs_fs(kFullscreenVs, "uniform sampler2D picture; out vec4 result; void main() { result "
                                 "= texture(picture, vec2(0.5)); }");
        gl::UseProgram(program);
        return program;
    }
    static std::string named(GLuint program) { return "program " + std::to_string(program) + ","; }
};

TEST_F(DescriptorDebugTest, NoBufferForABlock) {
    const GLuint program = block_program();
    expect_report({named(program), "fragment shader", "uniform block \"Colours\"", ", draw ",
                   "no buffer is bound"});
}

TEST_F(DescriptorDebugTest, ARangeSmallerThanItsBlock) {
    const GLuint program = block_program();
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, std::vector<float>{1, 0, 0, 1});
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    expect_report({named(program), "uniform block \"Colours\"", "16 bytes of the block's 32"});
}

TEST_F(DescriptorDebugTest, ARangeBehindItsBuffer) {
    constexpr GLintptr offset = 1 << 20;
    const GLuint program = block_program();
    const GLuint buffer = make_buffer(GL_UNIFORM_BUFFER, std::vector<float>(offset / 2, 1.0F));
    gl::BindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, offset, 32);
    const std::array<float, 8> less{1, 0, 0, 1};
    gl::BufferData(GL_UNIFORM_BUFFER, sizeof(less), less.data(), GL_STATIC_DRAW);
    expect_report({named(program), "uniform block \"Colours\"", "begins at byte 1048576"});
}

TEST_F(DescriptorDebugTest, ABufferThatWasNeverWritten) {
    const GLuint program = block_program();
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, make_buffer(GL_UNIFORM_BUFFER, 32, nullptr));
    expect_report({named(program), "uniform block \"Colours\"", "never written"});
}

TEST_F(DescriptorDebugTest, NoTexture) {
    const GLuint program = texture_program();
    expect_report(
        {named(program), "fragment shader", "sampler \"picture\"", "no complete texture is bound"});
}

TEST_F(DescriptorDebugTest, AnIncompleteTexture) {
    const GLuint program = texture_program();
    const std::array<std::uint8_t, 256> texels{};
    texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3); // there is one level
    gl::TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    expect_report({named(program), "sampler \"picture\"", "no complete texture is bound"});
}

TEST_F(DescriptorDebugTest, ATextureThatWasNeverWritten) {
    const GLuint program = texture_program();
    texture_2d(GL_RGBA8, 16, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    expect_report({named(program), "sampler \"picture\"", "16 x 8", "never written"});
}

TEST_F(DescriptorDebugTest, ElementsOfAnArrayAreTold) {
    const GLuint program =
        vs_fs(kFullscreenVs, "uniform sampler2D pictures[2]; out vec4 result; void main() { result "
                             "= texture(pictures[0], vec2(0.5)) + texture(pictures[1], vec2(0.5)); "
                             "}");
    gl::UseProgram(program);
    const std::array<std::uint8_t, 4> texel{255, 0, 0, 255};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    gl::Uniform1i(gl::GetUniformLocation(program, "pictures[1]"), 1);
    expect_report({named(program), "sampler \"pictures[1]\"", "no complete texture is bound"});
}

// What is planted is never read: a draw through such a handle may end the process.
class DescriptorDebugHandleTest : public DescriptorDebugTest {
protected:
    Missing missing() const override {
        return first_of({DescriptorDebugTest::missing(), lacks("GL_ARB_bindless_texture")});
    }
    void prepare() override {
        DescriptorDebugTest::prepare();
        program_ =
            vs_fs(kFullscreenVs,
                  "#extension GL_ARB_bindless_texture : require\nlayout(bindless_sampler) uniform "
                  "sampler2D picture; uniform bool taken; out vec4 result; void main() { result = "
                  "vec4(0, 1, 0, 1); if (taken) result = texture(picture, vec2(0.5)); }");
        gl::UseProgram(program_);
        const std::array<std::uint8_t, 4> texel{255, 0, 0, 255};
        texture_ = texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    }
    GLuint64 set_handle() const {
        const GLuint64 handle = gl::GetTextureHandleARB(texture_);
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program_, "picture"), handle);
        return handle;
    }
    GLuint program_ = 0;
    GLuint texture_ = 0;
};

TEST_F(DescriptorDebugHandleTest, NoHandle) {
    expect_report({named(program_), "fragment shader", "handle \"picture\"", "the handle is 0"});
}

TEST_F(DescriptorDebugHandleTest, NotResident) {
    set_handle();
    expect_report({named(program_), "handle \"picture\"", "is not resident",
                   "glMakeTextureHandleResidentARB"});
}

TEST_F(DescriptorDebugHandleTest, ResidentNoLonger) {
    const GLuint64 handle = set_handle();
    gl::MakeTextureHandleResidentARB(handle);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_TRUE(reports().empty());
    gl::MakeTextureHandleNonResidentARB(handle);
    expect_report({named(program_), "handle \"picture\"", "is not resident"});
}

TEST_F(DescriptorDebugHandleTest, ADeletedTexture) {
    gl::MakeTextureHandleResidentARB(set_handle());
    gl::DeleteTextures(1, &texture_);
    expect_report({named(program_), "handle \"picture\"", "is of no texture"});
}

TEST_F(DescriptorDebugHandleTest, AHandleInABlock) {
    const GLuint program = vs_fs(
        kFullscreenVs,
        "#extension GL_ARB_bindless_texture : require\nlayout(std140) uniform Scene { vec4 colour; "
        "sampler2D picture; }; uniform bool taken; out vec4 result; void main() { result = colour; "
        "if (taken) result = texture(picture, vec2(0.5)); }");
    gl::UseProgram(program);
    gl::UniformBlockBinding(program, gl::GetUniformBlockIndex(program, "Scene"), 0);
    const std::vector<GLuint64> words{0, 0, gl::GetTextureHandleARB(texture_), 0};
    gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, make_buffer(GL_UNIFORM_BUFFER, words));
    expect_report({named(program), "handle \"Scene.picture (byte 16)\"", "is not resident"});
}

TEST_F(DescriptorDebugHandleTest, GoodHandlesSayNothing) {
    gl::MakeTextureHandleResidentARB(set_handle());
    gl::Uniform1i(gl::GetUniformLocation(program_, "taken"), 1);
    for (int i = 0; i < 3; ++i) {
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_pixel(3, 3, kRed);
    EXPECT_TRUE(reports().empty());
}

// What only the running shader knows. Wrong accesses are left out by GPU-assisted validation alone,
// which test_descriptor_debug.py looks at.
class DescriptorDebugGpuTest : public DescriptorDebugHandleTest {
protected:
    Missing missing() const override {
        return first_of({DescriptorDebugHandleTest::missing(),
                         when(std::getenv("KOBALT_TEST_GPU_ASSISTED") == nullptr,
                              "GPU-assisted validation is not on (test_descriptor_debug.py)")});
    }
    /// Draws with `pick`, an index that the shader computes from a uniform.
    void draw_with(GLint pick) const {
        const GLuint program = vs_fs(
            kFullscreenVs,
            "#extension GL_ARB_bindless_texture : require\nuniform uvec2 handle; uniform int pick; "
            "out vec4 result; void main() { result = texelFetch(sampler2D(uvec2(handle.x + "
            "uint(pick), handle.y)), ivec2(0), 0); }");
        gl::UseProgram(program);
        const GLuint64 handle = gl::GetTextureHandleARB(texture_);
        gl::MakeTextureHandleResidentARB(handle);
        gl::Uniform2ui(gl::GetUniformLocation(program, "handle"), static_cast<GLuint>(handle),
                       static_cast<GLuint>(handle >> 32U));
        gl::Uniform1i(gl::GetUniformLocation(program, "pick"), pick);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        gl::Finish();
    }
};

TEST_F(DescriptorDebugGpuTest, AComputedHandleThatIsGood) {
    draw_with(0);
    expect_pixel(3, 3, kRed);
}

TEST_F(DescriptorDebugGpuTest, AComputedHandleThatNobodyMade) {
    draw_with(1000);
}

// Nothing is wrong with any of this: written in each of the ways that there are.
TEST_F(DescriptorDebugTest, ACleanSceneSaysNothing) {
    const Target target = make_target();
    const GLuint blocks = block_program();
    const std::vector<float> colours{0, 1, 0, 1, 0, 0, 0, 0};
    const GLuint written = make_buffer(GL_UNIFORM_BUFFER, colours);
    const GLuint filled = make_buffer(GL_UNIFORM_BUFFER, 32, nullptr);
    gl::BufferSubData(GL_UNIFORM_BUFFER, 0, 32, colours.data());
    for (const GLuint buffer : {written, filled}) {
        gl::BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
    }
    expect_pixel(3, 3, kGreen);

    const GLuint rendered = texture_2d(GL_RGBA8, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLuint into = bind_texture_target(rendered, 8, 8);
    gl::ClearColor(0, 0, 1, 1);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    target.bind();
    const GLuint textures = texture_program();
    gl::BindTexture(GL_TEXTURE_2D, rendered);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_pixel(3, 3, kBlue);
    const std::array<std::uint8_t, 4> texel{255, 0, 0, 255};
    texture_2d(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_pixel(3, 3, kRed);
    gl::UseProgram(blocks);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_pixel(3, 3, kGreen);
    const std::vector<std::string> found = reports();
    EXPECT_TRUE(found.empty()) << found.front();
    gl::DeleteFramebuffers(1, &into);
    gl::DeleteProgram(textures);
}

} // namespace
} // namespace kobalt::gltest
