// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "render/recorder/impl.h"
#include "vulkan/descriptors/descriptor_commands.h"

// Records the dynamic state that changed since the last draw.

namespace kobalt::render {
namespace {

/// Remembers `now`. False: the command buffer has the same already.
template <class Rectangle>
bool note(RecordedRectangles<Rectangle>& recorded,
          std::span<const std::type_identity_t<Rectangle>> now) {
    if (recorded.count == now.size() &&
        std::memcmp(recorded.rectangles.data(), now.data(), now.size_bytes()) == 0)
        return false;
    recorded.count = static_cast<uint32_t>(now.size());
    std::ranges::copy(now, recorded.rectangles.begin());
    return true;
}

bool same_equation(const VkColorBlendEquationEXT& a, const VkColorBlendEquationEXT& b) {
    return a.srcColorBlendFactor == b.srcColorBlendFactor &&
           a.dstColorBlendFactor == b.dstColorBlendFactor && a.colorBlendOp == b.colorBlendOp &&
           a.srcAlphaBlendFactor == b.srcAlphaBlendFactor &&
           a.dstAlphaBlendFactor == b.dstAlphaBlendFactor && a.alphaBlendOp == b.alphaBlendOp;
}

bool same_stencil(const VkStencilOpState& a, const VkStencilOpState& b) {
    return a.failOp == b.failOp && a.passOp == b.passOp && a.depthFailOp == b.depthFailOp &&
           a.compareOp == b.compareOp && a.compareMask == b.compareMask &&
           a.writeMask == b.writeMask;
}

} // namespace

void Recorder::Impl::emit_vertex_input() {
    if (dirty & dirty_vertex_input && paths.dynamic_vertex_input) {
        if (fetch.layout)
            vk.CmdSetVertexInputEXT(commands(),
                                    static_cast<uint32_t>(fetch.layout->bindings.size()),
                                    fetch.layout->bindings.data(),
                                    static_cast<uint32_t>(fetch.layout->attributes.size()),
                                    fetch.layout->attributes.data());
        else
            vk.CmdSetVertexInputEXT(commands(), 0, nullptr, 0, nullptr);
    }
    if (fetch.layout)
        emit_vertex_buffers();
}

// Records the buffers of slots that the layout names and whose buffer changed: the bindings persist
// while layouts and pipelines change.
void Recorder::Impl::emit_vertex_buffers() {
    std::array<VkBuffer, max_vertex_buffers> handles;
    std::array<VkDeviceSize, max_vertex_buffers> offsets, sizes;
    uint32_t changed = 0; // mask of slots
    for (const auto& binding : fetch.layout->bindings) {
        const uint32_t slot = binding.binding, bit = 1u << slot;
        if (recorded.vertex_buffers & bit)
            continue;
        const VertexBuffer& bound = fetch.buffers[slot];
        const bool usable = bound.buffer && bound.offset < bound.buffer->size();
        // Reads of a missing buffer give zeros: a buffer of zeros is bound where null isn't
        // allowed.
        handles[slot] = usable                     ? bound.buffer->handle()
                        : paths.null_vertex_buffer ? VK_NULL_HANDLE
                                                   : engine.null_buffer().handle();
        offsets[slot] = usable ? bound.offset : 0;
        sizes[slot] = usable                     ? bound.size
                      : paths.null_vertex_buffer ? 0
                                                 : engine.null_buffer().size();
        changed |= bit;
    }
    recorded.vertex_buffers |= changed;
    while (changed) {
        const auto first = static_cast<uint32_t>(std::countr_zero(changed));
        const auto count = static_cast<uint32_t>(std::countr_one(changed >> first));
        vk.CmdBindVertexBuffers2(commands(), first, count, &handles[first], &offsets[first],
                                 &sizes[first], nullptr);
        changed &= changed + (1u << first); // clears the first run of ones
    }
}

/// GL 4.6, 14.6.5: "fragment depth values are always limited to the range [0, 1] by clamping after
/// offset addition is performed", in float buffers too. Where Vulkan doesn't clamp, clamping to the
/// viewport's range does the same if the end that the offset can cross is that of [0, 1]. For
/// depths that a shader writes, which stay unclamped elsewhere, the range has to be all of [0, 1].
bool Recorder::Impl::clamps_offset_depth() const {
    if (!paths.clamps_offset_depth || !is_float_depth(framebuffer.depth_stencil_format))
        return false;
    const float constant = rasterizer->depth_bias_constant, slope = rasterizer->depth_bias_slope;
    const bool grows = constant > 0 || slope > 0 || shader_depth;
    const bool shrinks = constant < 0 || slope < 0 || shader_depth;
    return std::ranges::all_of(
        std::span(viewports).first(viewport_count), [=](const VkViewport& viewport) {
            return (!shrinks || std::min(viewport.minDepth, viewport.maxDepth) == 0) &&
                   (!grows || std::max(viewport.minDepth, viewport.maxDepth) == 1);
        });
}

void Recorder::Impl::emit_rasterizer() {
    RasterizerState now = *rasterizer;
    now.rasterizer_discard = now.rasterizer_discard && !discard_forbidden;
    now.depth_bias_constant *= framebuffer.depth_bias_unit;
    now.depth_clamp = now.depth_clamp || (now.depth_bias && clamps_offset_depth());
    now.line_width = paths.wide_lines ? now.line_width : 1.0f;
    const Changes changed(recorded.rasterizer, now);
    using State = RasterizerState;
    const VkCommandBuffer cmd = commands();
    if (changed(&State::cull_mode))
        vk.CmdSetCullMode(cmd, now.cull_mode);
    if (changed(&State::front_face))
        vk.CmdSetFrontFace(cmd, now.front_face);
    if (changed(&State::rasterizer_discard))
        vk.CmdSetRasterizerDiscardEnable(cmd, now.rasterizer_discard);
    if (changed(&State::depth_bias))
        vk.CmdSetDepthBiasEnable(cmd, now.depth_bias);
    if (changed(&State::depth_bias_constant, &State::depth_bias_clamp, &State::depth_bias_slope))
        vk.CmdSetDepthBias(cmd, now.depth_bias_constant, now.depth_bias_clamp,
                           now.depth_bias_slope);
    if (changed(&State::line_width))
        vk.CmdSetLineWidth(cmd, now.line_width);
    if (paths.line_stipple && changed(&State::line_stipple_factor, &State::line_stipple_pattern))
        vk.CmdSetLineStippleEXT(cmd, std::max<uint32_t>(now.line_stipple_factor, 1),
                                now.line_stipple_pattern);
    if (paths.dynamic_state3)
        emit_rasterizer3(now, changed);
    recorded.rasterizer = now;
}

void Recorder::Impl::emit_rasterizer3(const RasterizerState& now,
                                      const Changes<RasterizerState>& changed) {
    using State = RasterizerState;
    const VkCommandBuffer cmd = commands();
    if (changed(&State::polygon_mode))
        vk.CmdSetPolygonModeEXT(cmd, now.polygon_mode);
    if (paths.depth_clamp && changed(&State::depth_clamp))
        vk.CmdSetDepthClampEnableEXT(cmd, now.depth_clamp);
    if (paths.depth_clip_enable && changed(&State::depth_clip))
        vk.CmdSetDepthClipEnableEXT(cmd, now.depth_clip);
    if (paths.depth_clip_control && changed(&State::depth_negative_one_to_one))
        vk.CmdSetDepthClipNegativeOneToOneEXT(cmd, now.depth_negative_one_to_one);
    if (paths.provoking_vertex && changed(&State::provoking_vertex_last))
        vk.CmdSetProvokingVertexModeEXT(cmd, now.provoking_vertex_last
                                                 ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                 : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
    if (paths.line_rasterization && changed(&State::line_mode))
        vk.CmdSetLineRasterizationModeEXT(cmd, now.line_mode);
    if (paths.line_stipple && changed(&State::line_stipple))
        vk.CmdSetLineStippleEnableEXT(cmd, now.line_stipple);
}

void Recorder::Impl::emit_stencil(VkStencilFaceFlags faces,
                                  VkStencilOpState DepthStencilState::*face) {
    const VkStencilOpState& now = depth_stencil->*face;
    const VkStencilOpState* was =
        recorded.depth_stencil ? &((*recorded.depth_stencil).*face) : nullptr;
    const VkCommandBuffer cmd = commands();
    if (!was || was->failOp != now.failOp || was->passOp != now.passOp ||
        was->depthFailOp != now.depthFailOp || was->compareOp != now.compareOp)
        vk.CmdSetStencilOp(cmd, faces, now.failOp, now.passOp, now.depthFailOp, now.compareOp);
    if (!was || was->compareMask != now.compareMask)
        vk.CmdSetStencilCompareMask(cmd, faces, now.compareMask);
    if (!was || was->writeMask != now.writeMask)
        vk.CmdSetStencilWriteMask(cmd, faces, now.writeMask);
}

void Recorder::Impl::emit_depth_stencil() {
    DepthStencilState now = *depth_stencil;
    now.depth_bounds_test = now.depth_bounds_test && paths.depth_bounds;
    const Changes changed(recorded.depth_stencil, now);
    using State = DepthStencilState;
    const VkCommandBuffer cmd = commands();
    if (changed(&State::depth_test))
        vk.CmdSetDepthTestEnable(cmd, now.depth_test);
    if (changed(&State::depth_write))
        vk.CmdSetDepthWriteEnable(cmd, now.depth_write);
    if (changed(&State::depth_compare))
        vk.CmdSetDepthCompareOp(cmd, now.depth_compare);
    if (changed(&State::depth_bounds_test))
        vk.CmdSetDepthBoundsTestEnable(cmd, now.depth_bounds_test);
    if (changed(&State::min_depth_bounds, &State::max_depth_bounds))
        vk.CmdSetDepthBounds(cmd, now.min_depth_bounds, now.max_depth_bounds);
    if (changed(&State::stencil_test))
        vk.CmdSetStencilTestEnable(cmd, now.stencil_test);
    if (!recorded.depth_stencil && same_stencil(now.front, now.back)) {
        emit_stencil(VK_STENCIL_FACE_FRONT_AND_BACK, &State::front);
    } else {
        emit_stencil(VK_STENCIL_FACE_FRONT_BIT, &State::front);
        emit_stencil(VK_STENCIL_FACE_BACK_BIT, &State::back);
    }
    recorded.depth_stencil = now;
}

void Recorder::Impl::emit_blend() {
    if (!paths.dynamic_state3)
        return;
    RecordedBlend& is = recorded.blend;
    const bool first = is.count == 0;
    const uint32_t count = std::max(framebuffer.color_count, 1u);
    bool enables = is.count < count, equations = enables, masks = enables; // what changes
    for (uint32_t i = 0; i < count; ++i) {
        const BlendAttachment& now = blend->attachments[i];
        const VkBool32 enable = now.enable && (blendable & (1u << i));
        const VkColorComponentFlags mask =
            allowed_mask(now.write_mask, framebuffer.color_formats[i]);
        enables |= is.enables[i] != enable;
        masks |= is.masks[i] != mask;
        is.enables[i] = enable;
        is.masks[i] = mask;
        // The equation is not read where blending is off: it may stay what it is.
        if ((enable || i >= is.count) && !same_equation(is.equations[i], now.equation)) {
            equations = true;
            is.equations[i] = now.equation;
        }
    }
    is.count = count;
    const bool logic_op_enable = first || is.logic_op_enable != blend->logic_op_enable;
    const bool logic_op = first || is.logic_op != blend->logic_op;
    is.logic_op_enable = blend->logic_op_enable;
    is.logic_op = blend->logic_op;
    const VkCommandBuffer cmd = commands();
    if (enables)
        vk.CmdSetColorBlendEnableEXT(cmd, 0, count, is.enables.data());
    // lavapipe 25.0 applies a new logic operation only where the equations are set as well: it
    // marks a change of the rasteriser instead.
    if (equations || (logic_op && is.logic_op_enable))
        vk.CmdSetColorBlendEquationEXT(cmd, 0, count, is.equations.data());
    if (masks)
        vk.CmdSetColorWriteMaskEXT(cmd, 0, count, is.masks.data());
    if (paths.logic_op && logic_op_enable)
        vk.CmdSetLogicOpEnableEXT(cmd, is.logic_op_enable);
    if (paths.logic_op && paths.dynamic_logic_op && logic_op)
        vk.CmdSetLogicOpEXT(cmd, is.logic_op);
}

void Recorder::Impl::emit_samples() {
    if (!paths.dynamic_state3)
        return;
    RecordedSamples now;
    now.samples = static_cast<VkSampleCountFlagBits>(std::max(framebuffer.samples, 1u));
    now.mask = sample_mask;
    now.alpha_to_coverage = alpha_to_coverage();
    now.alpha_to_one = blend->alpha_to_one;
    const Changes changed(recorded.samples, now);
    using State = RecordedSamples;
    const VkCommandBuffer cmd = commands();
    if (changed(&State::samples))
        vk.CmdSetRasterizationSamplesEXT(cmd, now.samples);
    if (changed(&State::samples, &State::mask)) // as many bits as there are samples
        vk.CmdSetSampleMaskEXT(cmd, now.samples, &now.mask);
    if (changed(&State::alpha_to_coverage))
        vk.CmdSetAlphaToCoverageEnableEXT(cmd, now.alpha_to_coverage);
    if (paths.alpha_to_one && changed(&State::alpha_to_one))
        vk.CmdSetAlphaToOneEnableEXT(cmd, now.alpha_to_one);
    recorded.samples = now;
}

void Recorder::Impl::emit_viewports() {
    const VkCommandBuffer cmd = commands();
    if (dirty & dirty_viewport &&
        note(recorded.viewports, std::span(viewports).first(viewport_count)))
        vk.CmdSetViewportWithCount(cmd, viewport_count, viewports.data());
    // There have to be as many as viewports (VUID-vkCmdDraw-viewportCount-03419).
    if (!(dirty & dirty_scissor) && recorded.scissors.count == viewport_count)
        return;
    std::array<VkRect2D, max_viewports> rects;
    const bool nothing = rasterizer->rasterizer_discard && discard_forbidden;
    const VkRect2D whole{{0, 0}, {framebuffer.width, framebuffer.height}};
    for (uint32_t i = 0; i < viewport_count; ++i)
        rects[i] = nothing ? VkRect2D{} : rasterizer->scissor ? scissors[i] : whole;
    if (note(recorded.scissors, std::span(rects).first(viewport_count)))
        vk.CmdSetScissorWithCount(cmd, viewport_count, rects.data());
}

void Recorder::Impl::emit_topology() {
    if (recorded.topology != topology)
        vk.CmdSetPrimitiveTopology(commands(), topology);
    if (recorded.primitive_restart != primitive_restart)
        vk.CmdSetPrimitiveRestartEnable(commands(), primitive_restart);
    recorded.topology = topology;
    recorded.primitive_restart = primitive_restart;
}

// State that is fixed in pipelines and has to be set for shader objects, as the device's features
// require (VK_EXT_shader_object, "Setting State"). A pipeline that was bound meanwhile left all of
// it undefined; the dynamic state of every pipeline stays.
void Recorder::Impl::emit_object_state() {
    using vulkan::Capability;
    const VkCommandBuffer cmd = commands();
    const vulkan::Device& device = engine.device();
    dirty |= dirty_patch_size;                       // pipelines without tessellation don't have it
    if (device.has(Capability::tessellation_shader)) // see PipelineInfo::add_tessellation()
        vk.CmdSetTessellationDomainOriginEXT(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
    if (device.has(Capability::geometry_streams))
        vk.CmdSetRasterizationStreamEXT(cmd, 0);
    if (device.has(Capability::sample_locations))
        vk.CmdSetSampleLocationsEnableEXT(cmd, VK_FALSE);
    // Draws that use these have a pipeline each (coverage.cpp).
    if (device.has(Capability::conservative_rasterization))
        vk.CmdSetConservativeRasterizationModeEXT(cmd,
                                                  VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT);
    if (device.has(Capability::discard_rectangles) && vk.CmdSetDiscardRectangleEnableEXT)
        vk.CmdSetDiscardRectangleEnableEXT(cmd, VK_FALSE);
    if (device.has(Capability::attachment_feedback_loop_dynamic_state))
        vk.CmdSetAttachmentFeedbackLoopEnableEXT(cmd, 0);
    if (device.has(Capability::color_write_enable)) {
        std::array<VkBool32, max_color_attachments> all;
        all.fill(VK_TRUE);
        vk.CmdSetColorWriteEnableEXT(cmd, max_color_attachments, all.data());
    }
    if (paths.line_rasterization && !paths.line_stipple)
        vk.CmdSetLineStippleEnableEXT(cmd, VK_FALSE);
}

// Push constants persist: every layout has the same range, for dispatches as for draws. Drivers
// copy pushed words for each stage, so only changed words that are read are pushed, and all of them
// once.
void Recorder::Impl::record_push_constants(const PipelineLayoutEntry& layout, uint32_t read) {
    const uint32_t wanted = outdated_words == ~0u ? ~0u : outdated_words & read;
    if (!wanted)
        return;
    const auto first = static_cast<uint32_t>(std::countr_zero(wanted));
    const uint32_t end = 32 - static_cast<uint32_t>(std::countl_zero(wanted));
    vulkan::push_constants(engine.device(), commands(), layout.layout.get(), VK_SHADER_STAGE_ALL,
                           4 * first, 4 * (end - first), &push_constants[first]);
    outdated_words &= ~(~0u >> (32 - (end - first)) << first);
}

void Recorder::Impl::emit_state() {
    const VkCommandBuffer cmd = commands();
    // Never while transform feedback is active: the pass has ended before another bind.
    if (binding_changes() || dirty & dirty_bind_pipeline) {
        end_run();
        if (wanted_pipeline) {
            vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, wanted_pipeline);
            bound_pipeline = wanted_pipeline;
            bound_objects = nullptr;
            shaders_bound = false;
            batch->retain(*link->linked);
        } else {
            bind_objects();
        }
        tally.pipelines += run_ahead.limits.commands_of_pipeline;
        engine.pipelines().note_use(*pipeline, batch->id());
        forget_push_constants(program->push_constant_words());
    }
    if (dirty & dirty_patch_size && paths.dynamic_patch_size && patch_vertices)
        vk.CmdSetPatchControlPointsEXT(cmd, patch_vertices);
    emit_coverage();
    // The program may read words that the one before it didn't.
    dirty |= dirty_push_constants;
    emit_dynamic_state();
}

void Recorder::Impl::emit_dynamic_state() {
    if (dirty & (dirty_vertex_input | dirty_vertex_buffers))
        emit_vertex_input();
    if (dirty & dirty_topology)
        emit_topology();
    if (dirty & dirty_rasterizer)
        emit_rasterizer();
    if (dirty & dirty_depth_stencil)
        emit_depth_stencil();
    if (dirty & dirty_blend)
        emit_blend();
    if (dirty & dirty_samples)
        emit_samples();
    if (dirty & (dirty_viewport | dirty_scissor))
        emit_viewports();
    if (dirty & dirty_blend_constants)
        vk.CmdSetBlendConstants(commands(), blend_constants.data());
    if (dirty & dirty_stencil_reference) {
        const bool same = stencil_front == stencil_back;
        vk.CmdSetStencilReference(commands(),
                                  same ? VK_STENCIL_FACE_FRONT_AND_BACK : VK_STENCIL_FACE_FRONT_BIT,
                                  stencil_front);
        if (!same)
            vk.CmdSetStencilReference(commands(), VK_STENCIL_FACE_BACK_BIT, stencil_back);
    }
    if (dirty & dirty_push_constants)
        record_push_constants(*wanted_layout, program->push_constant_words());
    dirty &= dirty_index_buffer;
}

} // namespace kobalt::render
