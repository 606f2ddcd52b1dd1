// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace kobalt::compute {

using Words = std::vector<std::uint32_t>;

/// The uniform block of every kernel, at binding 0 (std140). What a member means is the kernel's.
struct Parameters {
    std::uint32_t count = 0, width = 0, height = 0;
    float scale = 0;
};

/// Says whether a buffer holds what the kernel should have written after that many dispatches.
using Check = std::function<bool(std::span<const std::uint32_t> words, std::uint64_t dispatches)>;

/// A kernel with its data, as both APIs run it. Each dispatch sees what the one before it wrote.
struct Job {
    std::span<const std::uint32_t> code; ///< SPIR-V 1.0, entry point "main"
    Parameters parameters;
    std::vector<Words> buffers; ///< their first contents; bindings 1, 2, ...
    std::array<std::uint32_t, 2> groups{1, 1};
    std::uint32_t together = 1; ///< dispatches that a program submits at a time
    bool exchanged = false;     ///< bindings 1 and 2 change places behind each dispatch
    std::size_t result = 0;     ///< the buffer to check, after an even number of dispatches
    double amount = 1;          ///< what a dispatch does, in the kind's unit times a second
    Check check;
};

/// What the device can take.
struct Sizes {
    bool small = false;         ///< the device is a CPU
    std::size_t most_bytes = 0; ///< of a storage buffer
};

/// A measured kernel.
struct Kind {
    std::string_view name;
    std::string_view unit;   ///< of its rate
    bool needs_fp16 = false; ///< SPIR-V's capability Float16
    Job (*make)(const Sizes&) = nullptr;
};

Job fp32_job(const Sizes& sizes);
Job fp16_job(const Sizes& sizes);
Job int32_job(const Sizes& sizes);
Job triad_job(const Sizes& sizes);
Job matrix_job(const Sizes& sizes);
Job convolution_job(const Sizes& sizes);
/// A thousand small dispatches on the same buffer.
Job step_job(const Sizes& sizes);
/// The same with two buffers that are exchanged behind each dispatch.
Job exchange_job(const Sizes& sizes);

inline constexpr std::array kKinds{
    Kind{"fp32", "GFLOP/s", false, fp32_job},
    Kind{"fp16", "GFLOP/s", true, fp16_job},
    Kind{"int32", "GOP/s", false, int32_job},
    Kind{"memory", "GB/s", false, triad_job},
    Kind{"matrix", "GFLOP/s", false, matrix_job},
    Kind{"convolution", "GFLOP/s", false, convolution_job},
    Kind{"dispatches", "1/s", false, step_job},
    Kind{"dispatches_exchanged", "1/s", false, exchange_job},
};

} // namespace kobalt::compute
