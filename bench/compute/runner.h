// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "jobs.h"

namespace kobalt::compute {

/// A value, or in one line why there is none.
template <typename T>
using Result = std::expected<T, std::string>;

/// A job's objects in one API.
class Loaded {
public:
    Loaded() = default;
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    virtual ~Loaded() = default;

    /// Does the job's dispatches that many times together, submits each time, and waits for the
    /// last one.
    virtual Result<void> run(std::uint32_t times) = 0;
    /// The present contents of the job's buffer with that number.
    virtual Result<Words> read(std::size_t buffer) = 0;
};

/// An API that runs jobs on a device.
class Runner {
public:
    Runner() = default;
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    virtual ~Runner() = default;

    /// Makes a job's objects. The error says what the API or the device lacks.
    virtual Result<std::unique_ptr<Loaded>> load(const Job& job) = 0;
    /// Why kernels with SPIR-V's capability Float16 can't run here; empty: they can.
    virtual std::string lacks_fp16() const = 0;
    /// The largest storage buffer, in bytes.
    virtual std::size_t most_bytes() const = 0;
};

} // namespace kobalt::compute
