// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>

#include "gallium/context/view.h"
#include "gallium/screen/mesa.h"

// Some calls pass a reference that isn't needed after the call. The app's thread is changing the
// same reference count at that moment, so releasing it costs more than all the rest of the call.
// These references are collected, and released together, at the latest when the context flushes.

namespace kobalt::gallium {

/// References to one index buffer, which the last draws used.
class DeferredIndexReleases {
public:
    ~DeferredIndexReleases() { give_back(); }
    /// Takes over one reference to `buffer`, and releases those to another buffer.
    void take(pipe_resource* buffer) {
        if (buffer != buffer_ || count_ == most) {
            give_back();
            buffer_ = buffer;
        }
        ++count_;
    }
    void give_back();

private:
    static constexpr int most = 4096;
    pipe_resource* buffer_ = nullptr;
    int count_ = 0;
};

/// References to sampler views, of textures that are bound in turn.
class DeferredViewReleases {
public:
    ~DeferredViewReleases() { give_back(); }
    /// Takes over one reference to `view`, which belongs to this context.
    void take(SamplerView& view) {
        if (view.deferred++ == 0)
            add(view);
    }
    void give_back();

private:
    void add(SamplerView& view);
    /// Few: the textures that they retain may be large.
    static constexpr uint32_t most = 16;
    std::array<SamplerView*, most> views_{};
    uint32_t count_ = 0;
};

/// Freed buffer ids (threaded_resource::buffer_id_unique), returned 64 at a time: the app's thread
/// takes the same lock for each new id, and would wait for it.
class FreedBufferIds {
public:
    explicit FreedBufferIds(util_idalloc_mt& ids) : ids_(ids) {}
    ~FreedBufferIds() { give_back(); }
    void take(uint32_t id) {
        freed_[count_++] = id;
        if (count_ == freed_.size())
            give_back();
    }

private:
    void give_back();
    util_idalloc_mt& ids_;
    std::array<uint32_t, 64> freed_{};
    uint32_t count_ = 0;
};

} // namespace kobalt::gallium
