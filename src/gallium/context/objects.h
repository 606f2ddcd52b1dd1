// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "gallium/screen/mesa.h"
#include "render/pipelines/state.h"
#include "render/resources/resource.h"

struct translate;

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

/// Where the recorder's vertex buffer slots come from, and what the device asks of them.
struct FetchedSlots {
    /// Gallium's vertex buffer index behind each slot.
    std::array<uint8_t, render::max_vertex_buffers> buffer{};
    /// The device can fetch from a buffer at an offset where (offset + shift) & mask is 0.
    std::array<uint8_t, render::max_vertex_buffers> mask{}, shift{};
    uint32_t unfetchable = 0; ///< mask of slots that it can't fetch from at any offset
    bool operator==(const FetchedSlots&) const = default;
    /// Not 0 where the device can't fetch the slot from a buffer at this offset, in bytes.
    uint32_t misplaced(uint32_t slot, uint32_t offset) const {
        return (offset + shift[slot]) & mask[slot];
    }
};

struct ReleaseTranslate {
    void operator()(translate* translate) const;
};

/// The vertex input of draws for which the CPU converts the vertices of some slots.
struct ConvertedLayout {
    uint32_t slots = 0; ///< mask
    render::VertexLayout layout;
    std::array<uint32_t, render::max_vertex_buffers> vertex_bytes{}; ///< of a converted vertex
    /// The conversion of each attribute in these slots.
    std::vector<std::unique_ptr<translate, ReleaseTranslate>> conversions;
};

struct VertexElements {
    render::VertexLayout layout;
    uint32_t slot_count = 0;
    FetchedSlots fetch;
    bool begins_at_first_instance = false; ///< see shifts_instances()

    // --- for vertices that the device can't fetch (emulation/vertex_conversion.h)
    std::vector<pipe_format> formats; ///< of the attributes, as GL has them
    std::array<uint32_t, render::max_vertex_buffers> divisors{};
    std::vector<std::unique_ptr<ConvertedLayout>> converted; ///< those that draws needed
};

} // namespace kobalt::gallium
