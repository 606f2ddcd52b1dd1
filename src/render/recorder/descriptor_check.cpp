// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/descriptor_check.h"

#include <algorithm>
#include <cstring>

#include "render/bindless/heap.h"
#include "render/bindless/residency.h"
#include "render/recorder/recorder.h"

namespace kobalt::render {
namespace {

const char* stage_name(Stage stage) {
    static constexpr const char* names[] = {
        "vertex",   "fragment", "tessellation control", "tessellation evaluation",
        "geometry", "compute"};
    static_assert(std::size(names) == stage_count);
    return names[static_cast<size_t>(stage)];
}

const char* kind_name(StageNames::Kind kind) {
    switch (kind) {
    case StageNames::Kind::uniform_buffer:
        return "uniform block";
    case StageNames::Kind::storage_buffer:
        return "storage block";
    case StageNames::Kind::texture:
        return "sampler";
    case StageNames::Kind::image:
        return "image";
    }
    return "binding";
}

const char* advice(DescriptorFault fault) {
    switch (fault) {
    case DescriptorFault::nothing_bound:
        return "bind something there before the draw";
    case DescriptorFault::incomplete_texture:
        return "bind a texture of the sampler's type to its unit, with all levels that its filter "
               "asks for";
    case DescriptorFault::never_written:
        return "write it, or render to it, before it is read";
    case DescriptorFault::too_small:
        return "bind a range of at least GL_UNIFORM_BLOCK_DATA_SIZE bytes";
    case DescriptorFault::behind_end:
        return "bind a range that lies in the buffer";
    case DescriptorFault::no_handle:
        return "set the uniform to a handle of glGetTextureHandleARB";
    case DescriptorFault::dead_handle:
        return "use handles only while their texture and sampler live";
    case DescriptorFault::not_resident:
        return "call glMakeTextureHandleResidentARB in this context before the draw";
    }
    return "";
}

std::string hex(uint64_t value) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), digits[value % 16]);
        value /= 16;
    } while (value);
    return "0x" + text;
}

const StageNames::Binding* find(const StageNames& names, StageNames::Kind kind, uint32_t slot) {
    const auto found = std::ranges::find_if(names.bindings, [&](const StageNames::Binding& one) {
        return one.kind == kind && one.slot == slot;
    });
    return found == names.bindings.end() ? nullptr : &*found;
}

} // namespace

void DescriptorCheck::begin(const char* what, uint64_t number, uint64_t batch) {
    draw_ = std::string(what) + " " + std::to_string(number) + " of batch " + std::to_string(batch);
}

std::string DescriptorCheck::named(Stage stage, StageNames::Kind kind, uint32_t slot) const {
    const StageNames::Binding* known = find(*names(stage), kind, slot);
    const std::string number = std::to_string(slot);
    if (!known)
        return std::string(kind_name(kind)) + " " + number;
    return std::string(kind_name(kind)) + " \"" + known->name + "\" (slot " + number +
           " of its stage)";
}

void DescriptorCheck::report(Stage stage, std::string_view what, DescriptorFault fault,
                             std::string_view found) {
    const std::string& program = names(stage)->program;
    if (!told_.emplace(program, stage, what, fault).second)
        return;
    std::string text = "descriptors: " + program + ", " + stage_name(stage) + " shader, ";
    text.append(what).append(", ").append(draw_).append(": ").append(found).append("; ");
    text.append(advice(fault));
    log_.warning(text);
    if (listener_)
        listener_(text.c_str());
}

void DescriptorCheck::buffer(Stage stage, StageNames::Kind kind, uint32_t slot,
                             const BufferRange& range) {
    const StageNames& all = *names(stage);
    if (kind == StageNames::Kind::uniform_buffer && slot == 0 && all.has_default_block)
        return; // the state tracker provides it
    const std::string what = named(stage, kind, slot);
    if (!range.buffer) {
        report(stage, what, DescriptorFault::nothing_bound, "no buffer is bound, so it reads 0");
        return;
    }
    const VkDeviceSize size = range.buffer->size();
    if (range.offset >= size) {
        report(stage, what, DescriptorFault::behind_end,
               "the range begins at byte " + std::to_string(range.offset) +
                   " of a buffer that has " + std::to_string(size));
        return;
    }
    const StageNames::Binding* known = find(all, kind, slot);
    const VkDeviceSize bytes = std::min(range.size, size - range.offset);
    if (known && bytes < known->bytes)
        report(stage, what, DescriptorFault::too_small,
               "the range has " + std::to_string(bytes) + " bytes of the block's " +
                   std::to_string(known->bytes));
    // The shader may be about to write a storage buffer.
    if (kind == StageNames::Kind::uniform_buffer && !range.buffer->written())
        report(stage, what, DescriptorFault::never_written,
               "the buffer's contents were never written");
}

void DescriptorCheck::image(Stage stage, StageNames::Kind kind, uint32_t slot, const Image* image) {
    const std::string what = named(stage, kind, slot);
    if (!image)
        report(stage, what, DescriptorFault::nothing_bound,
               "no texture is bound, so it reads (0, 0, 0, 1)");
    else if (image->is_placeholder.load(std::memory_order_relaxed))
        report(stage, what, DescriptorFault::incomplete_texture,
               "no complete texture is bound, so it reads (0, 0, 0, 1)");
    else if (kind == StageNames::Kind::texture && !image->written())
        report(stage, what, DescriptorFault::never_written,
               "the contents of the texture (" + std::to_string(image->storage().extent().width) +
                   " x " + std::to_string(image->storage().extent().height) +
                   ") were never written");
}

void DescriptorCheck::texels(Stage stage, StageNames::Kind kind, uint32_t slot,
                             const Buffer* buffer) {
    const std::string what = named(stage, kind, slot);
    if (!buffer)
        report(stage, what, DescriptorFault::nothing_bound,
               "no buffer is bound to its texture, so it reads 0");
    else if (kind == StageNames::Kind::texture && !buffer->written())
        report(stage, what, DescriptorFault::never_written,
               "the contents of its buffer were never written");
}

void DescriptorCheck::handle(Stage stage, const StageNames::Handle& handle,
                             const BufferRange& range, const Residency& resident,
                             BindlessHeap* heap) {
    uint64_t value = 0;
    if (!range.buffer || !range.buffer->mapped() || range.offset >= range.buffer->size() ||
        handle.offset + sizeof(value) > std::min(range.size, range.buffer->size() - range.offset) ||
        range.buffer->busy(true))
        return;
    std::memcpy(&value, range.buffer->mapped() + range.offset + handle.offset, sizeof(value));
    const std::string what = "handle \"" + handle.name + "\"";
    if (const BindlessHandle* known = resident.find(value)) {
        if (!known->resource()->written())
            report(stage, what, DescriptorFault::never_written,
                   "the contents of its texture were never written (handle " + hex(value) + ")");
    } else if (value == 0) {
        report(stage, what, DescriptorFault::no_handle, "the handle is 0");
    } else if (!heap || !heap->find(value)) {
        report(stage, what, DescriptorFault::dead_handle,
               "handle " + hex(value) + " is of no texture: it was deleted, or never made");
    } else {
        report(stage, what, DescriptorFault::not_resident,
               "handle " + hex(value) + " is not resident");
    }
}

} // namespace kobalt::render
