// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <span>

#include "render/pipelines/state.h"
#include "render/recorder/hazards.h"
#include "render/recorder/recorder.h"

namespace kobalt::render {

/// Where draws fetch vertices and indices from: the bound buffers, and their accesses.
///
/// Some programs fill one part of a buffer after another, with a draw from each. Of such a buffer
/// (Buffer::counts_parts) only the bytes count that draws fetch, so each draw adds its own.
struct FetchState {
    const VertexLayout* layout = nullptr;
    std::array<VertexBuffer, max_vertex_buffers> buffers{};
    uint32_t filled = 0; ///< mask of slots that have one
    /// Mask of slots whose buffer differs from that of the pass's last draw, or that no draw of the
    /// pass fetched from.
    uint32_t pending = 0;
    Buffer* indices = nullptr;
    VkDeviceSize index_offset = 0; ///< bytes
    VkIndexType index_type = VK_INDEX_TYPE_UINT16;
    /// Mask of the buffers whose parts draws have to add: bits of slots, and index_bit. Known of
    /// what add_accesses() was called for: slots of the layout, and indices of indexed draws.
    uint64_t parted = 0;
    static constexpr uint64_t index_bit = uint64_t{1} << max_vertex_buffers;

    /// Adds the pending accesses, and that of the index buffer where `with_indices`.
    void add_accesses(Hazards& hazards, bool with_indices) {
        if (layout && pending)
            for (const auto& binding : layout->bindings) {
                const uint32_t bit = 1u << binding.binding;
                if (!(pending & bit))
                    continue;
                pending &= ~bit;
                add_access(hazards, buffers[binding.binding].buffer, bit,
                           VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                           VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
            }
        if (with_indices)
            add_access(hazards, indices, index_bit, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
                       VK_ACCESS_2_INDEX_READ_BIT);
    }
    /// Adds what these draws fetch from the buffers in `parted`.
    void add_parts(Batch& batch, const DrawParametersInfo& info,
                   std::span<const DrawCall> calls) const;
    /// The same for a draw whose vertices the CPU doesn't know.
    void add_wholes(Batch& batch, bool indexed) const;

private:
    void add_access(Hazards& hazards, Buffer* buffer, uint64_t bit, VkPipelineStageFlags2 stages,
                    VkAccessFlags2 access) {
        parted &= ~bit;
        if (!buffer)
            return;
        if (!buffer->counts_parts()) [[likely]]
            return hazards.read(*buffer, stages, access);
        parted |= bit;
        hazards.read(*buffer, stages, access, ByteRange::none());
    }
};

} // namespace kobalt::render
