// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What a name finds: variables and blocks of programs, and objects.
#include "support.h"

namespace kobalt::gltest {
namespace {

class NameTest : public GlTest {
protected:
    ContextRequest request() const override { return {.major = 4, .minor = 6}; }
    static void expect(int error) { EXPECT_EQ(gl::GetError(), static_cast<GLenum>(error)); }
};

class ResourceNameTest : public NameTest {
protected:
    void prepare() override {
        const char* const vertex = R"(#version 460 core
in vec4 point; in vec3 points[2]; out vec4 passed; out vec4 several[3];
void main() {
    gl_Position = point + points[0].xyzz + points[1].xyzz;
    passed = point; several[0] = several[1] = several[2] = point;
})";
        const char* const fragment = R"(#version 460 core
in vec4 passed; in vec4 several[3]; layout(location = 0) out vec4 colors[2];
layout(location = 2) out vec4 color;
uniform float single; uniform vec4 list[3]; uniform float lists[2][3];
struct Part { float a; vec2 b[2]; }; uniform Part parts[2];
layout(binding = 1) uniform Block { vec4 member; } block;
layout(binding = 3) uniform Blocks { float one; } blocks[2];
layout(std430, binding = 1) buffer Store { Part stored[2]; float rows[2][4]; } store;
void main() {
    colors[0] = passed + several[1] + single + list[2] + lists[1][2] + parts[1].b[1].xyxy +
                block.member + blocks[1].one + store.stored[1].a + store.rows[1][3] + parts[0].a;
    colors[1] = color = passed;
})";
        program_ =
            link({{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}}, [](GLuint name) {
                const std::array varyings{"passed", "several[1]"};
                gl::TransformFeedbackVaryings(name, varyings.size(), varyings.data(),
                                              GL_INTERLEAVED_ATTRIBS);
            });
        ASSERT_NE(program_, 0U);
    }
    bool finds(GLenum interface, const char* name) const {
        return gl::GetProgramResourceIndex(program_, interface, name) != GL_INVALID_INDEX;
    }
    bool locates(GLenum interface, const char* name) const {
        return gl::GetProgramResourceLocation(program_, interface, name) >= 0;
    }
    GLuint program_ = 0;
};

// GL 4.6, 7.3.1.1: the name as it is listed, or that without the "[0]" of its end.
TEST_F(ResourceNameTest, NamesOfTheListAreFound) {
    for (const char* name : {"single", "list", "list[0]", "lists[1]", "lists[1][0]", "parts[0].a",
                             "parts[1].b", "parts[1].b[0]", "Block.member", "Blocks.one"}) {
        EXPECT_TRUE(finds(GL_UNIFORM, name)) << name;
    }
    for (const char* name : {"Block", "Blocks", "Blocks[0]", "Blocks[1]"}) {
        EXPECT_TRUE(finds(GL_UNIFORM_BLOCK, name)) << name;
    }
    for (const char* name : {"Store.stored[0].a", "Store.rows[0]", "Store.rows[0][0]"}) {
        EXPECT_TRUE(finds(GL_BUFFER_VARIABLE, name)) << name;
    }
    EXPECT_TRUE(finds(GL_PROGRAM_INPUT, "points"));
    EXPECT_TRUE(finds(GL_PROGRAM_OUTPUT, "colors[0]"));
    EXPECT_TRUE(finds(GL_TRANSFORM_FEEDBACK_VARYING, "several[1]"));
}

TEST_F(ResourceNameTest, OthersAreNot) {
    for (const char* name :
         {"single[0]", "single.x", "list[1]", "list[0][0]", "list.x", "lists", "lists[0][1]",
          "parts", "parts[0]", "parts[0].a[0]", "parts[1].b[1]", "Block", "Block.member[0]"}) {
        EXPECT_FALSE(finds(GL_UNIFORM, name)) << name;
    }
    for (const char* name : {"Block[0]", "Block[", "Block.member", "block", "Blocks[2]",
                             "Blocks[0][0]", "Blocks[0].one"}) {
        EXPECT_FALSE(finds(GL_UNIFORM_BLOCK, name)) << name;
        EXPECT_EQ(gl::GetUniformBlockIndex(program_, name), GL_INVALID_INDEX) << name;
    }
    EXPECT_FALSE(finds(GL_SHADER_STORAGE_BLOCK, "Store.stored"));
    EXPECT_FALSE(finds(GL_BUFFER_VARIABLE, "Store.rows"));
    EXPECT_FALSE(finds(GL_PROGRAM_INPUT, "point[0]"));
    EXPECT_FALSE(finds(GL_PROGRAM_OUTPUT, "color[0]"));
    EXPECT_FALSE(finds(GL_TRANSFORM_FEEDBACK_VARYING, "passed[0]"));
    EXPECT_FALSE(finds(GL_TRANSFORM_FEEDBACK_VARYING, "several"));
}

TEST_F(ResourceNameTest, ElementsOfArraysHaveLocations) {
    EXPECT_TRUE(locates(GL_UNIFORM, "list[2]"));
    EXPECT_TRUE(locates(GL_UNIFORM, "lists[1][2]"));
    EXPECT_TRUE(locates(GL_PROGRAM_INPUT, "points[1]"));
    EXPECT_TRUE(locates(GL_PROGRAM_OUTPUT, "colors[1]"));
    for (const char* name : {"single[0]", "single.x", "list[3]", "list[4294967296]", "list[0][0]",
                             "lists", "lists[1][3]", "lists[2][0]"}) {
        EXPECT_FALSE(locates(GL_UNIFORM, name)) << name;
        EXPECT_EQ(gl::GetUniformLocation(program_, name), -1) << name;
    }
    EXPECT_FALSE(locates(GL_PROGRAM_INPUT, "points[2]"));
    EXPECT_FALSE(locates(GL_PROGRAM_INPUT, "point[0]"));
    EXPECT_EQ(gl::GetFragDataIndex(program_, "colors[1]"), 0);
    for (const char* name : {"colors[2]", "color[0]"}) {
        EXPECT_FALSE(locates(GL_PROGRAM_OUTPUT, name)) << name;
        EXPECT_EQ(gl::GetFragDataIndex(program_, name), -1) << name;
        EXPECT_EQ(gl::GetProgramResourceLocationIndex(program_, GL_PROGRAM_OUTPUT, name), -1)
            << name;
    }
}

// GL 4.6, 8.1 and 9.2: what glGen… gave is no object before something binds it.
TEST_F(NameTest, NamesAloneAreNoObjects) {
    GLuint texture = 0;
    gl::GenTextures(1, &texture);
    gl::GenerateTextureMipmap(texture);
    expect(GL_INVALID_OPERATION);
    GLint value = 0;
    gl::GetTextureLevelParameteriv(texture, 0, GL_TEXTURE_WIDTH, &value);
    expect(GL_INVALID_OPERATION);
    gl::BindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    expect(GL_INVALID_VALUE);
}

// Nor is the framebuffer that is bound cleared instead.
TEST_F(NameTest, ClearingAFramebufferThatIsNotThere) {
    make_black_target({4, 4});
    GLuint name = 0;
    gl::GenFramebuffers(1, &name);
    const Float4 white{1, 1, 1, 1};
    for (const GLuint none : {name, 4242U}) {
        gl::ClearNamedFramebufferfv(none, GL_COLOR, 0, white.data());
        expect(GL_INVALID_OPERATION);
        EXPECT_FALSE(gl::IsFramebuffer(none));
    }
    expect_area(0, 0, 4, 4, kBlack);
}

// GL 4.6, 8.14.4.
TEST_F(NameTest, NamedTexturesWithoutLevelsHaveNoMipmaps) {
    for (const GLenum target :
         {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BUFFER, GL_TEXTURE_RECTANGLE}) {
        GLuint name = 0;
        gl::GenTextures(1, &name);
        gl::BindTexture(target, name);
        gl::GenerateTextureMipmap(name);
        expect(GL_INVALID_OPERATION);
    }
}

} // namespace
} // namespace kobalt::gltest
