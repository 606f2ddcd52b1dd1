// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace kobalt::soak {

using Clock = std::chrono::steady_clock;

/// What some kind of memory came to over a load, in KiB.
class MemoryCurve {
public:
    void add(double second, std::int64_t kib) { samples_.push_back({second, kib}); }
    bool empty() const { return samples_.empty(); }
    /// At the end of the first second (the last sample where the load was shorter).
    std::int64_t after_first_second() const;
    std::int64_t last() const { return samples_.back().kib; }
    /// The most from the end of the first second on.
    std::int64_t most() const;
    /// How much more that is than at the end of the first second.
    double growth_percent() const;

private:
    struct Sample {
        double second;
        std::int64_t kib;
    };
    std::vector<Sample> samples_;
};

/// The resident set of this process, now; 0 where /proc has none.
std::int64_t resident_kib();

/// Samples the resident set every 100 ms on a thread of its own, from its making to stop().
class ResidentSampler {
public:
    /// `exceeded()` turns true where the process has more than `ceiling_kib`.
    explicit ResidentSampler(std::int64_t ceiling_kib);
    ~ResidentSampler() { stop(); }
    ResidentSampler(const ResidentSampler&) = delete;
    ResidentSampler& operator=(const ResidentSampler&) = delete;

    bool exceeded() const { return exceeded_.load(std::memory_order_relaxed); }
    /// Ends the thread after a last sample; further calls do nothing.
    void stop();
    /// Complete after stop().
    const MemoryCurve& curve() const { return curve_; }

private:
    void sample();

    const Clock::time_point start_ = Clock::now();
    std::int64_t ceiling_kib_;
    std::atomic<bool> exceeded_{false};
    MemoryCurve curve_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

/// Device memory in use by GL_NVX_gpu_memory_info: the whole budget less what is free of it.
/// Nothing where the current context doesn't offer that, and where the device is the CPU: its
/// memory is the machine's, which every program changes, and what this one takes is resident.
class DeviceMemory {
public:
    /// Looks at the current context.
    DeviceMemory();
    std::optional<std::int64_t> used_kib() const;

private:
    bool offered_ = false;
};

} // namespace kobalt::soak
