// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>

#include "gallium/draw/draw_indices.h"
#include "vulkan/device/device.h"

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

/// The indices that all draws together read.
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

} // namespace

BoundIndices::BoundIndices(Context& context, const pipe_draw_info& info, bool indirect,
                           std::span<const pipe_draw_start_count_bias> draws) {
    const bool widen = info.index_size == 1 &&
                       !context.kobalt_screen().device().has(vulkan::Capability::index_type_uint8);
    if (!info.has_user_indices && !widen) {
        render::Buffer* buffer = Resource::from(info.index.resource)->buffer.get();
        ok_ = buffer != nullptr;
        context.recorder.set_index_buffer(buffer, 0, index_type(info.index_size));
        return;
    }
    if (widen)
        context.recorder.slow_path(render::SlowPath::widened_indices,
                                   "the device has no VK_EXT_index_type_uint8");
    // Who draws indirectly may read any index of the buffer.
    Range range = used_range(draws);
    if (indirect && !info.has_user_indices)
        range = {0, info.index.resource->width0};
    if (range.count == 0)
        return;
    first_ = range.first;
    if (info.has_user_indices) {
        const auto* source = static_cast<const uint8_t*>(info.index.user);
        upload(context, info, source + size_t{range.first} * info.index_size, range.count);
        return;
    }
    if (range.first >= info.index.resource->width0)
        return;
    range.count = std::min(range.count, info.index.resource->width0 - range.first);
    pipe_transfer* transfer = nullptr;
    const void* mapped = pipe_buffer_map_range(&context, info.index.resource, range.first,
                                               range.count, PIPE_MAP_READ, &transfer);
    if (!mapped)
        return;
    upload(context, info, static_cast<const uint8_t*>(mapped), range.count);
    pipe_buffer_unmap(&context, transfer);
}

void BoundIndices::upload(Context& context, const pipe_draw_info& info, const uint8_t* source,
                          uint32_t count) {
    const bool widen = info.index_size == 1 &&
                       !context.kobalt_screen().device().has(vulkan::Capability::index_type_uint8);
    const unsigned size = widen ? 2 : info.index_size;
    unsigned offset = 0;
    void* target = nullptr;
    u_upload_alloc(context.stream_uploader, 0, count * size, 4, &offset, &uploaded_, &target);
    if (!target)
        return;
    if (widen) {
        auto* wide = static_cast<uint16_t*>(target);
        for (uint32_t i = 0; i < count; ++i)
            wide[i] = info.primitive_restart && source[i] == 0xff ? 0xffff : source[i];
    } else {
        std::memcpy(target, source, size_t{count} * size);
    }
    u_upload_unmap(context.stream_uploader);
    context.recorder.set_index_buffer(Resource::from(uploaded_)->buffer.get(), offset,
                                      index_type(size));
    ok_ = true;
}

} // namespace kobalt::gallium
