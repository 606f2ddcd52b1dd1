// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// GL_ARB_bindless_texture: handles that several contexts have.
#include <thread>

#include "bindless.h"
#include "pixel_grid.h"

namespace kobalt::gltest {
namespace {

TEST_F(BindlessTest, HandlesOfAnotherContext) {
    const auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    PixelGrid pixels;
    const GLuint program = picture_program();
    for (int round = 0; round < 12; ++round) {
        constexpr size_t count = 8;
        std::array<GLuint, count> textures{};
        std::array<GLuint64, count> handles{};
        std::thread maker([&] {
            if (!other->make_current()) {
                return;
            }
            for (size_t i = 0; i < count; ++i) {
                textures[i] = solid(colour(round * 8 + static_cast<int>(i)));
                handles[i] = gl::GetTextureHandleARB(textures[i]);
            }
            gl::Finish();
            other->release_current();
        });
        maker.join();
        for (size_t i = 0; i < count; ++i) {
            ASSERT_NE(handles[i], 0U);
            gl::MakeTextureHandleResidentARB(handles[i]);
            set_handle(program, handles[i]);
            pixels.draw(colour(round * 8 + static_cast<int>(i)));
            gl::MakeTextureHandleNonResidentARB(handles[i]);
        }
        // The other one deletes them while the draws may still be under way. The calls themselves
        // have to be over: what is in the queue of a driver's thread and what another context
        // deletes have no order (OpenGL 4.6, 5.3, Propagating Changes to Objects).
        EXPECT_EQ(gl::GetError(), static_cast<GLenum>(GL_NO_ERROR));
        std::thread deleter([&] {
            if (other->make_current()) {
                gl::DeleteTextures(count, textures.data());
                gl::Flush();
                other->release_current();
            }
        });
        deleter.join();
    }
    EXPECT_EQ(pixels.wrong(), 0);
}

TEST_F(BindlessTest, TwoContextsDrawThroughOneHandle) {
    const auto other = context().create_shared(request());
    ASSERT_TRUE(other.has_value()) << other.error();
    const GLuint texture = solid(kGreen);
    const GLuint64 handle = gl::GetTextureHandleARB(texture);
    gl::Finish();
    const auto draws = [&] {
        PixelGrid pixels;
        const GLuint program = picture_program();
        gl::MakeTextureHandleResidentARB(handle); // residency is a context's own
        set_handle(program, handle);
        for (int i = 0; i < 200; ++i) {
            pixels.draw(kGreen);
            if (i % 40 == 39) {
                gl::Flush();
            }
        }
        return pixels.wrong();
    };
    int wrong_there = -1;
    std::thread worker([&] {
        if (other->make_current()) {
            wrong_there = draws();
            other->release_current();
        }
    });
    const int wrong_here = draws();
    worker.join();
    EXPECT_EQ(wrong_here, 0);
    EXPECT_EQ(wrong_there, 0);
}

} // namespace
} // namespace kobalt::gltest
