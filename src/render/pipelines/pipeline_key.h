// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "render/pipelines/state.h"

namespace kobalt::render {

// The four parts of a graphics pipeline. What the device has as dynamic state stays zero here, so
// few combinations exist. All keys are compared and hashed bytewise: no padding, plain members.

struct VertexInputKey {
    uint32_t topology = 0; ///< VkPrimitiveTopology, or its class representative where dynamic
    uint32_t reserved = 0;
    uint64_t layout = 0; ///< VertexLayout::id where vertex input is static, else 0
};

struct PreRasterKey {
    std::array<uint64_t, 4> stages{}; ///< ShaderStage ids: vertex, control, evaluation, geometry
    uint8_t polygon_mode = 0;
    uint8_t depth_clamp = 0;
    uint8_t depth_clip = 0;
    uint8_t negative_one_to_one = 0;
    uint8_t provoking_vertex_last = 0;
    uint8_t line_mode = 0;
    uint8_t line_stipple = 0;
    uint8_t patch_vertices = 0; ///< of tessellation, where their number is static
    uint32_t view_mask = 0;     ///< Framebuffer::view_mask: parts that are linked agree in it
    // Few programs use these: they are never dynamic, so that no other draw has to set them.
    uint8_t conservative = 0;
    uint8_t conservative_dilate = 0; ///< 1/256 of a pixel
    uint8_t discard_rectangles = 0;  ///< their number; where they are is dynamic
    uint8_t discard_inclusive = 0;
};

struct FragmentKey {
    uint64_t stage = 0;   ///< 0: no fragment shader
    uint32_t samples = 0; ///< 0 unless the code runs at samples, which ties the parts together
    // The rest of the multisample state, which sample shading ties to the output's where it isn't
    // dynamic (VUID-VkGraphicsPipelineCreateInfo-pLibraries-06635).
    uint32_t sample_mask = 0;
    uint32_t alpha_to_coverage = 0;
    uint32_t alpha_to_one = 0;
    uint32_t view_mask = 0;
    uint32_t sample_locations = 0;
};

struct OutputKey {
    std::array<uint32_t, max_color_attachments> color_formats{};
    uint32_t depth_stencil_format = 0;
    uint32_t color_count = 0;
    uint32_t samples = 0; ///< 0 where dynamic and not needed for sample shading
    uint32_t view_mask = 0;
    uint32_t ordered = 0;          ///< fetches from attachments see what earlier fragments wrote
    uint32_t sample_locations = 0; ///< the app's own; where they are is dynamic
    uint32_t sample_mask = 0;      ///< this and all below: 0 where dynamic
    uint8_t alpha_to_coverage = 0;
    uint8_t alpha_to_one = 0;
    uint8_t logic_op_enable = 0;
    uint8_t logic_op = 0;
    struct Blend {
        uint8_t enable, write_mask, source_color, target_color, color_op, source_alpha,
            target_alpha, alpha_op;
    };
    std::array<Blend, max_color_attachments> blend{};
};

struct GraphicsKey {
    VertexInputKey vertex_input;
    PreRasterKey pre_raster;
    FragmentKey fragment;
    OutputKey output;
};
static_assert(std::has_unique_object_representations_v<GraphicsKey>);

template <class Key>
struct KeyHash {
    size_t operator()(const Key& key) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(&key), sizeof key});
    }
};
template <class Key>
struct KeyEqual {
    bool operator()(const Key& a, const Key& b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
};

/// By index of PreRasterKey::stages.
inline constexpr Stage pre_raster_stages[] = {Stage::vertex, Stage::tess_control,
                                              Stage::tess_evaluation, Stage::geometry};

/// Calls `use` with the id of each stage that the key names.
template <class Use>
void for_each_stage(const PreRasterKey& key, Use use) {
    for (const uint64_t id : key.stages)
        if (id)
            use(id);
}

template <class Use>
void for_each_stage(const GraphicsKey& key, Use use) {
    for_each_stage(key.pre_raster, use);
    if (key.fragment.stage)
        use(key.fragment.stage);
}

} // namespace kobalt::render
