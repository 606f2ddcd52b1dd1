// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/sync/byte_ranges.h"

#include <utility>

namespace kobalt::render {
namespace {

/// Bytes between the two ranges; 0 where they touch, or where one is empty.
VkDeviceSize gap(const ByteRange& a, const ByteRange& b) {
    if (a.begin > b.end)
        return a.begin - b.end;
    return b.begin > a.end ? b.begin - a.end : 0;
}

bool empty(const ByteRange& range) {
    return range.begin >= range.end;
}

} // namespace

void ByteRanges::include_elsewhere(const ByteRange& part) {
    if (empty(part))
        return;
    if (empty(last_) || empty(other_)) {
        if (!empty(last_))
            other_ = last_;
        last_ = part;
        return;
    }
    const VkDeviceSize to_last = gap(part, last_), to_other = gap(part, other_),
                       between = gap(last_, other_);
    if (between < std::min(to_last, to_other)) {
        other_.include(last_);
        last_ = part;
        return;
    }
    if (to_other < to_last)
        std::swap(last_, other_);
    last_.include(part);
}

} // namespace kobalt::render
