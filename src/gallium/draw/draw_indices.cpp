// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>

#include "gallium/context/with_storage.h"
#include "gallium/draw/draw_indices.h"
#include "vulkan/device/device.h"

#include "util/u_prim.h"
#include "util/u_prim_restart.h"

namespace kobalt::gallium {
namespace {

VkIndexType index_type(unsigned bytes) {
    switch (bytes) {
    case 1:
        return VK_INDEX_TYPE_UINT8_KHR;
    case 2:
        return VK_INDEX_TYPE_UINT16;
    default:
        return VK_INDEX_TYPE_UINT32;
    }
}

struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
};

/// The range of indices that covers all draws.
Range used_range(std::span<const pipe_draw_start_count_bias> draws) {
    uint64_t first = UINT32_MAX, end = 0;
    for (const pipe_draw_start_count_bias& draw : draws) {
        if (draw.count == 0)
            continue;
        first = std::min<uint64_t>(first, draw.start);
        end = std::max<uint64_t>(end, uint64_t{draw.start} + draw.count);
    }
    if (end <= first)
        return {};
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(end - first)};
}

uint32_t index_at(const uint8_t* source, unsigned size, uint32_t i) {
    if (size == 1)
        return source[i];
    if (size == 2)
        return reinterpret_cast<const uint16_t*>(source)[i];
    return reinterpret_cast<const uint32_t*>(source)[i];
}

void put_index(void* target, unsigned size, uint32_t i, uint32_t index) {
    if (size == 2)
        static_cast<uint16_t*>(target)[i] = static_cast<uint16_t>(index);
    else
        static_cast<uint32_t*>(target)[i] = index;
}

} // namespace

BoundIndices::BoundIndices(Context& context, const pipe_draw_info& info, bool indirect,
                           std::span<const pipe_draw_start_count_bias> draws)
    : source_size_(info.index_size), size_(info.index_size),
      restarts_(info.primitive_restart &&
                info.restart_index != util_prim_restart_index_from_size(info.index_size)),
      restart_index_(info.primitive_restart ? info.restart_index : ~0u) {
    if (size_ == 1 && !context.kobalt_screen().device().has(vulkan::Capability::index_type_uint8)) {
        size_ = 2;
        context.recorder.slow_path(render::SlowPath::widened_indices,
                                   "the device has no VK_EXT_index_type_uint8");
    }
    if (restarts_) {
        context.recorder.slow_path(render::SlowPath::restart_index, u_prim_name(info.mode));
        // Widened so that the greatest value of the type, an ordinary index here, isn't Vulkan's
        // restart index.
        size_ = source_size_ == 1 ? 2 : 4;
    }
    if (!info.has_user_indices && !converts()) {
        settle(context, *Resource::from(info.index.resource));
        ok_ = with_storage(context.kobalt_screen(), *Resource::from(info.index.resource),
                           [&](render::Buffer* buffer) {
                               context.recorder.set_index_buffer(buffer, 0, index_type(size_));
                               return buffer != nullptr;
                           });
        return;
    }
    // An indirect draw may read any index of the buffer.
    Range range = used_range(draws);
    if (indirect && !info.has_user_indices)
        range = {0, info.index.resource->width0 / source_size_};
    if (range.count == 0)
        return;
    first_ = range.first;
    if (info.has_user_indices) {
        const auto* source = static_cast<const uint8_t*>(info.index.user);
        upload(context, source + size_t{range.first} * source_size_, range.count);
        return;
    }
    const uint32_t there = info.index.resource->width0 / source_size_;
    if (range.first >= there)
        return;
    range.count = std::min(range.count, there - range.first);
    pipe_transfer* transfer = nullptr;
    const void* mapped =
        pipe_buffer_map_range(&context, info.index.resource, range.first * source_size_,
                              range.count * source_size_, PIPE_MAP_READ, &transfer);
    if (!mapped) {
        note_lost_draw(context, "its indices can't be read");
        return;
    }
    upload(context, static_cast<const uint8_t*>(mapped), range.count);
    pipe_buffer_unmap(&context, transfer);
}

void BoundIndices::upload(Context& context, const uint8_t* source, uint32_t count) {
    uploaded_ = allocate_upload(context, uint64_t{count} * size_, 4);
    void* const target = uploaded_.mapped;
    if (!target) {
        note_lost_draw(context, "no memory for its indices");
        return;
    }
    if (converts()) {
        const bool widens_restart = restart_index_ != ~0u;
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t index = index_at(source, source_size_, i);
            put_index(target, size_, i, widens_restart && index == restart_index_ ? ~0u : index);
        }
    } else {
        std::memcpy(target, source, size_t{count} * size_);
    }
    context.recorder.set_index_buffer(uploaded_.buffer.get(), uploaded_.offset, index_type(size_));
    ok_ = true;
}

} // namespace kobalt::gallium
