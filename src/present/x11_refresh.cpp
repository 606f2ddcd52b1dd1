// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/x11_refresh.h"

#include <span>
#include <vector>

#include <xcb/randr.h>

#include "present/x11_requests.h"

namespace kobalt::present {

namespace {

/// RandR 1.3 has GetScreenResourcesCurrent, which doesn't probe the monitors.
bool has_randr(xcb_connection_t* connection) {
    const xcb_query_extension_reply_t* extension =
        xcb_get_extension_data(connection, &xcb_randr_id);
    if (!extension || !extension->present)
        return false;
    const XcbReply<xcb_randr_query_version_reply_t> version(xcb_randr_query_version_reply(
        connection, xcb_randr_query_version(connection, 1, 3), nullptr));
    return version && (version->major_version > 1 ||
                       (version->major_version == 1 && version->minor_version >= 3));
}

double rate_of(const xcb_randr_mode_info_t& mode) {
    double lines = mode.vtotal;
    if (mode.mode_flags & XCB_RANDR_MODE_FLAG_DOUBLE_SCAN)
        lines *= 2;
    if (mode.mode_flags & XCB_RANDR_MODE_FLAG_INTERLACE)
        lines /= 2;
    const double pixels = lines * mode.htotal;
    return pixels > 0 ? mode.dot_clock / pixels : 0;
}

/// The window's middle on the root window.
struct Middle {
    xcb_window_t root = XCB_NONE;
    int x = 0;
    int y = 0;
};

Middle middle_of(xcb_connection_t* connection, uint32_t window) {
    xcb_generic_error_t* error = nullptr;
    const XcbReply<xcb_get_geometry_reply_t> geometry(
        xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), &error));
    std::free(error);
    if (!geometry)
        return {};
    error = nullptr;
    const XcbReply<xcb_translate_coordinates_reply_t> corner(xcb_translate_coordinates_reply(
        connection, xcb_translate_coordinates(connection, window, geometry->root, 0, 0), &error));
    std::free(error);
    if (!corner)
        return {geometry->root, 0, 0};
    return {geometry->root, corner->dst_x + geometry->width / 2,
            corner->dst_y + geometry->height / 2};
}

bool shows(const xcb_randr_get_crtc_info_reply_t& crtc, const Middle& at) {
    return at.x >= crtc.x && at.x < crtc.x + crtc.width && at.y >= crtc.y &&
           at.y < crtc.y + crtc.height;
}

} // namespace

double x11_refresh_rate(xcb_connection_t* connection, uint32_t window) {
    const Middle middle = has_randr(connection) ? middle_of(connection, window) : Middle{};
    if (!middle.root)
        return 0;
    const XcbReply<xcb_randr_get_screen_resources_current_reply_t> resources(
        xcb_randr_get_screen_resources_current_reply(
            connection, xcb_randr_get_screen_resources_current(connection, middle.root), nullptr));
    if (!resources)
        return 0;
    const std::span<const xcb_randr_crtc_t> crtcs(
        xcb_randr_get_screen_resources_current_crtcs(resources.get()), resources->num_crtcs);
    const std::span<const xcb_randr_mode_info_t> modes(
        xcb_randr_get_screen_resources_current_modes(resources.get()), resources->num_modes);
    std::vector<xcb_randr_get_crtc_info_cookie_t> asked;
    for (const xcb_randr_crtc_t crtc : crtcs)
        asked.push_back(xcb_randr_get_crtc_info(connection, crtc, resources->config_timestamp));
    double rate = 0;
    bool found = false;
    for (const xcb_randr_get_crtc_info_cookie_t cookie : asked) {
        xcb_generic_error_t* error = nullptr;
        const XcbReply<xcb_randr_get_crtc_info_reply_t> crtc(
            xcb_randr_get_crtc_info_reply(connection, cookie, &error));
        std::free(error);
        if (!crtc || crtc->mode == XCB_NONE || found)
            continue;
        found = shows(*crtc, middle);
        if (found || rate == 0)
            for (const xcb_randr_mode_info_t& mode : modes)
                if (mode.id == crtc->mode)
                    rate = rate_of(mode);
    }
    return rate;
}

} // namespace kobalt::present
