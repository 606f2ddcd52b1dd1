// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "gallium/context/operations.h"

namespace kobalt::gallium {

// Without GL_MULTISAMPLE a fragment covers all samples of its pixel where it covers the pixel's
// centre, else none (OpenGL 4.6, section 14.3.1). Vulkan rasterises at the attachments' samples
// always. So such a draw is made once for each sample, with the sample mask set to it and the
// viewports moved by as much as the sample lies off the centre: it then sees what the centre would.
// Colours come from fragment shaders that run at samples (VariantKey::at_samples). Bresenham and
// smooth lines of Vulkan already are GL's without multisampling (VK_EXT_line_rasterization, issue
// 1). Custom sample locations (VK_EXT_sample_locations) would need one draw only, but bind every
// depth image at its creation, and few devices may change them inside a pass.

/// Finds out whether the bound state asks for this; after the framebuffer or rasteriser changed.
void update_whole_pixels(Context& context);

/// Whether the draws of this primitive (what reaches the rasteriser) are made once for each sample.
bool draws_whole_pixels(const Context& context, mesa_prim primitive);

/// Where sample `index` of `count` is in its pixel, 0..1 from the upper left corner (Vulkan 1.3,
/// "Standard sample locations").
std::array<float, 2> standard_sample_location(unsigned count, unsigned index);

/// While this lives, what is drawn goes into one sample, as it looks from the pixel's centre.
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
