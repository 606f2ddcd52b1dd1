// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Where shaders get texture handles from, beside uniforms that are set to one
// (ARB_bindless_texture).
#include "bindless.h"

namespace kobalt::gltest {
namespace {

// "UNSIGNED_INT64_ARB" is a type of glVertexAttribLPointer.
TEST_F(BindlessTest, HandlesFromVertexArrays) {
    make_target();
    const GLuint program =
        vs_fs(kBindless +
                  "layout(location = 3) in sampler2D picture; flat out vec4 v; void main() { v = "
                  "texelFetch(picture, ivec2(0), 0); gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
                  "gl_VertexID == 2 ? 3 : -1, 0, 1); }",
              "flat in vec4 v; out vec4 result; void main() { result = v; }");
    gl::UseProgram(program);
    bind_new_vao();
    const std::vector<GLuint64> handles(3, resident(solid(kGreen)));
    make_buffer(GL_ARRAY_BUFFER, handles);
    gl::VertexAttribLPointer(3, 1, GL_UNSIGNED_INT64_ARB, sizeof(GLuint64), nullptr);
    gl::EnableVertexAttribArray(3);
    gl::DrawArrays(GL_TRIANGLES, 0, 3);
    expect_pixel(3, 3, kGreen);
}

// glVertexAttribL1ui64ARB: the current value of an attribute without an array.
TEST_F(BindlessTest, HandlesFromCurrentValues) {
    make_target();
    const auto attribute =
        gl_function<void(GLAPIENTRY*)(GLuint, GLuint64)>("glVertexAttribL1ui64ARB");
    gl::UseProgram(vs_fs(
        kBindless +
            "layout(location = 3) in sampler2D picture; flat out sampler2D chosen; void main() { "
            "chosen = picture; gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 "
            ": -1, 0, 1); }",
        kBindless + "flat in sampler2D chosen; out vec4 result; void main() { result = "
                    "texelFetch(chosen, ivec2(0), 0); }"));
    bind_new_vao();
    for (const Byte4& colour : {kGreen, kRed}) {
        attribute(3, resident(solid(colour)));
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_pixel(3, 3, colour);
    }
}

// ARB_bindless_texture, 5.4.1: a pair of unsigned integers converts, and nothing else.
TEST_F(BindlessTest, WhatIsNoHandle) {
    const auto made_of = [](const std::string& what) {
        return compiles(GL_FRAGMENT_SHADER,
                        "#version 430 core\n" + kBindless +
                            "out vec4 result; void main() { sampler2D t = sampler2D(" + what +
                            "); result = texture(t, vec2(0.5)); }");
    };
    EXPECT_TRUE(made_of("uvec2(1, 2)"));
    for (const std::string what : {"1", "1.0", "true", "1u", "ivec2(1, 2)", "vec2(1)"}) {
        EXPECT_FALSE(made_of(what)) << what;
    }
}

// GL 4.6, 7.6.1: glUniform1i sets the element that the location names, and no other.
TEST_F(BindlessTest, UnitsForElementsOfAnArray) {
    make_target();
    bind_new_vao();
    const GLuint program =
        vs_fs(kFullscreenVs,
              kBindless + "layout(bindless_sampler) uniform sampler2D pictures[4]; uniform int "
                          "which; out vec4 result; void main() { result = vec4(0); for (int i = "
                          "0; i < 4; ++i) if (i == which) result = texture(pictures[i], "
                          "vec2(0.5)); }");
    gl::UseProgram(program);
    const std::array<Byte4, 4> colours{colour(1), colour(2), colour(3), colour(4)};
    for (int i = 0; i < 4; ++i) {
        const std::string name = "pictures[" + std::to_string(i) + "]";
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program, name.c_str()),
                                 resident(solid(colours.at(static_cast<std::size_t>(i)))));
    }
    gl::ActiveTexture(GL_TEXTURE3);
    solid(kRed);
    gl::Uniform1i(gl::GetUniformLocation(program, "pictures[2]"), 3);
    gl::ActiveTexture(GL_TEXTURE0);
    for (int i = 0; i < 4; ++i) {
        SCOPED_TRACE(i);
        gl::Uniform1i(gl::GetUniformLocation(program, "which"), i);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_pixel(3, 3, i == 2 ? kRed : colours.at(static_cast<std::size_t>(i)));
    }
}

TEST_F(BindlessTest, UnitsForAWholeArray) {
    make_target();
    bind_new_vao();
    const GLuint program =
        vs_fs(kFullscreenVs,
              kBindless + "layout(bindless_sampler) uniform sampler2D pictures[3]; uniform vec4 "
                          "behind[4]; uniform int which; out vec4 result; void main() { result = "
                          "behind[which]; for (int i = 0; i < 3; ++i) if (i == which) result = "
                          "texture(pictures[i], vec2(0.5)); }");
    gl::UseProgram(program);
    const std::array<Byte4, 3> colours{kRed, kGreen, kYellow};
    for (GLenum i = 0; i < 3; ++i) {
        gl::ActiveTexture(GL_TEXTURE0 + 5 - i);
        solid(colours.at(i));
    }
    gl::ActiveTexture(GL_TEXTURE0);
    const std::array<GLint, 3> units{5, 4, 3};
    gl::Uniform1iv(gl::GetUniformLocation(program, "pictures"), 3, units.data());
    gl::Uniform4f(gl::GetUniformLocation(program, "behind[3]"), 0, 0, 1, 1);
    for (int i = 0; i < 4; ++i) {
        SCOPED_TRACE(i);
        gl::Uniform1i(gl::GetUniformLocation(program, "which"), i);
        gl::DrawArrays(GL_TRIANGLES, 0, 3);
        expect_pixel(3, 3, i == 3 ? kBlue : colours.at(static_cast<std::size_t>(i)));
    }
}

} // namespace
} // namespace kobalt::gltest
