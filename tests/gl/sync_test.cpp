// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Fences (OpenGL 4.6, 4.1).
#include <thread>

#include "support.h"

namespace kobalt::gltest {
namespace {

class SyncTest : public GlTest {};

TEST_F(SyncTest, ClientWaitSeesTheWorkDone) {
    make_target();
    const RectPainter painter;
    painter.fill({0, 1, 0, 1});
    GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    ASSERT_NE(sync, nullptr);
    const GLenum status = gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ULL);
    EXPECT_TRUE(status == GL_CONDITION_SATISFIED || status == GL_ALREADY_SIGNALED) << status;
    GLint value = 0;
    GLsizei length = 0;
    gl::GetSynciv(sync, GL_SYNC_STATUS, 1, &length, &value);
    EXPECT_EQ(value, GL_SIGNALED);
    EXPECT_EQ(gl::ClientWaitSync(sync, 0, 0), static_cast<GLenum>(GL_ALREADY_SIGNALED));
    gl::DeleteSync(sync);
}

TEST_F(SyncTest, ServerWaitAndManyFences) {
    make_target();
    const RectPainter painter;
    std::array<GLsync, 64> syncs{};
    for (GLsync& sync : syncs) {
        painter.fill({0, 1, 0, 1});
        sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    gl::WaitSync(syncs[63], 0, GL_TIMEOUT_IGNORED);
    gl::Flush();
    EXPECT_NE(gl::ClientWaitSync(syncs[63], GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ULL),
              static_cast<GLenum>(GL_TIMEOUT_EXPIRED));
    // Fences signal in order.
    for (const GLsync sync : syncs) {
        EXPECT_EQ(gl::ClientWaitSync(sync, 0, 0), static_cast<GLenum>(GL_ALREADY_SIGNALED));
        gl::DeleteSync(sync);
    }
}

TEST_F(SyncTest, FenceOrdersTwoSharedContexts) {
    const GLuint texture = texture_2d(GL_RGBA8, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    auto shared = context().create_shared(request());
    ASSERT_TRUE(shared.has_value()) << shared.error();
    bind_texture_target(texture, 64, 64);
    const RectPainter painter;
    painter.fill({0, 1, 0, 1});
    GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl::Flush();
    Byte4 seen{};
    std::thread reader([&] {
        if (!shared->make_current()) {
            return;
        }
        gl::WaitSync(sync, 0, GL_TIMEOUT_IGNORED);
        GLuint framebuffer = 0;
        gl::GenFramebuffers(1, &framebuffer);
        gl::BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl::FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
        seen = pixel(33, 12);
        shared->release_current();
    });
    reader.join();
    EXPECT_EQ(seen, kGreen);
    gl::DeleteSync(sync);
}

} // namespace
} // namespace kobalt::gltest
