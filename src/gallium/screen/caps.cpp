// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cmath>

#include "gallium/screen/caps.h"
#include "gallium/screen/screen.h"
#include "util/u_screen.h"
#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/device.h"

// pipe_caps: what Mesa may offer on this device. Legacy features that Vulkan lacks are left to the
// state tracker's shader variants, so that no draw of a core profile pays for them.

namespace kobalt::gallium {

namespace {

using vulkan::Capability;

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
    // The driver converts vertices that the device can't fetch (emulation/vertex_conversion.h).
    caps.vertex_input_alignment = PIPE_VERTEX_INPUT_ALIGNMENT_NONE;
    caps.max_vertex_buffers = std::min(limits.maxVertexInputBindings, 32u);
    caps.max_vertex_attrib_stride = limits.maxVertexInputBindingStride;
    caps.max_vertex_element_src_offset = std::min(limits.maxVertexInputAttributeOffset, 65535u);
    caps.string_marker = device.instance().environment().has_debug("breadcrumbs");
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
    const bool trusted =
        vulkan::driver_behind(device.properties()) != VK_DRIVER_ID_NVIDIA_PROPRIETARY;
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
    // Where a pass can't have samples that the texture lacks, multisampled images are used
    // (emulation/multisampled_images.h).
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
    set_primitives(caps);
    set_glsl_caps(caps, screen);
    set_texture_caps(caps, device);
    set_buffers(caps, device);
    set_rasterization(caps, device);
    set_framebuffer(caps, screen);
    set_queries(caps, device);
    set_identity(caps, screen);
}

} // namespace kobalt::gallium
