// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "vulkan/base/vk.h"

// xcb's own name for its connection: this header is included where xcb's is not.
struct xcb_connection_t;

namespace kobalt::present {

/// Room for any platform's Vk*SurfaceCreateInfo*: two common members, then flags and at most two
/// more words. Xcb: words[1] is the connection, words[2] the window. Wayland: words[1] is the
/// display, words[2] the surface.
struct SurfaceInfo {
    VkStructureType type = VK_STRUCTURE_TYPE_MAX_ENUM;
    const void* next = nullptr;
    uintptr_t words[3] = {};

    /// Whether both describe the same native window. Headless surfaces are all different.
    bool same_native_window(const SurfaceInfo& other) const;

    bool is_wayland() const { return type == VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR; }
    bool is_xcb() const { return type == VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR; }
    xcb_connection_t* xcb_connection() const {
        return reinterpret_cast<xcb_connection_t*>(words[1]); // NOLINT(performance-no-int-to-ptr)
    }
    /// xcb_window_t has 32 bits; the rest of the word is padding.
    uint32_t xcb_window() const { return static_cast<uint32_t>(words[2]); }
};

} // namespace kobalt::present
