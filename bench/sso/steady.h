// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>

#include "demo/offscreen/gl_api.h"
#include "options.h"
#include "process.h"
#include "target.h"

namespace kobalt::sso {

/// The result of a steady case.
struct Rate {
    double per_second = 0;
    int steps = 0; ///< steps done; the last one has the number steps - 1
};

/// Calls step(0), step(1), ... for options.seconds(), after `warm_up` calls that don't count, and
/// waits for the GPU at the end; the wait counts.
template <class Step>
Rate steady(const Options& options, int warm_up, Step&& step) {
    constexpr int kBetweenLooks = 256; // steps between two looks at the clock
    for (int i = 0; i < warm_up; ++i) {
        step(i);
    }
    gl::Finish();
    int count = 0;
    const Clock::time_point begin = Clock::now();
    do {
        for (int left = kBetweenLooks; left > 0; --left) {
            step(count++);
        }
    } while (seconds_since(begin) < options.seconds());
    gl::Finish();
    return {count / seconds_since(begin), count};
}

/// Draws step(0) to step(count - 1), each into a cell of its own, and checks each colour.
template <class Step, class ColourOf>
Outcome each_right(const Target& target, int count, Step&& step, ColourOf&& colour_of) {
    Target::clear();
    for (int i = 0; i < count; ++i) {
        Target::use_cell(i);
        step(i);
    }
    Target::use_cell(0);
    return target.expect(count, colour_of);
}

/// Runs a steady case: checks the first `looked_at` steps, measures the rate, and checks the last
/// step.
template <class Step, class ColourOf>
Outcome measure_steady(const Options& options, const Figures& figures, const Target& target,
                       int looked_at, int warm_up, Step&& step, ColourOf&& colour_of) {
    if (Outcome good = each_right(target, std::min(looked_at, Target::kCells), step, colour_of);
        !good) {
        return good;
    }
    const Rate rate = steady(options, warm_up, step);
    if (Outcome good = target.expect_cell(0, colour_of(rate.steps - 1)); !good) {
        return good;
    }
    figures.add("draws", rate.per_second / 1e6, "M/s");
    return {};
}

} // namespace kobalt::sso
