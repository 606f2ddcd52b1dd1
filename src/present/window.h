// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "present/surface_info.h"
#include "present/sync_counters.h"
#include "render/resources/resource.h"

namespace kobalt::present {

struct WindowInfo {
    SurfaceInfo surface;
    bool translucent = false; ///< the drawable has alpha and isn't presented opaque
    int interval = 1;         ///< swap interval to start with
    /// Of the native window: they go on where its kind changes.
    std::shared_ptr<SyncCounters> counters = std::make_shared<SyncCounters>();
};

/// A frame for Window::present().
struct Frame {
    render::Ref<render::Image> image; ///< its drawing was submitted before
    const void* buffer = nullptr;     ///< identifies the drawable's buffer for buffer_age()
    bool swap = true;                 ///< false: the front buffer is shown again, without a swap
    /// The part that differs from the previous frame, from the top left; empty: all may. A hint.
    std::optional<VkRect2D> damage = std::nullopt;
};

enum class Shown {
    yes,
    skipped, ///< the window has no area, changes too fast, or is blocked
    lost,    ///< the window or the device is gone
    refused, ///< this kind of window can't show frames here; another kind may
    failed,  ///< this frame can't be shown; a later one may
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

    /// Blocks as the swap interval requires. Problems are logged once.
    virtual Shown present(const Frame& frame) = 0;

    /// The window's current size in pixels. Empty where the frames determine the size, where the
    /// window has no area, or when it is gone.
    virtual std::optional<VkExtent2D> size() = 0;
    /// Whether the window or the device is gone: nothing can be presented any more.
    virtual bool lost() const = 0;

    /// Ends the use of the native window, which another device opens: nothing is presented any
    /// more. The device is lost.
    virtual void close() = 0;

    /// Takes effect with the next frame.
    virtual void set_interval(int interval) = 0;

    /// The size for the frame that is drawn next: size(), or the one that the program was promised.
    std::optional<VkExtent2D> frame_size();
    /// buffer_age() for the program, of a buffer with that extent. One of another size than the
    /// window's has the age 0. Otherwise the frame keeps the buffer's size until end_frame(): a
    /// resize would replace what the program counts on, and asking once is enough.
    int promise_age(const void* buffer, VkExtent2D extent);
    /// After a swap: the next frame has the window's size.
    void end_frame();

    /// EGL_EXT_buffer_age: the number of swaps since `buffer` was last presented, plus
    /// one; 0: its contents are undefined.
    virtual int buffer_age(const void* buffer) const = 0;
    /// Resets the age to 0: the buffer has new storage.
    virtual void forget(const void* buffer) = 0;

    /// The window's refreshes and swaps.
    virtual SyncCounters& counters() = 0;

    /// The native window and its connection, as open() got them.
    virtual const SurfaceInfo& native() const = 0;

private:
    std::mutex promise_mutex_; ///< guards promised_
    std::optional<VkExtent2D> promised_;
};

} // namespace kobalt::present
