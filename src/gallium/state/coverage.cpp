// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/context/operations.h"
#include "gallium/context/view.h"

#include "util/u_framebuffer.h"

// GL_ARB_sample_locations and GL_EXT_window_rectangles.

namespace kobalt::gallium {
namespace {

/// Whether the depth image was created with the flag for custom sample locations.
bool depth_allows(const pipe_framebuffer_state& framebuffer) {
    if (!framebuffer.zsbuf)
        return true;
    const Resource& resource = *Resource::from(framebuffer.zsbuf->texture);
    if (!util_format_has_depth(util_format_description(resource.b.format)))
        return true;
    return resource.image && (resource.image->storage().flags() &
                              VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT);
}

/// Translates the app's bytes: x in the low four bits, 16 - y in the high ones. The state tracker
/// has turned the rows of the grid upside down as well.
render::SampleLocations translate(Context& context, uint32_t samples) {
    pipe_screen* screen = context.screen;
    render::SampleLocations to;
    screen->get_sample_pixel_grid(screen, samples, &to.grid.width, &to.grid.height);
    const size_t count = size_t{to.grid.width} * to.grid.height * samples;
    std::vector<uint8_t> from = context.bound.sample_locations;
    if (from.size() != count) // set for another framebuffer: the state tracker sends new ones
        return {};
    util_sample_locations_flip_y(screen, context.bound.framebuffer.height, samples, from.data());
    to.samples = samples;
    for (const uint8_t location : from)
        to.locations.push_back({static_cast<float>(location & 15) / 16.0f,
                                static_cast<float>(std::min(16 - (location >> 4), 15)) / 16.0f});
    return to;
}

void set_sample_locations(pipe_context* pcontext, size_t size, const uint8_t* locations) {
    Context& context = *Context::from(pcontext);
    context.bound.sample_locations.assign(locations, locations + size);
    apply_sample_locations(context);
}

void set_window_rectangles(pipe_context* pcontext, bool include, unsigned count,
                           const pipe_scissor_state* rectangles) {
    Context& context = *Context::from(pcontext);
    auto& bound = context.bound.window;
    bound.inclusive = include;
    bound.count = std::min<unsigned>(count, PIPE_MAX_WINDOW_RECTANGLES);
    std::copy_n(rectangles, bound.count, bound.rectangles.begin());
    if (include && count == 0) {
        bound.count = 1;
        bound.rectangles[0] = {};
    }
    apply_window_rectangles(context, include, std::span(bound.rectangles).first(bound.count));
}

/// pipe_context::evaluate_depth_buffer, glEvaluateDepthValuesARB: nothing to do, because Vulkan
/// stores evaluated depth values, wherever the next draw's samples are. Called on any thread.
void evaluate_depth_buffer(pipe_context*) {}

} // namespace

void apply_sample_locations(Context& context) {
    render::SampleLocations locations;
    const uint32_t samples = util_framebuffer_get_num_samples(&context.bound.framebuffer);
    if (!context.bound.sample_locations.empty() && samples > 1 && !context.whole_pixel_samples &&
        depth_allows(context.bound.framebuffer))
        locations = translate(context, samples);
    const bool own = locations.samples != 0;
    if (own || context.own_locations)
        context.recorder.set_sample_locations(std::move(locations));
    context.own_locations = own;
}

void apply_window_rectangles(Context& context, bool inclusive,
                             std::span<const pipe_scissor_state> rectangles) {
    render::DiscardRectangles to;
    to.inclusive = inclusive;
    to.count = static_cast<uint32_t>(
        std::min<size_t>(rectangles.size(), context.screen->caps.max_window_rectangles));
    for (uint32_t i = 0; i < to.count; ++i) {
        const pipe_scissor_state& from = rectangles[i];
        to.rectangles[i] = {{static_cast<int32_t>(from.minx), static_cast<int32_t>(from.miny)},
                            {std::max(from.maxx, from.minx) - uint32_t{from.minx},
                             std::max(from.maxy, from.miny) - uint32_t{from.miny}}};
    }
    context.recorder.set_discard_rectangles(to);
}

void init_coverage_functions(Context& context) {
    if (context.screen->caps.programmable_sample_locations)
        context.set_sample_locations = set_sample_locations;
    context.evaluate_depth_buffer = evaluate_depth_buffer;
    if (context.screen->caps.max_window_rectangles)
        context.set_window_rectangles = set_window_rectangles;
}

} // namespace kobalt::gallium
