// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Textures whose image moves while they have handles.
#include "bindless.h"
#include "moved_texture.h"

namespace kobalt::gltest {
namespace {

class MovedHandleTest : public MovedTextureTest {
protected:
    Missing missing() const override {
        return first_of({MovedTextureTest::missing(), lacks("GL_ARB_bindless_texture")});
    }
    static GLuint handle_program(GLuint64 handle) {
        const GLuint program =
            vs_fs(kFullscreenVs, kBindless + "layout(bindless_sampler) uniform sampler2D image; "
                                             "out vec4 colour; void main() { colour = "
                                             "texelFetch(image, ivec2(0), 0); }");
        gl::UseProgram(program);
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program, "image"), handle);
        return program;
    }
};

TEST_F(MovedHandleTest, AResidentHandleShowsWhatIsStored) {
    const GLuint texture = filled(kRed);
    const GLuint program = handle_program(resident(texture));
    make_target({4, 4});
    bind_new_vao();
    draw_fullscreen(program);
    expect_area(0, 0, 4, 4, kRed);
    draw_fullscreen(program); // its batch is not submitted yet
    expect_moves(1, [&] {
        bind(0, texture, GL_RGBA8);
        run(green_program());
    });
    draw_fullscreen(program);
    expect_area(0, 0, 4, 4, kGreen);
    // What is written next goes where the handle reads.
    update(texture, kBlue);
    draw_fullscreen(program);
    expect_area(0, 0, 4, 4, kBlue);
}

TEST_F(MovedHandleTest, AHandleOfAnotherContextShowsWhatIsStored) {
    const GLuint texture = filled(kRed);
    GLuint program = 0;
    elsewhere([&] {
        make_target({4, 4});
        bind_new_vao();
        program = handle_program(resident(texture));
        draw_fullscreen(program);
        expect_area(0, 0, 4, 4, kRed);
    });
    bind(0, texture, GL_RGBA8);
    run(green_program());
    gl::Finish();
    elsewhere([&] {
        draw_fullscreen(program);
        expect_area(0, 0, 4, 4, kGreen);
    });
}

TEST_F(MovedHandleTest, AnImageHandleMovesItsTexture) {
    const GLuint texture = filled(kRed);
    const GLuint look = handle_program(resident(texture));
    make_target({4, 4});
    bind_new_vao();
    draw_fullscreen(look);
    GLuint64 handle = 0;
    expect_moves(1, [&] { handle = calls().GetImageHandleARB(texture, 0, GL_FALSE, 0, GL_RGBA8); });
    ASSERT_NE(handle, 0U);
    calls().MakeImageHandleResidentARB(handle, GL_READ_WRITE);
    const auto store = [&](const char* value) {
        const GLuint program = compute(kBindless +
                                       "layout(local_size_x = 1) in; layout(bindless_image, rgba8) "
                                       "uniform image2D image; void main() { imageStore(image, "
                                       "ivec2(0), " +
                                       std::string(value) + "); }");
        gl::UseProgram(program);
        gl::UniformHandleui64ARB(gl::GetUniformLocation(program, "image"), handle);
        run(program);
    };
    store("vec4(0, 1, 0, 1)");
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kGreen);
    // The texture moves once more, and both handles with it.
    expect_moves(1, [&] {
        bind(0, texture, GL_R32UI);
        run(compute("layout(local_size_x = 1) in; layout(r32ui, binding = 0) uniform uimage2D "
                    "image; void main() { imageStore(image, ivec2(0), uvec4(0xffff0000u)); }"));
    });
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kBlue);
    store("vec4(1, 1, 0, 1)");
    draw_fullscreen(look);
    expect_area(0, 0, 4, 4, kYellow);
}

} // namespace
} // namespace kobalt::gltest
