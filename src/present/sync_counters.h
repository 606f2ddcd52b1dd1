// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "vulkan/device/timeline.h"

namespace kobalt::present {

/// A refresh rate as GLX_OML_sync_control has it: the denominator of a whole number is 1.
struct RefreshRate {
    int32_t numerator = 0; ///< hertz
    int32_t denominator = 1;
};

/// The rate to a thousandth of a hertz, in lowest terms. The usual one for a rate that is unknown.
RefreshRate as_fraction(double hertz);

/// The counters of GLX_OML_sync_control for one window: refreshes (MSC) and swaps (SBC). No
/// vertical blank is to be had, so refreshes are those of a clock with the monitor's rate, which
/// began with CLOCK_MONOTONIC: windows with the same rate have the same count, in all processes.
/// Thread-safe.
class SyncCounters {
public:
    using Clock = std::chrono::steady_clock; ///< CLOCK_MONOTONIC
    struct Values {
        int64_t ust = 0; ///< microseconds of Clock: when the refresh began
        int64_t msc = 0;
        int64_t sbc = 0; ///< swaps that are over
    };
    /// Whether the window still exists. A wait calls it every second.
    using Exists = std::function<bool()>;

    /// `find_rate` returns the monitor's rate in hertz, 0 if it is unknown. It is called once, by
    /// the first thread that needs the rate.
    explicit SyncCounters(std::function<double()> find_rate = nullptr);

    /// A swap was issued. Returns its number.
    int64_t begin_swap();
    /// Ends that swap and those before it: they were shown, or given up for a newer one.
    void end_swap(int64_t number);
    /// The same, once `timeline` has reached `value`. The timeline outlives the counters.
    void end_swap_at(int64_t number, vulkan::Timeline& timeline, uint64_t value);
    /// The number of swaps issued so far.
    int64_t swaps() const;

    Values values();
    RefreshRate rate();
    /// Waits for refresh `target`; if that has begun already, for the next one whose number leaves
    /// `remainder` when divided by `divisor` (0: doesn't wait). Empty: the window is gone.
    std::optional<Values> wait_for_msc(int64_t target, int64_t divisor, int64_t remainder,
                                       const Exists& exists);
    /// Waits until that many swaps are over; 0: all that were issued. Empty: the window is gone.
    std::optional<Values> wait_for_sbc(int64_t target, const Exists& exists);

private:
    /// A swap whose end the GPU decides.
    struct Pending {
        int64_t number = 0;
        vulkan::Timeline* timeline = nullptr;
        uint64_t value = 0;
    };

    void find_rate(std::unique_lock<std::mutex>& lock);
    int64_t msc_at(Clock::time_point when) const;
    Clock::time_point begin_of(int64_t msc) const;
    int64_t over();
    Values values_now();
    void wait_for_end(std::unique_lock<std::mutex>& lock);

    const std::function<double()> find_rate_;
    mutable std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    RefreshRate rate_; ///< numerator 0: not found yet
    std::deque<Pending> pending_;
    int64_t issued_ = 0;
    int64_t over_ = 0;
};

} // namespace kobalt::present
