// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <wayland-client.h>
#include <wayland-egl.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "checks.h"
#include "xdg-shell-client-protocol.h"

namespace kobalt::windowtest {

namespace {

/// A connection to a compositor, with the globals that a window needs.
class Compositor {
public:
    Compositor() : display_(wl_display_connect(nullptr)) {
        if (display_ == nullptr) {
            return;
        }
        registry_ = wl_display_get_registry(display_);
        static constexpr wl_registry_listener registry_listener{on_global, on_global_removed};
        wl_registry_add_listener(registry_, &registry_listener, this);
        wl_display_roundtrip(display_);
        if (shell != nullptr) {
            static constexpr xdg_wm_base_listener shell_listener{on_ping};
            xdg_wm_base_add_listener(shell, &shell_listener, nullptr);
        }
    }
    Compositor(const Compositor&) = delete;
    Compositor& operator=(const Compositor&) = delete;
    ~Compositor() {
        if (shell != nullptr) {
            xdg_wm_base_destroy(shell);
        }
        if (compositor != nullptr) {
            wl_compositor_destroy(compositor);
        }
        if (display_ != nullptr) {
            wl_registry_destroy(registry_);
            wl_display_disconnect(display_);
        }
    }

    bool usable() const { return compositor != nullptr && shell != nullptr; }
    wl_display* display() const { return display_; }

    wl_compositor* compositor = nullptr;
    xdg_wm_base* shell = nullptr;

private:
    static void on_global(void* data, wl_registry* registry, uint32_t name, const char* interface,
                          uint32_t) {
        auto& self = *static_cast<Compositor*>(data);
        if (std::strcmp(interface, wl_compositor_interface.name) == 0) {
            self.compositor = static_cast<wl_compositor*>(
                wl_registry_bind(registry, name, &wl_compositor_interface, 1));
        } else if (std::strcmp(interface, xdg_wm_base_interface.name) == 0) {
            self.shell = static_cast<xdg_wm_base*>(
                wl_registry_bind(registry, name, &xdg_wm_base_interface, 1));
        }
    }
    static void on_global_removed(void*, wl_registry*, uint32_t) {}
    static void on_ping(void*, xdg_wm_base* shell, uint32_t serial) {
        xdg_wm_base_pong(shell, serial);
    }

    wl_display* display_;
    wl_registry* registry_ = nullptr;
};

/// A toplevel window with a current 3.3 context.
class WaylandWindow {
public:
    WaylandWindow(Compositor& compositor, EGLDisplay display, int width, int height)
        : display_(display), surface_(wl_compositor_create_surface(compositor.compositor)),
          shell_surface_(xdg_wm_base_get_xdg_surface(compositor.shell, surface_)),
          toplevel_(xdg_surface_get_toplevel(shell_surface_)) {
        static constexpr xdg_surface_listener surface_listener{on_configure};
        xdg_surface_add_listener(shell_surface_, &surface_listener, this);
        wl_surface_commit(surface_);
        while (!configured_ && wl_display_dispatch(compositor.display()) >= 0) {
        }

        eglBindAPI(EGL_OPENGL_API);
        const std::vector<EGLint> attributes{EGL_SURFACE_TYPE,
                                             EGL_WINDOW_BIT,
                                             EGL_RENDERABLE_TYPE,
                                             EGL_OPENGL_BIT,
                                             EGL_RED_SIZE,
                                             8,
                                             EGL_ALPHA_SIZE,
                                             0,
                                             EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        eglChooseConfig(display, attributes.data(), &config, 1, &count);
        if (count == 0) {
            return;
        }
        native_ = wl_egl_window_create(surface_, width, height);
        egl_surface_ = eglCreatePlatformWindowSurface(display, config, native_, nullptr);
        const std::vector<EGLint> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                          3, EGL_NONE};
        context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
        current_ = eglMakeCurrent(display, egl_surface_, egl_surface_, context_) == EGL_TRUE;
        if (current_) {
            gl::load(
                [](const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); });
        }
    }
    WaylandWindow(const WaylandWindow&) = delete;
    WaylandWindow& operator=(const WaylandWindow&) = delete;
    ~WaylandWindow() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (egl_surface_ != EGL_NO_SURFACE) {
            eglDestroySurface(display_, egl_surface_);
        }
        if (context_ != EGL_NO_CONTEXT) {
            eglDestroyContext(display_, context_);
        }
        if (native_ != nullptr) {
            wl_egl_window_destroy(native_);
        }
        xdg_toplevel_destroy(toplevel_);
        xdg_surface_destroy(shell_surface_);
        wl_surface_destroy(surface_);
    }

    bool current() const { return current_; }
    void make_current() { eglMakeCurrent(display_, egl_surface_, egl_surface_, context_); }
    void resize(int width, int height) { wl_egl_window_resize(native_, width, height, 0, 0); }
    bool swap() { return eglSwapBuffers(display_, egl_surface_) == EGL_TRUE; }
    EGLSurface egl_surface() const { return egl_surface_; }
    EGLint query(EGLint name) const {
        EGLint value = -1;
        eglQuerySurface(display_, egl_surface_, name, &value);
        return value;
    }

private:
    static void on_configure(void* data, xdg_surface* surface, uint32_t serial) {
        xdg_surface_ack_configure(surface, serial);
        static_cast<WaylandWindow*>(data)->configured_ = true;
    }

    EGLDisplay display_;
    wl_surface* surface_;
    xdg_surface* shell_surface_;
    xdg_toplevel* toplevel_;
    wl_egl_window* native_ = nullptr;
    EGLSurface egl_surface_ = EGL_NO_SURFACE;
    EGLContext context_ = EGL_NO_CONTEXT;
    bool configured_ = false;
    bool current_ = false;
};

void swap_and_resize(Compositor& compositor, EGLDisplay display) {
    int width = 160;
    int height = 120;
    WaylandWindow window(compositor, display, width, height);
    expect(window.current(), "Wayland: no 3.3 context on a window");
    if (!window.current()) {
        return;
    }
    expect_renderer();
    const Painter painter;
    for (int frame = 0; frame < 30; ++frame) {
        const std::string when = "Wayland frame " + std::to_string(frame);
        if (frame == 10 || frame == 20) {
            width = frame == 10 ? 240 : 96;
            height = frame == 10 ? 200 : 64;
            window.resize(width, height);
        }
        painter.draw(width, height, frame);
        expect_quarters_gl(GL_BACK, width, height, when);
        expect(window.swap(), when + ": eglSwapBuffers fails");
        wl_display_dispatch_pending(compositor.display());
    }
    expect(window.query(EGL_WIDTH) == width && window.query(EGL_HEIGHT) == height,
           "Wayland: the surface does not report the window's size");
    expect(gl::GetError() == GL_NO_ERROR, "Wayland: a GL error is left behind");
}

/// With an interval of 1 at most one frame is drawn per refresh of the compositor.
void intervals(Compositor& compositor, EGLDisplay display) {
    WaylandWindow window(compositor, display, 160, 120);
    if (!window.current()) {
        return;
    }
    const auto seconds_for = [&](int interval, int frames) {
        expect(eglSwapInterval(display, interval), "Wayland: eglSwapInterval fails");
        const Painter painter;
        for (int frame = 0; frame < 3; ++frame) {
            window.swap();
        }
        const auto begin = std::chrono::steady_clock::now();
        for (int frame = 0; frame < frames; ++frame) {
            painter.draw(160, 120, frame);
            expect(window.swap(),
                   "Wayland: eglSwapBuffers fails at interval " + std::to_string(interval));
            wl_display_dispatch_pending(compositor.display());
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    constexpr int frames = 30;
    const double with = seconds_for(1, frames);
    // At 60 Hz this takes half a second; the limit leaves slack for faster compositors.
    expect(with > 0.2, "Wayland: 30 frames at interval 1 take " + std::to_string(with) + " s only");
    // Interval 0 doesn't limit the rate, and the machine may be busy: there is no limit to check.
    const double without = seconds_for(0, frames);
    std::printf("30 frames: %.3f s at interval 1, %.3f s at interval 0\n", with, without);
}

void damage_and_age(Compositor& compositor, EGLDisplay display) {
    WaylandWindow window(compositor, display, 160, 120);
    if (!window.current()) {
        return;
    }
    const auto swap_with_damage = reinterpret_cast<PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC>(
        eglGetProcAddress("eglSwapBuffersWithDamageKHR"));
    const Painter painter;
    const std::vector<EGLint> rectangles{0, 0, 10, 10, 150, 110, 10, 10};
    for (int frame = 0; frame < 6; ++frame) {
        const EGLint age = window.query(EGL_BUFFER_AGE_EXT);
        expect(age >= 0 && age <= frame,
               "Wayland: buffer age " + std::to_string(age) + " at frame " + std::to_string(frame));
        if (age == 1) {
            expect_quarters_gl(GL_BACK, 160, 120, "Wayland: contents of age 1");
        }
        painter.draw(160, 120, frame);
        expect(swap_with_damage(display, window.egl_surface(), rectangles.data(), 2),
               "Wayland: eglSwapBuffersWithDamageKHR fails");
        wl_display_dispatch_pending(compositor.display());
    }
}

void several_windows(Compositor& compositor, EGLDisplay display) {
    for (int round = 0; round < 5; ++round) {
        WaylandWindow first(compositor, display, 160, 120);
        WaylandWindow second(compositor, display, 96, 64);
        expect(first.current() && second.current(), "Wayland: two windows at once fail");
        if (!second.current()) {
            return;
        }
        const Painter painter;
        for (int frame = 0; frame < 3; ++frame) {
            painter.draw(96, 64, frame);
            expect(second.swap(), "Wayland: the second window's swap fails");
        }
        first.make_current();
        gl::Clear(GL_COLOR_BUFFER_BIT);
        expect(first.swap(), "Wayland: the first window's swap fails");
        expect(gl::GetError() == GL_NO_ERROR, "Wayland windows: a GL error is left behind");
    }
}

} // namespace

bool run_wayland() {
    Compositor compositor;
    if (!compositor.usable()) {
        return false;
    }
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, compositor.display(), nullptr);
    const bool initialised =
        display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE;
    expect(initialised, "EGL cannot be initialised on this Wayland display");
    if (!initialised) {
        return true;
    }
    swap_and_resize(compositor, display);
    intervals(compositor, display);
    damage_and_age(compositor, display);
    several_windows(compositor, display);
    eglTerminate(display);
    return true;
}

} // namespace kobalt::windowtest
