// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/screen/screen.h"
#include "vulkan/device/device.h"

// Capabilities of coverage: sample locations, conservative rasterisation, window rectangles.

namespace kobalt::gallium {
namespace {

using vulkan::Capability;

/// Mesa reports four bits of each coordinate, and has grids of up to four by four pixels.
constexpr unsigned location_bits = 4;
constexpr float last_location = 15.0f / 16.0f;
constexpr uint32_t largest_grid = 4;

/// Whether the device supports GL_ARB_sample_locations: for each number of samples that a
/// framebuffer may have, with locations that may change between the draws of a pass.
bool has_sample_locations(const vulkan::Device& device) {
    if (!device.has(Capability::sample_locations))
        return false;
    const auto& has = device.properties().sample_locations;
    const VkPhysicalDeviceLimits& limits = device.limits();
    const VkSampleCountFlags several =
        (limits.framebufferColorSampleCounts | limits.framebufferDepthSampleCounts) &
        ~VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT};
    return has.variableSampleLocations && has.sampleLocationSubPixelBits >= location_bits &&
           has.sampleLocationCoordinateRange[0] <= 0.0f &&
           has.sampleLocationCoordinateRange[1] >= last_location &&
           (several & ~has.sampleLocationSampleCounts) == 0;
}

/// pipe_screen::get_sample_pixel_grid.
void get_sample_pixel_grid(pipe_screen* pscreen, unsigned samples, unsigned* width,
                           unsigned* height) {
    vulkan::Device& device = Screen::from(pscreen)->device();
    VkMultisamplePropertiesEXT found{VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
    if (samples > 1)
        device.instance().vk().GetPhysicalDeviceMultisamplePropertiesEXT(
            device.physical(), static_cast<VkSampleCountFlagBits>(samples), &found);
    // A smaller grid works too if its size divides that of the device's grid.
    const auto part = [](uint32_t size) {
        uint32_t fits = std::clamp(size, 1u, largest_grid);
        while (size > 0 && size % fits)
            --fits;
        return fits;
    };
    *width = part(found.maxSampleLocationGridSize.width);
    *height = part(found.maxSampleLocationGridSize.height);
}

/// GL_NV_conservative_raster. Vulkan doesn't specify how vertices are snapped, so
/// GL_NV_conservative_raster_pre_snap isn't offered, and the bits of glSubpixelPrecisionBiasNV are
/// ignored: GL allows the device to snap to a finer grid, or not at all.
void set_conservative(pipe_caps& caps, const vulkan::Device& device) {
    if (!device.has(Capability::conservative_rasterization))
        return;
    const auto& has = device.properties().conservative_rasterization;
    caps.conservative_raster_post_snap_triangles = true;
    caps.conservative_raster_post_snap_points_lines = has.conservativePointAndLineRasterization;
    caps.conservative_raster_post_depth_coverage =
        has.conservativeRasterizationPostDepthCoverage && caps.post_depth_coverage;
    caps.max_conservative_raster_subpixel_precision_bias = 2; // the minimum that Mesa accepts
    caps.min_conservative_raster_dilate = 0;
    caps.max_conservative_raster_dilate = has.maxExtraPrimitiveOverestimationSize;
    caps.conservative_raster_dilate_granularity = has.extraPrimitiveOverestimationSizeGranularity;
}

} // namespace

void init_screen_coverage(Screen& screen) {
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    vulkan::Device& device = screen.device();
    caps.programmable_sample_locations = has_sample_locations(device);
    if (caps.programmable_sample_locations)
        screen.get_sample_pixel_grid = get_sample_pixel_grid;
    set_conservative(caps, device);
    caps.alpha_to_coverage_dither_control = true; // the shader does it where the app sets it
    if (screen.engine->paths().discard_rectangles)
        caps.max_window_rectangles =
            std::min<unsigned>(device.properties().discard_rectangles.maxDiscardRectangles,
                               PIPE_MAX_WINDOW_RECTANGLES);
}

} // namespace kobalt::gallium
