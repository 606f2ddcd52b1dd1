// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "gallium/state/vertex_states.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gallium/context/operations.h"
#include "gallium/screen/screen.h"

namespace kobalt::gallium {
namespace {

pipe_vertex_state* create(pipe_screen* screen, pipe_vertex_buffer* buffer,
                          const pipe_vertex_element* elements, unsigned count,
                          pipe_resource* indices, uint32_t attributes) {
    return std::make_unique<VertexState>(*screen, *buffer, std::span(elements, count), indices,
                                         attributes)
        .release();
}

void destroy(pipe_screen*, pipe_vertex_state* state) {
    std::unique_ptr<VertexState>{VertexState::from(state)};
}

pipe_vertex_state* get(pipe_screen* screen, pipe_vertex_buffer* buffer,
                       const pipe_vertex_element* elements, unsigned count, pipe_resource* indices,
                       uint32_t attributes) {
    return util_vertex_state_cache_get(screen, buffer, elements, count, indices, attributes,
                                       Screen::from(screen)->vertex_states->cache());
}

void release(pipe_screen* screen, pipe_vertex_state* state) {
    util_vertex_state_destroy(screen, Screen::from(screen)->vertex_states->cache(), state);
}

/// Whether the device can fetch at this offset of the buffer, in bytes.
bool is_fetchable(const VertexElements& elements, uint32_t offset) {
    uint32_t misplaced = elements.fetch.unfetchable;
    for (uint32_t slot = 0; slot < elements.slot_count; ++slot)
        misplaced |= elements.fetch.misplaced(slot, offset);
    return misplaced == 0;
}

} // namespace

VertexState::VertexState(pipe_screen& owner, const pipe_vertex_buffer& buffer,
                         std::span<const pipe_vertex_element> elements, pipe_resource* indices,
                         uint32_t attributes) {
    // The cache compares the bytes of `input`, those between its fields among them.
    std::memset(static_cast<pipe_vertex_state*>(this), 0, sizeof(pipe_vertex_state));
    pipe_reference_init(&reference, 1);
    screen = &owner;
    pipe_vertex_buffer_reference(&input.vbuffer, &buffer);
    pipe_resource_reference(&input.indexbuf, indices);
    input.num_elements = static_cast<unsigned>(elements.size());
    std::ranges::copy(elements, input.elements);
    input.full_velem_mask = attributes;
}

VertexState::~VertexState() {
    const Part* part = parts.load(std::memory_order_relaxed);
    while (part) {
        const std::unique_ptr<const Part> gone(part);
        part = gone->next;
    }
    pipe_vertex_buffer_unreference(&input.vbuffer);
    pipe_resource_reference(&input.indexbuf, nullptr);
}

std::span<const pipe_vertex_element> VertexState::elements_of(uint32_t attributes,
                                                              Elements& room) const {
    size_t count = 0, i = 0;
    for (uint32_t all = input.full_velem_mask; all; all &= all - 1, ++i)
        if (attributes & (1u << std::countr_zero(all)))
            room[count++] = input.elements[i];
    return std::span(room).first(count);
}

VertexStates::VertexStates() {
    util_vertex_state_cache_init(&cache_, create, destroy);
}

VertexStates::~VertexStates() {
    util_vertex_state_cache_deinit(&cache_);
}

const VertexState::Part& VertexStates::add_part(Screen& screen, VertexState& state,
                                                uint32_t attributes) {
    VertexState::Elements room;
    const auto read = state.elements_of(attributes, room);
    const std::lock_guard lock(mutex_);
    std::string key(reinterpret_cast<const char*>(read.data()), read.size_bytes());
    std::unique_ptr<VertexElements>& elements = elements_[std::move(key)];
    if (!elements)
        elements = make_vertex_elements(screen, read);
    auto part = std::make_unique<VertexState::Part>(
        attributes, elements.get(), is_fetchable(*elements, state.input.vbuffer.buffer_offset),
        state.parts.load(std::memory_order_relaxed));
    state.parts.store(part.get(), std::memory_order_release);
    return *part.release();
}

void init_screen_vertex_states(Screen& screen) {
    screen.vertex_states = std::make_unique<VertexStates>();
    screen.create_vertex_state = get;
    screen.vertex_state_destroy = release;
    const_cast<pipe_caps&>(screen.caps).draw_vertex_state = true;
}

} // namespace kobalt::gallium
