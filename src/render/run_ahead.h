// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <deque>

#include <vulkan/vulkan_core.h>

#include "render/batch_token.h"

namespace kobalt::render {

/// Bounds how far a recorder runs ahead of the GPU. A program that swaps is held back by its window
/// long before; one that only flushes, uploads or replaces buffers would queue work and memory
/// without end.
class RunAhead {
public:
    /// Batches of one recorder that may be in flight: more than any frame has.
    static constexpr size_t most_batches = 32;
    /// What they may hold that comes free when they have completed, bytes. One batch may hold more.
    static constexpr VkDeviceSize most_bytes = 64u << 20;
    /// Draws, copies and the like in them: on a CPU device each takes more than a kilobyte.
    static constexpr uint64_t most_commands = 64'000;

    /// A batch was submitted that holds `bytes` and so many commands. Waits for older ones while
    /// there is too much.
    void submitted(Ref<BatchToken> token, VkDeviceSize bytes, uint64_t commands);
    size_t batches() const { return in_flight_.size(); }

private:
    struct Entry {
        Ref<BatchToken> token;
        VkDeviceSize bytes;
        uint64_t commands;
    };
    void drop_first();

    std::deque<Entry> in_flight_; ///< oldest first; completed ones leave with the next submission
    VkDeviceSize bytes_ = 0;      ///< of all in it
    uint64_t commands_ = 0;
};

} // namespace kobalt::render
