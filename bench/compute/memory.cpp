// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The bandwidth of memory: two streams from it and one to it, larger than caches.
#include <algorithm>

#include "jobs.h"
#include "values.h"

// glslang's headers lack the include of what they use.
#include "triad_comp.h"

namespace kobalt::compute {

Job triad_job(const Sizes& sizes) {
    constexpr std::size_t group_bytes = 256 * 16;
    constexpr std::size_t small = std::size_t{16} << 20U, large = std::size_t{128} << 20U;
    const std::size_t bytes = std::min(sizes.small ? small : large, sizes.most_bytes);
    Job job;
    job.code = triad_comp;
    job.parameters.scale = 0.25F;
    job.groups[0] = static_cast<std::uint32_t>(bytes / group_bytes);
    const std::size_t count = std::size_t{job.groups[0]} * group_bytes / sizeof(float);
    job.buffers = {Words(count), pattern(count, 1), pattern(count, 2)};
    job.amount = 3.0 * static_cast<double>(count * sizeof(float)) / 1e9;
    job.check = [first = job.buffers[1], second = job.buffers[2], scale = job.parameters.scale](
                    std::span<const std::uint32_t> words, std::uint64_t) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (float_at(words, i) != float_at(first, i) + scale * float_at(second, i)) {
                return false; // all numbers are small binary fractions: nothing is rounded
            }
        }
        return true;
    };
    return job;
}

} // namespace kobalt::compute
