// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>
#include <cmath>

#include "gallium/screen/screen.h"
#include "util/u_screen.h"
#include "vulkan/device/device.h"

// pipe_caps: what Mesa may offer on this device. Legacy features that Vulkan lacks are left to the
// state tracker's shader variants, so that no draw of a core profile pays for them.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

unsigned mip_levels(uint32_t size) {
    return std::bit_width(size);
}

unsigned megabytes(uint64_t bytes) {
    return static_cast<unsigned>(std::min<uint64_t>(bytes >> 20, INT32_MAX));
}

bool linear_filter(vulkan::Device& device, VkFormat format) {
    return device.format_properties(format).optimalTilingFeatures &
           VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
}

/// Whether samplers support minimum and maximum reduction for that format.
bool reduces(vulkan::Device& device, VkFormat format) {
    return device.format_properties(format).optimalTilingFeatures &
           VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
}

void set_version(pipe_caps& caps, vulkan::Device& device) {
    // GLSL 1.50 requires geometry shaders, so without them the limit is 1.40. Without transform
    // feedback Mesa offers no more than OpenGL 2.1, whatever the GLSL version.
    const bool full =
        device.has(Capability::geometry_shader) && device.has(Capability::transform_feedback);
    caps.glsl_feature_level = full ? 460 : 140;
    caps.glsl_feature_level_compatibility = caps.glsl_feature_level;
    caps.essl_feature_level = full ? 320 : 300;
}

void set_primitives(pipe_caps& caps) {
    // The driver converts, splits or replaces primitives that Vulkan lacks. How depends on the
    // polygon mode, which the draw function knows. It also keeps gl_DrawID right, which is lost
    // when Mesa converts indirect draws. The GL version decides which modes an app may use.
    caps.supported_prim_modes = BITFIELD_MASK(MESA_PRIM_COUNT);
    caps.supported_prim_modes_with_restart = BITFIELD_MASK(MESA_PRIM_COUNT);
    caps.primitive_restart = true;
    caps.primitive_restart_fixed_index = true;
    caps.emulate_nonfixed_primitive_restart = false;
    caps.quads_follow_provoking_vertex_convention = true;
}

void set_textures(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.npot_textures = true;
    caps.anisotropic_filter = device.has(Capability::sampler_anisotropy);
    caps.max_texture_anisotropy = caps.anisotropic_filter ? limits.maxSamplerAnisotropy : 1.0f;
    caps.max_texture_lod_bias = limits.maxSamplerLodBias;
    // Mesa uses this limit for renderbuffers and viewports as well.
    caps.max_texture_2d_size = std::min({limits.maxImageDimension2D, limits.maxFramebufferWidth,
                                         limits.maxFramebufferHeight, 16384u});
    caps.max_texture_3d_levels = mip_levels(std::min(limits.maxImageDimension3D, 2048u));
    caps.max_texture_cube_levels = mip_levels(std::min(limits.maxImageDimensionCube, 16384u));
    caps.max_texture_array_layers = std::min(limits.maxImageArrayLayers, 2048u);
    caps.texture_swizzle = true;
    caps.texture_mirror_clamp = false;
    caps.texture_mirror_clamp_to_edge = device.has(Capability::sampler_mirror_clamp_to_edge);
    caps.gl_clamp = false; // lowered in shaders
    caps.texture_shadow_map = true;
    caps.texture_shadow_lod = true;
    caps.seamless_cube_map = true;
    caps.seamless_cube_map_per_texture = device.has(Capability::non_seamless_cube_map);
    caps.cube_map_array = device.has(Capability::image_cube_array);
    caps.texture_multisample = true;
    caps.texture_query_samples = true;
    caps.texture_query_lod = true;
    caps.texture_buffer_objects = true;
    caps.buffer_sampler_view_rgba_only = false;
    caps.texture_buffer_offset_alignment =
        static_cast<unsigned>(std::max<VkDeviceSize>(limits.minTexelBufferOffsetAlignment, 1));
    caps.max_texel_buffer_elements = std::min(limits.maxTexelBufferElements, 1u << 27);
    caps.max_texture_gather_components = 4;
    caps.min_texel_offset = limits.minTexelOffset;
    caps.max_texel_offset = static_cast<int>(std::min(limits.maxTexelOffset, 2048u));
    caps.min_texture_gather_offset =
        device.has(Capability::shader_image_gather_extended) ? limits.minTexelGatherOffset : -8;
    caps.max_texture_gather_offset =
        device.has(Capability::shader_image_gather_extended)
            ? static_cast<int>(std::min(limits.maxTexelGatherOffset, 2048u))
            : 7;
    caps.texture_float_linear = linear_filter(device, VK_FORMAT_R32G32B32A32_SFLOAT);
    caps.texture_half_float_linear = linear_filter(device, VK_FORMAT_R16G16B16A16_SFLOAT);
    // Border colours use the channels that the view's format stores, and the view's swizzle applies
    // to them. Where the device doesn't apply it by itself (borderColorSwizzleFromImage), a sampler
    // would have to know the view's swizzle, but GL's samplers are combined with any view. NVIDIA's
    // driver (580.159) then uses the border's channels unswizzled, so the state tracker swizzles
    // them before.
    caps.texture_border_color_quirk =
        !device.has(Capability::border_color_swizzle_from_image) &&
                device.has(Capability::custom_border_color_without_format)
            ? PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_NV50
            : PIPE_QUIRK_TEXTURE_BORDER_COLOR_SWIZZLE_FREEDRENO;
    caps.sampler_view_target = true;
    caps.copy_between_compressed_and_plain_formats = true;
    caps.surface_reinterpret_blocks = false;
    // The CPU converts texels exactly as GL asks; an upload then is one copy command.
    caps.texture_transfer_modes = PIPE_TEXTURE_TRANSFER_DEFAULT;
    // The ARB extension has a query for each format, the EXT extension has none.
    caps.sampler_reduction_minmax_arb = device.has(Capability::sampler_filter_minmax);
    caps.sampler_reduction_minmax =
        caps.sampler_reduction_minmax_arb && reduces(device, VK_FORMAT_R8_UNORM) &&
        reduces(device, VK_FORMAT_R8G8B8A8_UNORM) && reduces(device, VK_FORMAT_D16_UNORM) &&
        reduces(device, VK_FORMAT_R16G16B16A16_SFLOAT);
    // spirv::prepare lowers the coordinates, so Vulkan's unnormalised samplers aren't needed.
    caps.texrect = true;
    caps.null_textures = false;
    caps.bindless_texture = device.has(Capability::bindless);
    caps.max_texture_mb = megabytes(device.properties().device_local_bytes()) / 2;
    caps.max_texture_upload_memory_budget = 256u << 20;
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

void set_buffers(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.constant_buffer_offset_alignment =
        static_cast<unsigned>(std::max<VkDeviceSize>(limits.minUniformBufferOffsetAlignment, 4));
    caps.shader_buffer_offset_alignment =
        static_cast<unsigned>(std::max<VkDeviceSize>(limits.minStorageBufferOffsetAlignment, 4));
    caps.max_constant_buffer_size = std::min(limits.maxUniformBufferRange, 65536u);
    caps.max_shader_buffer_size = std::min(limits.maxStorageBufferRange, 1u << 30);
    caps.min_map_buffer_alignment = 64;
    caps.buffer_map_persistent_coherent = true;
    caps.map_unsynchronized_thread_safe = true;
    caps.allow_mapped_buffers_during_execution = true;
    caps.can_bind_const_buffer_as_vertex = true;
    caps.invalidate_buffer = true;
    caps.user_vertex_buffers = false;
    caps.start_instance = true;
    caps.vertex_element_instance_divisor = device.has(Capability::vertex_attribute_divisor);
    caps.vertex_input_alignment = PIPE_VERTEX_INPUT_ALIGNMENT_ELEMENT;
    caps.max_vertex_buffers = std::min(limits.maxVertexInputBindings, 32u);
    caps.max_vertex_attrib_stride = limits.maxVertexInputBindingStride;
    caps.max_vertex_element_src_offset = std::min(limits.maxVertexInputAttributeOffset, 65535u);
    // Where the device lacks part of this, draws are recorded one by one, or the CPU reads their
    // parameters.
    caps.draw_indirect = true;
    caps.multi_draw_indirect = true;
    caps.multi_draw_indirect_params = true;
    caps.robust_buffer_access_behavior = device.has(Capability::robust_buffer_access2) ||
                                         device.has(Capability::robust_buffer_access);
    if (device.has(Capability::transform_feedback)) {
        const auto& feedback = device.properties().transform_feedback;
        caps.max_stream_output_buffers = std::min(feedback.maxTransformFeedbackBuffers, 4u);
        caps.max_stream_output_interleaved_components =
            std::min(feedback.maxTransformFeedbackBufferDataSize / 4, 128u);
        caps.max_stream_output_interleaved_components =
            std::max(caps.max_stream_output_interleaved_components, 64u);
        // A separate variable may be a dvec4 or an array, so this exceeds GL's minimum of 4.
        caps.max_stream_output_separate_components = caps.max_stream_output_interleaved_components;
        caps.stream_output_pause_resume = true;
        caps.stream_output_interleave_buffers = true;
        caps.max_vertex_streams = device.has(Capability::geometry_streams) ? 4 : 1;
    }
}

void set_rasterization(pipe_caps& caps, vulkan::Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.max_viewports =
        device.has(Capability::multi_viewport) ? std::min(limits.maxViewports, 16u) : 1;
    caps.viewport_subpixel_bits = limits.viewportSubPixelBits;
    caps.rasterizer_subpixel_bits = limits.subPixelPrecisionBits;
    caps.depth_clip_disable = device.has(Capability::depth_clamp);
    caps.depth_clip_disable_separate = false;
    caps.depth_clamp_enable =
        device.has(Capability::depth_clamp) && device.has(Capability::depth_clip_enable);
    caps.clip_halfz = true;
    // Six views: MAX_VIEWS_OVR.
    // NVIDIA's driver (580.159) hung or crashed in multiview tests on an H200, cause unknown.
    const bool trusted = device.properties().vulkan12.driverID != VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    if (trusted && device.has(Capability::multiview) &&
        device.properties().vulkan11.maxMultiviewViewCount >= 6)
        caps.multiview = 2;
    caps.post_depth_coverage = device.has(Capability::post_depth_coverage);
    // GLSL has both pixel and sample interlock.
    caps.fragment_shader_interlock =
        device.has(Capability::fragment_shader_interlock) &&
        device.features().fragment_shader_interlock.fragmentShaderSampleInterlock;
    caps.polygon_offset_clamp = device.has(Capability::depth_bias_clamp);
    caps.depth_bounds_test = device.has(Capability::depth_bounds);
    const bool wide_lines = device.has(Capability::wide_lines),
               large_points = device.has(Capability::large_points);
    caps.min_line_width = caps.min_line_width_aa = wide_lines ? limits.lineWidthRange[0] : 1.0f;
    caps.max_line_width = caps.max_line_width_aa = wide_lines ? limits.lineWidthRange[1] : 1.0f;
    caps.line_width_granularity = wide_lines ? limits.lineWidthGranularity : 1.0f;
    caps.min_point_size = caps.min_point_size_aa = large_points ? limits.pointSizeRange[0] : 1.0f;
    caps.max_point_size = caps.max_point_size_aa = large_points ? limits.pointSizeRange[1] : 1.0f;
    caps.point_size_granularity = large_points ? limits.pointSizeGranularity : 1.0f;
    // A smooth point's size is the minimum plus a multiple of the granularity (OpenGL 4.6, 14.4.3),
    // and GL has no size 0.
    caps.min_point_size_aa = std::max(caps.min_point_size_aa, caps.point_size_granularity);
}

void set_framebuffer(pipe_caps& caps, Screen& screen) {
    vulkan::Device& device = screen.device();
    const VkPhysicalDeviceLimits& limits = device.limits();
    caps.max_render_targets =
        std::min({limits.maxColorAttachments, limits.maxFragmentOutputAttachments, 8u});
    caps.max_dual_source_render_targets = device.has(Capability::dual_source_blend)
                                              ? std::min(limits.maxFragmentDualSrcAttachments, 1u)
                                              : 0;
    caps.blend_equation_separate = true;
    caps.indep_blend_enable = device.has(Capability::independent_blend);
    caps.indep_blend_func = caps.indep_blend_enable;
    caps.mixed_colorbuffer_formats = true;
    caps.mixed_framebuffer_sizes = true;
    caps.mixed_color_depth_bits = 1;
    caps.framebuffer_no_attachment = true;
    // Where a pass can't have samples that the texture lacks, images of samples are used
    // (emulation/sample_images.h).
    constexpr VkSampleCountFlags several = ~VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT};
    caps.surface_sample_count =
        (limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts & several) != 0;
    caps.dest_surface_srgb_control = true;
    caps.clear_scissored = true;
    caps.texture_barrier = true;
    caps.multisample_z_resolve = false;
    caps.shader_samples_identical = true; // the translator always returns false
    caps.frontend_noop = true;
    caps.dithering = false;
    // Input attachments (docs/architecture.md). Multisampled ones are read per sample.
    if (device.has(Capability::dynamic_rendering_local_read) &&
        device.has(Capability::sample_rate_shading))
        caps.fbfetch =
            std::min({caps.max_render_targets, limits.maxPerStageDescriptorInputAttachments,
                      limits.maxDescriptorSetInputAttachments});
    caps.fbfetch_coherent =
        caps.fbfetch && device.has(Capability::rasterization_order_attachment_access);
    // GL has only the coherent form of it.
    caps.fbfetch_zs = caps.fbfetch_coherent && screen.engine->paths().ordered_depth_fetches;
    caps.image_load_formatted = device.has(Capability::shader_storage_image_read_without_format);
    caps.image_store_formatted = device.has(Capability::shader_storage_image_write_without_format);
    caps.generate_mipmap = false; // Mesa blits level by level
}

void set_queries(pipe_caps& caps, vulkan::Device& device) {
    const uint32_t bits = device.graphics().timestamp_valid_bits();
    const bool feedback = device.has(Capability::transform_feedback);
    caps.occlusion_query = true;
    caps.conditional_render = true;
    caps.conditional_render_inverted = true;
    caps.query_timestamp = bits > 0;
    caps.query_time_elapsed = bits > 0;
    caps.query_timestamp_bits = bits;
    caps.timer_resolution =
        static_cast<unsigned>(std::ceil(std::max(device.limits().timestampPeriod, 1.0f)));
    caps.query_pipeline_statistics = device.has(Capability::pipeline_statistics_query);
    caps.query_pipeline_statistics_single = caps.query_pipeline_statistics;
    caps.query_so_overflow = feedback;
    caps.query_buffer_object = true;
    caps.query_memory_info = true;
    caps.device_reset_status_query = true;
}

void set_identity(pipe_caps& caps, Screen& screen) {
    vulkan::Device& device = screen.device();
    const VkPhysicalDeviceProperties& properties = device.properties().core;
    caps.accelerated = screen.is_cpu ? 0 : 1;
    caps.vendor_id = properties.vendorID;
    caps.device_id = properties.deviceID;
    caps.video_memory = megabytes(device.properties().device_local_bytes());
    caps.uma = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || screen.is_cpu;
    caps.dmabuf = 0;
}

} // namespace

void init_screen_caps(Screen& screen) {
    u_init_pipe_screen_caps(&screen, screen.is_cpu ? 0 : 1);
    pipe_caps& caps = const_cast<pipe_caps&>(screen.caps); // Mesa's own way to fill it
    vulkan::Device& device = screen.device();
    set_version(caps, device);
    set_primitives(caps);
    set_textures(caps, device);
    set_shaders(caps, device);
    set_subgroups(caps, device);
    set_atomics(caps, screen);
    set_buffers(caps, device);
    set_rasterization(caps, device);
    set_framebuffer(caps, screen);
    set_queries(caps, device);
    set_identity(caps, screen);
}

} // namespace kobalt::gallium
