// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "info/windows.h"

#include "info/wayland.h"
#include "info/x11.h"

namespace kobalt::info {

std::string window_report(vulkan::Device& device) {
    return "Windows\n" + x11_report(device) + wayland_report(device);
}

} // namespace kobalt::info
