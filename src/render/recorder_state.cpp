// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>

#include "render/recorder_impl.h"

// Records the dynamic state that changed since the last draw.

namespace kobalt::render {

void Recorder::Impl::emit_vertex_input() {
    if (dirty & dirty_vertex_input && paths.dynamic_vertex_input) {
        if (vertex_layout)
            vk.CmdSetVertexInputEXT(commands(),
                                    static_cast<uint32_t>(vertex_layout->bindings.size()),
                                    vertex_layout->bindings.data(),
                                    static_cast<uint32_t>(vertex_layout->attributes.size()),
                                    vertex_layout->attributes.data());
        else
            vk.CmdSetVertexInputEXT(commands(), 0, nullptr, 0, nullptr);
    }
    if (!vertex_layout || !(dirty & (dirty_vertex_input | dirty_vertex_buffers)))
        return;
    std::array<VkBuffer, max_vertex_buffers> handles;
    std::array<VkDeviceSize, max_vertex_buffers> offsets;
    uint32_t first = 0, count = 0;
    const auto bind = [&] {
        if (count)
            vk.CmdBindVertexBuffers(commands(), first, count, handles.data(), offsets.data());
        count = 0;
    };
    for (const auto& binding : vertex_layout->bindings) {
        if (binding.binding != first + count)
            bind();
        if (count == 0)
            first = binding.binding;
        const VertexBuffer& bound = vertex_buffers[binding.binding];
        const bool usable = bound.buffer && bound.offset < bound.buffer->size();
        // Reads of a missing buffer give zeros: an empty one where null isn't allowed.
        handles[count] = usable                  ? bound.buffer->handle()
                         : paths.null_descriptor ? VK_NULL_HANDLE
                                                 : engine.null_buffer().handle();
        offsets[count++] = usable ? bound.offset : 0;
    }
    bind();
}

void Recorder::Impl::emit_rasterizer() {
    const RasterizerState& state = *rasterizer;
    const VkCommandBuffer cmd = commands();
    vk.CmdSetCullMode(cmd, state.cull_mode);
    vk.CmdSetFrontFace(cmd, state.front_face);
    vk.CmdSetRasterizerDiscardEnable(cmd, state.rasterizer_discard && !discard_forbidden);
    vk.CmdSetDepthBiasEnable(cmd, state.depth_bias);
    vk.CmdSetDepthBias(cmd, state.depth_bias_constant * framebuffer.depth_bias_unit,
                       state.depth_bias_clamp, state.depth_bias_slope);
    vk.CmdSetLineWidth(cmd, paths.wide_lines ? state.line_width : 1.0f);
    if (paths.line_stipple)
        vk.CmdSetLineStippleEXT(cmd, std::max<uint32_t>(state.line_stipple_factor, 1),
                                state.line_stipple_pattern);
    if (!paths.dynamic_state3)
        return;
    vk.CmdSetPolygonModeEXT(cmd, state.polygon_mode);
    if (paths.depth_clamp)
        vk.CmdSetDepthClampEnableEXT(cmd, state.depth_clamp);
    if (paths.depth_clip_enable)
        vk.CmdSetDepthClipEnableEXT(cmd, state.depth_clip);
    if (paths.depth_clip_control)
        vk.CmdSetDepthClipNegativeOneToOneEXT(cmd, state.depth_negative_one_to_one);
    if (paths.provoking_vertex)
        vk.CmdSetProvokingVertexModeEXT(cmd, state.provoking_vertex_last
                                                 ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                 : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    if (paths.line_rasterization)
        vk.CmdSetLineRasterizationModeEXT(cmd, state.line_mode);
    if (paths.line_stipple)
        vk.CmdSetLineStippleEnableEXT(cmd, state.line_stipple);
}

void Recorder::Impl::emit_depth_stencil() {
    const DepthStencilState& state = *depth_stencil;
    const VkCommandBuffer cmd = commands();
    vk.CmdSetDepthTestEnable(cmd, state.depth_test);
    vk.CmdSetDepthWriteEnable(cmd, state.depth_write);
    vk.CmdSetDepthCompareOp(cmd, state.depth_compare);
    vk.CmdSetDepthBoundsTestEnable(cmd, paths.depth_bounds && state.depth_bounds_test);
    vk.CmdSetDepthBounds(cmd, state.min_depth_bounds, state.max_depth_bounds);
    vk.CmdSetStencilTestEnable(cmd, state.stencil_test);
    for (const auto& [face, ops] : {std::pair{VK_STENCIL_FACE_FRONT_BIT, &state.front},
                                    std::pair{VK_STENCIL_FACE_BACK_BIT, &state.back}}) {
        vk.CmdSetStencilOp(cmd, face, ops->failOp, ops->passOp, ops->depthFailOp, ops->compareOp);
        vk.CmdSetStencilCompareMask(cmd, face, ops->compareMask);
        vk.CmdSetStencilWriteMask(cmd, face, ops->writeMask);
    }
}

void Recorder::Impl::emit_blend() {
    if (!paths.dynamic_state3)
        return;
    const uint32_t count = std::max(framebuffer.color_count, 1u);
    std::array<VkBool32, max_color_attachments> enables{};
    std::array<VkColorBlendEquationEXT, max_color_attachments> equations{};
    std::array<VkColorComponentFlags, max_color_attachments> masks{};
    for (uint32_t i = 0; i < count; ++i) {
        const BlendAttachment& attachment = blend->attachments[i];
        enables[i] = attachment.enable && (blendable & (1u << i));
        equations[i] = attachment.equation;
        masks[i] = allowed_mask(attachment.write_mask, framebuffer.color_formats[i]);
    }
    const VkCommandBuffer cmd = commands();
    vk.CmdSetColorBlendEnableEXT(cmd, 0, count, enables.data());
    vk.CmdSetColorBlendEquationEXT(cmd, 0, count, equations.data());
    vk.CmdSetColorWriteMaskEXT(cmd, 0, count, masks.data());
    if (paths.logic_op) {
        vk.CmdSetLogicOpEnableEXT(cmd, blend->logic_op_enable);
        if (paths.dynamic_logic_op)
            vk.CmdSetLogicOpEXT(cmd, blend->logic_op);
    }
}

void Recorder::Impl::emit_samples() {
    if (!paths.dynamic_state3)
        return;
    const VkCommandBuffer cmd = commands();
    const auto samples = static_cast<VkSampleCountFlagBits>(std::max(framebuffer.samples, 1u));
    const VkSampleMask mask = sample_mask;
    vk.CmdSetRasterizationSamplesEXT(cmd, samples);
    vk.CmdSetSampleMaskEXT(cmd, samples, &mask);
    vk.CmdSetAlphaToCoverageEnableEXT(cmd, blend->alpha_to_coverage && framebuffer.samples > 1);
    if (paths.alpha_to_one)
        vk.CmdSetAlphaToOneEnableEXT(cmd, blend->alpha_to_one);
}

void Recorder::Impl::emit_viewports() {
    const VkCommandBuffer cmd = commands();
    if (dirty & dirty_viewport)
        vk.CmdSetViewportWithCount(cmd, viewport_count, viewports.data());
    if (!(dirty & (dirty_scissor | dirty_viewport)))
        return;
    std::array<VkRect2D, max_viewports> rects{};
    const bool nothing = rasterizer->rasterizer_discard && discard_forbidden;
    for (uint32_t i = 0; i < viewport_count && !nothing; ++i)
        rects[i] = rasterizer->scissor ? scissors[i]
                                       : VkRect2D{{0, 0}, {framebuffer.width, framebuffer.height}};
    vk.CmdSetScissorWithCount(cmd, viewport_count, rects.data());
}

void Recorder::Impl::emit_state() {
    const VkCommandBuffer cmd = commands();
    const VkPipeline wanted =
        stream_output_active && bound_pipeline ? bound_pipeline : wanted_pipeline;
    if (wanted != bound_pipeline || dirty & dirty_bind_pipeline) {
        vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, wanted);
        bound_pipeline = wanted;
        batch->keep(*link->linked);
        engine.pipelines().note_use(*pipeline, batch->id());
    }
    emit_vertex_input();
    if (dirty & dirty_topology) {
        vk.CmdSetPrimitiveTopology(cmd, topology);
        vk.CmdSetPrimitiveRestartEnable(cmd, primitive_restart);
    }
    if (dirty & dirty_rasterizer)
        emit_rasterizer();
    if (dirty & dirty_depth_stencil)
        emit_depth_stencil();
    if (dirty & dirty_blend)
        emit_blend();
    if (dirty & (dirty_samples | dirty_blend))
        emit_samples();
    emit_viewports();
    if (dirty & dirty_blend_constants)
        vk.CmdSetBlendConstants(cmd, blend_constants.data());
    if (dirty & dirty_stencil_reference) {
        vk.CmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_BIT, stencil_front);
        vk.CmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, stencil_back);
    }
    if (dirty & dirty_push_constants)
        vk.CmdPushConstants(cmd, pipeline->layout->layout.get(), VK_SHADER_STAGE_ALL, 0,
                            push_constant_bytes, push_constants.data());
    dirty &= dirty_index_buffer;
}

} // namespace kobalt::render
