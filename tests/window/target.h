// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <string>

#include "checks.h"

namespace kobalt::windowtest {

struct TargetOptions {
    bool double_buffered = true;
    int samples = 0;
    int width = 160; ///< pixels
    int height = 120;
};

/// An X window with a surface of a window system on it and a GL 3.3 context, which is current in
/// the thread that made it if all went well.
class Target {
public:
    Target() = default;
    virtual ~Target() = default;
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    /// Whether the construction succeeded.
    bool current() const { return current_; }
    Window& window() { return *window_; }
    int width() const { return options_.width; }
    int height() const { return options_.height; }

    virtual const char* api() const = 0;
    virtual bool make_current() = 0;
    virtual void release() = 0; ///< afterwards no context is current in this thread
    virtual bool swap() = 0;
    /// Swaps although the window is gone. True: the window system raises the error for that.
    virtual bool swap_fails() = 0;
    /// False: the window system does not offer it.
    virtual bool set_interval(int interval) = 0;
    virtual bool offers_buffer_age() = 0;
    virtual int buffer_age() = 0;
    virtual bool offers_rectangles() { return false; }
    /// Swaps, and tells that only this rectangle has changed (x, y, width, height).
    virtual bool swap_changed(std::array<int, 4> /*rectangle*/) { return false; }
    /// Whether GL draws directly to the visible buffer, without swaps.
    virtual bool single_buffered() = 0;
    /// Makes a second context for the surface and makes it current. The first one stays until
    /// destroy(). For once.
    virtual bool renew_context() = 0;
    /// Destroys surface and context, current or not. The X window stays.
    virtual void destroy() = 0;

protected:
    std::unique_ptr<Window> window_;
    TargetOptions options_;
    bool current_ = false;
};

std::unique_ptr<Target> make_glx_target(Display* display, const TargetOptions& options = {});

/// `egl_display` is an EGLDisplay on `display`.
std::unique_ptr<Target> make_egl_target(Display* display, void* egl_display,
                                        const TargetOptions& options = {});

} // namespace kobalt::windowtest
