// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/instance/validation_suppressions.h"

namespace kobalt::vulkan {

std::span<const Suppression> validation_suppressions() {
    // Each message is proven wrong, or the use it reports is intended: {id, text it contains,
    // proof}. KOBALT_DEBUG=suppressed shows them. "Undefined-Value-..." are the layer's warnings
    // about valid use whose result Vulkan leaves undefined: no valid usage statement (VUID)
    // requires otherwise. Bugs of the layer that produce no message are documented where Kobalt
    // works around them: render/descriptors/pool_binder.cpp.
    static constexpr Suppression suppressions[] = {
        {"Undefined-Value-ShaderOutputNotConsumed-DynamicRendering", "and this write is unused",
         "the shader writes an output that has no attachment. Vulkan discards such a write, and GL "
         "asks for just that where a draw buffer is GL_NONE or has no image. Only compiling the "
         "shader again for each framebuffer would avoid it"},
        {"Undefined-Value-ShaderFragmentOutputMismatch-DynamicRendering",
         "which does not match and the resulting values written will be undefined",
         "the output's numeric type (float, signed, unsigned) is not the attachment's, so what is "
         "stored is undefined. It is in GL as well, where a program may be drawn with into any "
         "framebuffer without an error: the message repeats what the app's own error is"},
        {"WARNING-vkGetDeviceProcAddr-device",
         "vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
         "NVIDIA's driver asks for it by itself. A C program that calls vkCreateInstance and "
         "vkCreateDevice without any extension, and vkGetDeviceProcAddr never, gets the message "
         "within vkCreateDevice (H200, driver 580); lavapipe's users don't. Kobalt's own names are "
         "those in dispatch_list_*.h"},
        {"VUID-RuntimeSpirv-maxCombinedClipAndCullDistances-00710", " which sum to 16 and exceed ",
         "the layer adds what a shader reads to what it writes. A control shader that passes eight "
         "distances on has eight of each, both within a limit of eight: no shader with more than "
         "four could hand them on otherwise. Mesa's compiler keeps each of the two to GL's own "
         "limit, which is Vulkan's"},
    };
    return suppressions;
}

} // namespace kobalt::vulkan
