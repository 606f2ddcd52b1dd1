// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "gallium/context/objects.h"
#include "gallium/screen/mesa.h"

extern "C" { // the header doesn't declare it
#include "util/u_vertex_state_cache.h"
}

namespace kobalt::gallium {

struct Screen;

/// The vertices of a display list, and the indices that draw them. They never change.
struct VertexState : pipe_vertex_state {
    VertexState(pipe_screen& screen, const pipe_vertex_buffer& buffer,
                std::span<const pipe_vertex_element> elements, pipe_resource* indices,
                uint32_t attributes);
    ~VertexState();
    static VertexState* from(pipe_vertex_state* state) { return static_cast<VertexState*>(state); }

    /// The vertex elements of some of the attributes.
    struct Part {
        uint32_t attributes; ///< a part of input.full_velem_mask
        const VertexElements* elements;
        bool fetchable; ///< the device can fetch them where they lie in the buffer
        const Part* next;
    };
    /// All that were ever drawn with, the last one first.
    std::atomic<const Part*> parts{nullptr};
    /// The part with these attributes. Null: none was drawn yet.
    const Part* part(uint32_t attributes) const {
        const Part* found = parts.load(std::memory_order_acquire);
        while (found && found->attributes != attributes)
            found = found->next;
        return found;
    }

    using Elements = std::array<pipe_vertex_element, PIPE_MAX_ATTRIBS>;
    /// The elements of these attributes, put together in `room`.
    std::span<const pipe_vertex_element> elements_of(uint32_t attributes, Elements& room) const;
};

/// The vertices of all display lists. Lists with the same kind of vertex share their vertex
/// elements, so drawing one after the other leaves the vertex input as it is. Thread-safe.
class VertexStates {
public:
    VertexStates();
    ~VertexStates();
    VertexStates(const VertexStates&) = delete;
    VertexStates& operator=(const VertexStates&) = delete;

    /// The part of the vertices that a vertex shader reads: `attributes` is the
    /// partial_velem_mask of pipe_context::draw_vertex_state.
    const VertexState::Part& part(Screen& screen, VertexState& state, uint32_t attributes) {
        const VertexState::Part* const known = state.part(attributes);
        return known ? *known : add_part(screen, state, attributes);
    }
    util_vertex_state_cache* cache() { return &cache_; }

private:
    const VertexState::Part& add_part(Screen& screen, VertexState& state, uint32_t attributes);

    util_vertex_state_cache cache_{};
    std::mutex mutex_;
    /// By the bytes of their pipe_vertex_elements. Kept as long as the screen: programs have few
    /// kinds of vertex.
    std::unordered_map<std::string, std::unique_ptr<VertexElements>> elements_;
};

} // namespace kobalt::gallium
