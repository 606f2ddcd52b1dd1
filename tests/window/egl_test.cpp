// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdio>
#include <string>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "shared_tests.h"
#include "target.h"

namespace kobalt::windowtest {

namespace {

EGLint query(EGLint name) {
    EGLint value = -1;
    eglQuerySurface(eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW), name, &value);
    return value;
}

void size_query(Display* x_display, EGLDisplay display) {
    const auto egl = make_egl_target(x_display, display);
    if (!egl->current()) {
        return;
    }
    egl->window().resize(240, 200);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    egl->swap();
    gl::Clear(GL_COLOR_BUFFER_BIT);
    expect(query(EGL_WIDTH) == 240 && query(EGL_HEIGHT) == 200,
           "EGL: the surface does not report the window's size");
}

void buffer_age(Display* x_display, EGLDisplay display) {
    const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (extensions.find("EGL_EXT_buffer_age") == std::string::npos) {
        std::printf("skipped: EGL_EXT_buffer_age is not offered\n");
        return;
    }
    const auto egl = make_egl_target(x_display, display);
    if (!egl->current()) {
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 6; ++frame) {
        const EGLint age = query(EGL_BUFFER_AGE_EXT);
        expect(age >= 0 && age <= frame,
               "EGL: buffer age " + std::to_string(age) + " at frame " + std::to_string(frame));
        if (age == 1) {
            // EGL_EXT_buffer_age: the buffer holds the last frame.
            expect_quarters_gl(GL_BACK, egl->width(), egl->height(), "EGL: contents of age 1");
        }
        painter.draw(egl->width(), egl->height(), frame);
        egl->swap();
    }
}

// EGL_KHR_partial_update: a damage region may be set once per frame, after a query of the age.
void partial_update(Display* x_display, EGLDisplay display) {
    const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
    const auto set_damage =
        reinterpret_cast<PFNEGLSETDAMAGEREGIONKHRPROC>(eglGetProcAddress("eglSetDamageRegionKHR"));
    if (extensions.find("EGL_KHR_partial_update") == std::string::npos || !set_damage) {
        std::printf("skipped: EGL_KHR_partial_update is not offered\n");
        return;
    }
    const auto egl = make_egl_target(x_display, display);
    if (!egl->current()) {
        return;
    }
    const Painter painter;
    EGLint whole[] = {0, 0, egl->width(), egl->height()};
    const auto tell = [&] {
        return set_damage(display, eglGetCurrentSurface(EGL_DRAW), whole, 1) == EGL_TRUE;
    };
    for (int frame = 0; frame < 4; ++frame) {
        expect(!tell() && eglGetError() == EGL_BAD_ACCESS,
               "EGL: a region is taken before the buffer's age is asked for");
        query(EGL_BUFFER_AGE_KHR);
        expect(tell(), "EGL: a region of the window is refused");
        expect(!tell() && eglGetError() == EGL_BAD_ACCESS, "EGL: a frame takes a second region");
        painter.draw(egl->width(), egl->height(), frame);
        egl->swap();
        gl::Finish();
        expect_quarters_x(egl->window(), egl->width(), egl->height(), "EGL frame with a region");
    }
}

void window_recreated(Display* x_display, EGLDisplay display) {
    for (int round = 0; round < 5; ++round) {
        const auto egl = make_egl_target(x_display, display);
        expect(egl->current(), "EGL: window " + std::to_string(round) + " of five fails");
        if (!egl->current()) {
            return;
        }
        const Painter painter;
        painter.draw(egl->width(), egl->height(), round);
        egl->swap();
        gl::Finish();
        expect_quarters_x(egl->window(), egl->width(), egl->height(),
                          "EGL window of its own round");
    }
}

/// EGL_NO_DISPLAY: EGL doesn't work on this X display.
EGLDisplay initialized(Display* x_display) {
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, x_display, nullptr);
    const bool good = display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr);
    return good ? display : EGL_NO_DISPLAY;
}

} // namespace

bool with_egl(Display* x_display, const Part& part) {
    const EGLDisplay display = initialized(x_display);
    if (display == EGL_NO_DISPLAY) {
        return false;
    }
    part(x_display, [&](const TargetOptions& options) {
        return make_egl_target(x_display, display, options);
    });
    return true;
}

bool run_egl(Display* x_display) {
    const EGLDisplay display = initialized(x_display);
    if (display == EGL_NO_DISPLAY) {
        return false;
    }
    run_shared_tests(x_display, [&](const TargetOptions& options) {
        return make_egl_target(x_display, display, options);
    });
    size_query(x_display, display);
    buffer_age(x_display, display);
    partial_update(x_display, display);
    window_recreated(x_display, display);
    run_egl_sync_tests(x_display, display);
    run_egl_pixmap_tests(x_display, display);
    run_egl_pbuffer_tests(display);
    eglTerminate(display);
    return true;
}

} // namespace kobalt::windowtest
