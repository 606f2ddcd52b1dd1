// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/x11.h"

#include <memory>

#include <xcb/xcb.h>

#include "info/choice.h"
#include "present/x11_requests.h"
#include "present/x11_sink.h"

namespace kobalt::info {

namespace {

using Connection = std::unique_ptr<xcb_connection_t, decltype(&xcb_disconnect)>;

bool has_extension(xcb_connection_t* connection, std::string_view name) {
    const present::XcbReply<xcb_query_extension_reply_t> reply(xcb_query_extension_reply(
        connection,
        xcb_query_extension(connection, static_cast<uint16_t>(name.size()), name.data()), nullptr));
    return reply && reply->present;
}

std::string extension_text(const present::X11Extensions& extensions, bool glx) {
    return std::string("DRI3 ") + yes_or_no(extensions.dri3) + ", Present " +
           yes_or_no(extensions.present) + ", MIT-SHM " + yes_or_no(extensions.shm) + ", GLX " +
           yes_or_no(glx);
}

std::string choice(const vulkan::Device& device, xcb_connection_t* connection) {
    present::SurfaceInfo surface;
    surface.type = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;
    surface.words[1] = reinterpret_cast<uintptr_t>(connection);
    surface.words[2] = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
    return choice_text(device, surface, [&]() -> vulkan::Result<std::string> {
        const auto sink = present::open_x11_sink(connection, surface.xcb_window());
        if (!sink)
            return std::unexpected(sink.error());
        return (*sink)->name();
    });
}

} // namespace

std::string x11_report(vulkan::Device& device) {
    const char* display = vulkan::environment_variable("DISPLAY");
    if (!display || !*display)
        return "  X11: DISPLAY is not set\n";
    const Connection connection(xcb_connect(nullptr, nullptr), xcb_disconnect);
    const std::string server = std::string("  X11: ") + display;
    if (xcb_connection_has_error(connection.get()))
        return server + " doesn't answer, or refuses this program\n";
    const bool glx = has_extension(connection.get(), "GLX");
    std::string text =
        server + ": " + extension_text(present::x11_extensions(connection.get()), glx) + "\n";
    text += "       " + choice(device, connection.get()) + "\n";
    // GLVND answers glXQueryExtension by itself, so that most programs never reach the line that
    // Mesa's GLX prints.
    if (!glx)
        text += "       programs that use GLX find no visual here: install a software driver where "
                "the server runs (Debian: libgl1-mesa-dri) and start the server again with GLX "
                "enabled, or let the program use EGL\n";
    return text;
}

bool x11_takes_frames_of_gpus() {
    const Connection connection(xcb_connect(nullptr, nullptr), xcb_disconnect);
    return !xcb_connection_has_error(connection.get()) &&
           (present::x11_extensions(connection.get()).dri3 ||
            has_extension(connection.get(), "NV-GLX"));
}

} // namespace kobalt::info
