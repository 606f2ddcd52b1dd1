// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstdint>

#include "gallium/context/view.h"
#include "gallium/screen/mesa.h"

// References that come with every call and are needed no longer behind it. Their counts are what
// the front's thread is changing at that moment: giving one back costs more than all the rest of
// such a call. So they are gathered, and given back together: at the latest when the context
// flushes.

namespace kobalt::gallium {

/// Of one index buffer, that of the last draws.
class DeferredIndexReleases {
public:
    ~DeferredIndexReleases() { give_back(); }
    /// Gets one reference to `buffer`, which stays there until another one comes.
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

/// Of the textures that are bound in turn.
class DeferredViewReleases {
public:
    ~DeferredViewReleases() { give_back(); }
    /// Gets one reference to `view`, of this context.
    void take(SamplerView& view) {
        if (view.deferred++ == 0)
            add(view);
    }
    void give_back();

private:
    void add(SamplerView& view);
    /// Few: what they keep, textures, may be large.
    static constexpr uint32_t most = 16;
    std::array<SamplerView*, most> views_{};
    uint32_t count_ = 0;
};

/// Numbers of buffers (threaded_resource::buffer_id_unique), given back by the dozen: the lock of
/// their table is what the front's thread, which takes new ones, waits for.
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
