// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "window.h"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "window/checks.h"

namespace kobalt::faults {
namespace {

/// The visual of the screen, which is the one that is surely opaque.
EGLConfig config_of_screen(::Display* x_display, EGLDisplay display) {
    const std::vector<EGLint> wanted{EGL_SURFACE_TYPE,
                                     EGL_WINDOW_BIT,
                                     EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_BIT,
                                     EGL_RED_SIZE,
                                     8,
                                     EGL_GREEN_SIZE,
                                     8,
                                     EGL_BLUE_SIZE,
                                     8,
                                     EGL_SAMPLES,
                                     0,
                                     EGL_NONE};
    std::vector<EGLConfig> configs(64);
    EGLint count = 0;
    eglChooseConfig(display, wanted.data(), configs.data(), static_cast<EGLint>(configs.size()),
                    &count);
    const VisualID visual = XVisualIDFromVisual(DefaultVisual(x_display, DefaultScreen(x_display)));
    for (EGLint i = 0; i < count; ++i) {
        EGLint id = 0;
        eglGetConfigAttrib(display, configs[static_cast<size_t>(i)], EGL_NATIVE_VISUAL_ID, &id);
        if (static_cast<VisualID>(id) == visual)
            return configs[static_cast<size_t>(i)];
    }
    return EGL_NO_CONFIG_KHR;
}

EGLContext make_context(EGLDisplay display, EGLConfig config, bool robust) {
    std::vector<EGLint> attributes{
        EGL_CONTEXT_MAJOR_VERSION,       4,
        EGL_CONTEXT_MINOR_VERSION,       3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
    if (robust)
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE,
                                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                             EGL_LOSE_CONTEXT_ON_RESET});
    attributes.push_back(EGL_NONE);
    eglBindAPI(EGL_OPENGL_API);
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

class XWindows final : public Windows {
public:
    XWindows(::Display* x_display, EGLDisplay display, int place)
        : x_display_(x_display), display_(display), place_(place) {}
    ~XWindows() override {
        end_window();
        if (context_ != EGL_NO_CONTEXT)
            eglDestroyContext(display_, context_);
        eglTerminate(display_);
        XCloseDisplay(x_display_);
    }

    bool make_context(bool robust) {
        config_ = config_of_screen(x_display_, display_);
        if (config_ != EGL_NO_CONFIG_KHR)
            context_ = faults::make_context(display_, config_, robust);
        return context_ != EGL_NO_CONTEXT;
    }

    int renew(int width, int height) override {
        end_window();
        width_ = width;
        height_ = height;
        const int screen = DefaultScreen(x_display_);
        window_.emplace(x_display_, DefaultVisual(x_display_, screen),
                        DefaultDepth(x_display_, screen), width, height);
        // A window begins in the first place, which therefore nobody has.
        constexpr int columns = 6, step_x = 200, step_y = 130;
        window_->move(step_x * ((place_ + 1) % columns), step_y * ((place_ + 1) / columns));
        ::Window handle = window_->handle();
        surface_ = eglCreatePlatformWindowSurface(display_, config_, &handle, nullptr);
        if (surface_ == EGL_NO_SURFACE || !eglMakeCurrent(display_, surface_, surface_, context_))
            return eglGetError();
        eglSwapInterval(display_, 0);
        return EGL_SUCCESS;
    }
    void resize(int width, int height) override {
        width_ = width;
        height_ = height;
        window_->resize(width, height);
    }
    int width() const override { return width_; }
    int height() const override { return height_; }
    int swap() override { return eglSwapBuffers(display_, surface_) ? EGL_SUCCESS : eglGetError(); }
    bool shows(std::array<uint8_t, 4> colour) const override {
        const auto near = [&](const windowtest::Rgb& seen) {
            for (size_t i = 0; i < seen.size(); ++i)
                if (std::abs(seen[i] - colour[i]) > 2)
                    return false;
            return true;
        };
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!near(window_->server_pixel(1, 1)) ||
               !near(window_->server_pixel(width_ - 2, height_ - 2))) {
            if (std::chrono::steady_clock::now() > end)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return true;
    }

private:
    void end_window() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface_ != EGL_NO_SURFACE)
            eglDestroySurface(display_, surface_);
        surface_ = EGL_NO_SURFACE;
        window_.reset();
    }

    ::Display* const x_display_;
    const EGLDisplay display_;
    const int place_;
    EGLConfig config_ = EGL_NO_CONFIG_KHR;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    std::optional<windowtest::Window> window_;
    int width_ = 0, height_ = 0; ///< pixels
};

} // namespace

std::unique_ptr<Windows> Windows::create(bool robust, int place) {
    ::Display* const x_display = XOpenDisplay(nullptr);
    if (!x_display)
        return nullptr;
    windowtest::catch_x_errors();
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, x_display, nullptr);
    auto windows = std::make_unique<XWindows>(x_display, display, place);
    if (!eglInitialize(display, nullptr, nullptr) || !windows->make_context(robust))
        return nullptr;
    gl::load([](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
    return windows;
}

int x_errors() {
    return windowtest::x_errors();
}

} // namespace kobalt::faults
