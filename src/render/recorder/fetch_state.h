// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>

#include "render/pipelines/state.h"
#include "render/recorder/hazards.h"
#include "render/recorder/recorder.h"

namespace kobalt::render {

/// Where draws fetch vertices and indices from: the bound buffers, and their accesses.
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

    /// Adds the pending accesses, and that of the index buffer where `with_indices`.
    void add_accesses(Hazards& hazards, bool with_indices) {
        if (layout && pending)
            for (const auto& binding : layout->bindings) {
                const uint32_t bit = 1u << binding.binding;
                if (!(pending & bit))
                    continue;
                pending &= ~bit;
                add_access(hazards, buffers[binding.binding].buffer,
                           VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                           VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
            }
        if (with_indices)
            add_access(hazards, indices, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
                       VK_ACCESS_2_INDEX_READ_BIT);
    }

private:
    static void add_access(Hazards& hazards, Buffer* buffer, VkPipelineStageFlags2 stages,
                           VkAccessFlags2 access) {
        if (buffer)
            hazards.read(*buffer, stages, access);
    }
};

} // namespace kobalt::render
