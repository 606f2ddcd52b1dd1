// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/x11_requests.h"

#include <ranges>

namespace kobalt::present {

namespace {

/// The core protocol's errors where the window is gone, or was when its context was to be made.
bool names_nothing(const xcb_generic_error_t& error) {
    return error.error_code == XCB_DRAWABLE || error.error_code == XCB_WINDOW ||
           error.error_code == XCB_G_CONTEXT;
}

} // namespace

XcbReply<xcb_get_geometry_reply_t> geometry_of(xcb_connection_t* connection,
                                               xcb_drawable_t drawable) {
    xcb_generic_error_t* error = nullptr;
    XcbReply<xcb_get_geometry_reply_t> geometry(
        xcb_get_geometry_reply(connection, xcb_get_geometry(connection, drawable), &error));
    std::free(error);
    return geometry;
}

Put check_put(xcb_connection_t* connection, std::span<const xcb_void_cookie_t> requests) {
    Put result = Put::yes;
    // The first check waits for the server, which has answered all earlier requests by then.
    for (const xcb_void_cookie_t request : std::views::reverse(requests)) {
        const XcbReply<xcb_generic_error_t> error(xcb_request_check(connection, request));
        if (error && names_nothing(*error))
            result = Put::lost;
        else if (error && result == Put::yes)
            result = Put::skipped;
    }
    return xcb_connection_has_error(connection) ? Put::lost : result;
}

GraphicsContext::GraphicsContext(xcb_connection_t* connection, uint32_t window)
    : connection_(connection), id_(xcb_generate_id(connection)) {
    // Without this each request that the window hides in part would be answered with events.
    const uint32_t no_exposures = 0;
    const xcb_void_cookie_t made =
        xcb_create_gc_checked(connection, id_, window, XCB_GC_GRAPHICS_EXPOSURES, &no_exposures);
    // A window that is gone shows itself when a picture is put.
    xcb_discard_reply(connection, made.sequence);
}

GraphicsContext::~GraphicsContext() {
    const xcb_void_cookie_t freed = xcb_free_gc_checked(connection_, id_);
    xcb_discard_reply(connection_, freed.sequence);
    xcb_flush(connection_);
}

} // namespace kobalt::present
