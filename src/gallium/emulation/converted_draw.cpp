// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/converted_draw.h"

#include <optional>
#include <vector>

#include "gallium/context/draw_modes.h"
#include "gallium/context/each_draw.h"
#include "gallium/context/with_storage.h"
#include "gallium/resource/transfer.h"

#include "indices/u_primconvert.h"
#include "util/u_draw.h"
#include "util/u_prim.h"
#include "util/u_upload_mgr.h"

extern "C" { // the header doesn't declare it
#include "indices/u_indices.h"
}

namespace kobalt::gallium {
namespace {

/// Quads become one and a half times as many indices, bytes become words, and ranges may overlap.
constexpr uint64_t most_growth = 8;

/// Whether what is made of the indices stays true until render::Resource::contents() changes: no
/// pointer of the app, page commitment, other device or shader changes the buffer unseen.
bool can_keep(Context& context, const pipe_draw_info& info) {
    if (!info.index_size || info.has_user_indices || info.primitive_restart)
        return false;
    const Resource& resource = *Resource::from(info.index.resource);
    constexpr unsigned unseen = PIPE_RESOURCE_FLAG_MAP_PERSISTENT |
                                PIPE_RESOURCE_FLAG_MAP_COHERENT | PIPE_RESOURCE_FLAG_SPARSE;
    return resource.kept.empty() && !resource.is_shared && !resource.is_user_ptr &&
           !(resource.b.flags & unseen) &&
           !with_storage(context.kobalt_screen(), resource, [](const render::Buffer* storage) {
               return storage->written_by_shaders();
           });
}

void note_conversion(Context& context, unsigned mode) {
    context.recorder.slow_path(render::SlowPath::converted_primitives,
                               u_prim_name(static_cast<mesa_prim>(mode)));
}

/// Converts the draw's indices into memory of their own. Empty: out of memory.
std::optional<ConvertedRange> convert(Context& context, pipe_resource* indices,
                                      const ConvertedDraw& draw) {
    const unsigned provoking = draw.first_provokes ? PV_FIRST : PV_LAST;
    mesa_prim mode{};
    unsigned size = 0, count = 0;
    u_translate_func translate = nullptr;
    u_index_translator(drawn_modes, static_cast<mesa_prim>(draw.mode), draw.index_size, draw.count,
                       provoking, provoking, PR_DISABLE, &mode, &size, &count, &translate);
    if (!count || uint64_t{count} * size > most_upload_bytes)
        return std::nullopt;
    note_conversion(context, draw.mode);
    pipe_transfer* transfer = nullptr;
    const void* source =
        pipe_buffer_map_range(&context, indices, draw.start * draw.index_size,
                              draw.count * draw.index_size, PIPE_MAP_READ, &transfer);
    if (!source)
        return std::nullopt;
    unsigned offset = 0;
    pipe_resource* buffer = nullptr;
    void* target = nullptr;
    u_upload_alloc(context.index_uploader, 0, count * size, 4, &offset, &buffer, &target);
    if (target)
        translate(source, 0, draw.count, count, 0, target);
    pipe_buffer_unmap(&context, transfer);
    if (!target)
        return std::nullopt;
    return ConvertedRange(buffer, offset / size, count, static_cast<uint16_t>(mode),
                          static_cast<uint8_t>(size));
}

/// Draws from kept indices. False: they aren't kept yet, or can't be.
bool draw_kept(Context& context, const pipe_draw_info& info, unsigned draw_id,
               pipe_draw_start_count_bias draw) {
    Resource& resource = *Resource::from(info.index.resource);
    if (!u_trim_pipe_prim(info.mode, &draw.count))
        return true; // completes no primitive
    const RasterizerObject* rasterizer = context.bound.rasterizer;
    const ConvertedDraw key{.start = draw.start,
                            .count = draw.count,
                            .mode = info.mode,
                            .index_size = static_cast<uint8_t>(info.index_size),
                            .first_provokes = rasterizer && rasterizer->gl.flatshade_first};
    // Before the indices are read: a write meanwhile makes what is kept outdated.
    const uint64_t contents =
        with_storage(context.kobalt_screen(), resource,
                     [](render::Buffer* storage) { return storage->contents(); });
    auto [known, range] = resource.converted_indices.get().find(key, contents);
    if (known == ConvertedIndices::Known::nothing)
        return false;
    if (known == ConvertedIndices::Known::seen) {
        const auto made = convert(context, info.index.resource, key);
        if (!made)
            return false;
        range = *made;
        resource.converted_indices.get().keep(key, contents, range,
                                              most_growth * resource.b.width0);
    }
    pipe_draw_info list = info;
    list.mode = static_cast<mesa_prim>(range.mode);
    list.index_size = range.index_size;
    list.index.resource = range.buffer();
    list.index_bounds_valid = false;
    list.was_line_loop = info.mode == MESA_PRIM_LINE_LOOP;
    const pipe_draw_start_count_bias all{range.start, range.count, draw.index_bias};
    context.draw_vbo(&context, &list, draw_id, nullptr, &all, 1);
    return true;
}

} // namespace

// The converter makes room for three indices for each vertex of a quad strip after the second and
// writes six for each quad: an odd vertex at the end, which completes no quad (OpenGL 4.6
// compatibility, 10.1.9), would give half a quad and indices beyond the end of the allocation.
void draw_by_converter(Context& context, const pipe_draw_info& info, unsigned draw_id,
                       std::span<const pipe_draw_start_count_bias> draws) {
    std::vector<pipe_draw_start_count_bias> even;
    if (info.mode == MESA_PRIM_QUAD_STRIP) {
        even.assign(draws.begin(), draws.end());
        for (pipe_draw_start_count_bias& draw : even)
            draw.count &= ~1u;
        draws = even;
    }
    if (!info.instance_count)
        return;
    const bool keeps = can_keep(context, info);
    for_each_draw(info, draw_id, draws, [&](const pipe_draw_info& one, unsigned id, auto& draw) {
        if (keeps && draw_kept(context, one, id, draw))
            return;
        note_conversion(context, one.mode);
        util_primconvert_draw_vbo(context.primconvert, &one, id, nullptr, &draw, 1);
    });
}

} // namespace kobalt::gallium
