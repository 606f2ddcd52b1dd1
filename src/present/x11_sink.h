// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <memory>
#include <optional>

#include "present/frame_sink.h"
#include "present/window_choice.h"
#include "present/x11.h"

namespace kobalt::present {

/// The connection over which a sink shows pictures, and what its server knows of the window.
struct X11Target {
    std::shared_ptr<const X11Connection> own; ///< a connection of the window's own; null: the app's
    xcb_connection_t* connection = nullptr;   ///< own's handle, or the app's
    uint32_t window = 0;
    uint32_t depth = 0;
    PixelLayout layout;
    double refresh_rate = 0; ///< hertz; 0: unknown
};

/// The sink for an X window: shared memory where the server is on this machine and has MIT-SHM,
/// else images in requests. VK_ERROR_SURFACE_LOST_KHR: the window is gone.
/// VK_ERROR_FORMAT_NOT_SUPPORTED: its visual has pixels of a kind that GPUs don't write.
vulkan::Result<std::unique_ptr<FrameSink>> open_x11_sink(xcb_connection_t* app, uint32_t window);

/// A sink with MIT-SHM. The result holds null where server and program share no memory.
vulkan::Result<std::unique_ptr<FrameSink>> open_x11_shm_sink(const X11Target& target);
/// A sink that sends images in requests, a band of rows each.
std::unique_ptr<FrameSink> open_x11_put_sink(const X11Target& target);

/// The extensions of the server.
X11Extensions x11_extensions(xcb_connection_t* connection);

/// The format of an X window's pixels, VK_FORMAT_UNDEFINED where Vulkan has none with these bits.
/// Empty: the window is gone.
std::optional<VkFormat> x11_pixel_format(xcb_connection_t* app, uint32_t window);

} // namespace kobalt::present
