// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// What the first draw with a combination of separable stages costs, beside the second.
#include <algorithm>
#include <numeric>
#include <thread>

#include "cases.h"
#include "pipeline.h"
#include "process.h"
#include "random.h"

namespace kobalt::sso {

namespace {

/// A load screen: the context has drawn before the game begins, and then time passes.
Outcome load_screen(const Job& job) {
    const WholePrograms programs(job.driver, ~job.seed);
    const GLuint program = programs.make(0);
    gl::UseProgram(program);
    draw_triangle();
    gl::Finish();
    gl::UseProgram(0);
    Target::clear();
    gl::Finish();
    std::this_thread::sleep_for(std::chrono::duration<double>(job.options.pause()));
    return linked(program);
}

/// Draws with each combination once, in the order given, each into a cell of its own; microseconds
/// from the choice to the end of its glFinish.
std::vector<double> round(const SeparablePrograms& programs, const std::vector<int>& order) {
    std::vector<double> times(order.size());
    Target::clear();
    gl::Finish();
    for (const int number : order) {
        const Choice choice = programs.choice(number);
        Target::use_cell(number);
        const Clock::time_point begin = Clock::now();
        programs.choose(choice);
        programs.draw();
        gl::Flush();
        gl::Finish();
        times[static_cast<size_t>(number)] = 1e6 * seconds_since(begin);
    }
    return times;
}

double sum_ms(const std::vector<double>& microseconds) {
    return std::accumulate(microseconds.begin(), microseconds.end(), 0.0) / 1e3;
}

Outcome measure(const Job& job, const Counts& counts) {
    if (!job.driver.separable()) {
        return skipped(job.driver.lacks("GL_ARB_separate_shader_objects"));
    }
    if (counts[static_cast<size_t>(Stage::Control)] > 0 && !job.driver.tessellation()) {
        return skipped(job.driver.lacks("GL_ARB_tessellation_shader"));
    }
    const Target target(job.options.pictures);
    bind_triangle();
    const Clock::time_point begin = Clock::now();
    const SeparablePrograms programs(job.driver, job.seed, counts);
    const double made = seconds_since(begin);
    if (Outcome good = load_screen(job); !good) {
        return good;
    }

    Random random(job.seed);
    const int count = programs.choices();
    const std::vector<int> order = random.order(count);
    const auto right = [&]() -> Outcome {
        Outcome same = target.expect(
            count, [&](int number) { return programs.colour(programs.choice(number)); });
        const Outcome good = programs.all_linked();
        return good ? same : good;
    };
    const std::vector<double> first = round(programs, order);
    if (Outcome good = right(); !good) {
        return good;
    }
    const std::vector<double> warm = round(programs, order);
    if (Outcome good = right(); !good) {
        return good;
    }

    std::vector<double> extra(first.size());
    std::ranges::transform(first, warm, extra.begin(), std::minus<>());
    job.figures.add("made", 1e3 * made, "ms");
    job.figures.add_spread("first", first, "us");
    job.figures.add_spread("warm", warm, "us");
    job.figures.add_spread("extra", extra, "us");
    job.figures.add("first_total", sum_ms(first), "ms");
    job.figures.add("warm_total", sum_ms(warm), "ms");
    return {};
}

// Counts are in the order vertex, control, evaluation, geometry, fragment.

Outcome two_stages(const Job& job) {
    return measure(job, job.options.quick ? Counts{2, 0, 0, 0, 2} : Counts{24, 0, 0, 0, 24});
}

Outcome three_stages(const Job& job) {
    return measure(job, job.options.quick ? Counts{1, 0, 0, 2, 2} : Counts{8, 0, 0, 4, 8});
}

Outcome four_stages(const Job& job) {
    return measure(job, job.options.quick ? Counts{1, 2, 2, 0, 1} : Counts{4, 4, 4, 0, 4});
}

Outcome five_stages(const Job& job) {
    return measure(job, job.options.quick ? Counts{1, 1, 2, 1, 2} : Counts{4, 2, 4, 2, 4});
}

constexpr std::array kCases{
    Case{"first_vs_fs", "the first use of 24 x 24 pairs of vertex and fragment shader", two_stages},
    Case{"first_vs_gs_fs", "the first use of 8 x 4 x 8, with geometry shaders", three_stages},
    Case{"first_vs_tcs_tes_fs", "the first use of 4 x 4 x 4 x 4, with tessellation", four_stages},
    Case{"first_five", "the first use of 4 x 2 x 4 x 2 x 4: all five stages", five_stages}};

} // namespace

std::span<const Case> first_use_cases() {
    return kCases;
}

} // namespace kobalt::sso
