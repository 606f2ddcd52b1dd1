// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "gallium/screen/caps.h"
#include "vulkan/device/device.h"

// pipe_caps of shaders, as far as they don't differ by stage (shader_caps.cpp).

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

void set_version(pipe_caps& caps, vulkan::Device& device) {
    // GLSL 1.50 requires geometry shaders, so without them the limit is 1.40. Without transform
    // feedback Mesa offers no more than OpenGL 2.1, whatever the GLSL version.
    const bool full =
        device.has(Capability::geometry_shader) && device.has(Capability::transform_feedback);
    caps.glsl_feature_level = full ? 460 : 140;
    caps.glsl_feature_level_compatibility = caps.glsl_feature_level;
    caps.essl_feature_level = full ? 320 : 300;
}

void set_shaders(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.fs_coord_origin_upper_left = true;
    caps.fs_coord_origin_lower_left = false;
    caps.fs_coord_pixel_center_half_integer = true;
    caps.fs_coord_pixel_center_integer = false;
    caps.fs_position_is_sysval = true;
    caps.fs_point_is_sysval = true;
    caps.fs_face_is_integer_sysval = true;
    caps.tgsi_texcoord = true;
    caps.vs_instanceid = true;
    caps.fragment_shader_texture_lod = true;
    caps.fragment_shader_derivatives = true;
    caps.fs_fine_derivative = true;
    caps.shader_pack_half_float = true;
    caps.shader_array_components = true;
    caps.demote_to_helper_invocation = device.has(Capability::shader_demote);
    caps.sample_shading = device.has(Capability::sample_rate_shading);
    caps.force_persample_interp = caps.sample_shading;
    caps.cull_distance = device.has(Capability::shader_cull_distance);
    // Apps that find ARB_shader_draw_parameters rely on draws with a base instance, which come with
    // OpenGL 4.2 (in Blender, objects lose their transforms otherwise).
    caps.draw_parameters =
        device.has(Capability::shader_draw_parameters) && caps.glsl_feature_level >= 420;
    caps.shader_stencil_export = device.has(Capability::shader_stencil_export);
    caps.vs_layer_viewport = device.has(Capability::shader_output_layer) &&
                             device.has(Capability::shader_output_viewport_index) &&
                             device.has(Capability::multi_viewport);
    caps.tes_layer_viewport = caps.vs_layer_viewport;
    caps.viewport_mask = caps.vs_layer_viewport && device.has(Capability::viewport_mask);
    // Vulkan counts the position and the point size as components of a vertex ("Shader Input and
    // Output Locations"), GL doesn't. GL requires at least 15.
    constexpr uint32_t built_in_components = 5;
    caps.max_varyings =
        std::max(15u, std::min({32u, (limits.maxVertexOutputComponents - built_in_components) / 4,
                                limits.maxFragmentInputComponents / 4}));
    caps.packed_uniforms = true;
    caps.load_constbuf = true; // at any word: uniform blocks without a stated layout are packed
    caps.packed_stream_output = true;
    caps.shareable_shaders = true;
    caps.nir_images_as_deref = false;
    caps.nir_samplers_as_deref = false;
    caps.prefer_imm_arrays_as_constbuf = true;
    // Where the device lacks instructions for doubles, Mesa emulates them with integers.
    caps.doubles = device.has(Capability::shader_float64) || device.has(Capability::shader_int64);
    caps.int64 = device.has(Capability::shader_int64);
    caps.compute = true;
    caps.shader_clock = device.has(Capability::shader_clock);
    caps.compute_shader_derivatives = device.has(Capability::compute_shader_derivatives);
    // INTEL_shader_integer_functions2: NIR lowers them to other instructions.
    caps.opencl_integer_functions = caps.integer_multiply_32x16 = true;
    caps.gl_spirv = caps.glsl_feature_level >= 330;
    // Fixed-function features that the state tracker lowers into shaders.
    caps.flatshade = false;
    caps.alpha_test = false;
    caps.two_sided_color = false;
    // Mesa's GL_SELECT on the GPU reads an integer attribute as floats, which Vulkan forbids
    // (VUID-vkCmdDraw-Input-08734). Without the capability Mesa selects on the CPU.
    caps.hardware_gl_select = false;
    caps.clip_planes = 0;
    caps.vertex_color_unclamped = true;
    caps.vertex_color_clamped = false;
    caps.fragment_color_clamped = false;
    // Vulkan has no fixed point size, so shaders write it, from a push constant.
    caps.point_size_fixed = PIPE_POINT_SIZE_LOWER_NEVER;
    if (device.has(Capability::geometry_shader)) {
        caps.max_geometry_output_vertices = std::min(limits.maxGeometryOutputVertices, 1024u);
        caps.max_geometry_total_output_components =
            std::min(limits.maxGeometryTotalOutputComponents, 16384u);
        caps.max_gs_invocations = std::min(limits.maxGeometryShaderInvocations, 32u);
    }
    if (device.has(Capability::tessellation_shader))
        caps.max_shader_patch_varyings = std::min(
            limits.maxTessellationControlPerPatchOutputComponents / 4, spirv::patch_locations);
}

/// GL_KHR_shader_subgroup and earlier extensions, as far as the device's subgroups support them.
void set_subgroups(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceVulkan11Properties& has = device.properties().vulkan11;
    static_assert(VK_SUBGROUP_FEATURE_BASIC_BIT == PIPE_SHADER_SUBGROUP_FEATURE_BASIC &&
                  VK_SUBGROUP_FEATURE_QUAD_BIT == PIPE_SHADER_SUBGROUP_FEATURE_QUAD);
    const uint32_t features =
        has.subgroupSupportedOperations & BITFIELD_MASK(PIPE_SHADER_SUBGROUP_NUM_FEATURES);
    // GL requires compute shaders and the basic feature.
    if (!(features & PIPE_SHADER_SUBGROUP_FEATURE_BASIC) ||
        !(has.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT))
        return;
    caps.shader_subgroup_size = has.subgroupSize;
    caps.shader_subgroup_supported_stages =
        has.subgroupSupportedStages & (VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT);
    caps.shader_subgroup_supported_features = features;
    caps.shader_subgroup_quad_all_stages = has.subgroupQuadOperationsInAllStages;
    caps.shader_group_vote = features & PIPE_SHADER_SUBGROUP_FEATURE_VOTE;
    // A ballot of GL_ARB_shader_ballot has 64 bits.
    caps.shader_ballot = features & PIPE_SHADER_SUBGROUP_FEATURE_BALLOT &&
                         device.properties().vulkan13.maxSubgroupSize <= 64;
}

void set_atomics(pipe_caps& caps, Screen& screen) {
    const spirv::Target& target = screen.spirv_target;
    // Without an instruction the translator makes loops, except for image_atomic_float_add.
    caps.image_atomic_float_add = target.atomics.image_float_add;
    caps.image_atomic_inc_wrap = // a loop
        screen.device().has(Capability::fragment_stores_and_atomics);
    caps.atomic_float_minmax = true;
    caps.shader_atomic_int64 = target.atomics.buffer_int64 && target.atomics.shared_int64;
}

} // namespace

void set_glsl_caps(pipe_caps& caps, Screen& screen) {
    vulkan::Device& device = screen.device();
    set_version(caps, device);
    set_shaders(caps, device);
    set_subgroups(caps, device);
    set_atomics(caps, screen);
}

} // namespace kobalt::gallium
