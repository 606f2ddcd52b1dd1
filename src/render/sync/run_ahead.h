// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <deque>

#include <vulkan/vulkan_core.h>

#include "render/sync/batch_token.h"

namespace kobalt::render {

/// How much a recorder may have recorded, and have in flight.
struct RunAheadLimits {
    size_t batches = 32; ///< in flight: more than any frame has
    /// In flight: bytes that are freed with the batches. One batch may hold more.
    VkDeviceSize bytes = 64u << 20;
    uint64_t commands = 128'000; ///< in flight: draws, copies and the like
    /// How many commands a bound pipeline counts as: it sets all of the device's state, some 700
    /// bytes of command memory with its draw on NVIDIA's driver, which keeps that memory.
    uint64_t commands_of_pipeline = 8;
    /// One batch: storage that an app replaces at each draw returns after this much. What
    /// circulates stays in the buffer cache.
    VkDeviceSize bytes_in_batch = 8u << 20;
    /// One batch: some milliseconds of recording, so that the submission is not felt.
    uint64_t commands_in_batch = 20'000;
    /// One batch: descriptor memory that is used again stays in the caches, or at least mapped.
    /// Only devices whose descriptors take hundreds of bytes (lavapipe) reach this limit before
    /// that of the commands.
    VkDeviceSize descriptor_bytes_in_batch = 8u << 20;
};

/// A command takes kilobytes where the CPU is the device, and running far ahead gains nothing.
constexpr RunAheadLimits run_ahead_limits(VkPhysicalDeviceType type) {
    if (type == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return {.bytes = 6u << 20,
                .commands = 6'000,
                .commands_of_pipeline = 0,
                .bytes_in_batch = 4u << 20,
                .commands_in_batch = 2'000};
    return {};
}

/// Bounds how far a recorder runs ahead of the GPU. A program that swaps is held back by its window
/// long before; one that only flushes, uploads or replaces buffers would queue work and memory
/// without end.
class RunAhead {
public:
    explicit RunAhead(const RunAheadLimits& limits) : limits(limits) {}

    /// Notes a submitted batch that holds `bytes` and so many commands. Waits for older batches
    /// while too much is in flight. True: it had to wait.
    bool submitted(Ref<BatchToken> token, VkDeviceSize bytes, uint64_t commands);

    const RunAheadLimits limits;

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
