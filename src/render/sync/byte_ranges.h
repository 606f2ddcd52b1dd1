// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include "render/sync/byte_range.h"

namespace kobalt::render {

/// The bytes of a resource that were used, as two ranges, which may hold some bytes more: programs
/// fill buffers as rings, so that what a frame uses may be a buffer's end and its beginning.
class ByteRanges {
public:
    /// All bytes.
    ByteRanges() = default;
    /// Those of one range, which may be none().
    explicit ByteRanges(const ByteRange& only) : last_(only), other_(ByteRange::none()) {}
    /// Makes it all bytes.
    void include_all() { last_ = {}; }
    bool overlaps(const ByteRange& part) const {
        return last_.overlaps(part) || other_.overlaps(part);
    }
    /// Adds a part. Where it lies neither in one of the ranges nor close behind one, the two of the
    /// three that are closest to each other become one.
    void include(const ByteRange& part) {
        if (part.begin >= last_.begin &&
            (part.begin <= last_.end || part.begin - last_.end <= close)) [[likely]]
            last_.end = std::max(last_.end, part.end);
        else
            include_elsewhere(part);
    }

private:
    void include_elsewhere(const ByteRange& part);

    /// Bytes between two parts that count as one: blocks are aligned.
    static constexpr VkDeviceSize close = 1024;

    ByteRange last_; ///< the one that was added to
    ByteRange other_ = ByteRange::none();
};

} // namespace kobalt::render
