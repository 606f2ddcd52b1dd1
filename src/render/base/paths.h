// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>

#include "vulkan/base/vk.h"

namespace kobalt::render {

/// Which draws use shader objects (VK_EXT_shader_object).
enum class ObjectUse : uint8_t {
    none,
    /// Draws with geometry or tessellation stages that were linked apart, until the library that
    /// Vulkan compiles of them together is there.
    combinations,
    /// All draws that can. Pipelines are for stages that can't be objects, and draws with these.
    everything
};

/// Which paths the recorder takes; condensed from the device's capabilities once.
struct Paths {
    bool descriptor_buffer = false;
    bool pipeline_library = false;
    bool dynamic_vertex_input = false;
    bool dynamic_state3 = false;         ///< all of EDS3 that GL needs
    bool dynamic_topology_class = false; ///< dynamicPrimitiveTopologyUnrestricted
    bool dynamic_logic_op = false;
    bool dynamic_patch_size = false; ///< vertices of a patch (VK_EXT_extended_dynamic_state2)
    bool optimized_links = false;    ///< link-time optimisation in the background
    /// Fast links ask to fail where they would compile (pipelineCreationCacheControl), so that each
    /// compile inside a draw is counted.
    bool checked_links = false;
    ObjectUse objects = ObjectUse::none;
    bool objects_read_texels = true; ///< shader objects may read texel buffers
    bool null_descriptor = false;
    bool null_vertex_buffer = false; ///< an unbound vertex buffer is bound as null
    bool always_color = false;       ///< passes without colours have one null attachment
    /// Pushed constants reach only the stages bound then that read some, and no stages bound later.
    bool forgets_pushed_constants = false;
    /// What pipelines of robust stages ask for. DEVICE_DEFAULT: they can't; the device has it on
    /// for all where it has it at all.
    VkPipelineRobustnessBufferBehaviorEXT robust_buffers =
        VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    bool bindless = false; ///< texture handles
    /// The bindless set and the rings share a descriptor buffer, the only one bound.
    bool shared_descriptor_buffer = false;
    bool ordered_fetches = false;       ///< fetches from attachments in the order of rasterisation
    bool ordered_depth_fetches = false; ///< of depth and stencil, the same
    bool discard_rectangles = false;
    bool transform_feedback = false;
    bool line_rasterization = false;
    bool depth_clip_control = false;
    bool depth_clip_enable = false;
    bool provoking_vertex = false;
    bool logic_op = false;
    bool line_stipple = false;
    bool alpha_to_one = false;
    bool wide_lines = false;
    bool depth_bounds = false;
    bool depth_clamp = false;
    /// Depths beyond 0 and 1 arrive in float attachments, so polygon offset needs a clamp.
    bool clamps_offset_depth = false;
    /// Copies between resources that a batch has not used yet go before its other commands
    /// (InitStream).
    bool init_stream = true;
    /// Attachments that are cleared get a layout for attachments, in which GPUs clear and compress
    /// them better than in VK_IMAGE_LAYOUT_GENERAL (recorder/hazards.h).
    bool attachment_layouts = false;
    uint32_t most_multi_draws = 0; ///< draws of one command; 0: each draw is a command of its own
    bool host_image_writes =
        false; ///< the CPU writes textures itself (vulkan/resources/host_copy.h)
    /// Beside descriptor buffers: each graphics stage's first uniform buffers, which change with
    /// nearly every draw, are pushed (`pushed_set`).
    bool pushed_blocks = false;
    /// The fragment shader's texture is pushed with them, if it has only one.
    bool pushed_texture = false;
    /// With descriptor pools: the most descriptors that a pushed set holds; 0: no set is pushed.
    uint32_t max_pushed = 0;
};

} // namespace kobalt::render
