// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

// Everything past the device profile, by name. The name is what KOBALT_DISABLE takes and what
// `kobalt info` prints; capability_rules.cpp says what each needs and which features it turns on.
// tests/launcher/test_unused.py holds both lists: a capability that nothing uses is not enabled.
// clang-format off

// Asked for: a source reads the capability or one of its features, or another capability needs it.
#define KOBALT_ASKED_CAPABILITIES(X) \
    X(graphics_pipeline_library) X(descriptor_buffer) X(several_descriptor_buffers) \
    X(push_descriptors) X(shader_object) X(extended_dynamic_state2_logic_op) \
    X(extended_dynamic_state2_patch_control_points) X(extended_dynamic_state3) \
    X(vertex_input_dynamic_state) X(vertex_attribute_divisor) X(color_write_enable) \
    X(transform_feedback) X(geometry_streams) X(primitives_generated_query) X(provoking_vertex) \
    X(depth_clip_control) X(depth_clip_enable) X(line_rasterization) X(rectangular_lines) \
    X(bresenham_lines) X(smooth_lines) X(stippled_rectangular_lines) X(stippled_bresenham_lines) \
    X(stippled_smooth_lines) X(custom_border_color) X(custom_border_color_without_format) \
    X(border_color_swizzle) X(border_color_swizzle_from_image) X(conditional_rendering) \
    X(robust_buffer_access) X(robust_buffer_access2) X(pipeline_robustness) X(null_descriptor) \
    X(host_image_copy) X(geometry_shader) X(tessellation_shader) X(dual_source_blend) X(logic_op) \
    X(wide_lines) X(large_points) X(fill_mode_non_solid) X(depth_clamp) X(depth_bias_clamp) \
    X(depth_bounds) X(alpha_to_one) X(multi_viewport) X(sample_rate_shading) X(independent_blend) \
    X(occlusion_query_precise) X(pipeline_statistics_query) X(image_cube_array) \
    X(shader_cull_distance) X(shader_float64) X(shader_int64) X(shader_int16) X(shader_float16) \
    X(shader_int8) X(shader_buffer_int64_atomics) X(shader_atomic_float) X(shader_atomic_float2) \
    X(workgroup_memory_explicit_layout) X(shader_image_gather_extended) X(shader_draw_parameters) \
    X(shader_output_viewport_index) X(shader_output_layer) X(shader_tess_geom_point_size) \
    X(shader_stencil_export) X(shader_demote) X(shader_clock) X(compute_shader_derivatives) \
    X(shader_uniform_dynamic_indexing) X(shader_sampled_image_dynamic_indexing) \
    X(shader_storage_buffer_dynamic_indexing) X(shader_storage_image_dynamic_indexing) \
    X(shader_storage_image_multisample) X(shader_storage_image_read_without_format) \
    X(shader_storage_image_write_without_format) X(vertex_stores_and_atomics) \
    X(fragment_stores_and_atomics) X(fragment_shader_interlock) X(multiview) \
    X(multi_draw) X(multi_draw_indirect) X(draw_indirect_first_instance) X(draw_indirect_count) \
    X(sampler_anisotropy) X(sampler_mirror_clamp_to_edge) X(sampler_filter_minmax) \
    X(index_type_uint8) X(non_seamless_cube_map) X(image_2d_view_of_3d) \
    X(primitive_topology_list_restart) X(attachment_feedback_loop_layout) \
    X(attachment_feedback_loop_dynamic_state) X(rasterization_order_attachment_access) \
    X(dynamic_rendering_local_read) X(maintenance5) X(maintenance6) X(sample_locations) \
    X(conservative_rasterization) X(discard_rectangles) X(depth_range_unrestricted) \
    X(sparse_binding) X(sparse_residency) X(bindless_update_after_bind) \
    X(bindless_non_uniform_indexing) X(bindless) X(viewport_mask) X(post_depth_coverage) \
    X(multisampled_render_to_single_sampled) X(memory_budget) X(swapchain) \
    X(swapchain_maintenance1) X(external_memory_fd) X(external_memory_dma_buf) \
    X(external_memory_host) X(image_drm_format_modifier) X(queue_family_foreign) \
    X(external_semaphore_fd) X(calibrated_timestamps) X(pipeline_creation_cache_control) \
    X(device_fault) X(buffer_marker) X(dedicated_transfer_queue) X(dedicated_compute_queue)

// Enabled for what they do: nothing in the source asks for them.
#define KOBALT_EFFECTIVE_CAPABILITIES(X) \
    /* Operations that GL's shaders and draws use on every device. */ \
    X(shader_clip_distance) X(shader_terminate_invocation) X(storage_image_extended_formats) \
    X(uniform_buffer_standard_layout) X(full_draw_index_uint32) \
    /* Vulkan's answers about formats say where they can be used. */ \
    X(texture_compression_bc) X(texture_compression_etc2) X(texture_compression_astc) \
    X(format_4444) \
    /* Samplers may read views of single slices of 3D images. */ \
    X(sampler_2d_view_of_3d) \
    /* Vulkan then does what GL asks for: loads outside an image return zero, depth is clamped */ \
    /* to [0, 1], captured triangles keep the order of their vertices. */ \
    X(robust_image_access) X(robust_image_access2) X(depth_clamp_zero_one) \
    X(transform_feedback_preserves_provoking_vertex)

#define KOBALT_CAPABILITIES(X) KOBALT_ASKED_CAPABILITIES(X) KOBALT_EFFECTIVE_CAPABILITIES(X)
// clang-format on
