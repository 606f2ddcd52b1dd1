// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/choice.h"

#include "present/window_system.h"

namespace kobalt::info {

std::string choice_text(const vulkan::Device& device, const present::SurfaceInfo& surface,
                        const OpenSink& open_sink) {
    const auto wish = present::window_wish(device.instance().environment().windows);
    const auto choice = present::choose_window(present::window_facts(device, surface, wish));
    if (choice.kind == present::WindowKind::swapchain)
        return "windows get swapchains: " + choice.reason;
    const auto sink = open_sink();
    if (!sink)
        return "windows get nothing: " + choice.reason + "; " + sink.error().to_string();
    return "windows get copies through the CPU (" + *sink + "): " + choice.reason;
}

const char* yes_or_no(bool it) {
    return it ? "yes" : "no";
}

} // namespace kobalt::info
