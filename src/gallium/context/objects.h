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
// binding one passes a pointer to the recorder.

namespace kobalt::gallium {

struct BlendObject {
    render::BlendState state;
    /// The fragment shader does GL_SAMPLE_ALPHA_TO_ONE where the device lacks alphaToOne, and then
    /// GL_SAMPLE_ALPHA_TO_COVERAGE, which comes before. It does the latter alone where the app says
    /// whether it dithers.
    bool alpha_to_one_in_shader = false, alpha_to_coverage_in_shader = false;
    bool dithers_coverage = false; ///< in the shader
    /// Blending has a second source, and driconf says that shaders may write it at Location 1.
    bool second_by_location = false;
    /// The state for render targets whose GL format has no alpha, so that it counts as 1, but
    /// whose storage has (bit n: attachment n).
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
    float point_size = 0; ///< encoded as in spirv::DrawParameters
    /// Where front and back faces have different polygon modes: one state for each kind of face.
    std::array<std::unique_ptr<RasterizerObject>, 2> faces;
};

struct DepthStencilObject {
    render::DepthStencilState state;
    bool two_sided_stencil = false; ///< false: back faces use the front's reference
};

struct SamplerObject {
    render::Ref<render::Sampler> sampler; ///< null: creation failed, the null sampler is used
};

struct VertexElements {
    render::VertexLayout layout;
    uint32_t slot_count = 0;
    /// Gallium's vertex buffer index behind each of the recorder's slots.
    std::array<uint8_t, render::max_vertex_buffers> buffer_of_slot{};
    bool begins_at_first_instance = false; ///< see shifts_instances()
};

} // namespace kobalt::gallium
