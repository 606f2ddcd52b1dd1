// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The rates of arithmetic: chains of operations in registers.
#include <cmath>

#include "jobs.h"
#include "values.h"

// glslang's headers lack the include of what they use.
#include "fp16_comp.h"
#include "fp32_comp.h"
#include "int32_comp.h"

namespace kobalt::compute {

namespace {

constexpr std::uint32_t kGroupSize = 256;
/// Results differ by invocation, with this period (int32: without one).
constexpr std::size_t kPeriod = 256;
constexpr std::uint32_t kMultiplier = 2654435769U, kAddend = 974711U;

/// A job whose dispatch takes some milliseconds. `operations`: an invocation's, for each `count`.
Job chains(std::span<const std::uint32_t> code, const Sizes& sizes, double operations) {
    Job job;
    job.code = code;
    job.parameters.count = sizes.small ? 64 : 512;
    job.groups[0] = sizes.small ? 64 : 4096;
    const std::size_t invocations = std::size_t{job.groups[0]} * kGroupSize;
    job.buffers = {Words(invocations)};
    job.amount = operations * job.parameters.count * static_cast<double>(invocations) / 1e9;
    return job;
}

float shift_of(std::size_t id) {
    return 1.0F + static_cast<float>(id % kPeriod) / 256.0F;
}

/// What fp32.comp computes.
float fp32_result(std::size_t id, const Parameters& parameters) {
    float sum = 0;
    for (int chain = 0; chain < 16; ++chain) {
        auto value = static_cast<float>(chain);
        for (std::uint32_t i = 0; i < 4 * parameters.count; ++i) {
            value = std::fma(value, parameters.scale, shift_of(id));
        }
        sum += value;
    }
    return sum;
}

/// What int32.comp computes.
std::uint32_t int32_result(std::size_t id, const Parameters& parameters) {
    std::uint32_t sum = 0;
    for (std::uint32_t chain = 0; chain < 16; ++chain) {
        std::uint32_t value = static_cast<std::uint32_t>(id) + chain;
        for (std::uint32_t i = 0; i < 4 * parameters.count; ++i) {
            value = (value ^ value >> 15U) * parameters.width + parameters.height;
        }
        sum += value;
    }
    return sum;
}

/// Whether each result is that of the first `kPeriod` invocations, but for a part of it.
bool repeats(std::span<const std::uint32_t> words, const std::vector<double>& expected,
             double part) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!is_near(float_at(words, i), expected[i % kPeriod], part)) {
            return false;
        }
    }
    return true;
}

} // namespace

Job fp32_job(const Sizes& sizes) {
    Job job = chains(fp32_comp, sizes, 16 * 4 * 2);
    job.parameters.scale = 0.999F;
    std::vector<double> expected(kPeriod);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = fp32_result(i, job.parameters);
    }
    job.check = [expected](std::span<const std::uint32_t> words, std::uint64_t) {
        // A multiplication with its addition may be rounded once or twice.
        return repeats(words, expected, 1e-3);
    };
    return job;
}

Job fp16_job(const Sizes& sizes) {
    Job job = chains(fp16_comp, sizes, 32 * 2 * 2);
    job.parameters.scale = 0.5F; // each chain comes close to twice its shift, however it is rounded
    std::vector<double> expected(kPeriod);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = 32.0 * 2.0 * static_cast<double>(shift_of(i));
    }
    job.check = [expected](std::span<const std::uint32_t> words, std::uint64_t) {
        return repeats(words, expected, 1e-2);
    };
    return job;
}

Job int32_job(const Sizes& sizes) {
    Job job = chains(int32_comp, sizes, 16 * 4 * 4);
    job.parameters.width = kMultiplier;
    job.parameters.height = kAddend;
    job.check = [parameters = job.parameters](std::span<const std::uint32_t> words, std::uint64_t) {
        constexpr std::size_t samples = 1000;
        const std::size_t stride = words.size() / samples + 1;
        for (std::size_t i = 0; i < words.size(); i += stride) {
            if (words[i] != int32_result(i, parameters)) {
                return false;
            }
        }
        return true;
    };
    return job;
}

} // namespace kobalt::compute
