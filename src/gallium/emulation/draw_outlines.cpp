// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/draw_outlines.h"

#include <cstring>
#include <optional>
#include <vector>

#include "gallium/context/objects.h"
#include "gallium/context/operations.h"
#include "gallium/emulation/converted_draw.h"
#include "gallium/emulation/draw_twice.h"
#include "gallium/emulation/outline_stages.h"
#include "gallium/emulation/polygon_list.h"
#include "gallium/resource/transfer.h"

#include "util/u_draw.h"

namespace kobalt::gallium {
namespace {

constexpr uint32_t outlined_modes =
    1u << MESA_PRIM_QUADS | 1u << MESA_PRIM_QUAD_STRIP | 1u << MESA_PRIM_POLYGON;

/// Modes whose vertices have edge flags; all edges of strips and fans are boundary edges.
bool has_edge_flags(unsigned mode) {
    return mode == MESA_PRIM_TRIANGLES || mode == MESA_PRIM_QUADS || mode == MESA_PRIM_POLYGON;
}

/// Whether edges drawn as lines (or corners as points) give the same result as the polygon's.
bool edges_will_do(const pipe_rasterizer_state& gl) {
    const bool offset = gl.fill_front == PIPE_POLYGON_MODE_LINE ? gl.offset_line : gl.offset_point;
    return gl.cull_face == PIPE_FACE_NONE && !offset;
}

/// The edge flag of each vertex (OpenGL compatibility, glEdgeFlag), where the bound vertex shader
/// passes one through: the state tracker then appends it as the last attribute.
class EdgeFlags {
public:
    explicit EdgeFlags(Context& context) : state_(context) {
        const VertexElements* elements = context.bound.vertex_elements;
        if (!elements || elements->layout.attributes.empty() || !passes_edge_flags(context))
            return;
        const auto& attribute = elements->layout.attributes.back();
        const auto& binding = elements->layout.bindings[attribute.binding];
        const pipe_vertex_buffer& buffer =
            context.bound.vertex_buffers[elements->fetch.buffer[attribute.binding]];
        if (buffer.is_user_buffer || !buffer.buffer.resource)
            return;
        first_ = buffer.buffer_offset + attribute.offset;
        stride_ = binding.stride;
        is_float_ = elements->formats.back() == PIPE_FORMAT_R32_FLOAT;
        size_ = buffer.buffer.resource->width0;
        bytes_ = static_cast<const uint8_t*>(
            pipe_buffer_map(&context, buffer.buffer.resource, PIPE_MAP_READ, &transfer_));
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
    Context& state_;
    pipe_transfer* transfer_ = nullptr;
    const uint8_t* bytes_ = nullptr;
    int64_t first_ = 0, stride_ = 0, size_ = 0; ///< bytes
    bool is_float_ = false;
};

/// The vertices that one draw reads, in order, without its index bias. Empty: out of memory.
std::vector<uint32_t> read_indices(Context& context, const pipe_draw_info& info,
                                   const pipe_draw_start_count_bias& draw) {
    std::vector<uint32_t> indices(draw.count);
    if (!info.index_size) {
        for (uint32_t i = 0; i < draw.count; ++i)
            indices[i] = draw.start + i;
        return indices;
    }
    pipe_transfer* transfer = nullptr;
    const auto* source = static_cast<const uint8_t*>(info.index.user);
    if (info.has_user_indices)
        source += size_t{draw.start} * info.index_size;
    else
        source = static_cast<const uint8_t*>(
            pipe_buffer_map_range(&context, info.index.resource, draw.start * info.index_size,
                                  draw.count * info.index_size, PIPE_MAP_READ, &transfer));
    if (!source)
        return {};
    for (uint32_t i = 0; i < draw.count; ++i) {
        if (info.index_size == 1)
            indices[i] = source[i];
        else if (info.index_size == 2)
            indices[i] = reinterpret_cast<const uint16_t*>(source)[i];
        else
            indices[i] = reinterpret_cast<const uint32_t*>(source)[i];
    }
    if (transfer)
        pipe_buffer_unmap(&context, transfer);
    return indices;
}

/// How polygons are drawn: as triangles that hide edges or corners, edges as lines, or corners as
/// points.
enum class Shape { triangles, lines, points };

/// Ends a strip in a list of corners.
constexpr uint32_t strip_end = ~0u;

/// Whether edges are drawn as line strips, in which a stipple continues from edge to edge.
bool in_strips(const Context& context, Shape shape) {
    return shape == Shape::lines && context.bound.rasterizer->gl.line_stipple_enable;
}

std::vector<uint32_t> shapes_of(Context& context, const pipe_draw_info& info,
                                const pipe_draw_start_count_bias& draw, Shape shape) {
    const std::vector<uint32_t> indices = read_indices(context, info, draw);
    // Reading edge flags waits for the buffer, so read them only where the mode has any.
    std::optional<EdgeFlags> flags;
    if (has_edge_flags(info.mode))
        flags.emplace(context);
    const int64_t bias = info.index_size ? draw.index_bias : 0;
    const pipe_rasterizer_state& gl = context.bound.rasterizer->gl;
    const bool provoking_last = !gl.flatshade_first;
    const bool strips = in_strips(context, shape);
    const auto add =
        gl.fill_front == PIPE_POLYGON_MODE_POINT ? add_corner_triangles : add_triangles;
    std::vector<uint32_t> list, corners;
    std::vector<bool> seen;
    for_each_polygon(static_cast<mesa_prim>(info.mode), static_cast<uint32_t>(indices.size()),
                     [&](const Polygon& polygon) {
                         corners.clear();
                         seen.clear();
                         for (const uint32_t corner : polygon.corners) {
                             corners.push_back(indices[corner]);
                             seen.push_back(!flags || !*flags || flags->at(corners.back() + bias));
                         }
                         if (shape == Shape::triangles) {
                             add(list, corners, seen,
                                 provoking_last ? polygon.last_provoking : polygon.first_provoking,
                                 provoking_last);
                             return;
                         }
                         for (size_t i = 0; i < corners.size(); ++i) {
                             if (!seen[i])
                                 continue;
                             // A stipple continues along the polygon, so its edges are strips that
                             // end at hidden edges. Lists would restart the pattern at each edge.
                             if (!strips || i == 0 || !seen[i - 1])
                                 list.push_back(corners[i]);
                             if (shape == Shape::lines)
                                 list.push_back(corners[(i + 1) % corners.size()]);
                             if (strips && (i + 1 == corners.size() || !seen[i + 1]))
                                 list.push_back(strip_end);
                         }
                     });
    return list;
}

void draw_shapes(Context& context, const pipe_draw_info& info, unsigned draw_id,
                 const pipe_draw_start_count_bias& draw, Shape shape) {
    const std::vector<uint32_t> list = shapes_of(context, info, draw, shape);
    if (list.empty())
        return;
    if (list.size() * sizeof(uint32_t) > most_upload_bytes) {
        note_lost_draw(context, "its outlines have too many indices for one upload");
        return;
    }
    pipe_draw_info shapes;
    util_draw_init_info(&shapes);
    shapes.mode = shape == Shape::triangles   ? MESA_PRIM_TRIANGLES_ADJACENCY
                  : shape == Shape::points    ? MESA_PRIM_POINTS
                  : in_strips(context, shape) ? MESA_PRIM_LINE_STRIP
                                              : MESA_PRIM_LINES;
    shapes.primitive_restart = shapes.mode == MESA_PRIM_LINE_STRIP;
    shapes.restart_index = strip_end;
    shapes.index_size = sizeof(uint32_t);
    shapes.start_instance = info.start_instance;
    shapes.instance_count = info.instance_count;
    shapes.max_index = ~0u;
    unsigned offset = 0;
    u_upload_data(context.stream_uploader, 0, static_cast<unsigned>(list.size() * sizeof(uint32_t)),
                  4, list.data(), &offset, &shapes.index.resource);
    if (!shapes.index.resource) {
        note_lost_draw(context, "no memory for the indices of its outlines");
        return;
    }
    const pipe_draw_start_count_bias call{offset / 4, static_cast<unsigned>(list.size()),
                                          info.index_size ? draw.index_bias : 0};
    context.draw_vbo(&context, &shapes, draw_id, nullptr, &call, 1);
    pipe_resource_reference(&shapes.index.resource, nullptr);
}

/// Draws the triangles for transform feedback only: none of them reach the rasteriser.
void draw_captured(Context& context, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws) {
    pipe_rasterizer_state discarding = context.bound.rasterizer->gl;
    discarding.rasterizer_discard = true;
    discarding.fill_front = discarding.fill_back = PIPE_POLYGON_MODE_FILL;
    const std::unique_ptr<RasterizerObject> object =
        make_rasterizer(context.kobalt_screen().device(), discarding);
    const OtherRasterizer other(context, *object);
    if (info.mode == MESA_PRIM_TRIANGLES)
        context.draw_vbo(&context, &info, draw_id, nullptr, draws.data(),
                         static_cast<unsigned>(draws.size()));
    else
        draw_by_converter(context, info, draw_id, draws);
}

} // namespace

bool passes_edge_flags(const Context& context) {
    const Shader* vertex = context.bound.stages[MESA_SHADER_VERTEX].shader;
    return vertex && (vertex->outputs_written & BITFIELD64_BIT(VARYING_SLOT_EDGE));
}

bool has_outlines(const Context& context, const pipe_draw_info& info) {
    const RasterizerObject* object = context.bound.rasterizer;
    const bool outlined = outlined_modes & (1u << info.mode) ||
                          (info.mode == MESA_PRIM_TRIANGLES && passes_edge_flags(context));
    if (!outlined || !object || object->gl.rasterizer_discard ||
        object->gl.fill_front != object->gl.fill_back ||
        context.bound.stages[MESA_SHADER_GEOMETRY].shader ||
        context.bound.stages[MESA_SHADER_TESS_EVAL].shader)
        return false;
    // In point mode a polygon's points are its corners, however it is triangulated.
    return object->gl.fill_front == PIPE_POLYGON_MODE_LINE ||
           (object->gl.fill_front == PIPE_POLYGON_MODE_POINT && passes_edge_flags(context));
}

bool draw_outlines(Context& context, const pipe_draw_info& info, unsigned draw_id,
                   std::span<const pipe_draw_start_count_bias> draws) {
    if (!has_outlines(context, info))
        return false;
    const pipe_rasterizer_state& gl = context.bound.rasterizer->gl;
    const bool captures = context.bound.stream_output_count;
    const Shader* fragment = context.bound.stages[MESA_SHADER_FRAGMENT].shader;
    std::optional<OutlineStages> stages;
    Shape shape = gl.fill_front == PIPE_POLYGON_MODE_LINE ? Shape::lines : Shape::points;
    // Prefer lines and points where they give the same result: some devices draw no edges of a
    // triangle without area, but a polygon with several corners on one line has edges.
    const auto other_shape = [&] {
        if (!edges_will_do(gl) || (fragment && fragment->tells_lines_apart)) {
            stages.emplace(context);
            if (stages->ok()) {
                shape = Shape::triangles;
                return true;
            }
            stages.reset();
        }
        return edges_will_do(gl);
    };
    if (!captures && !other_shape())
        return false;
    std::optional<UncountedDraws> uncounted;
    if (captures) {
        draw_captured(context, info, draw_id, draws);
        uncounted.emplace(context);
        if (!other_shape()) {
            // Drawing visible diagonals is better than drawing nothing.
            draw_by_converter(context, info, draw_id, draws);
            return true;
        }
    }
    for (size_t i = 0; i < draws.size(); ++i) {
        pipe_draw_start_count_bias draw = draws[i];
        if (!info.index_bias_varies)
            draw.index_bias = draws[0].index_bias;
        draw_shapes(context, info, draw_id, draw, shape);
        draw_id += info.increment_draw_id;
    }
    return true;
}

} // namespace kobalt::gallium
