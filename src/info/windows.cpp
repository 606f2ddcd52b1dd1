// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/windows.h"

#include <memory>

#include <xcb/xcb.h>

#include "present/window_system.h"
#include "present/x11_sink.h"

namespace kobalt::info {

namespace {

using Connection = std::unique_ptr<xcb_connection_t, decltype(&xcb_disconnect)>;

std::string extension_text(const present::X11Extensions& extensions) {
    const auto has = [](bool it) { return it ? "yes" : "no"; };
    return std::string("DRI3 ") + has(extensions.dri3) + ", Present " + has(extensions.present) +
           ", MIT-SHM " + has(extensions.shm);
}

std::string choice_text(vulkan::Device& device, xcb_connection_t* connection) {
    const std::string& wish_text = device.instance().environment().windows;
    const auto wish = present::parse_window_wish(wish_text);
    if (!wish)
        return present::meaningless_wish(wish_text);
    present::SurfaceInfo surface;
    surface.type = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR;
    surface.words[1] = reinterpret_cast<uintptr_t>(connection);
    surface.words[2] = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
    const auto choice = present::choose_window(present::window_facts(device, surface, *wish));
    if (choice.kind == present::WindowKind::swapchain)
        return "swapchains: " + choice.reason;
    const auto sink = present::open_x11_sink(connection, surface.xcb_window());
    if (!sink)
        return "none: " + choice.reason + "; " + sink.error().to_string();
    return std::string("copies through the CPU (") + (*sink)->name() + "): " + choice.reason;
}

} // namespace

std::string window_report(vulkan::Device& device) {
    std::string text = "Windows\n";
    const char* display = vulkan::environment_variable("DISPLAY");
    if (!display || !*display)
        return text + "  X11: DISPLAY is not set\n";
    const Connection connection(xcb_connect(nullptr, nullptr), xcb_disconnect);
    const std::string server = std::string("  X11: ") + display;
    if (xcb_connection_has_error(connection.get()))
        return text + server + " doesn't answer, or refuses this program\n";
    text += server + ": " + extension_text(present::x11_extensions(connection.get())) + "\n";
    return text + "       windows get " + choice_text(device, connection.get()) + "\n";
}

} // namespace kobalt::info
