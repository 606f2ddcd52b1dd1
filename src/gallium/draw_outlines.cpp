// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/draw_outlines.h"

#include <cstring>
#include <vector>

#include "gallium/objects.h"
#include "gallium/shader.h"

extern "C" { // this header has no linkage of its own
#include "indices/u_indices.h"
}
#include "util/u_draw.h"
#include "util/u_prim.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t outlined_modes =
    1u << MESA_PRIM_QUADS | 1u << MESA_PRIM_QUAD_STRIP | 1u << MESA_PRIM_POLYGON;

/// Modes whose vertices have edge flags; the edges inside strips and fans are boundaries all.
bool has_edge_flags(unsigned mode) {
    return mode == MESA_PRIM_TRIANGLES || mode == MESA_PRIM_QUADS || mode == MESA_PRIM_POLYGON;
}

bool passes_edge_flags(const FrontState& state) {
    const Shader* vertex = state.bound.stages[MESA_SHADER_VERTEX].shader;
    return vertex && (vertex->outputs_written & BITFIELD64_BIT(VARYING_SLOT_EDGE));
}

bool lines_will_do(const FrontState& state) {
    const RasterizerObject* object = state.bound.rasterizer;
    if (!object)
        return false;
    const pipe_rasterizer_state& gl = object->gl;
    // Points need this detour only to leave out those whose edge flag is off.
    const bool unfilled = gl.fill_front == PIPE_POLYGON_MODE_LINE ||
                          (gl.fill_front == PIPE_POLYGON_MODE_POINT && passes_edge_flags(state));
    return unfilled && gl.fill_back == gl.fill_front && gl.cull_face == PIPE_FACE_NONE &&
           !gl.flatshade && !gl.offset_line && !gl.light_twoside &&
           !state.bound.stages[MESA_SHADER_GEOMETRY].shader &&
           !state.bound.stages[MESA_SHADER_TESS_EVAL].shader && !state.bound.stream_output_count;
}

/// The edge flag of each vertex (OpenGL compatibility, 10.3.3), where the bound vertex shader
/// passes one through: the state tracker then appends it as the last attribute.
class EdgeFlags {
public:
    explicit EdgeFlags(FrontState& state) : state_(state) {
        const VertexElements* elements = state.bound.vertex_elements;
        if (!elements || elements->layout.attributes.empty() || !passes_edge_flags(state))
            return;
        const auto& attribute = elements->layout.attributes.back();
        const auto& binding = elements->layout.bindings[attribute.binding];
        const pipe_vertex_buffer& buffer =
            state.bound.vertex_buffers[elements->buffer_of_slot[attribute.binding]];
        if (buffer.is_user_buffer || !buffer.buffer.resource)
            return;
        first_ = buffer.buffer_offset + attribute.offset;
        stride_ = binding.stride;
        is_float_ = attribute.format == VK_FORMAT_R32_SFLOAT;
        size_ = buffer.buffer.resource->width0;
        bytes_ = static_cast<const uint8_t*>(
            pipe_buffer_map(&state, buffer.buffer.resource, PIPE_MAP_READ, &transfer_));
    }
    EdgeFlags(const EdgeFlags&) = delete;
    EdgeFlags& operator=(const EdgeFlags&) = delete;
    ~EdgeFlags() {
        if (transfer_)
            pipe_buffer_unmap(&state_, transfer_);
    }

    explicit operator bool() const { return bytes_ != nullptr; }
    /// Whether the edge that begins at `vertex` is a boundary.
    bool at(int64_t vertex) const {
        const int64_t offset = first_ + vertex * stride_;
        if (offset < 0 || offset + (is_float_ ? 4 : 1) > size_)
            return true;
        if (!is_float_)
            return bytes_[offset] != 0;
        float flag;
        std::memcpy(&flag, bytes_ + offset, sizeof flag);
        return flag != 0;
    }

private:
    FrontState& state_;
    pipe_transfer* transfer_ = nullptr;
    const uint8_t* bytes_ = nullptr;
    int64_t first_ = 0, stride_ = 0, size_ = 0; ///< bytes
    bool is_float_ = false;
};

/// Drops the lines (`step` 2) or points (`step` 1) that begin at a vertex whose flag is off;
/// returns how many indices are left.
template <class Index>
unsigned drop_hidden(std::vector<uint8_t>& bytes, unsigned count, unsigned step,
                     const EdgeFlags& flags, int64_t bias) {
    auto* indices = reinterpret_cast<Index*>(bytes.data());
    unsigned kept = 0;
    for (unsigned i = 0; i + step <= count; i += step)
        if (flags.at(indices[i] + bias))
            for (unsigned k = 0; k < step; ++k)
                indices[kept++] = indices[i + k];
    return kept;
}

void draw_outline(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                  pipe_draw_start_count_bias draw) {
    if (!u_trim_pipe_prim(info.mode, &draw.count))
        return;
    pipe_draw_info lines;
    util_draw_init_info(&lines);
    lines.start_instance = info.start_instance;
    lines.instance_count = info.instance_count;
    lines.max_index = ~0u;

    mesa_prim mode = MESA_PRIM_LINES;
    const unsigned polygon_mode = state.bound.rasterizer->gl.fill_front;
    unsigned index_size = 0, count = 0;
    u_generate_func generate = nullptr;
    u_translate_func translate = nullptr;
    if (info.index_size)
        u_unfilled_translator(info.mode, info.index_size, draw.count, polygon_mode, &mode,
                              &index_size, &count, &translate);
    else
        u_unfilled_generator(info.mode, draw.start, draw.count, polygon_mode, &mode, &index_size,
                             &count, &generate);
    lines.mode = mode;
    lines.index_size = static_cast<uint8_t>(index_size);

    std::vector<uint8_t> generated(size_t{count} * index_size);
    void* const target = generated.data();
    if (generate) {
        generate(draw.start, count, target);
    } else {
        pipe_transfer* transfer = nullptr;
        const auto* indices = static_cast<const uint8_t*>(info.index.user);
        if (info.has_user_indices)
            indices += size_t{draw.start} * info.index_size;
        else
            indices = static_cast<const uint8_t*>(
                pipe_buffer_map_range(&state, info.index.resource, draw.start * info.index_size,
                                      draw.count * info.index_size, PIPE_MAP_READ, &transfer));
        if (indices)
            translate(indices, 0, draw.count, count, 0, target);
        else
            count = 0;
        if (transfer)
            pipe_buffer_unmap(&state, transfer);
    }
    // Reading flags waits for the buffer: only where the mode has any.
    if (has_edge_flags(info.mode)) {
        if (const EdgeFlags flags(state); flags) {
            const int64_t bias = info.index_size ? draw.index_bias : 0;
            const unsigned step = mode == MESA_PRIM_POINTS ? 1 : 2;
            count = index_size == 4 ? drop_hidden<uint32_t>(generated, count, step, flags, bias)
                                    : drop_hidden<uint16_t>(generated, count, step, flags, bias);
        }
    }
    if (!count)
        return;
    unsigned offset = 0;
    u_upload_data(state.stream_uploader, 0, count * index_size, 4, target, &offset,
                  &lines.index.resource);
    if (!lines.index.resource)
        return;
    const pipe_draw_start_count_bias call{offset / index_size, count,
                                          info.index_size ? draw.index_bias : 0};
    state.draw_vbo(&state, &lines, draw_id, nullptr, &call, 1);
    pipe_resource_reference(&lines.index.resource, nullptr);
}

} // namespace

bool draw_outlines(FrontState& state, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws) {
    const bool outlined = outlined_modes & (1u << info.mode) ||
                          (info.mode == MESA_PRIM_TRIANGLES && passes_edge_flags(state));
    if (!outlined || info.primitive_restart || !lines_will_do(state))
        return false;
    for (size_t i = 0; i < draws.size(); ++i) {
        pipe_draw_start_count_bias draw = draws[i];
        if (!info.index_bias_varies)
            draw.index_bias = draws[0].index_bias;
        draw_outline(state, info, draw_id, draw);
        draw_id += info.increment_draw_id;
    }
    return true;
}

} // namespace kobalt::gallium
