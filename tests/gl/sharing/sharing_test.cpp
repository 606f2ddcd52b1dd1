// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <semaphore>
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

// The other context has stopped using the program, but its queue still has the draws.
TEST_F(SharedProgramsTest, OneDeletesWhatTheOthersQueueNames) {
    constexpr int rounds = 120;
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    std::binary_semaphore made{0}, drawn{0};
    GLuint program = 0;
    std::thread other([&] {
        if (!shared->make_current()) {
            return;
        }
        make_target({16, 16});
        bind_new_vao();
        const GLuint own = colour_program("vec4(0, 1, 0, 1)");
        for (int round = 0; round < rounds; ++round) {
            made.acquire();
            for (int draw = 0; draw < 3; ++draw) {
                draw_fullscreen(program);
            }
            draw_fullscreen(own);
            drawn.release();
        }
        expect_pixel(3, 3, kGreen);
        shared->release_current();
    });
    for (int round = 0; round < rounds; ++round) {
        program = colour_program("vec4(1, 0, 0, " + std::to_string(round) + ".0 / 255.0)");
        made.release();
        drawn.acquire();
        gl::DeleteProgram(program);
        gl::Finish();
        // Another one, for which memory of the deleted one may be used.
        gl::DeleteProgram(colour_program("vec4(0, 0, 1, " + std::to_string(round) + ".0 / 255.0)"));
    }
    other.join();
}

} // namespace
} // namespace kobalt::gltest
