// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "gallium/context/operations.h"
#include "gallium/draw/plain_draw.h"
#include "gallium/emulation/draw_outlines.h"
#include "gallium/state/vertex_states.h"

#include "util/u_inlines.h"

// Display lists: pipe_context::draw_vertex_state. A list's vertices are one interleaved buffer with
// 32-bit indices. They go to the recorder in place of those that the app has bound, and stay there
// for the next list; the next draw of another kind passes the app's own again.

namespace kobalt::gallium {
namespace {

/// The vertex elements of a part of a list, for this context alone: conversions of vertices are
/// kept with them.
VertexElements& own_elements(Context& context, const VertexState& list,
                             const VertexState::Part& part) {
    std::unique_ptr<VertexElements>& own = context.list_elements[part.elements];
    if (!own) {
        VertexState::Elements room;
        own =
            make_vertex_elements(context.kobalt_screen(), list.elements_of(part.attributes, room));
    }
    return *own;
}

/// While this lives, the list's vertices are bound as if the app had bound them. Behind it the
/// recorder still has them, until the next draw of another kind.
class BoundList {
public:
    BoundList(Context& context, const VertexState& list, const VertexState::Part& part)
        : context_(context), elements_(std::exchange(context.bound.vertex_elements,
                                                     &own_elements(context, list, part))),
          count_(std::exchange(context.bound.vertex_buffer_count, 1)),
          buffers_(std::exchange(context.bound.vertex_buffers, {})) {
        pipe_vertex_buffer_reference(context.bound.vertex_buffers.data(), &list.input.vbuffer);
        context.list_vertices = true;
    }
    BoundList(const BoundList&) = delete;
    BoundList& operator=(const BoundList&) = delete;
    ~BoundList() {
        pipe_vertex_buffer_unreference(context_.bound.vertex_buffers.data());
        context_.bound.vertex_elements = elements_;
        context_.bound.vertex_buffer_count = count_;
        context_.bound.vertex_buffers = buffers_;
        context_.list_vertices = true;
    }

private:
    Context& context_;
    VertexElements* const elements_;
    const uint32_t count_;
    const decltype(Bindings::vertex_buffers) buffers_;
};

/// The attributes that the bound vertex shader reads. Mesa leaves out the edge flag, which a
/// variant of the shader reads behind the others.
uint32_t read_attributes(const Context& context, const VertexState& list, uint32_t attributes) {
    if (!passes_edge_flags(context))
        return attributes;
    return attributes | (list.input.full_velem_mask & VERT_BIT_EDGEFLAG);
}

/// Draws lists that are neither plain nor fetchable as any other draw.
[[gnu::noinline]] void draw_as_vertices(Context& context, const VertexState& list,
                                        const VertexState::Part& part, mesa_prim mode,
                                        std::span<const pipe_draw_start_count_bias> draws) {
    const BoundList bound(context, list, part);
    pipe_draw_info info{};
    info.mode = mode;
    info.index_size = sizeof(uint32_t);
    info.instance_count = 1;
    info.max_index = ~0u;
    info.index.resource = list.input.indexbuf;
    context.draw_vbo(&context, &info, 0, nullptr, draws.data(),
                     static_cast<unsigned>(draws.size()));
}

void set_vertices(Context& context, const VertexState& list, const VertexElements& elements) {
    const pipe_vertex_buffer& source = list.input.vbuffer;
    render::Buffer* const vertices = Resource::from(source.buffer.resource)->storage.get();
    const VkDeviceSize end = source.buffer.resource->width0;
    std::array<render::VertexBuffer, render::max_vertex_buffers> buffers;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot)
        buffers[slot] = {vertices, source.buffer_offset, end - source.buffer_offset};
    context.list_vertices = true;
    context.recorder.set_vertex_layout(&elements.layout);
    context.recorder.set_vertex_buffers(0, std::span(buffers).first(elements.slot_count));
    context.recorder.set_index_buffer(Resource::from(list.input.indexbuf)->storage.get(), 0,
                                      VK_INDEX_TYPE_UINT32);
}

void record(Context& context, mesa_prim mode, std::span<const pipe_draw_start_count_bias> draws) {
    render::DrawParametersInfo how = once(context, mode, true);
    how.same_draw_id = context.bound.stages[MESA_SHADER_VERTEX].shader->uses_draw_id;
    if (context.read_parameters)
        apply_parameters(context, true, 0);
    context.calls.clear();
    for (const pipe_draw_start_count_bias& draw : draws)
        context.calls.push_back(
            {.first = draw.start, .count = draw.count, .vertex_offset = draw.index_bias});
    context.recorder.draw(how, context.calls);
}

void draw_list(Context& context, VertexState& list, uint32_t attributes, mesa_prim mode,
               std::span<const pipe_draw_start_count_bias> draws) {
    if (!condition_lets_record(context))
        return;
    prepare_stages(context);
    Screen& screen = context.kobalt_screen();
    const VertexState::Part& part =
        screen.vertex_states->part(screen, list, read_attributes(context, list, attributes));
    if (!part.fetchable || !is_plain_mode(context, mode)) {
        draw_as_vertices(context, list, part, mode, draws);
        return;
    }
    if (!apply_stages(context, mode))
        return;
    set_vertices(context, list, *part.elements);
    record(context, mode, draws);
}

void draw_vertex_state(pipe_context* pcontext, pipe_vertex_state* state, uint32_t attributes,
                       pipe_draw_vertex_state_info info, const pipe_draw_start_count_bias* draws,
                       unsigned draw_count) {
    Context& context = *Context::from(pcontext);
    rebind_if_storage_replaced(context);
    load_samples(context);
    draw_list(context, *VertexState::from(state), attributes, info.mode, {draws, draw_count});
    if (info.take_vertex_state_ownership)
        pipe_vertex_state_reference(&state, nullptr);
}

} // namespace

void init_list_functions(Context& context) {
    context.draw_vertex_state = draw_vertex_state;
}

} // namespace kobalt::gallium
