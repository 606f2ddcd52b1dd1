// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// EGL_KHR_reusable_sync: a thread waits until another one signals.
#include <chrono>
#include <thread>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "support.h"

namespace kobalt::gltest {
namespace {

using std::chrono::milliseconds;

constexpr EGLTimeKHR kTenSeconds = 10'000'000'000;

class ReusableSyncTest : public GlTest {
protected:
    void prepare() override {
        display_ = eglGetCurrentDisplay();
        const char* const offered = eglQueryString(display_, EGL_EXTENSIONS);
        if (!std::string_view(offered ? offered : "").contains("EGL_KHR_reusable_sync"))
            GTEST_SKIP() << "no EGL_KHR_reusable_sync";
        sync_ = create(display_, EGL_SYNC_REUSABLE_KHR, nullptr);
        ASSERT_NE(sync_, EGL_NO_SYNC_KHR);
    }
    void TearDown() override {
        if (sync_ != EGL_NO_SYNC_KHR)
            destroy(display_, sync_);
        GlTest::TearDown();
    }
    /// Lets another thread do `what` while this one waits.
    template <typename What>
    EGLint waited(EGLTimeKHR timeout, What what) {
        std::thread other([what] {
            std::this_thread::sleep_for(milliseconds(20));
            what();
        });
        const EGLint result = wait(display_, sync_, 0, timeout);
        other.join();
        return result;
    }

    const PFNEGLCREATESYNCKHRPROC create = gl_function<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR");
    const PFNEGLDESTROYSYNCKHRPROC destroy =
        gl_function<PFNEGLDESTROYSYNCKHRPROC>("eglDestroySyncKHR");
    const PFNEGLCLIENTWAITSYNCKHRPROC wait =
        gl_function<PFNEGLCLIENTWAITSYNCKHRPROC>("eglClientWaitSyncKHR");
    const PFNEGLSIGNALSYNCKHRPROC signal = gl_function<PFNEGLSIGNALSYNCKHRPROC>("eglSignalSyncKHR");
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLSyncKHR sync_ = EGL_NO_SYNC_KHR;
};

TEST_F(ReusableSyncTest, ASignalWakesWhoWaits) {
    for (const EGLTimeKHR timeout : {kTenSeconds, static_cast<EGLTimeKHR>(EGL_FOREVER_KHR)}) {
        EXPECT_EQ(waited(timeout, [this] { signal(display_, sync_, EGL_SIGNALED_KHR); }),
                  EGL_CONDITION_SATISFIED_KHR);
        // It is signaled, so nobody waits.
        EXPECT_EQ(wait(display_, sync_, 0, timeout), EGL_CONDITION_SATISFIED_KHR);
        signal(display_, sync_, EGL_UNSIGNALED_KHR);
    }
}

TEST_F(ReusableSyncTest, ASignalThatIsTakenBackWakesAsWell) {
    EXPECT_EQ(waited(kTenSeconds,
                     [this] {
                         signal(display_, sync_, EGL_SIGNALED_KHR);
                         signal(display_, sync_, EGL_UNSIGNALED_KHR);
                     }),
              EGL_CONDITION_SATISFIED_KHR);
}

TEST_F(ReusableSyncTest, TimeRunsOut) {
    EXPECT_EQ(wait(display_, sync_, 0, 1'000'000), EGL_TIMEOUT_EXPIRED_KHR);
    EXPECT_EQ(wait(display_, sync_, 0, 0), EGL_TIMEOUT_EXPIRED_KHR);
}

} // namespace
} // namespace kobalt::gltest
