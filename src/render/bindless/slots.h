// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kobalt::render {

/// Which slots of an array of descriptors are free. Slot 0 is never given: no handle is 0.
class BindlessSlots {
public:
    explicit BindlessSlots(uint32_t count) : count_(count) {}
    /// Empty: all are taken.
    std::optional<uint32_t> take() {
        if (!free_.empty()) {
            const uint32_t slot = free_.back();
            free_.pop_back();
            return slot;
        }
        if (next_ >= count_)
            return std::nullopt;
        return next_++;
    }
    void give(uint32_t slot) { free_.push_back(slot); }

private:
    const uint32_t count_;
    uint32_t next_ = 1; ///< this one and those after it were never taken
    std::vector<uint32_t> free_;
};

} // namespace kobalt::render
