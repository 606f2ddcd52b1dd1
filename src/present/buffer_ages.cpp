// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/buffer_ages.h"

namespace kobalt::present {

int BufferAges::age(const void* buffer) const {
    const std::scoped_lock lock(mutex_);
    const auto found = shown_in_.find(buffer);
    return found == shown_in_.end() ? 0 : static_cast<int>(frame_number_ - found->second + 1);
}

void BufferAges::forget(const void* buffer) {
    const std::scoped_lock lock(mutex_);
    shown_in_.erase(buffer);
}

void BufferAges::shown(const void* buffer) {
    const std::scoped_lock lock(mutex_);
    shown_in_[buffer] = ++frame_number_;
}

} // namespace kobalt::present
