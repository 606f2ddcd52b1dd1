// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <mutex>

#include "gallium/context/byte_lock.h"
#include "render/resources/resource.h"

namespace kobalt::gallium {

/// The storage of a GL buffer. The context that fills a busy buffer anew replaces its storage,
/// while others find out which it is: GL leaves undefined which contents these see, but they must
/// not crash. Thread-safe.
class BufferStorage {
public:
    BufferStorage() = default;
    BufferStorage(const BufferStorage&) = delete;
    BufferStorage& operator=(const BufferStorage&) = delete;
    ~BufferStorage() { replace({}); }

    /// The storage of this moment, without a reference: to compare it, or where no other context
    /// can replace it (buffers of Kobalt's own, of a display list, and those that keep theirs).
    render::Buffer* get() const { return storage_.load(std::memory_order_acquire); }
    /// The same with a reference.
    render::Ref<render::Buffer> hold() const {
        const std::lock_guard lock(lock_);
        return render::Ref(get());
    }
    /// Releases the former storage. Draws count the parts of the fresh one if they counted those of
    /// the former.
    void replace(render::Ref<render::Buffer> fresh) {
        render::Ref<render::Buffer> former; // released after the lock
        const std::lock_guard lock(lock_);
        if (fresh) {
            const render::Buffer* const now = get();
            fresh->count_parts(now && now->counts_parts());
        }
        former = render::Ref<render::Buffer>::adopt(storage_.exchange(fresh.leak()));
    }

private:
    std::atomic<render::Buffer*> storage_{nullptr};
    mutable ByteLock lock_;
};

} // namespace kobalt::gallium
