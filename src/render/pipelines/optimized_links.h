// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace kobalt::render {

/// How a link has been drawn with, and whether it is optimised. Recorders write the atomics;
/// everything else is OptimizedLinks' own.
struct LinkUse {
    std::atomic<uint64_t> last_batch{0}; ///< the last one that bound it; larger: later
    std::atomic<uint32_t> batches{0};    ///< batches that bound it since it was last linked
    std::atomic<uint32_t> binds{0};      ///< binds since then; one lost to a race does no harm
    uint64_t bytes = 0;   ///< of an optimised pipeline, an estimate; 0: it never gets one
    bool counted = false; ///< its bytes are
    bool ready = false;   ///< draws use the optimised pipeline
};

struct OptimizedLimits {
    /// For all optimised pipelines. Vulkan tells no pipeline's size (see optimized_bytes()).
    uint64_t bytes = uint64_t{64} << 20;
    /// The number of batches that must have drawn with a link. An optimised link costs milliseconds
    /// of a processor. A link seen in a frame or two, as all pairs of a load screen are, never
    /// earns that back. With a batch a frame or more this is the blink of an eye.
    uint32_t batches = 8;
    /// The number of binds that also suffices: a program that changes stages at each draw fills its
    /// batches with thousands of draws.
    uint32_t binds = 512;
    /// Only a link that has not been drawn with in so many batches loses its optimised pipeline:
    /// where all links in use exceed the budget, taking turns would cost more than it gains.
    uint32_t idle_batches = 256;
};

/// An estimate for an optimised pipeline of shaders with so much SPIR-V: the machine code is about
/// as long, drivers have it for the device and for themselves, and a page holds the rest.
constexpr uint64_t optimized_bytes(uint64_t spirv_bytes) {
    return 4096 + 2 * spirv_bytes;
}

/// Decides which links are optimised, within a budget, and which go back to a fast link: the least
/// recently drawn. Its owner guards everything but note().
class OptimizedLinks {
public:
    /// Notes that a batch binds the link. True: the link has now earned an optimised pipeline.
    bool note(LinkUse& link, uint64_t batch) const {
        const uint32_t binds = link.binds.load(std::memory_order_relaxed) + 1;
        link.binds.store(binds, std::memory_order_relaxed);
        uint32_t batches = 0;
        if (link.last_batch.load(std::memory_order_relaxed) != batch) {
            link.last_batch.store(batch, std::memory_order_relaxed);
            batches = link.batches.fetch_add(1, std::memory_order_relaxed) + 1;
        }
        return link.bytes != 0 && (batches == limits_.batches || binds == limits_.binds);
    }
    /// Counts the link's bytes. Links that have to go for them are returned in `evicted`, and no
    /// longer count. False: there is no room now, and the link has to earn it anew.
    bool admit(LinkUse& link, std::vector<LinkUse*>& evicted);
    /// The optimised pipeline of an admitted link is there.
    void ready(LinkUse& link) { link.ready = true; }
    /// The optimised pipeline of the link is gone, or never came.
    void remove(LinkUse& link);

    uint64_t bytes() const { return bytes_; }
    void set_limits(const OptimizedLimits& limits) { limits_ = limits; }

private:
    OptimizedLimits limits_;
    std::vector<LinkUse*> links_; ///< links whose bytes count
    uint64_t bytes_ = 0;          ///< of all of them
};

} // namespace kobalt::render
