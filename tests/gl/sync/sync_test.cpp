// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Fences (OpenGL 4.6, 4.1).
#include <chrono>
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

// 4.1.1: a timeout is an unsigned number of nanoseconds. One that ends beyond the clock's last time
// never ends.
TEST_F(SyncTest, TimeoutsBeyondTheClock) {
    make_target({.width = 1024, .height = 1024});
    const RectPainter painter;
    for (const GLuint64 timeout :
         {GLuint64{INT64_MAX}, GLuint64{1} << 63, UINT64_MAX - 5, GLuint64{1} << 62}) {
        for (int i = 0; i < 32; ++i)
            painter.fill({0, 1, 0, 1});
        const GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        EXPECT_NE(gl::ClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, timeout),
                  static_cast<GLenum>(GL_TIMEOUT_EXPIRED))
            << timeout;
        gl::DeleteSync(sync);
    }
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

// 4.1.2: a fence is signalled in finite time once it was flushed, whatever the app does then.
TEST_F(SyncTest, FlushIsEnough) {
    make_target();
    const RectPainter painter;
    for (const int draws : {1, 500}) {
        for (int i = 0; i < draws; ++i) {
            painter.fill({0, 1, 0, 1});
        }
        GLsync sync = gl::FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl::Flush();
        GLint status = GL_UNSIGNALED;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (status != GL_SIGNALED && std::chrono::steady_clock::now() < end) {
            gl::GetSynciv(sync, GL_SYNC_STATUS, 1, nullptr, &status);
        }
        EXPECT_EQ(status, GL_SIGNALED) << draws;
        gl::DeleteSync(sync);
    }
}

TEST_F(SyncTest, FewCallsDontOvertakeManyThatWereFlushed) {
    make_target();
    const RectPainter painter;
    gl::Enable(GL_SCISSOR_TEST);
    for (int column = 0; column < 32; ++column) {
        gl::Scissor(column, 0, 1, 32);
        for (int i = 0; i < 200; ++i) {
            painter.fill({1, 0, 0, 1});
        }
        gl::Flush();
        painter.fill({0, 1, 0, 1});
        gl::Flush();
    }
    for (int column = 0; column < 32; ++column) {
        EXPECT_EQ(pixel(column, 5), kGreen) << column;
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
