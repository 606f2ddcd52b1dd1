// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/emulation/vertex_conversion.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "gallium/resource/transfer.h"
#include "render/pipelines/pipeline_store.h"
#include "vulkan/device/device.h"

extern "C" { // these headers don't declare it
#include "translate/translate.h"
#include "util/streaming-load-memcpy.h"
}

namespace kobalt::gallium {
namespace {

/// The part of a buffer that the CPU reads, mapped.
class MappedRange {
public:
    MappedRange(Context& context, pipe_resource* buffer, uint64_t offset, uint64_t size)
        : context_(context), bytes_(static_cast<const uint8_t*>(pipe_buffer_map_range(
                                 &context, buffer, static_cast<unsigned>(offset),
                                 static_cast<unsigned>(size), PIPE_MAP_READ, &transfer_))) {}
    MappedRange(const MappedRange&) = delete;
    MappedRange& operator=(const MappedRange&) = delete;
    ~MappedRange() {
        if (transfer_)
            pipe_buffer_unmap(&context_, transfer_);
    }
    const uint8_t* bytes() const { return bytes_; }

private:
    Context& context_;
    pipe_transfer* transfer_ = nullptr;
    const uint8_t* bytes_;
};

/// Copies bytes that a conversion reads one by one. Graphics memory, and what the CPU writes for
/// it, is seldom cached: each such read would go to the memory.
class CachedCopy {
public:
    CachedCopy(const uint8_t* source, size_t size) : bytes_(size + 2 * alignment) {
        // The fast instructions want source and target aligned alike.
        const auto from = reinterpret_cast<uintptr_t>(source),
                   to = reinterpret_cast<uintptr_t>(bytes_.data());
        first_ = bytes_.data() + ((from - to) & (alignment - 1));
        util_streaming_load_memcpy(first_, const_cast<uint8_t*>(source), size);
    }
    const uint8_t* bytes() const { return first_; }

private:
    static constexpr size_t alignment = 16;
    std::vector<uint8_t> bytes_;
    uint8_t* first_;
};

template <typename Index>
void append(std::vector<uint32_t>& list, const void* source, uint32_t count) {
    const auto* const indices = static_cast<const Index*>(source);
    list.assign(indices, indices + count);
}

/// The draw's indices, as many as its buffer has.
std::vector<uint32_t> read_indices(Context& context, const pipe_draw_info& info,
                                   const pipe_draw_start_count_bias& draw) {
    uint32_t count = draw.count;
    const void* source = nullptr;
    std::optional<MappedRange> mapped;
    const uint64_t offset = uint64_t{draw.start} * info.index_size;
    if (info.has_user_indices) {
        source = static_cast<const uint8_t*>(info.index.user) + offset;
    } else {
        const uint32_t there = info.index.resource->width0 / info.index_size;
        count = std::min(count, there - std::min(draw.start, there));
        if (count == 0)
            return {};
        mapped.emplace(context, info.index.resource, offset, uint64_t{count} * info.index_size);
        source = mapped->bytes();
    }
    std::vector<uint32_t> list;
    if (!source)
        return list;
    if (info.index_size == 1)
        append<uint8_t>(list, source, count);
    else if (info.index_size == 2)
        append<uint16_t>(list, source, count);
    else
        append<uint32_t>(list, source, count);
    return list;
}

/// The range of vertices that the indices name, none of them negative.
ReadVertices named_range(const pipe_draw_info& info, int bias,
                         const std::vector<uint32_t>& indices) {
    uint32_t least = UINT32_MAX, greatest = 0;
    for (const uint32_t index : indices) {
        if (info.primitive_restart && index == info.restart_index)
            continue;
        least = std::min(least, index);
        greatest = std::max(greatest, index);
    }
    const int64_t first = std::max<int64_t>(int64_t{least} + bias, 0);
    const int64_t last = std::min<int64_t>(int64_t{greatest} + bias, UINT32_MAX - 1);
    if (least > greatest || last < first)
        return {};
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(last - first) + 1, {}};
}

bool reads_each_vertex(const VertexElements& elements, uint32_t slot) {
    const auto& binding = elements.layout.bindings[slot];
    return binding.inputRate == VK_VERTEX_INPUT_RATE_VERTEX && binding.stride != 0;
}

/// Whether vertices may have other numbers: all buffers that the numbers select from are converted,
/// and no shader reads gl_VertexID or gl_BaseVertex, nor the CPU edge flags.
bool may_renumber(const Context& context, const VertexElements& elements) {
    const Shader* const vertex = context.bound.stages[MESA_SHADER_VERTEX].shader;
    if (!vertex || vertex->reads_vertex_ids ||
        vertex->outputs_written & BITFIELD64_BIT(VARYING_SLOT_EDGE))
        return false;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot)
        if (reads_each_vertex(elements, slot) && !(context.converted_slots & (1u << slot)))
            return false;
    return true;
}

/// The vertices that the draw reads. Where they may have other numbers the draw is changed to count
/// from the first of them, so that the new buffers need no room before it.
ReadVertices take_vertices(Context& context, const VertexElements& elements, pipe_draw_info& info,
                           pipe_draw_start_count_bias& draw, bool& renumbered) {
    renumbered = may_renumber(context, elements);
    info.index_bounds_valid = false;
    if (!info.index_size) {
        const ReadVertices range{draw.start, draw.count, {}};
        if (renumbered)
            draw.start = 0;
        return range;
    }
    std::vector<uint32_t> indices = read_indices(context, info, draw);
    ReadVertices range = named_range(info, draw.index_bias, indices);
    renumbered = renumbered && range.first <= INT32_MAX / 2 && range.count > 0;
    if (!renumbered)
        return range;
    if (info.primitive_restart ||
        !util_is_vbo_upload_ratio_too_large(static_cast<unsigned>(indices.size()), range.count)) {
        draw.index_bias -= static_cast<int>(range.first);
        return range;
    }
    for (uint32_t& index : indices) {
        const int64_t vertex = int64_t{index} + draw.index_bias;
        index = vertex < 0 || vertex > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(vertex);
    }
    info.index_size = 0;
    draw = {0, static_cast<unsigned>(indices.size()), 0};
    range.list = std::move(indices);
    return range;
}

/// The number of vertices, `stride` apart, whose bytes [at, at + size) end within the buffer.
uint32_t whole_vertices(uint64_t at, uint32_t size, uint32_t stride, uint64_t width) {
    if (at + size > width)
        return 0;
    if (stride == 0)
        return UINT32_MAX;
    return static_cast<uint32_t>(std::min<uint64_t>((width - at - size) / stride + 1, UINT32_MAX));
}

std::unique_ptr<translate, ReleaseTranslate> make_conversion(pipe_format from, pipe_format to,
                                                             uint32_t stride) {
    translate_key key{};
    key.output_stride = stride;
    key.nr_elements = 1;
    key.element[0].type = TRANSLATE_ELEMENT_NORMAL;
    key.element[0].input_format = from;
    key.element[0].output_format = to;
    return std::unique_ptr<translate, ReleaseTranslate>{translate_create(&key)};
}

/// Converts one element of the vertices, of which the first `whole` of the range are in the buffer.
void convert_element(translate& how, const uint8_t* source, uint32_t stride, uint32_t whole,
                     const ReadVertices& vertices, uint32_t count, uint8_t* target,
                     uint32_t target_stride, uint32_t size) {
    how.set_buffer(&how, 0, source, stride, ~0u);
    if (vertices.list.empty()) {
        const uint32_t there = std::min(whole, count);
        if (there)
            how.run(&how, 0, there, 0, 0, target);
        for (uint32_t i = there; i < count; ++i)
            std::memset(target + size_t{i} * target_stride, 0, size);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t* const at = target + size_t{i} * target_stride;
        const uint32_t vertex = vertices.list[i] - vertices.first; // wraps around below the first
        if (vertex < whole)
            how.run(&how, vertex, 1, 0, 0, at);
        else
            std::memset(at, 0, size);
    }
}

/// The layout for draws in which these slots are converted, which is created at the first of them.
const ConvertedLayout& converted_layout(Context& context, VertexElements& elements,
                                        uint32_t slots) {
    for (const auto& made : elements.converted)
        if (made->slots == slots)
            return *made;
    const vulkan::Device& device = context.kobalt_screen().device();
    auto made = std::make_unique<ConvertedLayout>();
    made->slots = slots;
    made->layout = elements.layout;
    for (size_t i = 0; i < made->layout.attributes.size(); ++i) {
        auto& attribute = made->layout.attributes[i];
        if (!(slots & (1u << attribute.binding)))
            continue;
        const pipe_format format = fetched_format(device, elements.formats[i]);
        uint32_t& bytes = made->vertex_bytes[attribute.binding];
        attribute.format = map_vertex_format(device, format);
        attribute.offset = bytes;
        bytes += align(util_format_get_blocksize(format), 4);
    }
    made->conversions.resize(made->layout.attributes.size());
    for (size_t i = 0; i < made->conversions.size(); ++i) {
        const uint32_t slot = made->layout.attributes[i].binding;
        if (slots & (1u << slot))
            made->conversions[i] =
                make_conversion(elements.formats[i], fetched_format(device, elements.formats[i]),
                                made->vertex_bytes[slot]);
    }
    for (auto& binding : made->layout.bindings)
        if (slots & (1u << binding.binding) && binding.stride)
            binding.stride = made->vertex_bytes[binding.binding];
    render::Engine& engine = *context.kobalt_screen().engine;
    if (!engine.paths().dynamic_vertex_input)
        made->layout.id = engine.pipelines().layout_id(made->layout);
    return *elements.converted.emplace_back(std::move(made));
}

} // namespace

void ReleaseTranslate::operator()(translate* translate) const {
    translate->release(translate);
}

pipe_format unfetchable_format(const Context& context) {
    const VertexElements& elements = *context.bound.vertex_elements;
    for (size_t i = 0; i < elements.formats.size(); ++i)
        if (context.converted_slots & (1u << elements.layout.attributes[i].binding))
            return elements.formats[i];
    return PIPE_FORMAT_NONE;
}

ConvertedVertices::ConvertedVertices(Context& context, pipe_draw_info& info,
                                     pipe_draw_start_count_bias& draw)
    : context_(context), elements_(*context.bound.vertex_elements),
      converted_(converted_layout(context, elements_, context.converted_slots)) {
    ReadVertices vertices;
    bool renumbered = false;
    for (uint32_t slot = 0; slot < elements_.slot_count; ++slot) {
        if (converts(slot) && reads_each_vertex(elements_, slot)) {
            vertices = take_vertices(context, elements_, info, draw, renumbered);
            break;
        }
    }
    for (uint32_t slot = 0; slot < elements_.slot_count && ok_; ++slot) {
        if (!converts(slot))
            continue;
        const auto& binding = elements_.layout.bindings[slot];
        if (binding.stride == 0) {
            ok_ = convert(slot, {0, 1, {}}, 0);
        } else if (reads_each_vertex(elements_, slot)) {
            ok_ = convert(slot, vertices, renumbered ? 0 : vertices.first);
        } else {
            // OpenGL 4.6, 10.4: DrawArraysOneInstance adds the base instance to the quotient.
            const uint32_t divisor = std::max(elements_.divisors[slot], 1u);
            const uint32_t count =
                info.instance_count / divisor + (info.instance_count % divisor != 0);
            ok_ = convert(slot, {info.start_instance, count, {}}, info.start_instance);
        }
    }
    if (!ok_)
        return;
    context.conversion = this;
    context.recorder.set_vertex_layout(&converted_.layout);
    apply_vertex_buffers(context);
}

ConvertedVertices::~ConvertedVertices() {
    if (!ok_)
        return;
    context_.conversion = nullptr;
    context_.recorder.set_vertex_layout(&elements_.layout);
    apply_vertex_buffers(context_);
}

/// `before`: vertices that lie in front of the first one, so that it has its number.
bool ConvertedVertices::convert(uint32_t slot, const ReadVertices& vertices, uint32_t before) {
    const pipe_vertex_buffer& source = context_.bound.vertex_buffers[elements_.fetch.buffer[slot]];
    if (source.is_user_buffer || !source.buffer.resource || !vertices.count)
        return true;
    const uint32_t stride = elements_.layout.bindings[slot].stride;
    const uint32_t bytes = converted_.vertex_bytes[slot];
    const uint64_t width = source.buffer.resource->width0;
    const uint64_t begin = source.buffer_offset + uint64_t{stride} * vertices.first;

    struct Element {
        size_t attribute;
        uint32_t whole;
    };
    std::vector<Element> parts;
    uint64_t end = begin;
    uint32_t there = 0;
    for (size_t i = 0; i < elements_.formats.size(); ++i) {
        const auto& attribute = elements_.layout.attributes[i];
        if (attribute.binding != slot)
            continue;
        const uint32_t size = util_format_get_blocksize(elements_.formats[i]);
        const uint32_t whole =
            std::min(whole_vertices(begin + attribute.offset, size, stride, width), vertices.count);
        parts.push_back({i, whole});
        there = std::max(there, whole);
        if (whole)
            end = std::max(end, begin + attribute.offset + uint64_t{whole - 1} * stride + size);
    }
    if (there == 0)
        return true;
    const MappedRange mapped(context_, source.buffer.resource, begin, end - begin);
    const uint32_t count =
        vertices.list.empty() ? there : static_cast<uint32_t>(vertices.list.size());
    const Upload upload =
        allocate_upload(context_, uint64_t{count} * bytes, 4, uint64_t{before} * bytes);
    if (!mapped.bytes() || !upload.mapped)
        return false;
    const vulkan::Device& device = context_.kobalt_screen().device();
    std::optional<CachedCopy> copy;
    if (!context_.kobalt_screen().is_cpu)
        copy.emplace(mapped.bytes(), end - begin);
    const uint8_t* const bytes_of_first = copy ? copy->bytes() : mapped.bytes();
    for (const Element& part : parts) {
        translate* const how = converted_.conversions[part.attribute].get();
        if (!how)
            return false;
        const pipe_format to = fetched_format(device, elements_.formats[part.attribute]);
        convert_element(*how, bytes_of_first + elements_.layout.attributes[part.attribute].offset,
                        stride, part.whole, vertices, count,
                        reinterpret_cast<uint8_t*>(upload.mapped) +
                            converted_.layout.attributes[part.attribute].offset,
                        bytes, util_format_get_blocksize(to));
    }
    const VkDeviceSize offset = upload.offset - uint64_t{before} * bytes;
    buffers_[slot] = {upload.buffer.get(), offset, uint64_t{before + uint64_t{count}} * bytes};
    kept_.push_back(upload.buffer);
    return true;
}

} // namespace kobalt::gallium
