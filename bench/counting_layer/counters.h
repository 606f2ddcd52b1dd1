// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// The layer's counters, in groups: draws and passes, loads and stores of each kind of attachment,
// barriers, copies, submissions, waits, objects. bench/kernel_calls has the rest: calls to the
// kernel driver, and the packets of AMD's command buffers.
#define KOBALT_COUNTERS(X)                                                                         \
    X(draws)                                                                                       \
    X(dispatches)                                                                                  \
    X(passes)                                                                                      \
    X(colour_loads)                                                                                \
    X(colour_clears)                                                                               \
    X(colour_ignored)                                                                              \
    X(colour_stores)                                                                               \
    X(colour_dropped)                                                                              \
    X(depth_loads)                                                                                 \
    X(depth_clears)                                                                                \
    X(depth_ignored)                                                                               \
    X(depth_stores)                                                                                \
    X(depth_dropped)                                                                               \
    X(stencil_loads)                                                                               \
    X(stencil_clears)                                                                              \
    X(stencil_ignored)                                                                             \
    X(stencil_stores)                                                                              \
    X(stencil_dropped)                                                                             \
    X(resolves_in_passes)                                                                          \
    X(kib_loaded)                                                                                  \
    X(kib_stored)                                                                                  \
    X(barriers)                                                                                    \
    X(barriers_in_passes)                                                                          \
    X(memory_barriers)                                                                             \
    X(buffer_barriers)                                                                             \
    X(image_barriers)                                                                              \
    X(transitions)                                                                                 \
    X(full_barriers)                                                                               \
    X(buffer_copies)                                                                               \
    X(image_copies)                                                                                \
    X(uploads)                                                                                     \
    X(downloads)                                                                                   \
    X(host_copies)                                                                                 \
    X(blits)                                                                                       \
    X(resolves)                                                                                    \
    X(image_clears)                                                                                \
    X(clears_in_passes)                                                                            \
    X(fills)                                                                                       \
    X(updates)                                                                                     \
    X(recordings)                                                                                  \
    X(submissions)                                                                                 \
    X(command_buffers)                                                                             \
    X(acquires)                                                                                    \
    X(presents)                                                                                    \
    X(waits)                                                                                       \
    X(polls)                                                                                       \
    X(busy_polls)                                                                                  \
    X(blocked_waits)                                                                               \
    X(blocked_us)                                                                                  \
    X(images)                                                                                      \
    X(image_views)                                                                                 \
    X(buffers)                                                                                     \
    X(allocations)                                                                                 \
    X(pipelines)                                                                                   \
    X(kernel_submissions)                                                                          \
    X(kernel_waits)                                                                                \
    X(kernel_queries)                                                                              \
    X(yields)                                                                                      \
    X(packet_words)                                                                                \
    X(packet_draws)                                                                                \
    X(packet_dispatches)                                                                           \
    X(packet_copies)                                                                               \
    X(packet_waits)                                                                                \
    X(packet_flushes)                                                                              \
    X(packet_releases)                                                                             \
    X(packet_acquires)                                                                             \
    X(l2_invalidations)                                                                            \
    X(l2_writebacks)                                                                               \
    X(metadata_invalidations)                                                                      \
    X(packets_unread)

namespace kobalt::counting {

/// A counter's place in Counters.
enum class Counter : std::size_t {
#define KOBALT_COUNTER(name) name,
    KOBALT_COUNTERS(KOBALT_COUNTER)
#undef KOBALT_COUNTER
        Count
};

inline constexpr std::array kCounterNames{
#define KOBALT_COUNTER(name) #name,
    KOBALT_COUNTERS(KOBALT_COUNTER)
#undef KOBALT_COUNTER
};

inline constexpr std::size_t kCounterCount = kCounterNames.size();
using Counters = std::array<std::atomic<std::uint64_t>, kCounterCount>;
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// The environment variable with the name of the counters' file. The layer and the program map the
/// same file, since a Vulkan layer and the program above it share no symbol.
inline constexpr const char* kCountersFile = "KOBALT_COUNTERS";

/// The counters in the file that the environment names; without one, counters of the caller's own.
inline Counters& counters() {
    static Counters own{};
    static Counters* const shared = [] {
        const char* path = std::getenv(kCountersFile);
        const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
        if (file < 0)
            return &own;
        void* memory = MAP_FAILED;
        if (ftruncate(file, sizeof(Counters)) == 0)
            memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        return memory == MAP_FAILED ? &own : static_cast<Counters*>(memory);
    }();
    return *shared;
}

inline void add(Counter counter, std::uint64_t amount = 1) {
    counters()[static_cast<std::size_t>(counter)].fetch_add(amount, std::memory_order_relaxed);
}

} // namespace kobalt::counting
