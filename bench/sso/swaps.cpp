// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
//
// Other stages or programs at each draw, all of them drawn with before.
#include "cases.h"
#include "pipeline.h"
#include "steady.h"

namespace kobalt::sso {

namespace {

constexpr int kWarmUp = 512;

// The two numbers have no common factor: each step takes the next of both, so all pairs come up.
Counts swapped(const Options& options) {
    return options.quick ? Counts{2, 0, 0, 0, 3} : Counts{5, 0, 0, 0, 7};
}

Choice pair(const Counts& counts, int step) {
    return {step % counts.front(), 0, 0, 0, step % counts.back()};
}

/// Draws with another pair of separable stages each time. `prepare` is called once, with the
/// programs and how many there are of each stage; what it returns selects pair i.
template <class Prepare>
Outcome swap(const Job& job, const Prepare& prepare) {
    if (!job.driver.separable()) {
        return skipped(job.driver.lacks("GL_ARB_separate_shader_objects"));
    }
    const Target target(job.options.pictures);
    bind_triangle();
    const Counts counts = swapped(job.options);
    const SeparablePrograms programs(job.driver, job.seed, counts);
    if (Outcome good = programs.all_linked(); !good) {
        return good;
    }
    const auto select = prepare(programs, counts);
    return measure_steady(
        job.options, job.figures, target, programs.choices(), kWarmUp,
        [&](int i) {
            select(i);
            programs.draw();
        },
        [&](int i) { return programs.colour(pair(counts, i)); });
}

Outcome swap_stages(const Job& job) {
    return swap(job, [](const SeparablePrograms& programs, const Counts& counts) {
        return [&](int i) { programs.choose(pair(counts, i)); };
    });
}

Outcome swap_pipelines(const Job& job) {
    return swap(job, [](const SeparablePrograms& programs, const Counts& counts) {
        std::vector<GLuint> pipelines(static_cast<size_t>(programs.choices()));
        gl::GenProgramPipelines(programs.choices(), pipelines.data());
        for (int i = 0; i < programs.choices(); ++i) {
            gl::BindProgramPipeline(pipelines[static_cast<size_t>(i)]);
            programs.put(pipelines[static_cast<size_t>(i)], pair(counts, i));
        }
        return [pipelines](int i) {
            gl::BindProgramPipeline(pipelines[static_cast<size_t>(i) % pipelines.size()]);
        };
    });
}

Outcome in_turn(const Job& job, int count) {
    const Target target(job.options.pictures);
    bind_triangle();
    const WholePrograms whole(job.driver, job.seed);
    std::vector<GLuint> programs;
    for (int i = 0; i < count; ++i) {
        programs.push_back(whole.make(i));
    }
    if (Outcome good = linked(programs); !good) {
        return good;
    }
    const auto next = [&](int i) {
        gl::UseProgram(programs[static_cast<size_t>(i % count)]);
        draw_triangle();
    };
    return measure_steady(job.options, job.figures, target, count, kWarmUp, next,
                          [&](int i) { return whole.colour(i % count); });
}

Outcome programs_2(const Job& job) {
    return in_turn(job, 2);
}

Outcome programs_8(const Job& job) {
    return in_turn(job, job.options.number(8, 3));
}

constexpr std::array kCases{
    Case{"swap_stages", "glUseProgramStages for both stages at each draw, 5 x 7 of them",
         swap_stages},
    Case{"swap_pipelines", "glBindProgramPipeline at each draw, the same 35 pairs", swap_pipelines},
    Case{"programs_2", "glUseProgram at each draw, two in turn", programs_2},
    Case{"programs_8", "glUseProgram at each draw, eight in turn", programs_8}};

} // namespace

std::span<const Case> swap_cases() {
    return kCases;
}

} // namespace kobalt::sso
