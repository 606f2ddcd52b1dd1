// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <chrono>

namespace kobalt::present {

/// Paces frames by the clock, where no vertical blank is to be had. Refreshes are a period apart,
/// counted from a frame that came when nothing was due.
class FrameClock {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double usual_refresh_rate = 60; ///< hertz, where nobody knows the monitor's

    explicit FrameClock(double refresh_rate = usual_refresh_rate)
        : period_(std::chrono::nanoseconds(
              static_cast<int64_t>(1e9 / (refresh_rate > 1 ? refresh_rate : usual_refresh_rate)))) {
    }

    /// When a frame with this swap interval is to be shown that is ready `now`. It stays for
    /// `interval` refreshes; 0: for none. A frame that comes late is shown at once, and the
    /// refreshes count from it.
    Clock::time_point show_at(Clock::time_point now, int interval) {
        const Clock::time_point at = std::max(now, free_at_);
        free_at_ = at + period_ * std::max(interval < 0 ? 1 : interval, 0);
        return interval == 0 ? now : at;
    }

    Clock::duration period() const { return period_; }

private:
    Clock::duration period_;
    Clock::time_point free_at_{}; ///< when the frame that is shown has stayed long enough
};

} // namespace kobalt::present
