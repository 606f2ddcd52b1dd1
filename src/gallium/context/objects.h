// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "gallium/screen/mesa.h"
#include "render/resource.h"
#include "render/state.h"

// The constant state objects behind Gallium's void pointers. Each is translated when it is created;
// binding one hands a pointer to the recorder.

namespace kobalt::gallium {

struct BlendObject {
    render::BlendState state;
    /// GL_SAMPLE_ALPHA_TO_ONE (with GL_SAMPLE_ALPHA_TO_COVERAGE before it) is the fragment shader's
    /// work: the device lacks alphaToOne. Or the latter alone: the app says whether it dithers.
    bool alpha_to_one_in_shader = false, alpha_to_coverage_in_shader = false;
    bool dithers_coverage = false; ///< in the shader
    /// The same for render targets whose alpha is always 1 in GL but stored (bit n: attachment n).
    const render::BlendState& without_alpha(uint32_t attachments);

private:
    std::vector<std::pair<uint32_t, std::unique_ptr<render::BlendState>>> variants_;
};

struct RasterizerObject {
    pipe_rasterizer_state gl{};
    render::RasterizerState state;
    /// The same with a 0..1 clip volume, for viewports whose depth range only fits that way.
    render::RasterizerState state_half_z;
    /// Some primitives' fragments are treated specially (sprites, smooth points, stipple).
    bool changes_fragments = false;
    bool plain = false;   ///< filled polygons, and fragments that nothing changes
    float point_size = 0; ///< as spirv::DrawParameters has it
    /// Where front and back faces have different polygon modes: those that draw one kind of them.
    std::array<std::unique_ptr<RasterizerObject>, 2> faces;
};

struct DepthStencilObject {
    render::DepthStencilState state;
    bool two_sided_stencil = false; ///< false: back faces take the front's reference too
};

struct SamplerObject {
    render::Ref<render::Sampler> sampler; ///< null: creation failed, the null sampler stands in
};

struct VertexElements {
    render::VertexLayout layout;
    uint32_t slot_count = 0;
    /// Gallium's vertex buffer index behind each of the recorder's slots.
    std::array<uint8_t, render::max_vertex_buffers> buffer_of_slot{};
    bool begins_at_first_instance = false; ///< see shifts_instances()
};

} // namespace kobalt::gallium
