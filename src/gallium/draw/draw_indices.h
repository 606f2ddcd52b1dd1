// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "gallium/context/operations.h"
#include "gallium/resource/transfer.h"

namespace kobalt::gallium {

/// The index buffer of one draw, bound to the recorder. Uploads the application's own memory,
/// widens bytes where the device has no 8-bit indices, and replaces GL's restart index by Vulkan's,
/// the greatest value of the index type (OpenGL 4.6, 10.3.6).
class BoundIndices {
public:
    BoundIndices(Context& context, const pipe_draw_info& info, bool indirect,
                 std::span<const pipe_draw_start_count_bias> draws);
    BoundIndices(const BoundIndices&) = delete;
    BoundIndices& operator=(const BoundIndices&) = delete;

    /// False: out of memory, so nothing can be drawn.
    bool ok() const { return ok_; }
    /// Which of the draw's indices is the first in the bound buffer.
    uint32_t first() const { return first_; }

private:
    void upload(Context& context, const uint8_t* source, uint32_t count);
    /// Whether the uploaded indices differ from the source's in size or restart index.
    bool converts() const { return size_ != source_size_ || restarts_; }

    const unsigned source_size_; ///< bytes of an index in the source
    unsigned size_;              ///< bytes of an index in the bound buffer
    const bool restarts_;        ///< restarts at restart_index_, which isn't Vulkan's restart index
    const uint32_t restart_index_;
    Upload uploaded_;
    uint32_t first_ = 0;
    bool ok_ = false;
};

} // namespace kobalt::gallium
