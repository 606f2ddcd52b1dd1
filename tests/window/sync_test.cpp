// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Counts of refreshes and swaps: GLX_OML_sync_control, GLX_SGI_video_sync,
// EGL_CHROMIUM_sync_control.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "glx_proc.h"
#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

/// In eglext.h of some versions only.
using GetSyncValues = EGLBoolean(EGLAPIENTRYP)(EGLDisplay, EGLSurface, EGLuint64KHR*, EGLuint64KHR*,
                                               EGLuint64KHR*);

struct Values {
    int64_t ust = -1;
    int64_t msc = -1;
    int64_t sbc = -1;
};

/// Microseconds of CLOCK_MONOTONIC.
int64_t now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What both APIs have.
struct Counters {
    std::string api;
    std::function<bool(Values&)> get;
    double rate = 0; ///< hertz

    Values values() const {
        Values result;
        expect(get(result), api + ": the counters can't be read");
        return result;
    }
};

void swaps_are_counted(Target& target, const Counters& counters) {
    const Painter painter;
    const int64_t before = counters.values().sbc;
    expect(before == 0,
           counters.api + ": a new window has had " + std::to_string(before) + " swaps");
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(target.width(), target.height(), frame);
        target.swap();
        // What a swap does is over a little later.
        Values values;
        for (int attempt = 0; attempt < 200; ++attempt) {
            values = counters.values();
            if (values.sbc > frame) {
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        expect(values.sbc == frame + 1, counters.api + ": " + std::to_string(values.sbc) +
                                            " swaps are counted of " + std::to_string(frame + 1));
    }
}

void refreshes_are_counted(const Counters& counters) {
    const int64_t start = now();
    const Values first = counters.values();
    Values last = first;
    while (now() < start + 300'000) {
        const int64_t before = now();
        const Values values = counters.values();
        const int64_t behind = now();
        expect(values.msc >= last.msc && values.ust >= last.ust,
               counters.api + ": a counter goes back");
        expect((values.msc == last.msc) == (values.ust == last.ust),
               counters.api + ": the time isn't that of the refresh");
        const auto period = static_cast<int64_t>(1e6 / counters.rate);
        expect(values.ust <= behind && values.ust >= before - period - 1,
               counters.api + ": the refresh of " + std::to_string(values.ust) +
                   " us isn't the last one at " + std::to_string(before) + " us");
        last = values;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const double counted = static_cast<double>(last.msc - first.msc);
    const double expected = static_cast<double>(last.ust - first.ust) * counters.rate / 1e6;
    expect(counted > 0 && std::abs(counted - expected) < 0.01,
           counters.api + ": " + std::to_string(counted) + " refreshes in the time of " +
               std::to_string(expected));
}

class GlxSync {
public:
    GlxSync(Display* display, GLXDrawable drawable) : display_(display), drawable_(drawable) {}

    Counters counters() const {
        int32_t numerator = 0;
        int32_t denominator = 0;
        expect(get_rate_(display_, drawable_, &numerator, &denominator) && numerator > 0 &&
                   denominator > 0,
               "GLX: glXGetMscRateOML fails");
        return {"GLX",
                [this](Values& values) {
                    return get_(display_, drawable_, &values.ust, &values.msc, &values.sbc) == True;
                },
                static_cast<double>(numerator) / std::max(denominator, 1)};
    }
    bool wait_for_msc(int64_t target, int64_t divisor, int64_t remainder, Values& values) const {
        return wait_msc_(display_, drawable_, target, divisor, remainder, &values.ust, &values.msc,
                         &values.sbc);
    }
    bool wait_for_sbc(int64_t target, Values& values) const {
        return wait_sbc_(display_, drawable_, target, &values.ust, &values.msc, &values.sbc);
    }
    int64_t swap(int64_t target, int64_t divisor, int64_t remainder) const {
        return swap_(display_, drawable_, target, divisor, remainder);
    }

private:
    Display* display_;
    GLXDrawable drawable_;
    PFNGLXGETSYNCVALUESOMLPROC get_ = glx_proc<PFNGLXGETSYNCVALUESOMLPROC>("glXGetSyncValuesOML");
    PFNGLXGETMSCRATEOMLPROC get_rate_ = glx_proc<PFNGLXGETMSCRATEOMLPROC>("glXGetMscRateOML");
    PFNGLXWAITFORMSCOMLPROC wait_msc_ = glx_proc<PFNGLXWAITFORMSCOMLPROC>("glXWaitForMscOML");
    PFNGLXWAITFORSBCOMLPROC wait_sbc_ = glx_proc<PFNGLXWAITFORSBCOMLPROC>("glXWaitForSbcOML");
    PFNGLXSWAPBUFFERSMSCOMLPROC swap_ =
        glx_proc<PFNGLXSWAPBUFFERSMSCOMLPROC>("glXSwapBuffersMscOML");
};

void waits_for_refreshes(const GlxSync& sync, const Counters& counters) {
    const int64_t start = counters.values().msc;
    Values values;
    expect(sync.wait_for_msc(start + 5, 0, 0, values) && values.msc >= start + 5 &&
               values.msc <= start + 7,
           "GLX: the wait for refresh " + std::to_string(start + 5) + " ends at " +
               std::to_string(values.msc));
    // A target that has passed, without a divisor: no wait.
    const int64_t before = now();
    expect(sync.wait_for_msc(start, 0, 0, values) && now() - before < 100'000,
           "GLX: the wait for a refresh that has passed takes " + std::to_string(now() - before) +
               " us");
    // With a divisor: the next refresh that leaves the remainder, and not the current one.
    for (const int64_t remainder : {0, 1, 2}) {
        const int64_t current = counters.values().msc;
        expect(sync.wait_for_msc(0, 3, remainder, values) && values.msc > current &&
                   values.msc <= current + 5,
               "GLX: from refresh " + std::to_string(current) + " the wait for remainder " +
                   std::to_string(remainder) + " of 3 ends at " + std::to_string(values.msc));
        expect(values.msc % 3 == remainder || values.msc % 3 == (remainder + 1) % 3,
               "GLX: the wait for remainder " + std::to_string(remainder) + " of 3 ends at " +
                   std::to_string(values.msc));
    }
    // A target that is to come comes without regard to the divisor.
    const int64_t target = counters.values().msc + 4;
    expect(sync.wait_for_msc(target, 1000, (target + 500) % 1000, values) && values.msc >= target &&
               values.msc <= target + 2,
           "GLX: the divisor counts before the target");
    // These are errors.
    expect(!sync.wait_for_msc(0, -1, 0, values) && !sync.wait_for_msc(0, 0, -1, values) &&
               !sync.wait_for_msc(-1, 0, 0, values) && !sync.wait_for_msc(0, 2, 2, values) &&
               !sync.wait_for_sbc(-1, values),
           "GLX: a wait takes values that it mustn't");
}

void swaps_at_refreshes(const GlxSync& sync, const Counters& counters, Target& target) {
    const Painter painter;
    const int64_t issued = counters.values().sbc;
    for (int frame = 1; frame <= 4; ++frame) {
        painter.draw(target.width(), target.height(), frame);
        const int64_t at = counters.values().msc + 3;
        const int64_t number = sync.swap(at, 0, 0);
        expect(number == issued + frame, "GLX: glXSwapBuffersMscOML returns " +
                                             std::to_string(number) + " for swap " +
                                             std::to_string(issued + frame));
        Values values;
        expect(sync.wait_for_sbc(number, values) && values.sbc >= number && values.msc >= at,
               "GLX: swap " + std::to_string(values.sbc) + " for refresh " + std::to_string(at) +
                   " is over at " + std::to_string(values.msc));
    }
    painter.draw(target.width(), target.height(), 5);
    const int64_t number = sync.swap(0, 0, 0);
    Values values;
    expect(sync.wait_for_sbc(0, values) && values.sbc == number,
           "GLX: the wait for all swaps ends at " + std::to_string(values.sbc) + " of " +
               std::to_string(number));
    expect(sync.swap(0, 2, 2) == -1 && sync.swap(-1, 0, 0) == -1,
           "GLX: glXSwapBuffersMscOML takes values that it mustn't");
    gl::Finish();
    expect_quarters_x(target.window(), target.width(), target.height(),
                      "GLX after swaps at refreshes");
}

/// A wait ends when another thread swaps.
void another_thread_waits(const GlxSync& sync, const Counters& counters, Target& target) {
    const int64_t swaps = counters.values().sbc;
    Values values;
    bool good = false;
    std::thread waiter([&] { good = sync.wait_for_sbc(swaps + 3, values); });
    const Painter painter;
    for (int frame = 0; frame < 3; ++frame) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        painter.draw(target.width(), target.height(), frame);
        target.swap();
    }
    waiter.join();
    expect(good && values.sbc == swaps + 3, "GLX: another thread's wait ends at swap " +
                                                std::to_string(values.sbc) + " of " +
                                                std::to_string(swaps + 3));
}

/// Drawing to the front buffer shows a picture, and is no swap.
void front_buffer_is_no_swap(const GlxSync& sync, const Counters& counters, Target& target) {
    Values before;
    sync.wait_for_sbc(0, before);
    gl::DrawBuffer(GL_FRONT);
    const Painter painter;
    painter.draw(target.width(), target.height(), 0);
    gl::Finish();
    gl::DrawBuffer(GL_BACK);
    expect_quarters_x(target.window(), target.width(), target.height(), "GLX front buffer");
    expect(counters.values().sbc == before.sbc, "GLX: a flush of the front buffer is a swap");
}

void video_sync(const Counters& counters) {
    const auto get = glx_proc<PFNGLXGETVIDEOSYNCSGIPROC>("glXGetVideoSyncSGI");
    const auto wait = glx_proc<PFNGLXWAITVIDEOSYNCSGIPROC>("glXWaitVideoSyncSGI");
    unsigned count = 0;
    const int64_t before = counters.values().msc;
    expect(get(&count) == 0 && static_cast<int64_t>(count) >= before &&
               static_cast<int64_t>(count) <= before + 2,
           "GLX: glXGetVideoSyncSGI counts " + std::to_string(count) + ", not " +
               std::to_string(before));
    unsigned later = 0;
    expect(wait(2, 1, &later) == 0 && later > count && later <= count + 4,
           "GLX: glXWaitVideoSyncSGI ends at " + std::to_string(later) + " from " +
               std::to_string(count));
    expect(wait(0, 0, &later) == GLX_BAD_VALUE && wait(1, -1, &later) == GLX_BAD_VALUE,
           "GLX: glXWaitVideoSyncSGI takes values that it mustn't");
}

/// The window goes while somebody waits: the wait ends, and says so.
void wait_ends_with_the_window(Display* display) {
    const auto target = make_glx_target(display);
    if (!target->current()) {
        return;
    }
    const GlxSync sync(display, glXGetCurrentDrawable());
    const Painter painter;
    painter.draw(target->width(), target->height(), 0);
    target->swap();
    Display* other = XOpenDisplay(DisplayString(display));
    XDestroyWindow(other, target->window().handle());
    XSync(other, False);
    XCloseDisplay(other);
    target->window().forget();
    Values values;
    const int64_t before = now();
    expect(!sync.wait_for_sbc(1000, values) && !sync.wait_for_msc(INT64_MAX, 0, 0, values) &&
               now() - before < 10'000'000,
           "GLX: a wait goes on without its window");
    target->destroy();
}

} // namespace

void run_glx_sync_tests(Display* display) {
    const std::string extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    for (const char* name : {"GLX_OML_sync_control", "GLX_SGI_video_sync"}) {
        expect(extensions.find(name) != std::string::npos, name + std::string(" isn't offered"));
    }
    {
        const auto target = make_glx_target(display);
        if (!target->current()) {
            return;
        }
        target->set_interval(1);
        const GlxSync sync(display, glXGetCurrentDrawable());
        const Counters counters = sync.counters();
        swaps_are_counted(*target, counters);
        refreshes_are_counted(counters);
        waits_for_refreshes(sync, counters);
        swaps_at_refreshes(sync, counters, *target);
        another_thread_waits(sync, counters, *target);
        front_buffer_is_no_swap(sync, counters, *target);
        video_sync(counters);
        expect(gl::GetError() == GL_NO_ERROR, "GLX counters: a GL error is left behind");
    }
    wait_ends_with_the_window(display);
}

void run_egl_sync_tests(Display* x_display, void* display) {
    const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
    for (const char* name : {"EGL_CHROMIUM_sync_control", "EGL_ANGLE_sync_control_rate"}) {
        expect(extensions.find(name) != std::string::npos, name + std::string(" isn't offered"));
    }
    const auto target = make_egl_target(x_display, display);
    if (!target->current()) {
        return;
    }
    const auto get = reinterpret_cast<GetSyncValues>(eglGetProcAddress("eglGetSyncValuesCHROMIUM"));
    const auto get_rate =
        reinterpret_cast<PFNEGLGETMSCRATEANGLEPROC>(eglGetProcAddress("eglGetMscRateANGLE"));
    const EGLSurface surface = eglGetCurrentSurface(EGL_DRAW);
    EGLint numerator = 0;
    EGLint denominator = 0;
    expect(get_rate(display, surface, &numerator, &denominator) && numerator > 0 && denominator > 0,
           "EGL: eglGetMscRateANGLE fails");
    const Counters counters = {"EGL",
                               [&](Values& values) {
                                   EGLuint64KHR ust = 0;
                                   EGLuint64KHR msc = 0;
                                   EGLuint64KHR sbc = 0;
                                   if (!get(display, surface, &ust, &msc, &sbc)) {
                                       return false;
                                   }
                                   values = {static_cast<int64_t>(ust), static_cast<int64_t>(msc),
                                             static_cast<int64_t>(sbc)};
                                   return true;
                               },
                               static_cast<double>(numerator) / std::max(denominator, 1)};
    swaps_are_counted(*target, counters);
    refreshes_are_counted(counters);
}

} // namespace kobalt::windowtest
