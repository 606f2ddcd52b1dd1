// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace kobalt::faults {

/// A GL 4.3 core context of EGL and one window at a time, on the X server that DISPLAY names.
class Windows {
public:
    /// Null: there is no X server, no matching config or no context. `place` tells apart the
    /// windows of programs that run at once, so that none covers another.
    static std::unique_ptr<Windows> create(bool robust, int place);
    virtual ~Windows() = default;
    Windows(const Windows&) = delete;
    Windows& operator=(const Windows&) = delete;

    /// Destroys the window, makes one of this size in pixels and makes the context current on it.
    /// Returns EGL's error; EGL_SUCCESS: the context is current.
    virtual int renew(int width, int height) = 0;
    /// Returns when the X server has changed the size.
    virtual void resize(int width, int height) = 0;
    virtual int width() const = 0;
    virtual int height() const = 0;
    /// Returns EGL's error of eglSwapBuffers; EGL_SUCCESS: there is none.
    virtual int swap() = 0;
    /// Whether the X server shows the colour in the window's corners within two seconds.
    virtual bool shows(std::array<uint8_t, 4> colour) const = 0;

protected:
    Windows() = default;
};

/// X errors so far.
int x_errors();

} // namespace kobalt::faults
