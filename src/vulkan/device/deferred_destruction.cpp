// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/device/deferred_destruction.h"

#include "vulkan/device/timeline.h"

#include <algorithm>
#include <optional>

namespace kobalt::vulkan {

DeferredDestruction::~DeferredDestruction() = default;

bool DeferredDestruction::known_completed(uint64_t value) const {
    return value <= timeline_.known_completed();
}

void DeferredDestruction::push(uint64_t value, Holder holder) {
    const std::lock_guard lock(entries_mutex_);
    if (entries_.empty() || entries_.back().value <= value) {
        entries_.push_back({value, std::move(holder)});
        return;
    }
    // Another thread has already added a later value: rebuild the tail to keep the order.
    std::deque<Entry> tail;
    while (!entries_.empty() && entries_.back().value > value) {
        tail.push_front(std::move(entries_.back()));
        entries_.pop_back();
    }
    entries_.push_back({value, std::move(holder)});
    for (Entry& entry : tail)
        entries_.push_back(std::move(entry));
}

size_t DeferredDestruction::collect() {
    size_t destroyed = 0;
    for (;;) {
        std::optional<Holder> last; // destroyed at the end of the round, without the lock
        {
            const std::lock_guard lock(entries_mutex_);
            if (entries_.empty())
                break;
            if (!timeline_.reached(entries_.front().value))
                break;
            last.emplace(std::move(entries_.front().holder));
            entries_.pop_front();
        }
        ++destroyed;
    }
    return destroyed;
}

size_t DeferredDestruction::pending() const {
    const std::lock_guard lock(entries_mutex_);
    return entries_.size();
}

} // namespace kobalt::vulkan
