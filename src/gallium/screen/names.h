// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vulkan/base/vk.h"
#include "vulkan/capabilities/vendor.h"

namespace kobalt::gallium {

/// GL_RENDERER on the Vulkan device `device`. Programs look for the GPU's name at the beginning,
/// and drop what a last pair of parentheses holds; so "Kobalt" stands at the end of these: "NVIDIA
/// H200 (Kobalt)", "llvmpipe (LLVM 15.0.6, 256 bits, Kobalt)". docs/debugging.md names the
/// programs; offscreen/expected_renderer.h and tools/kobalt_cli/witness.py read the form.
inline std::string renderer_name(std::string_view device) {
    // Parentheses without a space before them belong to the name: "Intel(R) Arc(TM)".
    size_t depth = 0;
    size_t open = std::string_view::npos;
    if (device.ends_with(')')) {
        for (size_t i = device.size(); i-- > 0 && open == std::string_view::npos;) {
            if (device[i] == ')')
                ++depth;
            else if (device[i] == '(' && --depth == 0)
                open = i;
        }
    }
    if (open == std::string_view::npos || open == 0 || device[open - 1] != ' ')
        return std::string(device) + " (Kobalt)";
    return std::string(device.substr(0, device.size() - 1)) + ", Kobalt)";
}

/// GL_VENDOR: the maker of the GPU in the words of Mesa's own drivers, from which programs choose
/// their paths. A CPU, and a maker without an entry, is "Mesa", as llvmpipe and zink have it.
inline const char* vendor_name(uint32_t id) {
    switch (id) {
    case vulkan::vendor::amd:
        return "AMD";
    case vulkan::vendor::imagination:
        return "ImgTec";
    case vulkan::vendor::nvidia:
        return "NVIDIA";
    case vulkan::vendor::arm:
        return "ARM";
    case vulkan::vendor::broadcom:
        return "Broadcom";
    case vulkan::vendor::google:
        return "Google";
    case vulkan::vendor::qualcomm:
        return "Qualcomm";
    case vulkan::vendor::intel:
        return "Intel";
    case VK_VENDOR_ID_MESA:
    default:
        return "Mesa";
    }
}

} // namespace kobalt::gallium
