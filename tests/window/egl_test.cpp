// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "checks.h"

#include <X11/Xutil.h>

namespace kobalt::windowtest {

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;

/// A window surface with a current 3.3 context.
class EglWindow {
public:
    EglWindow(Display* x_display, EGLDisplay display, int samples) : display_(display) {
        eglBindAPI(EGL_OPENGL_API);
        const std::vector<EGLint> attributes{EGL_SURFACE_TYPE,
                                             EGL_WINDOW_BIT,
                                             EGL_RENDERABLE_TYPE,
                                             EGL_OPENGL_BIT,
                                             EGL_RED_SIZE,
                                             8,
                                             EGL_GREEN_SIZE,
                                             8,
                                             EGL_BLUE_SIZE,
                                             8,
                                             EGL_DEPTH_SIZE,
                                             16,
                                             EGL_SAMPLE_BUFFERS,
                                             samples > 0 ? 1 : 0,
                                             EGL_SAMPLES,
                                             samples,
                                             EGL_NONE};
        EGLint count = 0;
        std::vector<EGLConfig> configs(64);
        eglChooseConfig(display, attributes.data(), configs.data(),
                        static_cast<EGLint>(configs.size()), &count);
        for (EGLint i = 0; i < count && !current_; ++i) {
            try_config(x_display, configs[static_cast<size_t>(i)]);
        }
    }
    EglWindow(const EglWindow&) = delete;
    EglWindow& operator=(const EglWindow&) = delete;
    ~EglWindow() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context_ != EGL_NO_CONTEXT) {
            eglDestroyContext(display_, context_);
        }
        if (surface_ != EGL_NO_SURFACE) {
            eglDestroySurface(display_, surface_);
        }
    }

    bool current() const { return current_; }
    Window& window() { return *window_; }
    bool swap() { return eglSwapBuffers(display_, surface_) == EGL_TRUE; }
    EGLint query(EGLint name) const {
        EGLint value = -1;
        eglQuerySurface(display_, surface_, name, &value);
        return value;
    }

private:
    void try_config(Display* x_display, EGLConfig config) {
        EGLint id = 0;
        eglGetConfigAttrib(display_, config, EGL_NATIVE_VISUAL_ID, &id);
        XVisualInfo wanted{};
        wanted.visualid = static_cast<VisualID>(id);
        int count = 0;
        XVisualInfo* visual = XGetVisualInfo(x_display, VisualIDMask, &wanted, &count);
        if (visual == nullptr) {
            return;
        }
        const bool opaque = visual->depth == 24;
        if (opaque) {
            window_ =
                std::make_unique<Window>(x_display, visual->visual, visual->depth, kWidth, kHeight);
        }
        XFree(visual);
        if (!opaque) {
            return;
        }
        const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                          3, EGL_NONE};
        context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version.data());
        ::Window handle = window_->handle();
        surface_ = eglCreatePlatformWindowSurface(display_, config, &handle, nullptr);
        if (context_ != EGL_NO_CONTEXT && surface_ != EGL_NO_SURFACE &&
            eglMakeCurrent(display_, surface_, surface_, context_)) {
            gl::load(
                [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
            current_ = true;
        }
    }

    EGLDisplay display_;
    std::unique_ptr<Window> window_;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    bool current_ = false;
};

void swap_and_resize(Display* x_display, EGLDisplay display) {
    EglWindow egl(x_display, display, 0);
    expect(egl.current(), "EGL: no 3.3 context on a window");
    if (!egl.current()) {
        return;
    }
    expect_renderer();
    const Painter painter;
    int width = kWidth;
    int height = kHeight;
    for (int frame = 0; frame < 60; ++frame) {
        if (frame == 20 || frame == 40) {
            width = frame == 20 ? 240 : 96;
            height = frame == 20 ? 200 : 64;
            egl.window().resize(width, height);
        }
        painter.draw(width, height, frame);
        if (frame % 10 == 9) {
            expect_quarters_gl(GL_BACK, width, height,
                               "EGL frame " + std::to_string(frame) + " before the swap");
        }
        expect(egl.swap(), "EGL: eglSwapBuffers fails at frame " + std::to_string(frame));
        if (frame % 10 == 9) {
            gl::Finish();
            expect_quarters_x(egl.window(), width, height, "EGL frame " + std::to_string(frame));
        }
    }
    expect(egl.query(EGL_WIDTH) == width && egl.query(EGL_HEIGHT) == height,
           "EGL: the surface does not report the window's size");
    for (const EGLint interval : {0, 1, 0}) {
        expect(eglSwapInterval(display, interval), "EGL: eglSwapInterval fails");
        for (int frame = 0; frame < 5; ++frame) {
            painter.draw(width, height, frame);
            egl.swap();
        }
    }
    gl::Finish();
    expect_quarters_x(egl.window(), width, height, "EGL after changes of the swap interval");
    expect(gl::GetError() == GL_NO_ERROR, "EGL: a GL error is left behind");
}

void buffer_age(Display* x_display, EGLDisplay display) {
    const std::string extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (extensions.find("EGL_EXT_buffer_age") == std::string::npos) {
        std::printf("skipped: EGL_EXT_buffer_age is not offered\n");
        return;
    }
    EglWindow egl(x_display, display, 0);
    if (!egl.current()) {
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 6; ++frame) {
        const EGLint age = egl.query(EGL_BUFFER_AGE_EXT);
        expect(age >= 0 && age <= frame,
               "EGL: buffer age " + std::to_string(age) + " at frame " + std::to_string(frame));
        painter.draw(kWidth, kHeight, frame);
        egl.swap();
    }
}

void multisampled(Display* x_display, EGLDisplay display) {
    EglWindow egl(x_display, display, 4);
    if (!egl.current()) {
        std::printf("skipped: EGL offers no multisampled window config\n");
        return;
    }
    const Painter painter;
    for (int frame = 0; frame < 5; ++frame) {
        painter.draw(kWidth, kHeight, frame);
        egl.swap();
    }
    gl::Finish();
    expect_quarters_x(egl.window(), kWidth, kHeight, "EGL multisampled window");
    expect(gl::GetError() == GL_NO_ERROR, "EGL multisampled: a GL error is left behind");
}

void window_recreated(Display* x_display, EGLDisplay display) {
    for (int round = 0; round < 5; ++round) {
        EglWindow egl(x_display, display, 0);
        expect(egl.current(), "EGL: window " + std::to_string(round) + " of five fails");
        if (!egl.current()) {
            return;
        }
        const Painter painter;
        painter.draw(kWidth, kHeight, round);
        egl.swap();
        gl::Finish();
        expect_quarters_x(egl.window(), kWidth, kHeight, "EGL window of its own round");
    }
}

void pbuffer(EGLDisplay display) {
    eglBindAPI(EGL_OPENGL_API);
    const std::vector<EGLint> attributes{EGL_SURFACE_TYPE,
                                         EGL_PBUFFER_BIT,
                                         EGL_RENDERABLE_TYPE,
                                         EGL_OPENGL_BIT,
                                         EGL_RED_SIZE,
                                         8,
                                         EGL_GREEN_SIZE,
                                         8,
                                         EGL_BLUE_SIZE,
                                         8,
                                         EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display, attributes.data(), &config, 1, &count);
    if (count == 0) {
        std::printf("skipped: EGL offers no pbuffers here\n");
        return;
    }
    const std::vector<EGLint> size{EGL_WIDTH, 64, EGL_HEIGHT, 32, EGL_NONE};
    const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                      EGL_NONE};
    const EGLSurface surface = eglCreatePbufferSurface(display, config, size.data());
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
    const bool current = eglMakeCurrent(display, surface, surface, context);
    expect(current, "EGL: a pbuffer cannot be made current");
    if (current) {
        gl::load([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
        const Painter painter;
        painter.draw(64, 32, 0);
        expect_quarters_gl(GL_BACK, 64, 32, "EGL pbuffer");
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    eglDestroySurface(display, surface);
}

} // namespace

bool run_egl(Display* x_display) {
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, x_display, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
        return false;
    }
    swap_and_resize(x_display, display);
    buffer_age(x_display, display);
    multisampled(x_display, display);
    window_recreated(x_display, display);
    pbuffer(display);
    eglTerminate(display);
    return true;
}

} // namespace kobalt::windowtest
