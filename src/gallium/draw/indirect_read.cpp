// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/draw/indirect_read.h"

#include <algorithm>
#include <cstring>

#include "vulkan/capabilities/driver_behind.h"
#include "vulkan/device/device.h"

namespace kobalt::gallium {
namespace {

/// Words of a command without and with indices. DrawElementsIndirectCommand has the base vertex as
/// an additional word.
constexpr uint32_t arrays_words = 4, elements_words = 5;

/// A command may hold any value; larger vertex counts are cut to this, so that index lists stay
/// bounded.
constexpr uint32_t most_vertices = 1u << 26;

/// The number of vertices available from `start` on, at most `wanted`.
uint32_t vertices_there(const pipe_draw_info& info, uint32_t start, uint32_t wanted) {
    if (!info.index_size || info.has_user_indices)
        return std::min(wanted, most_vertices);
    const uint32_t indices = info.index.resource->width0 / info.index_size;
    return std::min({wanted, most_vertices, indices - std::min(start, indices)});
}

uint32_t read_count(Context& context, const pipe_draw_indirect_info& indirect) {
    if (!indirect.indirect_draw_count)
        return indirect.draw_count;
    uint32_t count = 0;
    const unsigned at = indirect.indirect_draw_count_offset;
    if (uint64_t{at} + sizeof count <= indirect.indirect_draw_count->width0)
        pipe_buffer_read(&context, indirect.indirect_draw_count, at, sizeof count, &count);
    return std::min(count, indirect.draw_count);
}

// OpenGL 4.6, 10.4: a count above maxdrawcount is clamped to maxdrawcount. NVIDIA's driver
// (580.159) treats counts with the highest bit set as negative, and the GPU hangs (Xid 13). GL's
// own counts are signed; only a query result can be that large, as it is clamped to 0xffffffff.
bool count_may_hang(const vulkan::Device& device, pipe_resource* counts) {
    return Resource::from(counts)->holds_query_result &&
           vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
}

// lavapipe (25.0.7) takes a counted draw's restart index from the draw before, whose indices may be
// of another size.
bool count_restarts_wrongly(const vulkan::Device& device, const pipe_draw_info& info) {
    return info.index_size && info.primitive_restart &&
           vulkan::driver_behind(device.properties()) == VK_DRIVER_ID_MESA_LLVMPIPE;
}

} // namespace

std::vector<ReadDraw> read_indirect(Context& context, const pipe_draw_info& info,
                                    const pipe_draw_indirect_info& indirect) {
    const uint32_t words = info.index_size ? elements_words : arrays_words;
    const uint32_t bytes = words * sizeof(uint32_t);
    const uint64_t apart = indirect.stride ? indirect.stride : bytes;
    const uint64_t size = indirect.buffer->width0;
    if (indirect.offset + uint64_t{bytes} > size)
        return {};
    const uint64_t room = (size - indirect.offset - bytes) / apart + 1;
    const auto count =
        static_cast<uint32_t>(std::min<uint64_t>(read_count(context, indirect), room));
    if (count == 0)
        return {};
    pipe_transfer* transfer = nullptr;
    const auto* source = static_cast<const uint8_t*>(pipe_buffer_map_range(
        &context, indirect.buffer, indirect.offset,
        static_cast<unsigned>((count - 1) * apart + bytes), PIPE_MAP_READ, &transfer));
    if (!source)
        return {};
    std::vector<ReadDraw> draws;
    draws.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t word[elements_words] = {};
        std::memcpy(word, source + i * apart, bytes);
        draws.push_back({.range = {.start = word[2],
                                   .count = vertices_there(info, word[2], word[0]),
                                   .index_bias = info.index_size ? static_cast<int>(word[3]) : 0},
                         .instance_count = word[1],
                         .start_instance = word[words - 1]});
    }
    pipe_buffer_unmap(&context, transfer);
    return draws;
}

bool device_draws_indirect(const vulkan::Device& device, const pipe_draw_info& info,
                           const pipe_draw_indirect_info& indirect) {
    using vulkan::Capability;
    if (!indirect.buffer)
        return true; // the vertex count comes from transform feedback
    return device.has(Capability::draw_indirect_first_instance) &&
           (!indirect.indirect_draw_count ||
            (device.has(Capability::draw_indirect_count) &&
             !count_may_hang(device, indirect.indirect_draw_count) &&
             !count_restarts_wrongly(device, info)));
}

} // namespace kobalt::gallium
