// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <optional>
#include <vector>

#include "gallium/context/draw_modes.h"
#include "gallium/context/operations.h"
#include "gallium/draw/draw_indices.h"
#include "gallium/draw/indirect_read.h"
#include "gallium/draw/plain_draw.h"
#include "gallium/draw/split_draws.h"
#include "gallium/emulation/converted_draw.h"
#include "gallium/emulation/draw_outlines.h"
#include "gallium/emulation/draw_twice.h"
#include "gallium/emulation/line_loop.h"
#include "gallium/emulation/shifted_instances.h"
#include "gallium/emulation/whole_pixels.h"
#include "gallium/resource/stream_output.h"
#include "vulkan/device/device.h"

#include "indices/u_primconvert.h"
#include "util/u_prim.h"
#include "util/u_prim_restart.h"

namespace kobalt::gallium {
namespace {

bool draws_nothing(const DrawRequest& request) {
    if (request.indirect)
        return false;
    if (request.info.instance_count == 0)
        return true;
    return std::ranges::all_of(request.draws, [](const auto& draw) { return draw.count == 0; });
}

bool reads_primitive_id(const Context& context) {
    const Shader* fragment = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    return fragment && fragment->reads_primitive_id;
}

/// While this lives, each pair of successive triangles has the same gl_PrimitiveID where they are
/// halves of a quad (OpenGL 4.6 compatibility, 10.1: a quad is one primitive).
class QuadNumbers {
public:
    QuadNumbers(Context& context, mesa_prim mode)
        : context_(context), before_(context.primitive_shift) {
        if ((mode == MESA_PRIM_QUADS || mode == MESA_PRIM_QUAD_STRIP) &&
            reads_primitive_id(context))
            set(1);
    }
    QuadNumbers(const QuadNumbers&) = delete;
    QuadNumbers& operator=(const QuadNumbers&) = delete;
    ~QuadNumbers() { set(before_); }

private:
    void set(uint32_t shift) {
        if (context_.primitive_shift != shift)
            context_.outdated_parameters = spirv::all_parameters;
        context_.primitive_shift = shift;
    }

    Context& context_;
    uint32_t before_;
};

bool reads_index_buffer(const pipe_draw_info& info) {
    return info.index_size && !info.has_user_indices && info.index.resource;
}

/// Whether all indices of the draws lie in the buffer.
bool indices_fit(const pipe_draw_info& info, std::span<const pipe_draw_start_count_bias> draws) {
    const uint64_t there = info.index.resource->width0 / info.index_size;
    return std::ranges::all_of(draws, [=](const pipe_draw_start_count_bias& draw) {
        return uint64_t{draw.start} + draw.count <= there;
    });
}

/// Ends each draw where the index buffer ends. Needed where the CPU reads indices, and for
/// KHR_robustness: pipelines can't request robust index fetches, and Vulkan allows no index outside
/// of the buffer without robustBufferAccess2 on the whole device.
void clip_indices(const pipe_draw_info& info, std::vector<pipe_draw_start_count_bias>& draws) {
    const uint32_t there = info.index.resource->width0 / info.index_size;
    for (pipe_draw_start_count_bias& draw : draws) {
        draw.start = std::min(draw.start, there);
        draw.count = std::min(draw.count, there - draw.start);
    }
}

/// Whether Mesa's converter draws the whole draw, restarts included, at once: loops, because of
/// gl_PrimitiveIDIn, and other modes as lists that restart. Segments drawn one by one would each
/// come with all instances (OpenGL 4.6, 10.4), and count their primitives from 0 (11.3.4.4: a
/// restart "has no effect on the primitive ID counter"). `restarting`: the modes in which the
/// device can restart.
bool converts_restart(const Context& context, const pipe_draw_info& info, uint32_t restarting) {
    if (info.mode == MESA_PRIM_LINE_LOOP)
        return !wants_strip(context, info);
    return (info.instance_count > 1 || reads_primitive_id(context)) &&
           (restarting & (1u << MESA_PRIM_TRIANGLES)) != 0;
}

/// Draws requests that need other primitives or indices through Mesa's helpers, which call draw_vbo
/// again with something simpler. True: it was drawn.
bool draw_converted(Context& context, DrawRequest& request) {
    pipe_draw_info& info = request.info;
    const vulkan::Device& device = context.kobalt_screen().device();
    const QuadNumbers numbers(context, static_cast<mesa_prim>(info.mode));
    const bool drawn = drawn_modes & (1u << info.mode);
    // GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED is false: restart is treated as disabled (OpenGL
    // 4.6, 10.3.6).
    if (!info.index_size || info.mode == MESA_PRIM_PATCHES)
        info.primitive_restart = false;
    if (info.primitive_restart &&
        info.restart_index > util_prim_restart_index_from_size(info.index_size))
        info.primitive_restart = false; // no index of this size can equal it
    // Restart indices other than Vulkan's are replaced when the index buffer is bound.
    const bool outlined = has_outlines(context, info);
    const uint32_t restarting = restart_modes(device);
    const bool restarts =
        drawn ? (restarting & (1u << info.mode)) != 0 : converts_restart(context, info, restarting);
    const bool splits = info.primitive_restart && (outlined || !restarts);
    if (request.indirect &&
        (!drawn || splits || outlined || !device_draws_indirect(device, info, *request.indirect))) {
        draw_directly(context, request);
        return true;
    }
    std::vector<pipe_draw_start_count_bias> inside;
    if ((splits || !drawn) && reads_index_buffer(info) && !indices_fit(info, request.draws)) {
        inside.assign(request.draws.begin(), request.draws.end());
        clip_indices(info, inside);
        request.draws = inside;
    }
    if (splits) {
        draw_without_restart(context, request);
        return true;
    }
    if (outlined && draw_outlines(context, info, request.draw_id, request.draws))
        return true;
    if (drawn)
        return false;
    if (wants_strip(context, info) &&
        draw_loops_as_strips(context, info, request.draw_id, request.draws)) {
        context.recorder.slow_path(render::SlowPath::converted_primitives, u_prim_name(info.mode));
        return true;
    }
    draw_by_converter(context, info, request.draw_id, request.draws);
    return true;
}

void draw_indirect(Context& context, const DrawRequest& request,
                   const render::DrawParametersInfo& how) {
    const pipe_draw_indirect_info& indirect = *request.indirect;
    if (context.read_parameters)
        apply_parameters(context, how.indexed, request.draw_id);
    if (indirect.count_from_stream_output) {
        context.recorder.draw_stream_output(
            how, *StreamOutput::from(indirect.count_from_stream_output)->target);
        return;
    }
    render::Ref<render::Buffer> count;
    if (indirect.indirect_draw_count)
        count = settled_storage(context, indirect.indirect_draw_count);
    const uint32_t packed =
        how.indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
    const uint32_t stride = indirect.stride ? indirect.stride : packed;
    const render::Ref buffer = settled_storage(context, indirect.buffer);
    const vulkan::Device& device = context.kobalt_screen().device();
    if (count || indirect.draw_count <= 1 || device.has(vulkan::Capability::multi_draw_indirect)) {
        context.recorder.draw_indirect(how, *buffer, indirect.offset, indirect.draw_count, stride,
                                       count.get(), indirect.indirect_draw_count_offset);
        return;
    }
    // The draws are recorded one at a time, so each needs its own draw id.
    for (uint32_t i = 0; i < indirect.draw_count; ++i) {
        if (context.read_parameters)
            apply_parameters(context, how.indexed, request.draw_id + i);
        context.recorder.draw_indirect(how, *buffer, indirect.offset + i * stride, 1, stride,
                                       nullptr, 0);
    }
}

void record_one(Context& context, const render::DrawParametersInfo& how,
                const render::DrawCall& call) {
    if (context.read_parameters)
        apply_parameters(context, how.indexed, call.draw_id);
    context.recorder.draw(how, std::span(&call, 1));
}

void draw_direct(Context& context, const DrawRequest& request,
                 const render::DrawParametersInfo& how, uint32_t first_index) {
    const pipe_draw_info& info = request.info;
    const auto call = [&](size_t i) {
        const pipe_draw_start_count_bias& draw = request.draws[i];
        const size_t bias = info.index_bias_varies ? i : 0;
        return render::DrawCall{
            .first = draw.start - first_index,
            .count = draw.count,
            .vertex_offset = how.indexed ? request.draws[bias].index_bias : 0,
            .draw_id = request.draw_id + (info.increment_draw_id ? static_cast<uint32_t>(i) : 0),
        };
    };
    const Shader* vertex = context.bound.stages[MESA_SHADER_VERTEX].shader;
    const bool each_id = request.draws.size() > 1 && info.increment_draw_id && vertex->uses_draw_id;
    if (request.draws.size() == 1 || each_id) {
        for (size_t i = 0; i < request.draws.size(); ++i) {
            const render::DrawCall one = call(i);
            if (one.count)
                record_one(context, how, one);
        }
        return;
    }
    if (context.read_parameters)
        apply_parameters(context, how.indexed, request.draw_id);
    context.calls.clear();
    for (size_t i = 0; i < request.draws.size(); ++i)
        if (request.draws[i].count)
            context.calls.push_back(call(i));
    render::DrawParametersInfo together = how;
    together.same_draw_id = vertex->uses_draw_id;
    context.recorder.draw(together, context.calls);
}

render::DrawParametersInfo draw_parameters(const Context& context, const pipe_draw_info& info,
                                           bool indexed) {
    render::DrawParametersInfo how = once(context, static_cast<mesa_prim>(info.mode), indexed);
    how.instance_count = info.instance_count;
    how.first_instance = info.start_instance;
    how.primitive_restart = indexed && info.primitive_restart;
    return how;
}

/// Whether Vulkan can draw this without changes, with the stages of the last draw. Most draws are
/// plain, and skip the checks below.
bool is_plain(const Context& context, const pipe_draw_info& info) {
    return !context.stages_dirty && context.drawable &&
           is_plain_mode(context, static_cast<mesa_prim>(info.mode)) && !context.converted_slots &&
           !(info.index_size && info.primitive_restart) && !shifts_instances(context, info);
}

void draw_plain(Context& context, const pipe_draw_info& info, unsigned draw_id,
                const pipe_draw_start_count_bias& draw) {
    if (!draw.count || !info.instance_count || !condition_lets_record(context))
        return;
    if (!info.index_size) {
        record_one(context, draw_parameters(context, info, false),
                   {.first = draw.start, .count = draw.count, .draw_id = draw_id});
        return;
    }
    const BoundIndices indices(context, info, false, std::span(&draw, 1));
    if (indices.ok())
        record_one(context, draw_parameters(context, info, true),
                   {.first = draw.start - indices.first(),
                    .count = draw.count,
                    .vertex_offset = draw.index_bias,
                    .draw_id = draw_id});
}

// noinline: if inlined, plain draws, which don't call it, would pay for its stack frame.
[[gnu::noinline]] void draw_request(Context& context, const pipe_draw_info& info, unsigned draw_id,
                                    const pipe_draw_indirect_info* indirect,
                                    std::span<const pipe_draw_start_count_bias> draws) {
    DrawRequest request{info, draw_id, indirect, draws};
    request.info.take_index_buffer_ownership = false;
    if (draws_nothing(request) || !condition_lets_record(context))
        return;
    prepare_stages(context);
    if (context.converted_slots) {
        draw_with_converted_vertices(context, request);
        return;
    }
    if (draw_faces_apart(context, request.info, draw_id, indirect, draws.data(),
                         static_cast<unsigned>(draws.size())))
        return;
    if (draw_converted(context, request))
        return;
    if (!apply_stages(context, request.info.mode))
        return;

    const bool indexed =
        request.info.index_size && !(indirect && indirect->count_from_stream_output);
    std::optional<BoundIndices> indices;
    if (indexed) {
        indices.emplace(context, request.info, indirect != nullptr, request.draws);
        if (!indices->ok())
            return;
    }
    std::optional<ShiftedInstances> shifted;
    // gl_BaseInstance can't be shifted, so where the shader reads it the draw stays unchanged.
    // Drivers that don't report the feature draw that correctly.
    if (!indirect && shifts_instances(context, request.info) &&
        !context.bound.stages[MESA_SHADER_VERTEX].shader->reads_base_instance)
        shifted.emplace(context, std::exchange(request.info.start_instance, 0));
    const render::DrawParametersInfo how = draw_parameters(context, request.info, indexed);
    const auto record = [&] {
        if (indirect)
            draw_indirect(context, request, how);
        else
            draw_direct(context, request, how, indices ? indices->first() : 0);
    };
    if (!context.draws_whole_pixels)
        return record();
    context.recorder.slow_path(render::SlowPath::sample_draws);
    std::optional<UncountedDraws> uncounted;
    for (unsigned sample = 0; sample < context.whole_pixel_samples; ++sample) {
        const CentredSample other(context, sample);
        record();
        if (!uncounted)
            uncounted.emplace(context);
    }
}

void draw_vbo(pipe_context* pcontext, const pipe_draw_info* info, unsigned draw_id,
              const pipe_draw_indirect_info* indirect, const pipe_draw_start_count_bias* draws,
              unsigned draw_count) {
    Context& context = *Context::from(pcontext);
    rebind_if_storage_replaced(context);
    load_samples(context);
    if (context.list_vertices)
        apply_vertex_buffers(context);
    if (reads_index_buffer(*info)) {
        if (context.clips_indices && !indirect && !indices_fit(*info, {draws, draw_count})) {
            std::vector<pipe_draw_start_count_bias> inside(draws, draws + draw_count);
            clip_indices(*info, inside);
            return draw_vbo(pcontext, info, draw_id, nullptr, inside.data(), draw_count);
        }
        if (info->take_index_buffer_ownership)
            context.deferred_index_releases.take(info->index.resource);
    }
    if (!indirect && draw_count == 1 && is_plain(context, *info))
        return draw_plain(context, *info, draw_id, *draws);
    draw_request(context, *info, draw_id, indirect, {draws, draw_count});
}

void set_patch_vertices(pipe_context* pcontext, uint8_t vertices) {
    Context& context = *Context::from(pcontext);
    if (context.patch_vertices == vertices)
        return;
    context.patch_vertices = vertices;
    // The passthrough control shader is made for that number of vertices.
    if (!context.bound.stages[MESA_SHADER_TESS_CTRL].shader)
        context.stages_dirty = true;
    context.outdated_parameters = spirv::all_parameters;
}

void set_tess_state(pipe_context* pcontext, const float outer[4], const float inner[2]) {
    Context& context = *Context::from(pcontext);
    std::copy_n(outer, 4, context.tess_outer);
    std::copy_n(inner, 2, context.tess_inner);
    context.outdated_parameters = spirv::all_parameters;
}

} // namespace

void init_draw_functions(Context& context) {
    context.draw_vbo = draw_vbo;
    context.set_patch_vertices = set_patch_vertices;
    context.set_tess_state = set_tess_state;
    primconvert_config config{
        .primtypes_mask = drawn_modes,
        .restart_primtypes_mask = restart_modes(context.kobalt_screen().device()),
        .fixed_prim_restart = true,
    };
    context.primconvert = util_primconvert_create_config(&context, &config);
}

} // namespace kobalt::gallium
