// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "present/sync_counters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "present/frame_clock.h"

namespace kobalt::present {

namespace {

/// How long a wait sleeps before it asks whether the window still exists.
constexpr std::chrono::seconds longest_sleep{1};
constexpr int64_t second = 1'000'000'000; // nanoseconds

/// The smallest number above `current` that leaves `remainder` when divided by `divisor`.
int64_t next_with_remainder(int64_t current, int64_t divisor, int64_t remainder) {
    const int64_t at = current - current % divisor + remainder;
    if (at > current)
        return at;
    constexpr int64_t never = std::numeric_limits<int64_t>::max();
    return at > never - divisor ? never : at + divisor;
}

} // namespace

RefreshRate as_fraction(double hertz) {
    if (hertz <= 1)
        hertz = FrameClock::usual_refresh_rate;
    constexpr int32_t parts = 1000;
    const auto numerator = static_cast<int32_t>(std::lround(std::min(hertz, 1e6) * parts));
    const int32_t common = std::gcd(numerator, parts);
    return {numerator / common, parts / common};
}

SyncCounters::SyncCounters(std::function<double()> find_rate) : find_rate_(std::move(find_rate)) {}

int64_t SyncCounters::begin_swap() {
    const std::scoped_lock lock(mutex_);
    return ++issued_;
}

void SyncCounters::end_swap(int64_t number) {
    const std::scoped_lock lock(mutex_);
    over_ = std::max(over_, number);
    changed_.notify_all();
}

void SyncCounters::end_swap_at(int64_t number, vulkan::Timeline& timeline, uint64_t value) {
    const std::scoped_lock lock(mutex_);
    (void)over(); // nobody may ever ask: keep the list short
    pending_.push_back({number, &timeline, value});
    changed_.notify_all();
}

int64_t SyncCounters::swaps() const {
    const std::scoped_lock lock(mutex_);
    return issued_;
}

SyncCounters::Values SyncCounters::values() {
    std::unique_lock lock(mutex_);
    find_rate(lock);
    return values_now();
}

RefreshRate SyncCounters::rate() {
    std::unique_lock lock(mutex_);
    find_rate(lock);
    return rate_;
}

std::optional<SyncCounters::Values> SyncCounters::wait_for_msc(int64_t target, int64_t divisor,
                                                               int64_t remainder,
                                                               const Exists& exists) {
    std::unique_lock lock(mutex_);
    find_rate(lock);
    Clock::time_point now = Clock::now();
    if (const int64_t current = msc_at(now); current >= target)
        target = divisor > 0 ? next_with_remainder(current, divisor, remainder) : current;
    while (msc_at(now) < target) {
        // Compared as numbers: a target far away has no time.
        const bool soon = target <= msc_at(now + longest_sleep);
        const Clock::time_point until = soon ? begin_of(target) : now + longest_sleep;
        lock.unlock();
        std::this_thread::sleep_until(until);
        if (!soon && !exists())
            return std::nullopt;
        lock.lock();
        now = Clock::now();
    }
    return values_now();
}

std::optional<SyncCounters::Values> SyncCounters::wait_for_sbc(int64_t target,
                                                               const Exists& exists) {
    std::unique_lock lock(mutex_);
    find_rate(lock);
    if (target == 0)
        target = issued_;
    Clock::time_point asked = Clock::now();
    while (over() < target) {
        wait_for_end(lock);
        if (Clock::now() < asked + longest_sleep)
            continue;
        lock.unlock();
        if (!exists())
            return std::nullopt;
        lock.lock();
        asked = Clock::now();
    }
    return values_now();
}

/// Sleeps until another swap may be over.
void SyncCounters::wait_for_end(std::unique_lock<std::mutex>& lock) {
    if (pending_.empty()) {
        changed_.wait_for(lock, longest_sleep);
        return;
    }
    const Pending first = pending_.front();
    lock.unlock();
    // A lost device ends all swaps.
    (void)first.timeline->wait(first.value, longest_sleep / std::chrono::nanoseconds(1));
    lock.lock();
}

/// Without the lock meanwhile: the window system may take its time to answer.
void SyncCounters::find_rate(std::unique_lock<std::mutex>& lock) {
    if (rate_.numerator)
        return;
    lock.unlock();
    const RefreshRate found = as_fraction(find_rate_ ? find_rate_() : 0);
    lock.lock();
    if (!rate_.numerator)
        rate_ = found;
}

int64_t SyncCounters::msc_at(Clock::time_point when) const {
    // Whole numbers: a rounded period would make the count drift against the rate. Seconds are
    // counted apart, so that nothing overflows.
    const int64_t since =
        std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
    const int64_t parts = since / second * rate_.numerator; // of a refresh, denominator of them
    return (parts + since % second * rate_.numerator / second) / rate_.denominator;
}

SyncCounters::Clock::time_point SyncCounters::begin_of(int64_t msc) const {
    // Rounded up: msc_at() counts the refresh then.
    const int64_t parts = msc * rate_.denominator;
    const int64_t rest = parts % rate_.numerator * second;
    return Clock::time_point(
        std::chrono::seconds(parts / rate_.numerator) +
        std::chrono::nanoseconds((rest + rate_.numerator - 1) / rate_.numerator));
}

int64_t SyncCounters::over() {
    while (!pending_.empty() && pending_.front().timeline->reached(pending_.front().value)) {
        over_ = std::max(over_, pending_.front().number);
        pending_.pop_front();
    }
    return over_;
}

SyncCounters::Values SyncCounters::values_now() {
    const int64_t msc = msc_at(Clock::now());
    const auto began =
        std::chrono::duration_cast<std::chrono::microseconds>(begin_of(msc).time_since_epoch());
    return {began.count(), msc, over()};
}

} // namespace kobalt::present
