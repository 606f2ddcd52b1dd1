// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/x11_sink.h"

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "present/x11_refresh.h"
#include "present/x11_requests.h"

namespace kobalt::present {

namespace {

constexpr const char* what = "opening a window of the X server";

std::string window_text(uint32_t window) {
    char text[32];
    std::snprintf(text, sizeof(text), "window 0x%x", window);
    return text;
}

/// The pixmap format for a depth.
const xcb_format_t* format_of(const xcb_setup_t& setup, uint8_t depth) {
    for (auto at = xcb_setup_pixmap_formats_iterator(&setup); at.rem; xcb_format_next(&at))
        if (at.data->depth == depth)
            return at.data;
    return nullptr;
}

const xcb_visualtype_t* visual_of(const xcb_setup_t& setup, xcb_visualid_t id) {
    for (auto screen = xcb_setup_roots_iterator(&setup); screen.rem; xcb_screen_next(&screen))
        for (auto depth = xcb_screen_allowed_depths_iterator(screen.data); depth.rem;
             xcb_depth_next(&depth))
            for (auto visual = xcb_depth_visuals_iterator(depth.data); visual.rem;
                 xcb_visualtype_next(&visual))
                if (visual.data->visual_id == id)
                    return visual.data;
    return nullptr;
}

std::optional<PixelLayout> layout_of(const xcb_setup_t& setup, xcb_visualid_t id, uint8_t depth) {
    const xcb_format_t* format = format_of(setup, depth);
    const xcb_visualtype_t* visual = visual_of(setup, id);
    if (!format || !visual || setup.image_byte_order != XCB_IMAGE_ORDER_LSB_FIRST)
        return std::nullopt;
    auto layout = pixel_layout({.bits = format->bits_per_pixel,
                                .red = visual->red_mask,
                                .green = visual->green_mask,
                                .blue = visual->blue_mask,
                                .depth = depth});
    if (layout)
        layout->row_alignment = format->scanline_pad / 8;
    return layout;
}

struct WindowPixels {
    uint32_t depth = 0;
    std::optional<PixelLayout> layout; ///< empty: GPUs don't write such pixels
};

/// Empty: the window is gone.
std::optional<WindowPixels> pixels_of(xcb_connection_t* app, uint32_t window) {
    const auto geometry_asked = xcb_get_geometry(app, window);
    const auto attributes_asked = xcb_get_window_attributes(app, window);
    xcb_generic_error_t* error = nullptr;
    const XcbReply<xcb_get_geometry_reply_t> geometry(
        xcb_get_geometry_reply(app, geometry_asked, &error));
    std::free(error);
    error = nullptr;
    const XcbReply<xcb_get_window_attributes_reply_t> attributes(
        xcb_get_window_attributes_reply(app, attributes_asked, &error));
    std::free(error);
    if (!geometry || !attributes)
        return std::nullopt;
    return WindowPixels{geometry->depth,
                        layout_of(*xcb_get_setup(app), attributes->visual, geometry->depth)};
}

xcb_query_extension_cookie_t ask(xcb_connection_t* connection, const char* name) {
    return xcb_query_extension(connection, static_cast<uint16_t>(std::strlen(name)), name);
}

bool answer(xcb_connection_t* connection, xcb_query_extension_cookie_t asked) {
    const XcbReply<xcb_query_extension_reply_t> reply(
        xcb_query_extension_reply(connection, asked, nullptr));
    return reply && reply->present;
}

} // namespace

X11Extensions x11_extensions(xcb_connection_t* connection) {
    const auto dri3 = ask(connection, "DRI3");
    const auto present = ask(connection, "Present");
    const auto shm = ask(connection, "MIT-SHM");
    X11Extensions result;
    result.dri3 = answer(connection, dri3);
    result.present = answer(connection, present);
    result.shm = answer(connection, shm);
    return result;
}

std::optional<VkFormat> x11_pixel_format(xcb_connection_t* app, uint32_t window) {
    const auto pixels = pixels_of(app, window);
    if (!pixels)
        return std::nullopt;
    return pixels->layout ? pixels->layout->format : VK_FORMAT_UNDEFINED;
}

vulkan::Result<std::unique_ptr<FrameSink>> open_x11_sink(xcb_connection_t* app, uint32_t window) {
    X11Target target;
    target.window = window;
    target.own = X11Connections::connect(app, window);
    target.connection = target.own ? target.own->handle() : app;

    // Asked over the program's connection: it can name its window whatever the other one knows.
    const auto pixels = pixels_of(app, window);
    if (!pixels)
        return vulkan::fail(VK_ERROR_SURFACE_LOST_KHR, what, window_text(window));
    if (!pixels->layout)
        return vulkan::fail(VK_ERROR_FORMAT_NOT_SUPPORTED, what,
                            window_text(window) + ", whose visual has depth " +
                                std::to_string(pixels->depth));
    target.depth = pixels->depth;
    target.layout = *pixels->layout;
    target.refresh_rate = x11_refresh_rate(app, window);
    auto shared = open_x11_shm_sink(target);
    if (!shared || *shared)
        return shared;
    return open_x11_put_sink(target);
}

} // namespace kobalt::present
