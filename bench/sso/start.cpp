// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// The least that a program does. What it takes as a whole is for its parent to time.
#include "cases.h"
#include "process.h"
#include "target.h"

namespace kobalt::sso {

namespace {

Outcome start(const Job& job) {
    const Target target(job.options.pictures);
    gl::ClearColor(0.25F, 0.5F, 0.75F, 1.0F);
    gl::Clear(GL_COLOR_BUFFER_BIT);
    if (Outcome good = target.expect_cell(0, {0.25F, 0.5F, 0.75F, 1.0F}); !good) {
        return good;
    }
    job.figures.add("cleared", 1e3 * seconds_since(job.begin), "ms");
    return {};
}

constexpr std::array kCases{Case{"start", "a context, one clear, and one pixel read", start}};

} // namespace

std::span<const Case> start_cases() {
    return kCases;
}

} // namespace kobalt::sso
