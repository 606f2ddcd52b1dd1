// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <utility>

#include "gallium/context/operations.h"
#include "gallium/context/with_storage.h"
#include "gallium/emulation/vertex_conversion.h"
#include "render/pipelines/pipeline_store.h"
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

/// The bits that must be 0 in the address of an attribute: Vulkan 1.3, 22.3 (packed formats as a
/// whole, others by component).
uint8_t address_mask(pipe_format format) {
    const struct util_format_description* const what = util_format_description(format);
    const unsigned bytes = what->block.bits / 8;
    for (unsigned c = 0; c < what->nr_channels; ++c)
        if (what->channel[c].size != what->channel[0].size || what->channel[c].size % 8)
            return static_cast<uint8_t>(bytes - 1);
    return static_cast<uint8_t>(bytes / what->nr_channels - 1);
}

/// Adds what an attribute asks of its slot. Where two attributes can't both be had, as their
/// offsets within the vertex differ by less than their component, no offset of the buffer will do.
void add_rule(FetchedSlots& fetch, uint32_t slot, const pipe_vertex_element& element,
              uint8_t mask) {
    uint8_t &strictest = fetch.mask[slot], &shift = fetch.shift[slot];
    const auto own = static_cast<uint8_t>(element.src_offset & mask);
    if (element.src_stride & mask || (own ^ shift) & std::min(mask, strictest))
        fetch.unfetchable |= 1u << slot;
    if (mask <= strictest)
        return;
    strictest = mask;
    shift = own;
}

/// Mask of the slots that the device can't fetch from in the bound buffers.
[[gnu::noinline]] uint32_t unfetchable_slots(const Context& context,
                                             const VertexElements& elements) {
    uint32_t slots = elements.fetch.unfetchable;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot) {
        const uint32_t offset =
            context.bound.vertex_buffers[elements.fetch.buffer[slot]].buffer_offset;
        if (elements.fetch.misplaced(slot, offset))
            slots |= 1u << slot;
    }
    return slots;
}

void* create_vertex_elements(pipe_context* context, unsigned count,
                             const pipe_vertex_element* elements) {
    Screen& screen = Context::from(context)->kobalt_screen();
    return make_vertex_elements(screen, {elements, count}).release();
}

void bind_vertex_elements(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    auto* object = static_cast<VertexElements*>(handle);
    if (context.bound.vertex_elements == object)
        return;
    const VertexElements* const before = std::exchange(context.bound.vertex_elements, object);
    const bool converted = context.conversion && &context.conversion->elements() == object;
    context.recorder.set_vertex_layout(converted ? &context.conversion->layout()
                                       : object  ? &object->layout
                                                 : nullptr);
    if (!object)
        context.converted_slots = 0;
    // If only a format or a stride changed, all buffers are still in the same slots.
    if (!before || !object || context.conversion || context.list_vertices ||
        before->slot_count != object->slot_count || before->fetch.buffer != object->fetch.buffer)
        apply_vertex_buffers(context);
    else if (before->fetch != object->fetch)
        context.converted_slots = unfetchable_slots(context, *object);
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

/// References to what is passed to the recorder, where with_storage() would take them.
using HeldBuffers = std::array<render::Ref<render::Buffer>, render::max_vertex_buffers>;

/// The kept contents of a buffer. Empty: it has none at that offset.
[[gnu::noinline]] render::VertexBuffer kept_vertices(const Resource& resource,
                                                     VkDeviceSize offset) {
    render::VertexBuffer found{};
    resource.kept.with([&](const KeptContents& kept) {
        if (offset < kept.size)
            found = {Resource::from(kept.buffer)->storage.get(), kept.offset + offset,
                     kept.size - offset};
    });
    return found;
}

/// A bound buffer as the recorder takes it. `held`: gets a reference; null: none is needed.
render::VertexBuffer fetched_buffer(const Context& context, const pipe_vertex_buffer& source,
                                    const VkVertexInputBindingDescription2EXT& binding,
                                    render::Ref<render::Buffer>* held) {
    if (source.is_user_buffer || !source.buffer.resource)
        return {};
    const Resource& resource = *Resource::from(source.buffer.resource);
    VkDeviceSize offset = source.buffer_offset;
    if (context.shifted_instances != 0)
        offset += context.shifted_instances * instance_stride(binding);
    if (!resource.kept.empty()) [[unlikely]] {
        if (const render::VertexBuffer kept = kept_vertices(resource, offset); kept.buffer)
            return kept;
    }
    const BufferStorage& storage = resource.storage;
    if (held)
        *held = storage.hold();
    render::Buffer* buffer = held ? held->get() : storage.get();
    // With an offset at or past the end nothing can be read, and Vulkan doesn't allow it
    // (VUID-vkCmdBindVertexBuffers2-pOffsets-03357).
    const VkDeviceSize end = source.buffer.resource->width0;
    if (!buffer || offset >= end)
        return {};
    return {buffer, offset, end - offset};
}

/// Passes the buffers of a draw whose vertices the CPU has converted.
[[gnu::noinline]] void apply_converted(Context& context, const ConvertedVertices& conversion) {
    const VertexElements& elements = conversion.elements();
    HeldBuffers held;
    std::array<render::VertexBuffer, render::max_vertex_buffers> buffers;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot) {
        const auto& binding = conversion.layout().bindings[slot];
        if (!conversion.converts(slot)) {
            buffers[slot] =
                fetched_buffer(context, context.bound.vertex_buffers[elements.fetch.buffer[slot]],
                               binding, &held[slot]);
            continue;
        }
        buffers[slot] = conversion.buffer(slot);
        const VkDeviceSize shift = context.shifted_instances * instance_stride(binding);
        if (shift >= buffers[slot].size) {
            buffers[slot] = {};
        } else {
            buffers[slot].offset += shift;
            buffers[slot].size -= shift;
        }
    }
    context.recorder.set_vertex_buffers(0, std::span(buffers).first(elements.slot_count));
    context.converted_slots = 0;
}

/// Passes the bound buffers.
[[gnu::always_inline]] inline void apply_bound(Context& context, const VertexElements& elements,
                                               HeldBuffers* held) {
    std::array<render::VertexBuffer, render::max_vertex_buffers> buffers;
    uint32_t misplaced = 0;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot) {
        const pipe_vertex_buffer& source =
            context.bound.vertex_buffers[elements.fetch.buffer[slot]];
        misplaced |= elements.fetch.misplaced(slot, source.buffer_offset);
        buffers[slot] = fetched_buffer(context, source, elements.layout.bindings[slot],
                                       held ? &(*held)[slot] : nullptr);
    }
    context.recorder.set_vertex_buffers(0, std::span(buffers).first(elements.slot_count));
    context.converted_slots =
        misplaced ? unfetchable_slots(context, elements) : elements.fetch.unfetchable;
}

/// The same, while other contexts may replace them.
[[gnu::noinline]] void apply_held(Context& context, const VertexElements& elements) {
    HeldBuffers held;
    apply_bound(context, elements, &held);
}

} // namespace

std::unique_ptr<VertexElements> make_vertex_elements(Screen& screen,
                                                     std::span<const pipe_vertex_element> given) {
    const vulkan::Device& device = screen.device();
    const pipe_vertex_element* elements = given.data();
    auto count = static_cast<unsigned>(given.size());
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
        auto gl_format = static_cast<pipe_format>(element.src_format);
        if (fetched_format(device, gl_format) == PIPE_FORMAT_NONE) {
            // The table of formats has a gap here.
            mesa_loge("kobalt: vertex format %s has no Vulkan format and no conversion to one; the "
                      "attribute reads wrong",
                      util_format_name(gl_format));
            gl_format = PIPE_FORMAT_R32_FLOAT;
        }
        const pipe_format fetched = fetched_format(device, gl_format);
        if (fetched == gl_format)
            add_rule(object->fetch, index, element, address_mask(gl_format));
        else
            object->fetch.unfetchable |= 1u << index;
        object->formats.push_back(gl_format);
        object->divisors[index] = element.instance_divisor;
        object->layout.attributes.push_back({
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .pNext = nullptr,
            .location = i,
            .binding = index,
            .format = map_vertex_format(device, fetched),
            .offset = element.src_offset,
        });
    }
    object->slot_count = static_cast<uint32_t>(slots.size());
    for (uint32_t i = 0; i < object->slot_count; ++i) {
        object->fetch.buffer[i] = slots[i].buffer;
        object->layout.bindings.push_back(binding(device, i, slots[i]));
    }
    object->begins_at_first_instance =
        lacks_first_instance(device) &&
        std::ranges::any_of(slots, [](const Slot& slot) { return slot.divisor > 1; });
    render::Engine& engine = *screen.engine;
    if (!engine.paths().dynamic_vertex_input)
        object->layout.id = engine.pipelines().layout_id(object->layout);
    return object;
}

void apply_vertex_buffers(Context& context) {
    const VertexElements* elements = context.bound.vertex_elements;
    if (std::exchange(context.list_vertices, false))
        context.recorder.set_vertex_layout(elements ? &elements->layout : nullptr);
    if (!elements)
        return;
    if (context.conversion && &context.conversion->elements() == elements) {
        apply_converted(context, *context.conversion);
        return;
    }
    if (shares_storage(context.kobalt_screen())) [[unlikely]]
        apply_held(context, *elements);
    else
        apply_bound(context, *elements, nullptr);
}

void init_vertex_element_functions(Context& context) {
    context.create_vertex_elements_state = create_vertex_elements;
    context.bind_vertex_elements_state = bind_vertex_elements;
    context.delete_vertex_elements_state = delete_vertex_elements;
    context.set_vertex_buffers = set_vertex_buffers;
}

} // namespace kobalt::gallium
