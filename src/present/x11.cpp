// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/x11.h"

#include <cstdlib>
#include <cstring>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <xcb/xcb.h>

#include "present/x11_requests.h"

namespace kobalt::present {

namespace {

/// X.Org's convention: display n listens at this TCP port plus n, and at this path with n appended.
constexpr int first_tcp_port = 6000;
constexpr std::string_view socket_path = "/tmp/.X11-unix/X";

/// Whether the connection leads to the program's server, which has told `known` of the window. The
/// display name may lead to another one (another network namespace, a proxy).
bool knows(const X11Connection& connection, uint32_t window,
           const xcb_get_geometry_reply_t& known) {
    if (!connection.alive())
        return false;
    const auto same = geometry_of(connection.handle(), window);
    return same && same->root == known.root && same->depth == known.depth;
}

std::string unix_display(const sockaddr_un& address, socklen_t length) {
    const size_t bytes = length - offsetof(sockaddr_un, sun_path);
    std::string_view path(address.sun_path, bytes);
    if (path.starts_with('\0')) // Linux's abstract socket names
        path.remove_prefix(1);
    path = path.substr(0, path.find('\0'));
    if (!path.starts_with(socket_path))
        return {};
    return ":" + std::string(path.substr(socket_path.size()));
}

/// The server of a program's window.
struct Server {
    std::string display;
    /// Of the window. The reply means that the server knows it: another connection can name it from
    /// now on.
    XcbReply<xcb_get_geometry_reply_t> geometry;
};

/// Empty: the window is gone, or the server has no address to connect to.
std::optional<Server> server_of(xcb_connection_t* app, uint32_t window) {
    Server server = {{}, geometry_of(app, window)};
    if (server.geometry)
        server.display = x11_display_name(xcb_get_file_descriptor(app));
    if (server.display.empty())
        return std::nullopt;
    return server;
}

std::shared_ptr<const X11Connection> connect_to(const std::string& display) {
    return std::make_shared<X11Connection>(xcb_connect(display.c_str(), nullptr));
}

} // namespace

X11Connection::~X11Connection() {
    xcb_disconnect(connection_);
}

bool X11Connection::alive() const {
    return !xcb_connection_has_error(connection_);
}

void X11Connection::discard_errors() const {
    while (void* message = xcb_poll_for_queued_event(connection_))
        std::free(message);
}

void X11Connection::shut_down() const {
    // Whoever waits for the server sees the end of the stream. xcb keeps the descriptor.
    ::shutdown(xcb_get_file_descriptor(connection_), SHUT_RDWR);
}

std::string x11_display_name(int socket) {
    sockaddr_storage address{};
    socklen_t length = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (getpeername(socket, generic, &length) != 0)
        return {};
    if (address.ss_family == AF_UNIX)
        return unix_display(reinterpret_cast<const sockaddr_un&>(address), length);
    if (address.ss_family != AF_INET && address.ss_family != AF_INET6)
        return {};
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getnameinfo(generic, length, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return {};
    const int display = std::atoi(port) - first_tcp_port;
    return display < 0 ? std::string() : std::string(host) + ":" + std::to_string(display);
}

std::optional<VkExtent2D> x11_window_size(xcb_connection_t* app, uint32_t window) {
    const auto geometry = geometry_of(app, window);
    if (!geometry)
        return std::nullopt;
    return VkExtent2D{geometry->width, geometry->height};
}

std::shared_ptr<const X11Connection> X11Connections::for_window(xcb_connection_t* app,
                                                                uint32_t window) {
    const std::optional<Server> server = server_of(app, window);
    if (!server)
        return nullptr;
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const X11Connection>& connection = by_server_[server->display];
    if (!connection || !connection->alive())
        connection = connect_to(server->display);
    return knows(*connection, window, *server->geometry) ? connection : nullptr;
}

std::shared_ptr<const X11Connection> X11Connections::connect(xcb_connection_t* app,
                                                             uint32_t window) {
    const std::optional<Server> server = server_of(app, window);
    if (!server)
        return nullptr;
    auto connection = connect_to(server->display);
    return knows(*connection, window, *server->geometry) ? connection : nullptr;
}

} // namespace kobalt::present
