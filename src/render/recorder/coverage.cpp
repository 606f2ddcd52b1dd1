// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <utility>

#include "render/recorder/impl.h"

// Which samples primitives cover, beyond the ordinary rules: sample locations of the app's own,
// rectangles outside of which (or in which) nothing is drawn, conservative rasterisation. Draws
// that use one of these have pipelines with it; other draws pay nothing for it.

namespace kobalt::render {

void Recorder::set_sample_locations(SampleLocations locations) {
    impl_->sample_locations = std::move(locations);
    impl_->dirty |= dirty_pipeline_state | dirty_samples;
}

void Recorder::set_discard_rectangles(const DiscardRectangles& rectangles) {
    impl_->discard = rectangles;
    impl_->dirty |= dirty_pipeline_state | dirty_scissor;
}

void Recorder::Impl::fill_coverage(GraphicsKey& key) const {
    key.output.sample_locations =
        sample_locations.samples != 0 && sample_locations.samples == framebuffer.samples;
    key.pre_raster.discard_rectangles = static_cast<uint8_t>(discard.count);
    key.pre_raster.discard_inclusive = discard.count != 0 && discard.inclusive;
    if (!rasterizer || !rasterizer->conservative)
        return;
    // VUID-vkCmdDraw-conservativePointAndLineRasterization-07499: what a geometry or evaluation
    // shader makes of the primitives counts too, and isn't known here.
    const bool triangles = topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST &&
                           topology != VK_PRIMITIVE_TOPOLOGY_LINE_LIST &&
                           topology != VK_PRIMITIVE_TOPOLOGY_LINE_STRIP &&
                           rasterizer->polygon_mode == VK_POLYGON_MODE_FILL;
    if (!triangles && !engine.device()
                           .properties()
                           .conservative_rasterization.conservativePointAndLineRasterization)
        return;
    key.pre_raster.conservative = 1;
    key.pre_raster.conservative_dilate = rasterizer->conservative_dilate;
}

// A pipeline without such a state leaves it undefined, so it is recorded for each that has it.
void Recorder::Impl::emit_coverage() {
    const VkCommandBuffer cmd = commands();
    if (pipeline_state.output.sample_locations) {
        const SampleLocations& now = sample_locations;
        const VkSampleLocationsInfoEXT info{
            VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,     nullptr,
            static_cast<VkSampleCountFlagBits>(now.samples), now.grid,
            static_cast<uint32_t>(now.locations.size()),     now.locations.data()};
        vk.CmdSetSampleLocationsEXT(cmd, &info);
    }
    if (pipeline_state.pre_raster.discard_rectangles)
        vk.CmdSetDiscardRectangleEXT(cmd, 0, discard.count, discard.rectangles.data());
}

} // namespace kobalt::render
