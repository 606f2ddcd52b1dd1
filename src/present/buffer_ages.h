// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace kobalt::present {

/// EGL_EXT_buffer_age for the buffers of one drawable: in which frame each was shown last.
/// Thread-safe.
class BufferAges {
public:
    /// The number of frames shown since `buffer` was shown last, plus one; 0: its contents are
    /// undefined.
    int age(const void* buffer) const;
    /// `buffer` has new storage: its age is 0.
    void forget(const void* buffer);
    /// A frame that is in `buffer` was shown.
    void shown(const void* buffer);

private:
    mutable std::mutex mutex_; ///< guards the members below
    std::unordered_map<const void*, uint64_t> shown_in_;
    uint64_t frame_number_ = 0;
};

} // namespace kobalt::present
