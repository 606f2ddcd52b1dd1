// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/validation_suppressions.h"

namespace kobalt::vulkan {

std::span<const Suppression> validation_suppressions() {
    // Each is proven wrong or meant: {id, text it contains, proof}.
    static constexpr Suppression suppressions[] = {
        {"Undefined-Value-ShaderOutputNotConsumed-DynamicRendering", "",
         "a warning: a write to an absent attachment is discarded (Vulkan's Fragment Output "
         "Interface), which is "
         "what GL asks of a draw buffer that is GL_NONE (glDrawBuffers)"},
        {"Undefined-Value-ShaderFragmentOutputMismatch-DynamicRendering", "",
         "a warning: the values stored are undefined where the output's numeric type and the "
         "attachment's differ (Vulkan's Fragment Output Interface), and so they are in GL (a "
         "mismatch of output and buffer type makes the result undefined, and is no error)"},
        {"WARNING-vkGetDeviceProcAddr-device",
         "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
         "a warning: Kobalt asks for no video function (its whole lists are dispatch_list_*.h); "
         "the "
         "layer sees NVIDIA's driver 580 ask for it while the device is made"},
    };
    return suppressions;
}

} // namespace kobalt::vulkan
