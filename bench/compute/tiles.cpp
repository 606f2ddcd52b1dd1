// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Kernels with tiles in shared memory: a matrix product and a convolution.
#include "jobs.h"
#include "values.h"

// glslang's headers lack the include of what they use.
#include "convolution_comp.h"
#include "matrix_comp.h"

namespace kobalt::compute {

namespace {

/// Elements that are computed again on the CPU. No common factor with the sides of the tiles.
constexpr std::size_t kSamples = 997;
constexpr double kPart = 1e-4;
constexpr std::size_t kFilter = 7;

} // namespace

Job matrix_job(const Sizes& sizes) {
    constexpr std::uint32_t tile = 64;
    Job job;
    const std::size_t side = sizes.small ? 256 : 2048;
    job.code = matrix_comp;
    job.parameters.width = static_cast<std::uint32_t>(side);
    job.groups = {job.parameters.width / tile, job.parameters.width / tile};
    job.buffers = {Words(side * side), pattern(side * side, 1), pattern(side * side, 2)};
    const auto length = static_cast<double>(side);
    job.amount = 2 * length * length * length / 1e9;
    job.check = [left = job.buffers[1], right = job.buffers[2],
                 side](std::span<const std::uint32_t> words, std::uint64_t) {
        for (std::size_t i = 0; i < words.size(); i += words.size() / kSamples) {
            double sum = 0;
            for (std::size_t k = 0; k < side; ++k) {
                sum += static_cast<double>(float_at(left, i / side * side + k)) *
                       static_cast<double>(float_at(right, k * side + i % side));
            }
            if (!is_near(float_at(words, i), sum, kPart)) {
                return false;
            }
        }
        return true;
    };
    return job;
}

Job convolution_job(const Sizes& sizes) {
    constexpr std::uint32_t tile = 16;
    Job job;
    const std::size_t side = sizes.small ? 512 : 4096;
    const std::size_t stride = side + kFilter - 1;
    job.code = convolution_comp;
    job.parameters.width = job.parameters.height = static_cast<std::uint32_t>(side);
    job.groups = {job.parameters.width / tile, job.parameters.height / tile};
    job.buffers = {Words(side * side), pattern(stride * stride, 1), pattern(kFilter * kFilter, 2)};
    job.amount = 2.0 * static_cast<double>(kFilter * kFilter * side * side) / 1e9;
    job.check = [picture = job.buffers[1], weights = job.buffers[2], side,
                 stride](std::span<const std::uint32_t> words, std::uint64_t) {
        for (std::size_t i = 0; i < words.size(); i += words.size() / kSamples) {
            double sum = 0;
            for (std::size_t k = 0; k < kFilter * kFilter; ++k) {
                const std::size_t at = (i / side + k / kFilter) * stride + i % side + k % kFilter;
                sum += static_cast<double>(float_at(weights, k)) *
                       static_cast<double>(float_at(picture, at));
            }
            if (!is_near(float_at(words, i), sum, kPart)) {
                return false;
            }
        }
        return true;
    };
    return job;
}

} // namespace kobalt::compute
