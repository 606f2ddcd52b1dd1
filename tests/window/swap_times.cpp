// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What a swap takes of the program's thread. No test: the bundle's `bench windows` shows it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "shared_tests.h"

namespace kobalt::windowtest {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int frame_count = 300;

/// Milliseconds of each swap. `period`: between the beginnings of two frames; zero: none.
std::vector<double> swap_times(Target& target, Clock::duration period) {
    const Painter painter;
    std::vector<double> times;
    auto next = Clock::now();
    for (int frame = 0; frame < frame_count; ++frame) {
        std::this_thread::sleep_until(next += period);
        painter.draw(target.width(), target.height(), frame);
        const auto begin = Clock::now();
        target.swap();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::ranges::sort(times);
    return times;
}

} // namespace

void show_swap_times(const MakeTarget& make) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(3840, 2160)}) {
        const auto target = make({.width = width, .height = height});
        if (!target->current()) {
            std::printf("no window of %d x %d pixels\n", width, height);
            return;
        }
        target->set_interval(0);
        for (const int rate : {120, 0}) {
            const auto period =
                rate ? Clock::duration(std::chrono::seconds(1)) / rate : Clock::duration::zero();
            const std::vector<double> times = swap_times(*target, period);
            const std::string pace = rate ? std::to_string(rate) + " frames a second" : "no pause";
            std::printf("%s swap of %d x %d pixels, %s: median %.3f ms, 95 of 100 within %.3f ms\n",
                        target->api(), width, height, pace.c_str(), times[times.size() / 2],
                        times[times.size() * 95 / 100]);
            std::fflush(stdout);
        }
    }
}

} // namespace kobalt::windowtest
