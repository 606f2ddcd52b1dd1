// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <optional>

#include "present/surface_info.h"
#include "render/resource.h"

namespace kobalt::present {

struct WindowInfo {
    SurfaceInfo surface;
    bool translucent = false; ///< the drawable has alpha and isn't presented opaque
    int interval = 1;         ///< swap interval to start with
};

enum class Shown {
    yes,
    skipped, ///< the window has no area, changes too fast, or is blocked
    lost,    ///< the window or the device is gone
    refused, ///< this kind of window can't show frames here; another kind may
};

/// A native window. Frames are drawn into images of our own and copied from there. So a frame's
/// image keeps its contents over a swap, can be read back, and never waits for the compositor.
/// Thread-safe.
class Window {
public:
    Window() = default;
    virtual ~Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Presents `frame`, whose drawing was submitted before. `buffer` identifies the drawable's
    /// buffer for buffer_age(). Blocks as the swap interval requires. Problems are logged once.
    virtual Shown present(const render::Ref<render::Image>& frame, const void* buffer) = 0;

    /// The window's current size in pixels. Empty where the frames determine the size, where the
    /// window has no area, or when it is gone.
    virtual std::optional<VkExtent2D> size() = 0;
    /// Whether the window or the device is gone: nothing can be presented any more.
    virtual bool lost() const = 0;

    /// Takes effect with the next frame.
    virtual void set_interval(int interval) = 0;

    /// EGL_EXT_buffer_age: the number of frames presented since `buffer` was last presented, plus
    /// one; 0: its contents are undefined.
    virtual int buffer_age(const void* buffer) const = 0;
    /// Resets the age to 0: the buffer has new storage.
    virtual void forget(const void* buffer) = 0;

    /// The native window and its connection, as open() got them.
    virtual const SurfaceInfo& native() const = 0;
};

} // namespace kobalt::present
