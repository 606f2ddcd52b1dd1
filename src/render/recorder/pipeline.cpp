// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <utility>

#include "render/recorder/impl.h"

namespace kobalt::render {
namespace {

/// One topology of each class: where the class is static, the pipeline names this one and the draw
/// sets its own dynamically.
VkPrimitiveTopology topology_class(VkPrimitiveTopology topology) {
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
        return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
        return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    default:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    }
}

const char* why_draws_compile(const Paths& paths) {
    if (!paths.pipeline_library)
        return "a whole pipeline: the device has no VK_EXT_graphics_pipeline_library";
    if (!paths.dynamic_state3)
        return "with state that the device can't change by itself: it lacks a part of "
               "VK_EXT_extended_dynamic_state3";
    return "stages that Vulkan compiles together, or with state that belongs to their code";
}

} // namespace

void Recorder::Impl::fill_pipeline_state() {
    GraphicsKey& key = pipeline_state;
    key = {};
    const bool patches = topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    key.vertex_input.topology = paths.dynamic_topology_class && !patches
                                    ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
                                    : topology_class(topology);
    key.vertex_input.layout = paths.dynamic_vertex_input || !fetch.layout ? 0 : fetch.layout->id;

    if (state_traits.tessellates && !paths.dynamic_patch_size)
        key.pre_raster.patch_vertices = static_cast<uint8_t>(patch_vertices);
    if (!paths.dynamic_state3 && rasterizer) {
        key.pre_raster.polygon_mode = static_cast<uint8_t>(rasterizer->polygon_mode);
        key.pre_raster.depth_clamp = rasterizer->depth_clamp;
        key.pre_raster.depth_clip = rasterizer->depth_clip;
        key.pre_raster.negative_one_to_one = rasterizer->depth_negative_one_to_one;
        key.pre_raster.provoking_vertex_last = rasterizer->provoking_vertex_last;
        key.pre_raster.line_mode =
            paths.line_rasterization ? static_cast<uint8_t>(rasterizer->line_mode) : 0;
        key.pre_raster.line_stipple = paths.line_stipple && rasterizer->line_stipple;
    }

    key.pre_raster.view_mask = key.fragment.view_mask = key.output.view_mask =
        framebuffer.view_mask;
    uint32_t samples = framebuffer.samples;
    if (state_traits.at_samples) {
        // The code runs once a sample by itself and needs no state for it, which would exclude
        // Bresenham lines. One key serves all where the number of samples is dynamic.
        samples = paths.dynamic_state3 ? 1 : std::max(samples, 1u);
    }
    const bool tied = state_traits.at_samples;
    key.fragment.samples = tied ? samples : 0;

    OutputKey& output = key.output;
    output.color_count = framebuffer.color_count;
    for (uint32_t i = 0; i < framebuffer.color_count; ++i)
        output.color_formats[i] = framebuffer.color_formats[i];
    output.depth_stencil_format = framebuffer.depth_stencil_format;
    output.ordered = state_traits.fetches && paths.ordered_fetches;
    fill_coverage(key);
    if (tied || !paths.dynamic_state3 || output.sample_locations)
        output.samples = samples;
    if (blend && paths.logic_op && !paths.dynamic_logic_op)
        output.logic_op = static_cast<uint8_t>(blend->logic_op);
    if (blend && !paths.dynamic_state3) {
        output.sample_mask = sample_mask;
        output.alpha_to_coverage = alpha_to_coverage();
        output.alpha_to_one =
            blend->alpha_to_one && engine.device().has(vulkan::Capability::alpha_to_one);
        output.logic_op_enable = paths.logic_op && blend->logic_op_enable;
        output.logic_op = static_cast<uint8_t>(blend->logic_op);
        for (uint32_t i = 0; i < framebuffer.color_count; ++i) {
            const BlendAttachment& from = blend->attachments[i];
            OutputKey::Blend& to = output.blend[i];
            to.write_mask =
                static_cast<uint8_t>(allowed_mask(from.write_mask, framebuffer.color_formats[i]));
            if (!from.enable || !(blendable & (1u << i)))
                continue;
            to.enable = 1;
            to.source_color = static_cast<uint8_t>(from.equation.srcColorBlendFactor);
            to.target_color = static_cast<uint8_t>(from.equation.dstColorBlendFactor);
            to.color_op = static_cast<uint8_t>(from.equation.colorBlendOp);
            to.source_alpha = static_cast<uint8_t>(from.equation.srcAlphaBlendFactor);
            to.target_alpha = static_cast<uint8_t>(from.equation.dstAlphaBlendFactor);
            to.alpha_op = static_cast<uint8_t>(from.equation.alphaBlendOp);
        }
    }
    if (tied) {
        key.fragment.sample_locations = output.sample_locations;
        key.fragment.sample_mask = output.sample_mask;
        key.fragment.alpha_to_coverage = output.alpha_to_coverage;
        key.fragment.alpha_to_one = output.alpha_to_one;
    }
    // Bresenham and smooth lines exclude all of these (VUID-VkGraphicsPipelineCreateInfo-
    // lineRasterizationMode-02766): lines are drawn in the default mode then.
    const auto lines = static_cast<VkLineRasterizationModeEXT>(key.pre_raster.line_mode);
    if ((output.alpha_to_coverage || output.alpha_to_one) && excludes_alpha_to_coverage(lines)) {
        key.pre_raster.line_mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
        key.pre_raster.line_stipple = 0;
    }
}

GraphicsPipeline* Recorder::Impl::make_pipeline() {
    GraphicsParts parts;
    parts.stages = program->stages();
    parts.vertex_layout = fetch.layout;
    GraphicsKey key = pipeline_state;
    constexpr Stage order[] = {Stage::vertex, Stage::tess_control, Stage::tess_evaluation,
                               Stage::geometry};
    const auto id = [&](Stage stage) {
        const ShaderStage* shader = parts.stages[static_cast<size_t>(stage)];
        return shader ? shader->id() : 0;
    };
    for (size_t i = 0; i < std::size(order); ++i)
        key.pre_raster.stages[i] = id(order[i]);
    key.fragment.stage = id(Stage::fragment);
    const uint64_t before = PipelineStore::draw_compiles_of_thread();
    GraphicsPipeline* made = engine.pipelines().graphics(key, parts);
    if (PipelineStore::draw_compiles_of_thread() != before)
        slow_paths.note(SlowPath::draw_compile, why_draws_compile(paths));
    return made;
}

bool Recorder::Impl::update_pipeline() {
    const uint64_t generation = engine.pipelines().generation();
    if (store_generation != generation) {
        store_generation = generation;
        programs.clear();
        forget_sets(); // including those of deleted shaders
        bound_objects = nullptr;
        dirty |= dirty_program;
    }
    if (!(dirty & dirty_pipeline))
        return pipeline != nullptr;
    if (dirty & dirty_program) {
        ProgramStages bound{};
        for (uint32_t i = 0; i < graphics_stage_count; ++i)
            bound[i] = stages[i].shader.get();
        program = &programs.program(bound);
        if (std::exchange(shader_depth, program->writes_depth()) != program->writes_depth() &&
            rasterizer && rasterizer->depth_bias) // for clamps_offset_depth()
            dirty |= dirty_rasterizer;
        if (state_traits != program->traits()) {
            state_traits = program->traits();
            dirty |= dirty_pipeline_state;
        }
    }
    if (dirty & dirty_pipeline_state) {
        fill_pipeline_state();
        pipeline_state_number = programs.state_number(pipeline_state);
    }
    link = program->find(pipeline_state_number);
    if (!link) {
        pipeline = make_pipeline();
        if (!pipeline) // memory may be back for the next draw, which finds the state dirty
            return false;
        link = &program->add(pipeline_state_number, pipeline);
    }
    pipeline = link->pipeline;
    dirty &= ~uint32_t{dirty_pipeline};
    return true;
}

// Another thread may replace or evict the link's pipeline at any time. The reference taken here
// retains it for this draw, and the batch retains what it binds.
bool Recorder::Impl::choose_pipeline() {
    if (pipeline->by_objects.load(std::memory_order_acquire)) {
        wanted_pipeline = VK_NULL_HANDLE;
        wanted_layout = pipeline->object_layout;
        take_sets(set_form(pipeline->object_size));
        return true;
    }
    wanted_layout = pipeline->layout;
    take_sets(SetForm::of_pipelines);
    Ref<LinkedPipeline>& linked = link->linked;
    if (!linked || linked->handle() != pipeline->current.load(std::memory_order_acquire))
        linked = engine.pipelines().active(*pipeline);
    wanted_pipeline = linked ? linked->handle() : VK_NULL_HANDLE;
    return static_cast<bool>(linked);
}

void Recorder::Impl::take_sets(SetForm form) {
    if (std::exchange(graphics_form, form) == form)
        return;
    for (uint32_t i = 0; i < graphics_stage_count; ++i) {
        stages[i].set = nullptr;
        mark(static_cast<Stage>(i));
    }
}

// A pipeline unbinds all shader objects, and shader objects unbind the pipeline (Vulkan 1.3 with
// VK_EXT_shader_object, "Interaction With Pipelines"). Draws need every stage to be set after that,
// so all stages are bound after a pipeline: null where there is none.
void Recorder::Impl::bind_objects() {
    std::array<VkShaderStageFlagBits, graphics_stage_count> changed;
    std::array<VkShaderEXT, graphics_stage_count> shaders;
    uint32_t count = 0;
    for (uint32_t i = 0; i < graphics_stage_count; ++i) {
        if (shaders_bound && bound_shaders[i] == pipeline->objects[i])
            continue;
        changed[count] = shader_stage_bit(static_cast<Stage>(i));
        shaders[count++] = pipeline->objects[i];
    }
    if (count)
        vk.CmdBindShadersEXT(commands(), count, changed.data(), shaders.data());
    bound_shaders = pipeline->objects;
    bound_objects = pipeline;
    bound_pipeline = VK_NULL_HANDLE;
    if (!std::exchange(shaders_bound, true))
        emit_object_state();
}

void Recorder::Impl::end_run() {
    if (bound_objects)
        engine.pipelines().note_run(*bound_objects, tally.draws - run_began);
    run_began = tally.draws;
}

} // namespace kobalt::render
