// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/wayland.h"

#include <cstdarg>
#include <memory>
#include <string_view>

#include <wayland-client.h>

#include "info/choice.h"

namespace kobalt::info {

namespace {

using Connection = std::unique_ptr<wl_display, decltype(&wl_display_disconnect)>;
using Registry = std::unique_ptr<wl_registry, decltype(&wl_registry_destroy)>;

/// The ways in which a compositor takes buffers.
struct Interfaces {
    bool shm = false;
    bool dmabuf = false;
};

Interfaces interfaces_of(wl_display* display) {
    Interfaces found;
    const Registry registry(wl_display_get_registry(display), wl_registry_destroy);
    static constexpr wl_registry_listener listener = {
        [](void* data, wl_registry*, uint32_t, const char* interface, uint32_t) {
            auto& into = *static_cast<Interfaces*>(data);
            into.shm |= std::string_view(interface) == "wl_shm";
            into.dmabuf |= std::string_view(interface) == "zwp_linux_dmabuf_v1";
        },
        [](void*, wl_registry*, uint32_t) {}};
    wl_registry_add_listener(registry.get(), &listener, &found);
    wl_display_roundtrip(display);
    return found;
}

} // namespace

std::string wayland_report(vulkan::Device& device) {
    const char* set = vulkan::environment_variable("WAYLAND_DISPLAY");
    const std::string name = set ? set : "";
    // libwayland prints its errors; the report says what is wrong.
    wl_log_set_handler_client([](const char*, va_list) {});
    const Connection connection(wl_display_connect(nullptr), wl_display_disconnect);
    if (!connection)
        return "  Wayland: " +
               (name.empty() ? "WAYLAND_DISPLAY is not set"
                             : name + " doesn't answer, or refuses this program") +
               "\n";
    const Interfaces found = interfaces_of(connection.get());
    present::SurfaceInfo surface;
    surface.type = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR;
    surface.words[1] = reinterpret_cast<uintptr_t>(connection.get());
    const std::string choice = choice_text(device, surface, [&]() -> vulkan::Result<std::string> {
        if (found.shm)
            return "wl_shm";
        return vulkan::fail(VK_ERROR_INITIALIZATION_FAILED, "asking the compositor for wl_shm");
    });
    return "  Wayland: " + (name.empty() ? "the default compositor" : name) + ": wl_shm " +
           yes_or_no(found.shm) + ", zwp_linux_dmabuf_v1 " + yes_or_no(found.dmabuf) +
           "\n           " + choice + "\n";
}

} // namespace kobalt::info
