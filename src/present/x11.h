// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "present/surface_info.h"

namespace kobalt::present {

/// A connection of our own to the X server, over which frames are shown. Vulkan drivers send X
/// requests from threads of theirs, after vkQueuePresentKHR has returned. A program may destroy its
/// window right after a swap; over the program's connection such a late request would raise an X
/// error in the program, and Xlib would exit. On this connection the error is ignored.
class X11Connection {
public:
    explicit X11Connection(xcb_connection_t* connection) : connection_(connection) {}
    ~X11Connection();
    X11Connection(const X11Connection&) = delete;
    X11Connection& operator=(const X11Connection&) = delete;

    xcb_connection_t* handle() const { return connection_; }
    bool alive() const;
    /// Drops the errors received so far: nothing else reads them, and they would pile up.
    void discard_errors() const;
    /// Ends the connection, and with it every wait for the server in other threads.
    void shut_down() const;

private:
    xcb_connection_t* connection_;
};

/// The connections of one device, one for each X server. Thread-safe.
class X11Connections {
public:
    /// The connection for `window`, which belongs to the program's connection `app`. When this
    /// returns, the server has processed the program's earlier requests. Null: connecting a second
    /// time is impossible (the program used credentials of its own), or the window is gone.
    std::shared_ptr<const X11Connection> for_window(xcb_connection_t* app, uint32_t window);
    /// A connection to the same server that nobody else has. Null as above.
    static std::shared_ptr<const X11Connection> connect(xcb_connection_t* app, uint32_t window);

private:
    std::mutex mutex_; ///< guards by_server_
    std::map<std::string, std::shared_ptr<const X11Connection>> by_server_;
};

/// The display name ("host:number") of the server at the other end of a connected socket; empty
/// where the address is not a usual one of an X server.
std::string x11_display_name(int socket);

/// The size in pixels of a window or pixmap after all requests that the program made on `app` so
/// far. Empty: it is gone.
std::optional<VkExtent2D> x11_window_size(xcb_connection_t* app, uint32_t window);

} // namespace kobalt::present
