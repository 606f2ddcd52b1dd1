// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <utility>

#include "gallium/context/operations.h"
#include "render/pipeline_store.h"
#include "vulkan/device/device.h"

#include "util/u_helpers.h"

namespace kobalt::gallium {
namespace {

/// The key of a Vulkan vertex binding: GL attributes that differ in it need separate bindings, even
/// if they read one buffer.
struct Slot {
    uint8_t buffer;
    uint32_t stride;
    uint32_t divisor;
    bool operator==(const Slot&) const = default;
};

VkVertexInputBindingDescription2EXT binding(const vulkan::Device& device, uint32_t index,
                                            const Slot& slot) {
    VkVertexInputBindingDescription2EXT out{
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .pNext = nullptr,
        .binding = index,
        .stride = slot.stride,
        .inputRate = slot.divisor ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = 1,
    };
    if (slot.divisor > 1 && device.has(vulkan::Capability::vertex_attribute_divisor)) {
        const uint32_t most = device.properties().vertex_attribute_divisor.maxVertexAttribDivisor;
        out.divisor = most ? std::min(slot.divisor, most) : slot.divisor;
    }
    return out;
}

bool lacks_first_instance(const vulkan::Device& device) {
    const auto& divisors = device.properties().vertex_attribute_divisor_khr;
    const bool known =
        divisors.maxVertexAttribDivisor != 0; // VK_EXT_vertex_attribute_divisor allows it
    return known && !divisors.supportsNonZeroFirstInstance;
}

/// Distance in the buffer between the data of two instances, bytes; 0: not per instance.
VkDeviceSize instance_stride(const VkVertexInputBindingDescription2EXT& binding) {
    return binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE ? binding.stride : 0;
}

void* create_vertex_elements(pipe_context* context, unsigned count,
                             const pipe_vertex_element* elements) {
    const vulkan::Device& device = Context::from(context)->kobalt_screen().device();
    pipe_vertex_element lowered[PIPE_MAX_ATTRIBS];
    util_lower_uint64_vertex_elements(&elements, &count, lowered);

    auto object = std::make_unique<VertexElements>();
    std::vector<Slot> slots;
    object->layout.attributes.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
        const pipe_vertex_element& element = elements[i];
        const Slot wanted{element.vertex_buffer_index, element.src_stride,
                          element.instance_divisor};
        auto slot = std::ranges::find(slots, wanted);
        if (slot == slots.end()) {
            if (slots.size() == render::max_vertex_buffers)
                continue;
            slot = slots.insert(slots.end(), wanted);
        }
        const auto index = static_cast<uint32_t>(slot - slots.begin());
        const auto gallium_format = static_cast<pipe_format>(element.src_format);
        VkFormat format = map_vertex_format(device, gallium_format);
        if (format == VK_FORMAT_UNDEFINED) {
            // u_vbuf converts formats that vertex fetch lacks, so the format table has a gap here.
            mesa_loge("kobalt: vertex format %s has no Vulkan format; the attribute reads wrong",
                      util_format_name(gallium_format));
            format = VK_FORMAT_R32_SFLOAT;
        }
        object->layout.attributes.push_back({
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .pNext = nullptr,
            .location = i,
            .binding = index,
            .format = format,
            .offset = element.src_offset,
        });
    }
    object->slot_count = static_cast<uint32_t>(slots.size());
    for (uint32_t i = 0; i < object->slot_count; ++i) {
        object->buffer_of_slot[i] = slots[i].buffer;
        object->layout.bindings.push_back(binding(device, i, slots[i]));
    }
    object->begins_at_first_instance =
        lacks_first_instance(device) &&
        std::ranges::any_of(slots, [](const Slot& slot) { return slot.divisor > 1; });
    render::Engine& engine = *Context::from(context)->kobalt_screen().engine;
    if (!engine.paths().dynamic_vertex_input)
        object->layout.id = engine.pipelines().layout_id(object->layout);
    return object.release();
}

void bind_vertex_elements(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* object = static_cast<VertexElements*>(handle);
    if (context.bound.vertex_elements == object)
        return;
    const VertexElements* const before = std::exchange(context.bound.vertex_elements, object);
    context.recorder.set_vertex_layout(object ? &object->layout : nullptr);
    // If only a format or a stride changed, all buffers are still in the same slots.
    if (!before || !object || before->slot_count != object->slot_count ||
        before->buffer_of_slot != object->buffer_of_slot)
        apply_vertex_buffers(context);
}

void delete_vertex_elements(pipe_context*, void* object) {
    std::unique_ptr<VertexElements>{static_cast<VertexElements*>(object)};
}

void set_vertex_buffers(pipe_context* pcontext, unsigned count, const pipe_vertex_buffer* buffers) {
    Context& context = *Context::from(pcontext);
    Bindings& bound = context.bound;
    const unsigned previous = bound.vertex_buffer_count;
    for (unsigned i = 0; i < count; ++i) {
        // Takes over the caller's reference.
        pipe_vertex_buffer_unreference(&bound.vertex_buffers[i]);
        bound.vertex_buffers[i] = buffers[i];
    }
    for (unsigned i = count; i < previous; ++i)
        pipe_vertex_buffer_unreference(&bound.vertex_buffers[i]);
    bound.vertex_buffer_count = count;
    apply_vertex_buffers(context);
}

} // namespace

void apply_vertex_buffers(Context& context) {
    const VertexElements* elements = context.bound.vertex_elements;
    if (!elements)
        return;
    std::array<render::VertexBuffer, render::max_vertex_buffers> buffers;
    for (uint32_t slot = 0; slot < elements->slot_count; ++slot) {
        const pipe_vertex_buffer& source =
            context.bound.vertex_buffers[elements->buffer_of_slot[slot]];
        buffers[slot] = {};
        if (source.is_user_buffer || !source.buffer.resource)
            continue;
        render::Buffer* buffer = Resource::from(source.buffer.resource)->buffer.get();
        VkDeviceSize offset = source.buffer_offset;
        if (context.shifted_instances != 0)
            offset += context.shifted_instances * instance_stride(elements->layout.bindings[slot]);
        // With an offset at or past the end nothing can be read, and Vulkan doesn't allow it
        // (VUID-vkCmdBindVertexBuffers2-pOffsets-03357).
        const VkDeviceSize end = source.buffer.resource->width0;
        if (buffer && offset < end)
            buffers[slot] = {buffer, offset, end - offset};
    }
    context.recorder.set_vertex_buffers(0, std::span(buffers).first(elements->slot_count));
}

void init_vertex_element_functions(Context& context) {
    context.create_vertex_elements_state = create_vertex_elements;
    context.bind_vertex_elements_state = bind_vertex_elements;
    context.delete_vertex_elements_state = delete_vertex_elements;
    context.set_vertex_buffers = set_vertex_buffers;
}

} // namespace kobalt::gallium
