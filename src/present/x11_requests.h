// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdlib>
#include <memory>
#include <span>

#include <xcb/xcb.h>

#include "present/frame_sink.h"

namespace kobalt::present {

struct FreeReply {
    void operator()(void* reply) const { std::free(reply); }
};
/// What xcb gives away with malloc.
template <class T>
using XcbReply = std::unique_ptr<T, FreeReply>;

/// Null: the window or pixmap is gone. The X error is consumed, and reaches none of the program's
/// handlers.
XcbReply<xcb_get_geometry_reply_t> geometry_of(xcb_connection_t* connection,
                                               xcb_drawable_t drawable);

/// Waits until the server has processed these checked requests, the last of which was sent last.
/// The errors are consumed: none reaches the program's handlers.
Put check_put(xcb_connection_t* connection, std::span<const xcb_void_cookie_t> requests);

/// A graphics context for a window on a connection. The server keeps it until the connection is
/// closed, or until this is destroyed.
class GraphicsContext {
public:
    GraphicsContext(xcb_connection_t* connection, uint32_t window);
    ~GraphicsContext();
    GraphicsContext(const GraphicsContext&) = delete;
    GraphicsContext& operator=(const GraphicsContext&) = delete;
    xcb_gcontext_t id() const { return id_; }

private:
    xcb_connection_t* connection_;
    xcb_gcontext_t id_;
};

} // namespace kobalt::present
