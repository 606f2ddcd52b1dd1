// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps on buffers.
#include <algorithm>
#include <array>
#include <cstring>

#include "model.h"

namespace kobalt::fuzz::transfers {
namespace {

constexpr std::size_t kMost = 6; ///< buffers at once

struct Part {
    std::size_t offset, size;
};

/// A part of a buffer, of whole `unit`s.
Part some_part(Random& random, std::size_t size, std::uint32_t unit) {
    const auto units = static_cast<std::uint32_t>(size / unit);
    if (random.one_in(4)) {
        return {0, std::size_t{units} * unit};
    }
    const std::uint32_t offset = random.below(units);
    return {std::size_t{offset} * unit, std::size_t{1 + random.below(units - offset)} * unit};
}

std::span<std::byte> part_of(Buffer& buffer, const Part& part) {
    return std::span(buffer.bytes).subspan(part.offset, part.size);
}

void fill(Random& random, std::span<std::byte> bytes) {
    std::ranges::generate(bytes, [&random] { return static_cast<std::byte>(random.below(256)); });
}

void store(State& state, Buffer& buffer) {
    Random& random = state.random;
    buffer.bytes.resize(16 + random.below(1U << random.between(5, 15)));
    fill(random, buffer.bytes);
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name);
    constexpr std::array usages{GL_STATIC_DRAW, GL_STREAM_DRAW, GL_DYNAMIC_READ, GL_DYNAMIC_COPY};
    gl::BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(buffer.bytes.size()),
                   buffer.bytes.data(), random.pick(usages));
}

void make(State& state) {
    if (state.buffers.size() < kMost) {
        Buffer& buffer = state.buffers.emplace_back();
        gl::GenBuffers(1, &buffer.name);
        store(state, buffer);
    }
}

void redefine(State& state) {
    if (Buffer* buffer = state.some_buffer()) {
        store(state, *buffer);
    }
}

void remove(State& state) {
    if (Buffer* buffer = state.some_buffer()) {
        gl::DeleteBuffers(1, &buffer->name);
        std::swap(*buffer, state.buffers.back());
        state.buffers.pop_back();
    }
}

void sub_data(State& state) {
    if (Buffer* buffer = state.some_buffer()) {
        const Part part = some_part(state.random, buffer->bytes.size(), 1);
        fill(state.random, part_of(*buffer, part));
        gl::BindBuffer(GL_ARRAY_BUFFER, buffer->name);
        gl::BufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(part.offset),
                          static_cast<GLsizeiptr>(part.size), part_of(*buffer, part).data());
    }
}

void clear(State& state) {
    Random& random = state.random;
    Buffer* buffer = state.some_buffer();
    if (buffer == nullptr) {
        return;
    }
    struct Unit {
        GLenum internal, format, type;
        std::uint32_t size;
    };
    constexpr std::array units{Unit{GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1},
                               Unit{GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2},
                               Unit{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4},
                               Unit{GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8},
                               Unit{GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16}};
    const Unit& unit = random.pick(units);
    const Part part = some_part(random, buffer->bytes.size(), unit.size);
    std::array<std::byte, 16> value{};
    if (!random.one_in(3)) {
        fill(random, value);
    }
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, unit.internal, static_cast<GLintptr>(part.offset),
                           static_cast<GLsizeiptr>(part.size), unit.format, unit.type,
                           value.data());
    const auto bytes = part_of(*buffer, part);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = value[i % unit.size];
    }
}

void copy(State& state) {
    Buffer* from = state.some_buffer();
    Buffer* to = state.some_buffer();
    if (from == nullptr) {
        return;
    }
    Part source = some_part(state.random, from->bytes.size(), 1);
    Part place = some_part(state.random, to->bytes.size(), 1);
    source.size = place.size = std::min(source.size, place.size);
    if (from == to && source.offset < place.offset + place.size &&
        place.offset < source.offset + source.size) {
        return; // an overlap is an error
    }
    gl::BindBuffer(GL_COPY_READ_BUFFER, from->name);
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, to->name);
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                          static_cast<GLintptr>(source.offset), static_cast<GLintptr>(place.offset),
                          static_cast<GLsizeiptr>(place.size));
    std::ranges::copy(part_of(*from, source), part_of(*to, place).begin());
}

void read(State& state) {
    if (Buffer* buffer = state.some_buffer()) {
        const Part part = some_part(state.random, buffer->bytes.size(), 1);
        std::vector<std::byte> got(part.size);
        gl::BindBuffer(GL_COPY_READ_BUFFER, buffer->name);
        gl::GetBufferSubData(GL_COPY_READ_BUFFER, static_cast<GLintptr>(part.offset),
                             static_cast<GLsizeiptr>(part.size), got.data());
        state.compare("glGetBufferSubData", got, part_of(*buffer, part));
    }
}

/// What the model has of the parts that a mapping with this access leaves undefined: the whole of
/// it is written anew.
void map(State& state) {
    Random& random = state.random;
    Buffer* buffer = state.some_buffer();
    if (buffer == nullptr) {
        return;
    }
    constexpr std::array accesses{
        GLbitfield{GL_MAP_READ_BIT},
        GLbitfield{GL_MAP_READ_BIT | GL_MAP_WRITE_BIT},
        GLbitfield{GL_MAP_WRITE_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT},
    };
    const GLbitfield access = random.pick(accesses);
    const bool whole = (access & GL_MAP_INVALIDATE_BUFFER_BIT) != 0;
    const Part part =
        whole ? Part{0, buffer->bytes.size()} : some_part(random, buffer->bytes.size(), 1);
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    auto* memory = static_cast<std::byte*>(
        gl::MapBufferRange(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(part.offset),
                           static_cast<GLsizeiptr>(part.size), access));
    if (memory == nullptr) {
        state.wrong = "glMapBufferRange gives nothing";
        return;
    }
    const std::span<std::byte> mapped(memory, part.size);
    if ((access & GL_MAP_READ_BIT) != 0) {
        state.compare("a mapping", mapped, part_of(*buffer, part));
    }
    if ((access & GL_MAP_WRITE_BIT) != 0) {
        fill(random, part_of(*buffer, part));
        std::ranges::copy(part_of(*buffer, part), mapped.begin());
    }
    if ((access & GL_MAP_FLUSH_EXPLICIT_BIT) != 0) {
        const auto half = static_cast<GLsizeiptr>(part.size / 2);
        gl::FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, half);
        gl::FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, half,
                                   static_cast<GLsizeiptr>(part.size) - half);
    }
    gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

/// A compute shader adds 1 to each word.
void add(State& state) {
    if (Buffer* buffer = state.some_buffer()) {
        const std::size_t words = buffer->bytes.size() / 4;
        gl::UseProgram(state.adding_program);
        gl::BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer->name);
        gl::DispatchCompute(static_cast<GLuint>((words + 63) / 64), 1, 1);
        gl::MemoryBarrier(GL_ALL_BARRIER_BITS);
        for (std::size_t i = 0; i < words; ++i) {
            std::uint32_t word = 0;
            std::memcpy(&word, buffer->bytes.data() + 4 * i, 4);
            ++word;
            std::memcpy(buffer->bytes.data() + 4 * i, &word, 4);
        }
    }
}

constexpr Step kSteps[] = {
    {"buffer-make", 6, make},     {"buffer-redefine", 2, redefine},
    {"buffer-delete", 1, remove}, {"buffer-sub-data", 6, sub_data},
    {"buffer-clear", 5, clear},   {"buffer-copy", 6, copy},
    {"buffer-read", 4, read},     {"buffer-map", 8, map},
    {"buffer-add", 4, add},
};

} // namespace

std::span<const Step> buffer_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz::transfers
