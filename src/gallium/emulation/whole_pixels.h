// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

// Without GL_MULTISAMPLE a fragment covers all samples of its pixel where it covers the pixel's
// centre, else none (OpenGL 4.6, section 14.3.1). Vulkan always rasterises at the attachments'
// samples. So such a draw is made once for each sample, with the sample mask set to that sample and
// the viewports moved by the sample's offset from the centre, so that the sample is covered as the
// centre would be. Colours come from fragment shaders that run at samples (VariantKey::at_samples).
// Vulkan's Bresenham and smooth lines already match GL's lines without multisampling
// (VK_EXT_line_rasterization, issue 1). Custom sample locations (VK_EXT_sample_locations) would
// need only one draw, but every depth image would have to be created for them, and few devices can
// change them inside a pass.

/// Determines whether the bound state needs this. Call it after the framebuffer or rasteriser
/// changed.
void update_whole_pixels(Context& context);

/// Whether draws whose primitive at the rasteriser is `primitive` are made once for each sample.
bool draws_whole_pixels(const Context& context, mesa_prim primitive);

/// Where sample `index` of `count` is in its pixel, 0..1 from the upper left corner (Vulkan 1.3,
/// "Standard sample locations").
std::array<float, 2> standard_sample_location(unsigned count, unsigned index);

/// While this lives, draws write one sample only, rasterised as at the pixel's centre.
class CentredSample {
public:
    CentredSample(Context& context, unsigned index);
    ~CentredSample();
    CentredSample(const CentredSample&) = delete;
    CentredSample& operator=(const CentredSample&) = delete;

private:
    Context& state_;
};

} // namespace kobalt::gallium
