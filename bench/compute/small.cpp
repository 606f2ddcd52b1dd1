// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// A thousand small dispatches, each of which needs what the one before it wrote.
#include <numeric>

#include "jobs.h"

// glslang's headers lack the include of what they use.
#include "exchange_comp.h"
#include "step_comp.h"

namespace kobalt::compute {

namespace {

constexpr std::uint32_t kGroups = 4, kInvocations = kGroups * 64;
constexpr std::uint32_t kTogether = 1000;
constexpr std::uint32_t kMultiplier = 1664525U, kAddend = 1013904223U;

Words first_state() {
    Words state(kInvocations);
    std::iota(state.begin(), state.end(), 1U);
    return state;
}

/// A job of small dispatches. Behind n of them the number at i is made of the one that was at
/// i + n * `turn`.
Job small_job(std::span<const std::uint32_t> code, std::uint32_t turn) {
    Job job;
    job.code = code;
    job.parameters = {kInvocations, kMultiplier, kAddend, 0};
    job.groups[0] = kGroups;
    job.together = kTogether;
    job.check = [turn](std::span<const std::uint32_t> words, std::uint64_t dispatches) {
        const Words state = first_state();
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::uint32_t value = state[(i + dispatches * turn) % state.size()];
            for (std::uint64_t n = 0; n < dispatches; ++n) {
                value = value * kMultiplier + kAddend;
            }
            if (words[i] != value) {
                return false;
            }
        }
        return true;
    };
    return job;
}

} // namespace

Job step_job(const Sizes& /*sizes*/) {
    Job job = small_job(step_comp, 0);
    job.buffers = {first_state()};
    return job;
}

Job exchange_job(const Sizes& /*sizes*/) {
    Job job = small_job(exchange_comp, 1);
    job.buffers = {Words(kInvocations), first_state()};
    job.exchanged = true;
    job.result = 1; // the second of two dispatches writes there
    return job;
}

} // namespace kobalt::compute
