// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

// Compact Vulkan state that the state tracker translates once, at state-object creation.

namespace kobalt::render {

inline constexpr uint32_t max_color_attachments = 8;
/// Slots of input attachments (StageBinding::slot), after those of the colours.
inline constexpr uint32_t depth_fetch_slot = max_color_attachments;
inline constexpr uint32_t stencil_fetch_slot = max_color_attachments + 1;
inline constexpr uint32_t max_viewports = 16;
inline constexpr uint32_t max_vertex_buffers = 32;
inline constexpr uint32_t max_stream_output_buffers = 4;
inline constexpr uint32_t max_discard_rectangles = 8;

/// Rasterisation (Vulkan 1.3, chapter 28).
struct RasterizerState {
    VkPolygonMode polygon_mode = VK_POLYGON_MODE_FILL;
    VkCullModeFlags cull_mode = VK_CULL_MODE_NONE;
    VkFrontFace front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    VkLineRasterizationModeEXT line_mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
    float depth_bias_constant = 0;
    float depth_bias_slope = 0;
    float depth_bias_clamp = 0;
    float line_width = 1; ///< pixels, already clamped to the device's range
    uint16_t line_stipple_factor = 1;
    uint16_t line_stipple_pattern = 0xffff;
    bool line_stipple = false;
    bool depth_bias = false;
    bool depth_clamp = false;
    bool depth_clip = true;
    bool depth_negative_one_to_one = true; ///< GL's clip volume (VK_EXT_depth_clip_control)
    bool provoking_vertex_last = true;
    bool rasterizer_discard = false;
    bool scissor = false; ///< false: the scissor is the whole framebuffer
    /// All samples of each pixel that a primitive touches (VK_EXT_conservative_rasterization).
    bool conservative = false;
    uint8_t conservative_dilate = 0; ///< by how much polygons grow before, 1/256 of a pixel
    bool operator==(const RasterizerState&) const = default;
};

/// Line modes that can't be drawn with alpha to coverage or alpha to one
/// (VUID-vkCmdDraw-None-10608).
inline bool excludes_alpha_to_coverage(VkLineRasterizationModeEXT mode) {
    return mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT ||
           mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT;
}

/// Where the samples of pixels are (VK_EXT_sample_locations).
struct SampleLocations {
    uint32_t samples = 0;  ///< of a pixel; 0: they are where the device has them
    VkExtent2D grid{1, 1}; ///< pixels, from which on the locations repeat
    std::vector<VkSampleLocationEXT> locations; ///< of each pixel's samples, row by row of the grid
};

/// GL_EXT_window_rectangles: what is drawn inside of one of them is dropped, or all else is.
struct DiscardRectangles {
    uint32_t count = 0; ///< 0: nothing is dropped
    bool inclusive = false;
    std::array<VkRect2D, max_discard_rectangles> rectangles{};
};

struct DepthStencilState {
    VkCompareOp depth_compare = VK_COMPARE_OP_ALWAYS;
    VkStencilOpState front{}; ///< .reference is dynamic and ignored here
    VkStencilOpState back{};
    float min_depth_bounds = 0;
    float max_depth_bounds = 1;
    bool depth_test = false;
    bool depth_write = false;
    bool stencil_test = false;
    bool depth_bounds_test = false;
};

/// The write mask that Vulkan takes for a format: channels that share an exponent, and the alpha
/// that such a format lacks, are written all together or not at all (VUID-vkCmdDraw-None-09116;
/// GL_QCOM_render_shared_exponent asks the same of the colours).
constexpr VkColorComponentFlags allowed_mask(VkColorComponentFlags mask, VkFormat format) {
    constexpr VkColorComponentFlags alpha = VK_COLOR_COMPONENT_A_BIT,
                                    all = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                                          VK_COLOR_COMPONENT_B_BIT | alpha;
    if (format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
        return mask;
    return mask & ~alpha ? all : 0;
}

struct BlendAttachment {
    VkColorBlendEquationEXT equation{};
    VkColorComponentFlags write_mask = 0xf;
    bool enable = false;
};

struct BlendState {
    std::array<BlendAttachment, max_color_attachments> attachments{};
    VkLogicOp logic_op = VK_LOGIC_OP_COPY;
    bool logic_op_enable = false;
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
};

/// Vertex fetch: strides and divisors travel with it (VK_EXT_vertex_input_dynamic_state).
struct VertexLayout {
    uint64_t id = 0; ///< PipelineStore::layout_id where vertex input is static, else unused
    std::vector<VkVertexInputBindingDescription2EXT> bindings; ///< .binding = vertex buffer slot
    std::vector<VkVertexInputAttributeDescription2EXT> attributes; ///< .location = shader input
};

} // namespace kobalt::render
