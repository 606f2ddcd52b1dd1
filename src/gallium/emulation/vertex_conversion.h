// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <vector>

#include "gallium/context/operations.h"

namespace kobalt::gallium {

/// Which vertices of its buffers a draw reads.
struct ReadVertices {
    uint32_t first = 0, count = 0;
    /// The vertices in the order of the draw, where few of them lie far apart; empty: all of the
    /// range. One that no buffer can hold is UINT32_MAX.
    std::vector<uint32_t> list;
};

/// The format of one of the vertices that the device can't fetch, for messages.
pipe_format unfetchable_format(const Context& context);

/// While this lives, the recorder reads the slots of Context::converted_slots from buffers that
/// hold vertices of one draw, which the CPU converted. They are the slots whose formats, strides or
/// offsets the device can't fetch from (Vulkan 1.3, 22.3). A vertex that doesn't end within GL's
/// buffer reads as zero, or lies behind the end of the new one.
class ConvertedVertices {
public:
    /// Changes the draw where its vertices have other numbers in the new buffers.
    ConvertedVertices(Context& context, pipe_draw_info& info, pipe_draw_start_count_bias& draw);
    ~ConvertedVertices();
    ConvertedVertices(const ConvertedVertices&) = delete;
    ConvertedVertices& operator=(const ConvertedVertices&) = delete;

    /// False: out of memory, so nothing can be drawn.
    bool ok() const { return ok_; }
    /// The vertex elements that it converts for; others may be bound meanwhile, as for a blit.
    const VertexElements& elements() const { return elements_; }
    const render::VertexLayout& layout() const { return converted_.layout; }
    bool converts(uint32_t slot) const { return converted_.slots & (1u << slot); }
    const render::VertexBuffer& buffer(uint32_t slot) const { return buffers_[slot]; }

private:
    bool convert(uint32_t slot, const ReadVertices& vertices, uint32_t before);

    Context& context_;
    VertexElements& elements_;
    const ConvertedLayout& converted_;
    std::array<render::VertexBuffer, render::max_vertex_buffers> buffers_{};
    std::vector<render::Ref<render::Buffer>> kept_;
    bool ok_ = true;
};

} // namespace kobalt::gallium
