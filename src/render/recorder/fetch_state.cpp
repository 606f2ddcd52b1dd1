// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/fetch_state.h"

#include <algorithm>

#include "render/commands/batch.h"

namespace kobalt::render {
namespace {

constexpr VkDeviceSize index_bytes(VkIndexType type) {
    return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}

/// Formats in Vulkan's order, up to the last one of a size.
struct Size {
    VkFormat last;
    uint32_t bytes;
};
constexpr std::array sizes{
    Size{VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2},
    Size{VK_FORMAT_R8_SRGB, 1},
    Size{VK_FORMAT_R8G8_SRGB, 2},
    Size{VK_FORMAT_B8G8R8_SRGB, 3},
    Size{VK_FORMAT_A2B10G10R10_SINT_PACK32, 4},
    Size{VK_FORMAT_R16_SFLOAT, 2},
    Size{VK_FORMAT_R16G16_SFLOAT, 4},
    Size{VK_FORMAT_R16G16B16_SFLOAT, 6},
    Size{VK_FORMAT_R16G16B16A16_SFLOAT, 8},
    Size{VK_FORMAT_R32_SFLOAT, 4},
    Size{VK_FORMAT_R32G32_SFLOAT, 8},
    Size{VK_FORMAT_R32G32B32_SFLOAT, 12},
    Size{VK_FORMAT_R32G32B32A32_SFLOAT, 16},
    Size{VK_FORMAT_R64_SFLOAT, 8},
    Size{VK_FORMAT_R64G64_SFLOAT, 16},
    Size{VK_FORMAT_R64G64B64_SFLOAT, 24},
};

/// Bytes of an attribute. The largest size where the format is behind all of these.
uint32_t attribute_bytes(VkFormat format) {
    constexpr uint32_t largest = 32;
    const auto found = std::ranges::lower_bound(sizes, format, {}, &Size::last);
    return found == sizes.end() ? largest : found->bytes;
}

/// Bytes from a vertex's begin to behind its last attribute.
uint32_t vertex_bytes(const VertexLayout& layout, uint32_t binding) {
    uint32_t end = 0;
    for (const auto& attribute : layout.attributes)
        if (attribute.binding == binding)
            end = std::max(end, attribute.offset + attribute_bytes(attribute.format));
    return end;
}

/// From the first vertex or index of the calls to behind the last one.
ByteRange elements_of(std::span<const DrawCall> calls) {
    ByteRange all = ByteRange::none();
    for (const DrawCall& call : calls)
        if (call.count)
            all.include(ByteRange::of(call.first, call.count));
    return all;
}

} // namespace

void FetchState::add_parts(Batch& batch, const DrawParametersInfo& info,
                           std::span<const DrawCall> calls) const {
    const ByteRange elements = elements_of(calls);
    if (elements.begin >= elements.end)
        return;
    if (info.indexed && parted & index_bit) {
        const VkDeviceSize size = index_bytes(index_type);
        batch.add_part(*indices,
                       {index_offset + elements.begin * size, index_offset + elements.end * size});
    }
    if (!layout)
        return;
    for (const auto& binding : layout->bindings) {
        if (!(parted & 1u << binding.binding))
            continue;
        const VertexBuffer& bound = buffers[binding.binding];
        // Indices lie in memory of the GPU, and may name any vertex.
        if (info.indexed || binding.inputRate != VK_VERTEX_INPUT_RATE_VERTEX) {
            batch.add_part(*bound.buffer, {});
            continue;
        }
        const VkDeviceSize first = bound.offset + elements.begin * binding.stride;
        const VkDeviceSize last = bound.offset + (elements.end - 1) * binding.stride;
        batch.add_part(*bound.buffer, {first, last + vertex_bytes(*layout, binding.binding)});
    }
}

void FetchState::add_wholes(Batch& batch, bool indexed) const {
    if (indexed && parted & index_bit)
        batch.add_part(*indices, {});
    if (!layout)
        return;
    for (const auto& binding : layout->bindings)
        if (parted & 1u << binding.binding)
            batch.add_part(*buffers[binding.binding].buffer, {});
}

} // namespace kobalt::render
