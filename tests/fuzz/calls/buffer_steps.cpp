// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Steps on buffers.
#include <array>
#include <cstring>
#include <iterator>

#include "player.h"

namespace kobalt::fuzz {
namespace {

constexpr std::array kTargets{GL_ARRAY_BUFFER,       GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                              GL_UNIFORM_BUFFER,     GL_TEXTURE_BUFFER,   GL_SHADER_STORAGE_BUFFER,
                              GL_PIXEL_UNPACK_BUFFER};
constexpr std::array kIndexedTargets{GL_UNIFORM_BUFFER, GL_SHADER_STORAGE_BUFFER,
                                     GL_ATOMIC_COUNTER_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER};
constexpr std::array kUsages{GL_STATIC_DRAW, GL_DYNAMIC_DRAW, GL_STREAM_READ, GL_STREAM_COPY};

GLsizeiptr some_size(Random& random) {
    return random.one_in(20) ? 0
                             : 4 * static_cast<GLsizeiptr>(random.below(1U << random.below(15)));
}

/// Binds and leaves nothing behind at the targets that pixels go through.
class Bound {
public:
    Bound(GLenum target, GLuint name) : target_(target) { gl::BindBuffer(target, name); }
    ~Bound() {
        if (target_ == GL_PIXEL_UNPACK_BUFFER) {
            gl::BindBuffer(target_, 0);
        }
    }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;

private:
    GLenum target_;
};

void store(Player& player, GLenum target) {
    Random& random = player.random();
    const void* data = random.one_in(3) ? nullptr : player.scratch().data();
    if (random.one_in(3)) {
        const std::array flags{
            GLbitfield{0}, GLbitfield{GL_DYNAMIC_STORAGE_BIT},
            GLbitfield{GL_MAP_READ_BIT | GL_MAP_WRITE_BIT},
            GLbitfield{GL_DYNAMIC_STORAGE_BIT | GL_MAP_WRITE_BIT | GL_CLIENT_STORAGE_BIT}};
        gl::BufferStorage(target, some_size(random), data, random.pick(flags));
    } else {
        gl::BufferData(target, some_size(random), data, random.pick(kUsages));
    }
}

void create(Player& player) {
    const GLenum target = player.random().pick(kTargets);
    Names::Slot& slot = player.world().buffers.slot(player.random().below(Names::count));
    const std::lock_guard lock(slot.mutex);
    if (const GLuint old = slot.name.exchange(0)) {
        gl::DeleteBuffers(1, &old);
    }
    GLuint name = 0;
    gl::GenBuffers(1, &name);
    {
        const Bound bound(target, name);
        store(player, target);
    }
    slot.name = name;
}

void remove(Player& player) {
    Names::Slot& slot = player.world().buffers.slot(player.random().below(Names::count));
    const std::lock_guard lock(slot.mutex);
    const GLuint name = slot.name.exchange(0);
    gl::DeleteBuffers(1, &name);
}

void redefine(Player& player) {
    if (!player.world().may_redefine) {
        return;
    }
    const GLenum target = player.random().pick(kTargets);
    Names::Slot& slot = player.own_slot(player.world().buffers);
    const std::lock_guard lock(slot.mutex);
    if (slot.name != 0) {
        const Bound bound(target, slot.name);
        store(player, target);
    }
}

void sub_data(Player& player) {
    const GLenum target = player.random().pick(kTargets);
    const Bound bound(target, player.any(player.world().buffers));
    gl::BufferSubData(target, player.random().below(512), some_size(player.random()),
                      player.scratch().data());
}

void copy(Player& player) {
    Random& random = player.random();
    gl::BindBuffer(GL_COPY_READ_BUFFER, player.any(player.world().buffers));
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, player.any(player.world().buffers));
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, random.below(256),
                          random.below(256), some_size(random));
}

void clear(Player& player) {
    Random& random = player.random();
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, player.any(player.world().buffers));
    if (random.one_in(2)) {
        gl::ClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                            player.scratch().data());
    } else {
        gl::ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_RGBA8, 4 * random.below(64),
                               some_size(random), GL_RGBA, GL_UNSIGNED_BYTE,
                               random.one_in(2) ? nullptr : player.scratch().data());
    }
}

void read(Player& player) {
    gl::BindBuffer(GL_COPY_READ_BUFFER, player.any(player.world().buffers));
    gl::GetBufferSubData(GL_COPY_READ_BUFFER, player.random().below(64), some_size(player.random()),
                         player.scratch().data());
}

/// Maps a part, writes to it or reads it, and unmaps: all with the slot's lock.
void map(Player& player) {
    Random& random = player.random();
    const std::array accesses{
        GLbitfield{GL_MAP_READ_BIT},
        GLbitfield{GL_MAP_WRITE_BIT},
        GLbitfield{GL_MAP_READ_BIT | GL_MAP_WRITE_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT},
        GLbitfield{GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT},
    };
    const GLbitfield access = random.pick(accesses);
    const auto offset = static_cast<GLintptr>(random.below(128));
    const GLsizeiptr size = some_size(random);
    Names::Slot& slot = player.own_slot(player.world().buffers);
    const std::lock_guard lock(slot.mutex);
    if (slot.name == 0) {
        return;
    }
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, slot.name);
    void* memory = gl::MapBufferRange(GL_COPY_WRITE_BUFFER, offset, size, access);
    if (memory == nullptr) {
        return;
    }
    if ((access & GL_MAP_READ_BIT) != 0) {
        std::memcpy(player.scratch().data(), memory, static_cast<std::size_t>(size));
    }
    if ((access & GL_MAP_WRITE_BIT) != 0) {
        std::memset(memory, static_cast<int>(random.below(256)), static_cast<std::size_t>(size));
    }
    if ((access & GL_MAP_FLUSH_EXPLICIT_BIT) != 0) {
        gl::FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, size / 2);
    }
    gl::UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

/// Writes through the mapping that lasts, and has the GPU use the buffer.
void write_mapped(Player& player) {
    Random& random = player.random();
    const std::size_t offset = 256 * random.below(Player::mapped_size / 256);
    if (!player.mapping.empty()) {
        std::memset(player.mapping.subspan(offset).data(), static_cast<int>(random.below(256)),
                    256);
    }
    gl::BindBufferRange(GL_UNIFORM_BUFFER, random.below(3), player.mapped,
                        static_cast<GLintptr>(offset), 256);
    gl::BindBuffer(GL_COPY_READ_BUFFER, player.mapped);
    gl::BindBuffer(GL_COPY_WRITE_BUFFER, player.any(player.world().buffers));
    gl::CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                          0, 64);
}

void bind_indexed(Player& player) {
    Random& random = player.random();
    const GLenum target = random.pick(kIndexedTargets);
    const GLuint name = random.one_in(8) ? 0 : player.any(player.world().buffers);
    if (random.one_in(2)) {
        gl::BindBufferBase(target, random.below(4), name);
    } else {
        gl::BindBufferRange(target, random.below(4), name, 256 * random.below(4),
                            16 + 16 * static_cast<GLsizeiptr>(random.below(64)));
    }
}

void bind_vertices(Player& player) {
    Random& random = player.random();
    gl::BindVertexArray(player.local(player.locals.vertex_arrays, gl::GenVertexArrays));
    const GLuint index = random.below(2);
    const GLuint name = random.one_in(8) ? 0 : player.any(player.world().buffers);
    constexpr std::array types{GL_FLOAT, GL_UNSIGNED_BYTE, GL_SHORT, GL_HALF_FLOAT};
    gl::VertexAttribFormat(index, random.between(1, 4), random.pick(types), GL_TRUE,
                           random.below(16));
    gl::VertexAttribBinding(index, random.below(3));
    gl::BindVertexBuffer(random.below(3), name, random.below(64),
                         static_cast<GLsizei>(4 * random.below(10)));
    gl::VertexBindingDivisor(random.below(3), random.below(3));
    random.one_in(4) ? gl::DisableVertexAttribArray(index) : gl::EnableVertexAttribArray(index);
    if (random.one_in(2)) {
        gl::BindBuffer(GL_ELEMENT_ARRAY_BUFFER, player.any(player.world().buffers));
    }
}

void invalidate(Player& player) {
    if (const GLuint name = player.any(player.world().buffers)) {
        player.random().one_in(2) ? gl::InvalidateBufferData(name)
                                  : gl::InvalidateBufferSubData(name, 0, 64);
    }
}

constexpr Step kSteps[] = {
    {"buffer-create", 12, create},
    {"buffer-delete", 4, remove},
    {"buffer-redefine", 6, redefine},
    {"buffer-sub-data", 8, sub_data},
    {"buffer-copy", 6, copy},
    {"buffer-clear", 5, clear},
    {"buffer-read", 4, read},
    {"buffer-map", 8, map},
    {"buffer-write-mapped", 4, write_mapped},
    {"buffer-bind-indexed", 8, bind_indexed},
    {"buffer-bind-vertices", 8, bind_vertices},
    {"buffer-invalidate", 2, invalidate},
};

} // namespace

std::span<const Step> buffer_steps() {
    return kSteps;
}

} // namespace kobalt::fuzz
