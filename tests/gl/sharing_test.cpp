// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <thread>

#include "support.h"

// Programs shared by contexts: one deletes what the other has bound.

namespace kobalt::gltest {
namespace {

class SharedProgramsTest : public GlTest {};

GLuint colour_program(const std::string& colour) {
    return vs_fs(kFullscreenVs, "out vec4 colour; void main() { colour = " + colour + "; }");
}

TEST_F(SharedProgramsTest, OneDeletesWhatTheOtherHasBound) {
    make_target({16, 16});
    bind_new_vao();
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    // Again and again, so that memory of a deleted shader is used for the next.
    for (int round = 0; round < 40; ++round) {
        const GLuint old_program = colour_program("vec4(1, 0, 0, 1)");
        draw_fullscreen(old_program);
        expect_pixel(3, 3, kRed);
        gl::UseProgram(0);
        GLuint next = 0;
        std::thread other([&] {
            if (!shared->make_current()) {
                return;
            }
            gl::DeleteProgram(old_program);
            next = colour_program("vec4(0, 1, 0, 1)");
            gl::Finish();
            shared->release_current();
        });
        other.join();
        ASSERT_NE(next, 0U);
        draw_fullscreen(next);
        expect_pixel(3, 3, kGreen);
        gl::DeleteProgram(next);
    }
}

} // namespace
} // namespace kobalt::gltest
