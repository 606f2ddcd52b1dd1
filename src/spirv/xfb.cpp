// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

// Transform feedback (VK_EXT_transform_feedback, SPIR-V capability TransformFeedback). A variable
// has one buffer, stride and offset, so a captured range of components is a variable of its own:
// a part of the slot where it can be, else a copy at a free Location.

#include <algorithm>
#include <bit>

#include "spirv/translator.h"

#include "nir_xfb_info.h"

namespace kobalt::spirv {

void Translator::scan_captures() {
    const nir_xfb_info* info = nir_->xfb_info;
    // Only the last stage before the rasteriser captures (OpenGL 4.6, 13.3).
    if (!info || !info->output_count || nir_->info.stage == MESA_SHADER_FRAGMENT ||
        !target_.last_vertex_stage)
        return;
    std::map<unsigned, unsigned> taken; // slot -> components that have a capture
    for (unsigned i = 0; i < info->output_count; i++) {
        const nir_xfb_output_info& output = info->outputs[i];
        if (!output.component_mask)
            continue;
        Capture capture{.slot = output.location,
                        .mask = output.component_mask,
                        .buffer = output.buffer,
                        .stream = info->buffer_to_stream[output.buffer],
                        .offset_bytes = output.offset};
        const auto use = output_uses_.find(output.location);
        switch (output.location) {
        case VARYING_SLOT_POS:
            // The capture holds the position that the shader wrote, before any z map.
            capture.copied = output.component_mask != 0xf || !target_.depth_clip_control;
            break;
        case VARYING_SLOT_PSIZ:
            capture.copied =
                output.component_mask != 1 || sets_point_size() ||
                (nir_->info.stage != MESA_SHADER_VERTEX && !target_.geometry_point_size);
            break;
        case VARYING_SLOT_PRIMITIVE_ID:
        case VARYING_SLOT_LAYER:
        case VARYING_SLOT_VIEWPORT:
            capture.copied = output.component_mask != 1 || !target_.viewport_layer_output;
            break;
        case VARYING_SLOT_CLIP_VERTEX:
        case VARYING_SLOT_CLIP_DIST0:
        case VARYING_SLOT_CLIP_DIST1:
        case VARYING_SLOT_CULL_DIST0:
        case VARYING_SLOT_CULL_DIST1:
        case VARYING_SLOT_EDGE:
            capture.copied = true;
            break;
        default:
            break;
        }
        unsigned& mask = taken[output.location];
        if (mask & output.component_mask)
            capture.copied = true; // captured twice
        mask |= output.component_mask;
        if (use == output_uses_.end()) {
            // Captured but never written: the buffer's bytes are undefined, but must be declared.
            output_uses_[output.location].as_float = true;
            output_uses_[output.location].mask = 0;
        }
        captures_.push_back(capture);
    }
}

void Translator::begin_transform_feedback() {
    if (captures_.empty())
        return;
    const nir_xfb_info* info = nir_->xfb_info;
    b_.capability(spv::Capability::TransformFeedback);
    b_.execution_mode(spv::ExecutionMode::Xfb);
    out_.xfb_buffer_mask = info->buffers_written;
    for (const Capture& capture : captures_) {
        out_.xfb_buffer_mask |= 1u << capture.buffer;
        out_.xfb_stream_mask |= 1u << capture.stream;
    }
    for (unsigned i = 0; i < 4; i++)
        out_.xfb_stride[i] = info->buffers[i].stride;
}

void Translator::decorate_capture(Id variable, const Capture& capture) {
    b_.decorate(variable, spv::Decoration::XfbBuffer, {capture.buffer});
    b_.decorate(variable, spv::Decoration::XfbStride, {out_.xfb_stride[capture.buffer]});
    b_.decorate(variable, spv::Decoration::Offset, {capture.offset_bytes});
    if (nir_->info.stage == MESA_SHADER_GEOMETRY && nir_->info.gs.active_stream_mask & ~1u)
        b_.decorate(variable, spv::Decoration::Stream, {capture.stream});
}

/// The number of Locations that the built-in outputs use up, as their components count against the
/// limit of a stage's outputs (Vulkan 1.3, 15.1.5; VUID-RuntimeSpirv-Location-06272).
unsigned Translator::builtin_output_locations() const {
    unsigned components = 1; // a point size may be added
    for (const auto& [slot, use] : output_uses_) {
        if (slot == VARYING_SLOT_POS)
            components += 4;
        else if (slot == VARYING_SLOT_LAYER || slot == VARYING_SLOT_VIEWPORT ||
                 slot == VARYING_SLOT_PRIMITIVE_ID)
            components++;
    }
    return (components + out_.clip_distance_count + out_.cull_distance_count + 3) / 4;
}

void Translator::declare_capture_copies() {
    // No stage reads a copy, so it isn't counted as a written Location.
    uint32_t used = out_.outputs_written_mask_locations;
    const unsigned all = std::min(target_.output_locations, 32u);
    const unsigned end = all - std::min(builtin_output_locations(), all - 1);
    for (Capture& capture : captures_) {
        if (!capture.copied)
            continue;
        // Use free Locations from the top: the next stage reads those at the bottom.
        const uint32_t free = ~used & (all < 32 ? (1u << all) - 1 : ~0u);
        if (!free) {
            fail("transform feedback of more varyings than there are Locations");
            return;
        }
        const uint32_t below = free & ((1u << end) - 1);
        const uint32_t location = uint32_t(std::bit_width(below ? below : free)) - 1;
        used |= 1u << location;
        const unsigned count = util_bitcount(capture.mask);
        capture.variable =
            b_.variable(spv::StorageClass::Output, value_type(Kind::floating, 32, count));
        b_.decorate(capture.variable, spv::Decoration::Location, {location});
        decorate_capture(capture.variable, capture);
        if (target_.debug_names)
            b_.name(capture.variable, "captured" + std::to_string(capture.slot));
    }
}

/// stream -1: all streams.
void Translator::write_capture_copies(int stream) {
    for (const Capture& capture : captures_) {
        if (!capture.copied || (stream >= 0 && capture.stream != stream))
            continue;
        const std::array<int, 4> components = outputs_[capture.slot];
        std::vector<Id> members;
        const Id float32 = b_.type_float(32);
        for (unsigned c = 0; c < 4; c++) {
            if (!(capture.mask >> c & 1))
                continue;
            if (components[c] < 0) {
                members.push_back(b_.constant_null(float32));
                continue;
            }
            const InterfaceVariable variable = variables_[size_t(components[c])];
            const Id value =
                b_.load(scalar_type(variable.kind, 32), pointer_to(variable, int(c), 0, 0));
            members.push_back(cast(value, variable.kind, Kind::floating, 32, 1));
        }
        b_.store(capture.variable, compose(float32, members));
    }
}

} // namespace kobalt::spirv
