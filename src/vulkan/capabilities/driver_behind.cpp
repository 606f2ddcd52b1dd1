// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan/capabilities/driver_behind.h"

#include <string_view>

#include "vulkan/capabilities/vendor.h"

namespace kobalt::vulkan {

VkDriverId driver_behind(const DeviceProperties& properties) {
    const VkDriverId own = properties.vulkan12.driverID;
    if (own != VK_DRIVER_ID_MESA_VENUS)
        return own;
    // Venus says nothing of the other driverID. It keeps the vendor, and the name in parentheses:
    // "Virtio-GPU Venus (llvmpipe (LLVM 19.1.7, 256 bits))". A long name may be cut at the end.
    constexpr std::string_view prefix = "Virtio-GPU Venus (";
    std::string_view name = properties.core.deviceName;
    if (!name.starts_with(prefix))
        return own;
    name.remove_prefix(prefix.size());
    if (name.starts_with("llvmpipe"))
        return VK_DRIVER_ID_MESA_LLVMPIPE;
    if (name.find("(RADV ") != name.npos)
        return VK_DRIVER_ID_MESA_RADV;
    if (properties.core.vendorID == vendor::nvidia)
        return name.find("(NVK") != name.npos ? VK_DRIVER_ID_MESA_NVK
                                              : VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    return own;
}

} // namespace kobalt::vulkan
