// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Finding the X server behind a socket. What the connection is for is tested in tests/window.
#include "present/x11.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace kobalt::present {
namespace {

struct Socket {
    int fd;
    explicit Socket(int descriptor) : fd(descriptor) {}
    ~Socket() { close(fd); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
};

TEST(X11DisplayName, SocketsWithoutANameHaveNone) {
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    const Socket first(pair[0]), second(pair[1]);
    EXPECT_EQ(x11_display_name(first.fd), "");
    EXPECT_EQ(x11_display_name(-1), "");
}

TEST(X11DisplayName, PortsCountFrom6000) {
    const Socket server(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    int display = 100;
    do
        address.sin_port = htons(static_cast<uint16_t>(6000 + ++display));
    while (bind(server.fd, generic, sizeof(address)) != 0 && display < 200);
    if (display == 200 || listen(server.fd, 1) != 0)
        GTEST_SKIP() << "no free port";
    const Socket client(socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(connect(client.fd, generic, sizeof(address)), 0);
    EXPECT_EQ(x11_display_name(client.fd), "127.0.0.1:" + std::to_string(display));
}

} // namespace
} // namespace kobalt::present
