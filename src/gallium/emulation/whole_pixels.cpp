// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/whole_pixels.h"

#include "vulkan/device/device.h"

#include "util/u_framebuffer.h"

namespace kobalt::gallium {
namespace {

/// The largest count that has standard locations.
constexpr unsigned most_located_samples = 16;

void move_viewports(Context& context, std::array<float, 2> offset) {
    context.viewport_offset = offset;
    update_viewport_depth(context);
}

} // namespace

void update_whole_pixels(Context& context) {
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const unsigned samples = util_framebuffer_get_num_samples(&context.bound.framebuffer);
    const bool wanted = samples > 1 && samples <= most_located_samples && rasterizer &&
                        !rasterizer->gl.multisample && !rasterizer->gl.rasterizer_discard &&
                        context.kobalt_screen().device().limits().standardSampleLocations;
    if (context.whole_pixel_samples == (wanted ? samples : 0))
        return;
    context.whole_pixel_samples = wanted ? samples : 0;
    context.stages_dirty = true;
    apply_sample_locations(context); // the offsets are relative to the device's sample locations
}

bool draws_whole_pixels(const Context& context, mesa_prim primitive) {
    if (!context.whole_pixel_samples)
        return false;
    const VkLineRasterizationModeEXT lines = context.bound.rasterizer->state.line_mode;
    return primitive != MESA_PRIM_LINES ||
           (lines != VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT &&
            lines != VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT);
}

std::array<float, 2> standard_sample_location(unsigned count, unsigned index) {
    // In sixteenths of a pixel.
    static constexpr uint8_t one[][2] = {{8, 8}};
    static constexpr uint8_t two[][2] = {{12, 12}, {4, 4}};
    static constexpr uint8_t four[][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    static constexpr uint8_t eight[][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                           {3, 13}, {1, 7},  {11, 15}, {15, 1}};
    static constexpr uint8_t sixteen[][2] = {{9, 9},   {7, 5},  {5, 10},  {12, 7}, {3, 6}, {10, 13},
                                             {13, 11}, {11, 3}, {6, 14},  {8, 1},  {4, 2}, {2, 12},
                                             {0, 8},   {15, 4}, {14, 15}, {1, 0}};
    const uint8_t(*table)[2] = one;
    switch (count) {
    case 2:
        table = two;
        break;
    case 4:
        table = four;
        break;
    case 8:
        table = eight;
        break;
    case 16:
        table = sixteen;
        break;
    default:
        index = 0;
        break;
    }
    return {static_cast<float>(table[index][0]) / 16.0f,
            static_cast<float>(table[index][1]) / 16.0f};
}

CentredSample::CentredSample(Context& context, unsigned index) : state_(context) {
    const auto [x, y] = standard_sample_location(context.whole_pixel_samples, index);
    move_viewports(context, {x - 0.5f, y - 0.5f});
    context.recorder.set_sample_mask(context.bound.sample_mask & (1u << index));
}

CentredSample::~CentredSample() {
    move_viewports(state_, {});
    state_.recorder.set_sample_mask(state_.bound.sample_mask);
}

} // namespace kobalt::gallium
